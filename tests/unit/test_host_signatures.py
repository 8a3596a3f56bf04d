"""Root signatures out of C++ host code: what is read, what is said to be unknown, and what is never guessed."""

from __future__ import annotations

import msgspec
import pytest
from bindlint.cli.rootsig_text import budget_of, head_of, layout_rows, sampler_rows
from bindlint.errors import UsageError
from bindlint.facts.host.signatures import HostReader
from bindlint.model.host import HostFile, HostSignature, WrapperDescription
from bindlint.model.root_signature import RootSignature, SyntaxFault
from bindlint.rootsig.convert import convert
from bindlint.rootsig.table import table_of
from bindlint_grammars.hlsl.source_files import SourceStore


def read(text: str, wrappers: tuple[WrapperDescription, ...] = (), **files: str) -> HostFile:
    overlays = {"main.cpp": text.encode()} | {name.replace("_h", ".h"): body.encode() for name, body in files.items()}
    return HostReader(SourceStore(overlays=overlays), wrappers=wrappers).read("main.cpp")


def one(text: str, wrappers: tuple[WrapperDescription, ...] = (), **files: str) -> HostSignature:
    signatures = read(text, wrappers, **files).signatures
    assert len(signatures) == 1, signatures
    return signatures[0]


def with_open_parts(found: HostSignature) -> RootSignature:
    """As the sources of root signatures hand it on: what is open is a fault."""
    faults = tuple(SyntaxFault(f"{part.what}: {part.why}", part.span) for part in found.unknown)
    return msgspec.structs.replace(found.signature, faults=faults)


def described(signature: RootSignature) -> str:
    """A signature in one line, as its string would say it."""
    parts = []
    for p in signature.parameters:
        flags = f" flags {p.flags:#x}" if p.flags else ""
        seen = "" if p.visibility == "ALL" else f" {p.visibility}"
        if p.kind == "table":
            ranges = ", ".join(
                r.shown + ("" if r.offset is None else f" at {r.offset}") + (f" flags {r.flags:#x}" if r.flags else "")
                for r in p.ranges
            )
            parts.append(f"{p.index}: table({ranges}){seen}")
        else:
            count = f" x{p.count if p.is_cost_known else '?'}" if p.kind == "constants" else ""
            parts.append(f"{p.index}: {p.kind} {p.shown}{count}{flags}{seen}")
    parts += [f"sampler {s.shown}" for s in signature.static_samplers]
    return "; ".join(parts)


NOTE = """
CD3DX12_DESCRIPTOR_RANGE1 DescRange[6]; DescRange[0].Init(D3D12_DESCRIPTOR_RANGE_SRV,6,2); // t2-t7
DescRange[1].Init(D3D12_DESCRIPTOR_RANGE_UAV,4,0); // u0-u3
DescRange[2].Init(D3D12_DESCRIPTOR_RANGE_SAMPLER,2,0); // s0-s1
CD3DX12_ROOT_PARAMETER1 RP[7]; RP[0].InitAsConstants(3,2); // 3 constants at b2
RP[1].InitAsDescriptorTable(2,&DescRange[0]); // 2 ranges t2-t7 and u0-u3
CD3DX12_STATIC_SAMPLER StaticSamplers[1];
StaticSamplers[0].Init(3, D3D12_FILTER_ANISOTROPIC); // s3
CD3DX12_STATIC_SAMPLER StaticSamplers[1];
StaticSamplers[0].Init(3, D3D12_FILTER_ANISOTROPIC); // s3
CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC RootSig(7,RP,1,StaticSamplers);
ID3DBlob* pSerializedRootSig;
CheckHR(D3D12SerializeVersionedRootSignature(&RootSig,pSerializedRootSig));
ID3D12RootSignature* pRootSignature;
hr = CheckHR(pDevice->CreateRootSignature( pSerializedRootSig->GetBufferPointer(),pSerializedRootSig->GetBufferSize(),\
 __uuidof(ID3D12RootSignature), &pRootSignature));
"""

PROSE = """Descriptor GPU资源的描述信息
Descriptor Heaps
Descriptor Tables
可以快速申请 因为只是标记 (memory 地址)
"""


@pytest.mark.parametrize("before", ["", PROSE], ids=["code", "after prose"])
def test_a_note_that_is_not_finished(before: str) -> None:
    found = one(before + NOTE)
    assert described(found.signature) == "0: constants b2 x3; 1: table(t2-t7, u0-u3); sampler s3"
    assert [str(r.registers) for r in found.loose_ranges] == ["s0-s1"]
    assert (found.name, found.version, found.parameter_count, found.fully, found.not_read) == (
        "RootSig",
        "1.1",
        7,
        2,
        5,
    )
    assert [(u.what, u.kind) for u in found.unknown] == [(f"parameter {i}", "unset") for i in range(2, 7)]
    assert found.least_cost == 4
    unset = [r.message for r in found.remarks if r.kind == "unset"]
    assert unset == [f"`DescRange[{i}]` is never set" for i in (3, 4, 5)]
    assert {(r.kind, r.nearest) for r in found.remarks if r.nearest} == {
        ("unknown-name", "D3D12_DESCRIPTOR_RANGE_TYPE_SRV"),
        ("unknown-name", "D3D12_DESCRIPTOR_RANGE_TYPE_UAV"),
        ("unknown-name", "D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER"),
        ("unknown-name", "CD3DX12_STATIC_SAMPLER_DESC"),
    }
    twice = [r for r in found.remarks if r.kind == "declared-twice"]
    assert [r.message for r in twice] == ["`StaticSamplers` is declared twice"]
    assert twice[0].span.line == 9 + before.count("\n")


def test_the_same_note_completed() -> None:
    found = one("""
void Create() {
    CD3DX12_DESCRIPTOR_RANGE1 DescRange[6];
    DescRange[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 6, 2);
    DescRange[1].Init(D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 4, 0);
    DescRange[2].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER, 2, 0);
    DescRange[3].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, -1, 8, 0, D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE);
    DescRange[4].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, -1, 0, 1, D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE);
    DescRange[5].Init(D3D12_DESCRIPTOR_RANGE_TYPE_CBV, 1, 1);
    CD3DX12_ROOT_PARAMETER1 RP[7];
    RP[0].InitAsConstants(3, 2);
    RP[1].InitAsDescriptorTable(2, &DescRange[0]);
    RP[2].InitAsConstantBufferView(0, 0);
    RP[3].InitAsDescriptorTable(1, &DescRange[2]);
    RP[4].InitAsDescriptorTable(1, &DescRange[3]);
    RP[5].InitAsDescriptorTable(1, &DescRange[4]);
    RP[6].InitAsDescriptorTable(1, &DescRange[5]);
    CD3DX12_STATIC_SAMPLER_DESC StaticSamplers[1];
    StaticSamplers[0].Init(3, D3D12_FILTER_ANISOTROPIC);
    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC RootSig(7, RP, 1, StaticSamplers);
    CheckHR(D3D12SerializeVersionedRootSignature(&RootSig, pSerializedRootSig));
}
""")
    assert described(found.signature) == (
        "0: constants b2 x3; 1: table(t2-t7, u0-u3); 2: cbv b0; 3: table(s0-s1); 4: table(t8-unbounded flags 0x1); "
        "5: table(t0-unbounded, space1 flags 0x1); 6: table(b1); sampler s3"
    )
    assert found.is_complete and found.signature.cost == 10 and not found.remarks and not found.loose_ranges
    assert found.function == "Create"
    assert str(found.signature.parameters[2].span) == "main.cpp:13:5"
    assert str(found.signature.parameters[1].ranges[1].span) == "main.cpp:5:5"


CASES = {
    "constructors and defaults": (
        "CD3DX12_DESCRIPTOR_RANGE r(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 2, 1);"
        "CD3DX12_ROOT_PARAMETER p[2]; p[0].InitAsDescriptorTable(1, &r, D3D12_SHADER_VISIBILITY_PIXEL);"
        "p[1].InitAsShaderResourceView(4); CD3DX12_ROOT_SIGNATURE_DESC d(_countof(p), p); Make(&d);",
        "0: table(t1-t2) PIXEL; 1: srv t4",
    ),
    "arguments that look like parameters": (
        "UINT n = 1; CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsConstantBufferView(3, 2);"
        "CD3DX12_ROOT_SIGNATURE_DESC d(n, p); Make(d);",
        "0: cbv b3, space2",
    ),
    "fields one by one": (
        "D3D12_DESCRIPTOR_RANGE r[1] = {}; r[0].RangeType = D3D12_DESCRIPTOR_RANGE_TYPE_UAV; r[0].NumDescriptors = 2;"
        "r[0].BaseShaderRegister = 1; r[0].RegisterSpace = 3; r[0].OffsetInDescriptorsFromTableStart = 5;"
        "D3D12_ROOT_PARAMETER p[1]; p[0].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;"
        "p[0].DescriptorTable = { 1, r }; p[0].ShaderVisibility = D3D12_SHADER_VISIBILITY_VERTEX;"
        "D3D12_ROOT_SIGNATURE_DESC d = {}; d.NumParameters = ARRAYSIZE(p); d.pParameters = p;"
        "D3D12SerializeRootSignature(&d, D3D_ROOT_SIGNATURE_VERSION_1, &b, &e);",
        "0: table(u1-u2, space3 at 5) VERTEX",
    ),
    "designated initializers": (
        "D3D12_DESCRIPTOR_RANGE1 r = { .RangeType = D3D12_DESCRIPTOR_RANGE_TYPE_CBV, .NumDescriptors = UINT_MAX,"
        ".BaseShaderRegister = 1, .Flags = D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC,"
        ".OffsetInDescriptorsFromTableStart = D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND };"
        "D3D12_ROOT_PARAMETER1 p[] = { { .ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,"
        ".Constants = { .ShaderRegister = 1, .Num32BitValues = 4 } },"
        "{ .ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE, .DescriptorTable = { 1, &r } } };"
        "D3D12_VERSIONED_ROOT_SIGNATURE_DESC d = { .Version = D3D_ROOT_SIGNATURE_VERSION_1_1,"
        ".Desc_1_1 = { .NumParameters = 2, .pParameters = p } }; D3D12SerializeVersionedRootSignature(&d, &b, &e);",
        "0: constants b1 x4; 1: table(b1-unbounded flags 0x8)",
    ),
    "loops, enumerations and constants": (
        "enum { First = 2, Count }; constexpr UINT Base = 4; CD3DX12_ROOT_PARAMETER1 p[Count];"
        "for (UINT i = 0; i < Count; ++i) p[i].InitAsUnorderedAccessView(Base + i, i == First ? 1 : 0);"
        "CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC d; d.Init_1_1(static_cast<UINT>(std::size(p)), p); Make(&d);",
        "0: uav u4; 1: uav u5; 2: uav u6, space1",
    ),
    "vectors": (
        "std::vector<CD3DX12_ROOT_PARAMETER1> v; CD3DX12_ROOT_PARAMETER1 one;"
        "one.InitAsConstants(sizeof(XMFLOAT4X4) / 4, 0); v.push_back(one); "
        "v.emplace_back().InitAsConstantBufferView(7);"
        "CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC d; d.Init_1_1((UINT)v.size(), v.data()); Make(&d);",
        "0: constants b0 x16; 1: cbv b7",
    ),
    "a lambda": (
        "CD3DX12_ROOT_PARAMETER p[2]; UINT next = 0;"
        "auto add = [&](UINT reg) { p[next++].InitAsConstantBufferView(reg); }; add(3); add(9); "
        "CD3DX12_ROOT_SIGNATURE_DESC d; d.Init(next, p); Make(&d);",
        "0: cbv b3; 1: cbv b9",
    ),
    "ranges are read when the signature is made": (
        "CD3DX12_DESCRIPTOR_RANGE r; r.Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0); CD3DX12_ROOT_PARAMETER p;"
        "p.InitAsDescriptorTable(1, &r); r.BaseShaderRegister = 8; CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); Make(&d);",
        "0: table(t8)",
    ),
    "array size by sizeof, either way round": (
        "CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsShaderResourceView(sizeof(p) / sizeof(0[p]));"
        "CD3DX12_ROOT_SIGNATURE_DESC d(sizeof(p) / sizeof(p[0]), p); Make(&d);",
        "0: srv t1",
    ),
    "unbounded by cast": (
        "CD3DX12_DESCRIPTOR_RANGE r(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, (UINT)-1, 0, 2); CD3DX12_ROOT_PARAMETER p;"
        "p.InitAsDescriptorTable(1, &r); CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); Make(&d);",
        "0: table(t0-unbounded, space2)",
    ),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES)
def test_what_is_read(body: str, expected: str) -> None:
    found = one("void Make0() {" + body + "}")
    assert described(found.signature) == expected
    assert found.is_complete, found.unknown


UNKNOWN = {
    "an argument": (
        "CD3DX12_ROOT_PARAMETER p[2]; p[0].InitAsConstantBufferView(n); p[1].InitAsConstantBufferView(1);"
        "CD3DX12_ROOT_SIGNATURE_DESC d(2, p); Make(&d);",
        "0: cbv b?; 1: cbv b1",
        [("parameter 0", "its ShaderRegister: `n` is an argument of `Build`")],
    ),
    "a call": (
        "CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsConstantBufferView(Slot());"
        "CD3DX12_ROOT_SIGNATURE_DESC d(1, p); Make(&d);",
        "0: cbv b?",
        [("parameter 0", "its ShaderRegister: `Slot` is not known here")],
    ),
    "a loop of unknown length": (
        "std::vector<CD3DX12_ROOT_PARAMETER> v;"
        "for (UINT i = 0; i < n; ++i) v.emplace_back().InitAsConstantBufferView(i); "
        "CD3DX12_ROOT_SIGNATURE_DESC d((UINT)v.size(), v.data()); Make(&d);",
        "",
        [("the number of root parameters", "its NumParameters: the number of elements of `v` is not known")],
    ),
    "a helper that may write": (
        "CD3DX12_DESCRIPTOR_RANGE r(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0); Change(&r); CD3DX12_ROOT_PARAMETER p;"
        "p.InitAsDescriptorTable(1, &r); CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); Make(&d);",
        "0: table()",
        [("parameter 0, range 0", "its RangeType: `Change` may change it")],
    ),
    "how many ranges a table has": (
        "CD3DX12_DESCRIPTOR_RANGE r(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0); CD3DX12_ROOT_PARAMETER p[2];"
        "p[0].InitAsDescriptorTable(X::Num, &r, D3D12_SHADER_VISIBILITY_PIXEL); p[1].InitAsConstantBufferView(1);"
        "CD3DX12_ROOT_SIGNATURE_DESC d(2, p); Make(&d);",
        "0: table() PIXEL; 1: cbv b1",
        [("parameter 0", "its NumDescriptorRanges: `X::Num` is not declared here")],
    ),
    "an index that is not known": (
        "CD3DX12_ROOT_PARAMETER p[2]; p[0].InitAsConstantBufferView(0); p[1].InitAsConstantBufferView(1);"
        "p[n].InitAsConstantBufferView(5); CD3DX12_ROOT_SIGNATURE_DESC d(2, p); Make(&d);",
        "",
        [
            ("parameter 0", "its ParameterType: it is not known which element `p[n]` is"),
            ("parameter 1", "its ParameterType: it is not known which element `p[n]` is"),
        ],
    ),
    "beyond the end": (
        "CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsConstantBufferView(0); CD3DX12_ROOT_SIGNATURE_DESC d(2, p); Make(&d);",
        "0: cbv b0",
        [("parameter 1", "lies beyond the end of `p`")],
    ),
    "another member of the union": (
        "D3D12_ROOT_PARAMETER p = { D3D12_ROOT_PARAMETER_TYPE_CBV, { 3, 0 }, D3D12_SHADER_VISIBILITY_ALL };"
        "D3D12_ROOT_SIGNATURE_DESC d = { 1, &p }; Make(&d);",
        "0: cbv b?, space?",
        [("parameter 0", "its Descriptor: is written as `DescriptorTable` of its union")],
    ),
}


@pytest.mark.parametrize(("body", "known", "unknown"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_is_not_known_is_said_and_never_guessed(body: str, known: str, unknown: list[tuple[str, str]]) -> None:
    found = one("void Build(UINT n, bool flag) {" + body + "}")
    assert described(found.signature) == known
    assert [(u.what, u.why) for u in found.unknown] == unknown


@pytest.mark.parametrize(
    ("outside", "inside"),
    [
        ("", "namespace RS = L::T::Slot;"),
        ("namespace RS = L::T::Slot;", ""),
        ("namespace LT = L::T; namespace RS = LT::Slot;", ""),
        ("namespace RS = ::Other;", "namespace RS = ::L::T::Slot;"),
    ],
)
def test_a_namespace_with_another_name(outside: str, inside: str) -> None:
    found = one(f"""
namespace L {{ namespace T {{ namespace Slot {{ enum Enum {{ Matrix, View, Count }}; }} }} }}
namespace Other {{ enum Enum {{ Count = 7, View = 5 }}; }}
{outside}
void Build() {{
    {inside}
    CD3DX12_ROOT_PARAMETER p[RS::Count];
    p[RS::Matrix].InitAsConstantBufferView(3); p[RS::View].InitAsShaderResourceView(RS::View);
    CD3DX12_ROOT_SIGNATURE_DESC d(RS::Count, p); Make(&d);
}}""")
    assert described(found.signature) == "0: cbv b3; 1: srv t1"
    assert found.is_complete, found.unknown


def test_names_of_namespaces_that_mean_each_other() -> None:
    found = one("""namespace A = B; namespace B = A; namespace C = C;
void Build() { CD3DX12_ROOT_PARAMETER p[2]; p[0].InitAsConstantBufferView(A::N); p[1].InitAsConstantBufferView(C::N);
    CD3DX12_ROOT_SIGNATURE_DESC d(2, p); Make(&d); }""")
    assert [u.what for u in found.unknown] == ["parameter 0", "parameter 1"]


def test_each_use_of_a_name_that_nothing_declares_has_its_own_place() -> None:
    part = """{ CD3DX12_ROOT_PARAMETER p[2]; p[0].InitAsConstantBufferView(%d);
    p[1].InitAsConstants(X::Num, 1);
    Touch(X::Num);
    CD3DX12_ROOT_SIGNATURE_DESC d(2, p); Make(&d); }
"""
    found = read(f"void Build() {{\n{part % 3}{part % 4}}}")
    assert [[(u.what, u.span.line) for u in s.unknown] for s in found.signatures] == [
        [("parameter 1", 3)],
        [("parameter 1", 7)],
    ]


@pytest.mark.parametrize(
    ("ranges", "partial", "count"),
    [("1, &known", False, "2"), ("1, &open", True, "2"), ("1, &many", True, "?"), ("n, &known", True, "?")],
)
def test_how_many_descriptors_a_table_has_is_shown_only_where_all_are_known(
    ranges: str, partial: bool, count: str
) -> None:
    found = one(f"""void Build(UINT n) {{
    CD3DX12_DESCRIPTOR_RANGE known(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 2, 0), open(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 2, n),
        many(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, n, 0);
    CD3DX12_ROOT_PARAMETER p; p.InitAsDescriptorTable({ranges});
    CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); Make(&d); }}""")
    table = table_of(found.signature)
    assert [parameter.is_partial for parameter in found.signature.parameters] == [partial]
    assert layout_rows(table)[0][4] == count


OPEN_PARTS = {
    "a register": ("p[0].InitAsConstantBufferView(n, 2);", "b?, space2", "1", "2", "4"),
    "a space": ("p[0].InitAsShaderResourceView(3, n);", "t3, space?", "1", "2", "4"),
    "a visibility": ("p[0].InitAsUnorderedAccessView(3, 0, F, v);", "u3", "1", "2", "4"),
    "a count": ("p[0].InitAsConstants(n, 3);", "b3", "?", "?", "?"),
    "a count and a register": ("p[0].InitAsConstants(n, m);", "b?", "?", "?", "?"),
}


@pytest.mark.parametrize(("call", "registers", "count", "cost", "total"), OPEN_PARTS.values(), ids=OPEN_PARTS)
def test_a_parameter_of_which_a_number_is_open_keeps_its_row(
    call: str, registers: str, count: str, cost: str, total: str
) -> None:
    found = one(f"""void Build(UINT n, UINT m, D3D12_SHADER_VISIBILITY v) {{
    const D3D12_ROOT_DESCRIPTOR_FLAGS F = D3D12_ROOT_DESCRIPTOR_FLAG_DATA_VOLATILE; CD3DX12_ROOT_PARAMETER1 p[2];
    {call} p[1].InitAsConstants(2, 9); CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC d; d.Init_1_1(2, p); Make(&d); }}""")
    table = table_of(found.signature)
    first, second = layout_rows(table)
    assert (first[2], first[4], first[7]) == (registers, count, cost)
    assert (second[2], second[8]) == ("b9", total)
    assert (table.cost, table.least_cost) == ((4, 4) if cost == "2" else (None, 2))
    assert (found.fully, found.partly, found.not_read) == (1, 1, 0)
    assert [claim.place for claim in found.signature.claims] == ["parameter 1"]
    assert [parameter.index for parameter in found.signature.settled.parameters] == [1]
    with pytest.raises(UsageError, match="the host code leaves parts of the root signature open: parameter 0: its "):
        convert(with_open_parts(found), "hlsl")


def test_places_in_a_shader_record_after_something_open_are_not_told() -> None:
    found = one("""void Build(UINT n) { CD3DX12_ROOT_PARAMETER p[4]; p[0].InitAsConstantBufferView(n);
    p[1].InitAsConstants(3, 0); p[2].InitAsConstants(n, 1); p[3].InitAsShaderResourceView(1);
    CD3DX12_ROOT_SIGNATURE_DESC d(4, p, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE); Make(&d); }""")
    table = table_of(found.signature)
    assert [row[6] for row in layout_rows(table)] == ["0-7", "8-19", "20-?", "?-?"]
    assert [row.record_bytes for row in table.parameters] == [8, 12, None, 8]
    assert (table.record_bytes, table.least_record_bytes) == (None, 32)
    assert budget_of(table).startswith("at least 32 of 4064 bytes; a shader record of 32 + 32 bytes takes at least 64")


def test_totals_after_a_parameter_that_is_not_read_are_not_told() -> None:
    found = one("""void Build(UINT n) { CD3DX12_ROOT_PARAMETER p[3]; p[0].InitAsConstantBufferView(1);
    Fill(p[1]); p[2].InitAsConstants(3, 2); CD3DX12_ROOT_SIGNATURE_DESC d(3, p); Make(&d); }""")
    table = table_of(found.signature)
    assert [(row.index, row.total) for row in table.parameters] == [(0, 2), (2, None)]
    assert (table.cost, table.least_cost, table.unknown) == (None, 5, ("parameters",))


def test_ranges_of_which_a_number_is_open_keep_their_row() -> None:
    found = one("""void Build(UINT n) { CD3DX12_DESCRIPTOR_RANGE r[5]; r[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 2, n);
    r[1].Init(D3D12_DESCRIPTOR_RANGE_TYPE_UAV, n, 4); r[2].Init(D3D12_DESCRIPTOR_RANGE_TYPE_CBV, 1, 0);
    r[3].Init(D3D12_DESCRIPTOR_RANGE_TYPE_CBV, 3, 1, n, 20); r[4].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, -1, n, 1);
    CD3DX12_ROOT_PARAMETER p; p.InitAsDescriptorTable(5, r); CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); Make(&d); }""")
    (table,) = table_of(found.signature).parameters
    rows = [(row.registers, row.descriptors, row.start) for row in table.ranges]
    assert rows == [
        ("t?-t?", 2, 0),
        ("u4-?", None, 2),
        ("b0", 1, None),
        ("b1-b3, space?", 3, 20),
        ("t?-unbounded, space1", None, 23),
    ]
    assert (table.count, table.unknown) == (None, ())
    assert [str(claim.registers) for claim in found.signature.claims] == ["b0"]
    assert not found.signature.settled.parameters


def test_no_range_is_taken_for_one_before_it_that_is_not_read() -> None:
    found = one("""void Build(D3D12_DESCRIPTOR_RANGE_TYPE kind) { CD3DX12_DESCRIPTOR_RANGE r[3];
    r[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 2, 0); r[1].Init(kind, 1, 4);
    r[2].Init(D3D12_DESCRIPTOR_RANGE_TYPE_CBV, 1, 0);
    CD3DX12_ROOT_PARAMETER p; p.InitAsDescriptorTable(3, r); CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); Make(&d); }""")
    assert described(found.signature) == "0: table(t0-t1)"
    assert found.signature.parameters[0].unknown == ("ranges",)
    assert [part.what for part in found.unknown] == ["parameter 0, range 1"]
    assert [(claim.place, str(claim.registers)) for claim in found.signature.claims] == [
        ("parameter 0, range 0", "t0-t1")
    ]


def test_a_static_sampler_of_which_a_number_is_open_keeps_its_row() -> None:
    found = one("""void Build(UINT n, float bias) { CD3DX12_STATIC_SAMPLER_DESC s[2]; s[0].Init(n);
    s[1].Init(1, D3D12_FILTER_ANISOTROPIC, D3D12_TEXTURE_ADDRESS_MODE_WRAP, D3D12_TEXTURE_ADDRESS_MODE_WRAP,
        D3D12_TEXTURE_ADDRESS_MODE_WRAP, bias); CD3DX12_ROOT_PARAMETER p; p.InitAsConstants(1, 0);
    CD3DX12_ROOT_SIGNATURE_DESC d(1, &p, 2, s, Flags()); Make(&d); }""")
    table = table_of(found.signature)
    assert [(row.registers, row.filter, row.mip_lod_bias) for row in table.static_samplers] == [
        ("s?", "ANISOTROPIC", 0.0),
        ("s1", "ANISOTROPIC", None),
    ]
    assert [row[7] for row in sampler_rows(table)] == ["0.0", "?"]
    assert (table.cost, table.flags, table.local) == (1, None, None)
    assert head_of(table) == "root signature d, version 1.0, flags ?"


@pytest.mark.parametrize("around", ["%s", "namespace N { %s }"])
def test_a_class_behind_a_macro(around: str) -> None:
    body = """{ enum P { A, B, N }; CD3DX12_ROOT_PARAMETER p[N];
        p[A].InitAsShaderResourceView(%d); p[B].InitAsConstants(m_words, 0);
        CD3DX12_ROOT_SIGNATURE_DESC d(N, p); Make(&d); }"""
    text = f"""TEST_CLASS(Tests) {{
    static const int m_words = 4;
public:
    TEST_METHOD(First) {body % 0}
    TEST_METHOD(Second) {body % 1}
private :
    void Plain() {body % 2}
}};"""
    found = read(around % text).signatures
    assert [described(s.signature) for s in found] == [f"0: srv t{i}; 1: constants b0 x4" for i in range(3)]
    assert [s.function.removeprefix("N::") for s in found] == ["Tests::First", "Tests::Second", "Tests::Plain"]


@pytest.mark.parametrize("head", ["TEST(Suite, Name)", "CASE(Name)", "void Build()", "Build::Build()"])
def test_a_function_with_a_loop_behind_a_macro_is_no_class(head: str) -> None:
    found = one(f"""{head} {{
    CD3DX12_ROOT_PARAMETER p[1]; EACH(i) {{ Touch(i); }} p[0].InitAsConstantBufferView(1);
    CD3DX12_ROOT_SIGNATURE_DESC d(1, p); Make(&d); }}""")
    assert described(found.signature) == "0: cbv b1"


def test_both_branches_of_a_condition_are_signatures() -> None:
    found = read("""
void Build(bool textured) {
    CD3DX12_ROOT_PARAMETER p[2]; p[0].InitAsConstantBufferView(0);
    CD3DX12_ROOT_SIGNATURE_DESC d;
    if (textured) { p[1].InitAsShaderResourceView(0); d.Init(2, p); Make(d); } else { d.Init(1, p); Make(d); }
}""")
    assert [described(s.signature) for s in found.signatures] == ["0: cbv b0; 1: srv t0", "0: cbv b0"]


def test_each_way_that_conditions_may_turn_out() -> None:
    found = read("""
void Build(bool textured, bool skinned) {
    CD3DX12_ROOT_PARAMETER p[3]; UINT n = 1; p[0].InitAsConstantBufferView(0);
    if (textured) p[n++].InitAsShaderResourceView(0);
    if (skinned) { p[n++].InitAsConstantBufferView(skinned ? 1 : 9); }
    CD3DX12_ROOT_SIGNATURE_DESC d(n, p); Make(&d);
}""")
    assert {s.when: described(s.signature) for s in found.signatures} == {
        ("textured", "skinned"): "0: cbv b0; 1: srv t0; 2: cbv b1",
        ("textured", "!skinned"): "0: cbv b0; 1: srv t0",
        ("!textured", "skinned"): "0: cbv b0; 1: cbv b1",
        ("!textured", "!skinned"): "0: cbv b0",
    }
    shown = msgspec.structs.replace(found.signatures[1].signature, when=found.signatures[1].when)
    assert head_of(table_of(shown)).endswith(", where `textured` and not `skinned`")


def test_too_many_conditions_are_left_open() -> None:
    conditions = "".join(f"if (c{i}) p[n++].InitAsConstantBufferView({i});" for i in range(12))
    found = one(f"void Build() {{ CD3DX12_ROOT_PARAMETER p[12]; UINT n = 0; {conditions}"
                "CD3DX12_ROOT_SIGNATURE_DESC d(n, p); Make(&d); }")  # fmt: skip
    assert found.parameter_count is None and not found.when
    assert found.unknown[0].why.startswith("its NumParameters: depends on the condition `c")


def test_a_helper_is_read_from_where_it_is_called() -> None:
    found = read("""
void Build(UINT reg, UINT space = 0) {
    CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsConstantBufferView(reg, space);
    CD3DX12_ROOT_SIGNATURE_DESC d(1, p); Make(&d);
}
void First() { Build(4); }
void Second() { Build(5, 1); }
""")
    assert [described(s.signature) for s in found.signatures] == ["0: cbv b4", "0: cbv b5, space1"]


def test_a_part_of_a_description_handed_on_is_the_same_signature() -> None:
    found = one("""
void Build() {
    CD3DX12_ROOT_PARAMETER1 p; p.InitAsConstantBufferView(0); CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC d;
    d.Init_1_1(1, &p); Make(d.Desc_1_1);
}""")
    assert (found.name, described(found.signature), found.version) == ("d", "0: cbv b0", "1.1")


def test_an_argument_may_point_to_nothing() -> None:
    found = read("""void Build(Shader* vs, Shader* ps, Device* device) { if (!device) return;
    CD3DX12_ROOT_PARAMETER p[2]; UINT n = 0; if (vs) p[n++].InitAsConstantBufferView(0);
    if (ps != nullptr) p[n++].InitAsConstantBufferView(1);
    CD3DX12_ROOT_SIGNATURE_DESC d(n, p); Make(&d); }""").signatures
    assert {(s.when, described(s.signature)) for s in found} == {
        (("vs", "ps != nullptr"), "0: cbv b0; 1: cbv b1"),
        (("vs", "!ps != nullptr"), "0: cbv b0"),
        (("!vs", "ps != nullptr"), "0: cbv b1"),
        (("!vs", "!ps != nullptr"), ""),
    }


def test_what_an_argument_that_is_called_does_is_not_known() -> None:
    found = one("""template <typename F> void Build(F&& RootSigCtor) { std::vector<D3D12_DESCRIPTOR_RANGE> ranges;
    RootSigCtor(ranges); ranges.push_back(CD3DX12_DESCRIPTOR_RANGE(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0));
    CD3DX12_ROOT_PARAMETER p; p.InitAsDescriptorTable(ranges.size(), ranges.data());
    CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); Make(&d); }""")
    assert [(part.what, part.why) for part in found.unknown] == [
        ("parameter 0", "its NumDescriptorRanges: the number of elements of `ranges` is not known")
    ]


def test_a_class_in_a_namespace_that_the_file_uses() -> None:
    found = one("""namespace engine { class Pass { static const int Count = 3; struct Data { float a, b; }; Pass(); }; }
    using namespace engine; Pass::Pass() { CD3DX12_ROOT_PARAMETER p[2]; p[0].InitAsConstants(Count, 0);
    p[1].InitAsConstants(sizeof(Data) / 4, 1); CD3DX12_ROOT_SIGNATURE_DESC d(2, p); Make(&d); }""")
    assert described(found.signature) == "0: constants b0 x3; 1: constants b1 x2"


def test_a_using_directive_ends_with_its_block() -> None:
    found = read("""
namespace First { namespace Slot { enum Enum { A, B, Count }; } }
namespace Second { namespace Slot { enum Enum { B, Count }; } }
void Build() {
    { using namespace First; CD3DX12_ROOT_PARAMETER p[Slot::Count]; p[Slot::A].InitAsConstantBufferView(0);
      p[Slot::B].InitAsConstantBufferView(1); CD3DX12_ROOT_SIGNATURE_DESC d(ARRAYSIZE(p), p); Make(d); }
    { using namespace Second; CD3DX12_ROOT_PARAMETER p[Slot::Count]; p[Slot::B].InitAsConstantBufferView(2);
      CD3DX12_ROOT_SIGNATURE_DESC d(ARRAYSIZE(p), p); Make(d); }
}""")
    assert [described(s.signature) for s in found.signatures] == ["0: cbv b0; 1: cbv b1", "0: cbv b2"]


def test_a_type_declared_in_a_function_holds_to_the_end_of_its_block() -> None:
    made = """CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsConstants(sizeof(P) / 4, 0);
        CD3DX12_ROOT_SIGNATURE_DESC d(1, p); Make(&d); }"""
    file = read(
        "struct P { float a; };"
        "void local() { struct P { float m[16]; struct { UINT x; } q; };" + made + "void renamed() {"
        "typedef struct { UINT a, b; } P;"
        + made
        + "void ended() { { struct P { float a, b, c; }; }"
        + made
        + """void captured() { struct P { float a, b, c; }; CD3DX12_ROOT_PARAMETER p[1];
        auto fill = [&](int i) { p[i].InitAsConstants(sizeof(P) / 4, 0); }; fill(0);
        CD3DX12_ROOT_SIGNATURE_DESC d(1, p); Make(&d); }"""
    )
    counts = {s.function: s.signature.parameters[0].count for s in file.signatures}
    assert counts == {"local": 17, "renamed": 2, "ended": 1, "captured": 3}
    assert [struct.name for struct in file.structs.values()] == ["P"]


def test_what_is_handed_on_by_reference_is_not_unset() -> None:
    found = one("""
void Build() {
    D3D12_STATIC_SAMPLER_DESC s[1]; Fill(s[0]); CD3DX12_ROOT_PARAMETER p; p.InitAsConstantBufferView(0);
    CD3DX12_ROOT_SIGNATURE_DESC d(1, &p, 1, s); Make(d);
}""")
    assert [(u.what, u.kind, u.why) for u in found.unknown] == [
        ("static sampler 0", "not-read", "its ShaderRegister: `Fill` may change it")
    ]


def test_a_variable_that_other_code_may_have_written_is_not_as_its_constructor_left_it() -> None:
    found = one("""
class SamplerDesc : public D3D12_SAMPLER_DESC { public: SamplerDesc() { Filter = D3D12_FILTER_ANISOTROPIC; } };
extern SamplerDesc Linear; SamplerDesc Point;
void Build() {
    RootSig.Reset(1, 2); RootSig[0].InitAsConstantBuffer(0); RootSig.InitStaticSampler(0, Linear);
    RootSig.InitStaticSampler(1, Point); RootSig.Finalize(L"x");
}""")
    assert [u.what for u in found.unknown] == ["static sampler 0", "static sampler 1"]
    assert [(s.shown, "filter" in s.unknown) for s in found.signature.static_samplers] == [("s0", True), ("s1", True)]
    assert all("is a variable that may change" in u.why for u in found.unknown)


def test_a_constructor_of_the_project_sets_fields() -> None:
    found = one("""
struct Sampler : D3D12_STATIC_SAMPLER_DESC {
    Sampler() { Filter = D3D12_FILTER_ANISOTROPIC; AddressU = AddressV = AddressW = D3D12_TEXTURE_ADDRESS_MODE_CLAMP;
        MipLODBias = 0; MaxAnisotropy = 4; ComparisonFunc = D3D12_COMPARISON_FUNC_NEVER; MinLOD = 0.f; MaxLOD = 9.5f;
        BorderColor = D3D12_STATIC_BORDER_COLOR_OPAQUE_BLACK; RegisterSpace = 0;
        ShaderVisibility = D3D12_SHADER_VISIBILITY_ALL; }
};
void Build() {
    Sampler s; s.ShaderRegister = 3; D3D12_ROOT_SIGNATURE_DESC d = { 0, nullptr, 1, &s };
    D3D12SerializeRootSignature(&d);
}""")
    assert found.is_complete, found.unknown
    sampler = found.signature.static_samplers[0]
    assert (sampler.register, sampler.address_w, sampler.max_anisotropy, sampler.max_lod) == (3, 3, 4, 9.5)


def test_one_description_used_twice() -> None:
    found = read("""
void Build(UINT n) {
    CD3DX12_ROOT_PARAMETER p; p.InitAsConstantBufferView(0); CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); Make(&d);
    CD3DX12_ROOT_PARAMETER q; q.InitAsConstantBufferView(n); d.Init(1, &q); MakeRootSig(&d);
}""")
    assert [(described(s.signature), s.is_complete) for s in found.signatures] == [
        ("0: cbv b0", True),
        ("0: cbv b?", False),
    ]


def test_a_hundred_thousand_lines_in_bounded_time() -> None:
    text = "static int table[] = { 1, 2, 3 };\nvoid f() { int x = g(1, 2); if (x) { h(x); } }\n" * 50_000
    body = "".join(f"p[{i % 4}].InitAsConstantBufferView({i});\n" for i in range(5_000))
    text += f"void Build() {{ CD3DX12_ROOT_PARAMETER p[4];\n{body} CD3DX12_ROOT_SIGNATURE_DESC d(4, p); Make(&d); }}"
    assert described(one(text).signature) == "0: cbv b4996; 1: cbv b4997; 2: cbv b4998; 3: cbv b4999"


def test_slots_come_from_headers_that_both_languages_share() -> None:
    found = one(
        '#include "slots.h"\nvoid Build() { CD3DX12_ROOT_PARAMETER p[Slots::Count];'
        "p[Slots::Camera].InitAsConstantBufferView(CAMERA_SLOT);"
        "p[Slots::Sky].InitAsConstants(sizeof(Sky) / 4, SKY_SLOT);"
        "CD3DX12_ROOT_SIGNATURE_DESC d(Slots::Count, p); Make(&d); }",
        slots_h="#define CAMERA_SLOT 3\n#define SKY_SLOT (CAMERA_SLOT + 1)\n"
        "struct Sky { XMFLOAT3 Colour; float Height; XMFLOAT4 Sun[2]; };\n"
        "namespace Slots { enum Enum { Camera, Sky, Count }; }\n",
    )
    assert described(found.signature) == "0: cbv b3; 1: constants b4 x12"


def test_miniengine() -> None:
    found = one("""
void Initialize() {
    s_RootSignature.Reset(4, 1);
    s_RootSignature.InitStaticSampler(0, SamplerLinearClampDesc);
    s_RootSignature[0].InitAsConstants(1, 4);
    s_RootSignature[1].InitAsDescriptorRange(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 2, 3, D3D12_SHADER_VISIBILITY_PIXEL);
    s_RootSignature[2].InitAsDescriptorTable(2);
    s_RootSignature[2].SetTableRange(0, D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 0, 1);
    s_RootSignature[2].SetTableRange(1, D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 8, 2, 1);
    s_RootSignature[3].InitAsBufferSRV(1);
    s_RootSignature.Finalize(L"Particles", D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT);
}""")
    assert (
        described(found.signature)
        == "0: constants b1 x4; 1: table(t2-t4) PIXEL; 2: table(u0, t8-t9, space1); 3: srv t1; sampler s0"
    )
    assert (found.construct, found.version, found.signature.flags, found.fully) == ("miniengine", "1.0", 0x40, 4)
    assert [u.what for u in found.unknown] == ["static sampler 0"]


def test_a_command_signature_of_miniengine_is_no_root_signature() -> None:
    file = read(
        "void Init() { Commands[0].Dispatch(); Commands.Finalize();"
        'Root.Reset(1, 0); Root[0].InitAsConstants(3, 4); Root.Finalize(L"Root"); }'
    )
    assert [(s.name, described(s.signature)) for s in file.signatures] == [("Root", "0: constants b3 x4")]


def test_wrappers_that_the_configuration_describes() -> None:
    wrappers = (
        WrapperDescription("AddCbv", "cbv", {"register": 0, "space": 1}, {"visibility": 5}, "append"),
        WrapperDescription("Build", "signature", {"flags": 0}),
    )
    found = one("void Make0() { Builder b; b.AddCbv(3); b.AddCbv(4, 1); b.Build(1); }", wrappers)
    assert described(found.signature) == "0: cbv b3 PIXEL; 1: cbv b4, space1 PIXEL"
    assert found.signature.flags == 1 and found.is_complete


@pytest.mark.parametrize(
    ("gives", "arguments", "values", "expected"),
    [
        ("cbv", {"space": 0}, {}, "0: cbv b?, space3"),
        ("cbv", {"space": 0}, {"register": 7}, "0: cbv b7, space3"),
        ("cbv", {"register": 0, "space": 1}, {}, "0: cbv b3"),
        ("cbv", {"register": 0, "visibility": 1}, {"visibility": 5}, "0: cbv b3 PIXEL"),
        ("constants", {"register": 0}, {}, "0: constants b3 x?"),
        ("constants", {"register": 1, "count": 0}, {}, "0: constants b? x3"),
        ("constants", {"register": 0}, {"count": 4}, "0: constants b3 x4"),
    ],
)
def test_what_a_wrapper_is_not_given(
    gives: str, arguments: dict[str, int], values: dict[str, int], expected: str
) -> None:
    described_call = {"function": "Add", "gives": gives, "arguments": arguments, "values": values, "target": "append"}
    add = msgspec.convert(described_call, WrapperDescription)
    found = one("void F() { Builder b; b.Add(3); b.Build(); }", (add, WrapperDescription("Build", "signature")))
    assert described(found.signature) == expected
    assert found.is_complete == ("?" not in expected)


def test_ranges_of_a_wrapper_that_is_not_given_their_number() -> None:
    range_of = WrapperDescription("Range", "range", {"type": 0, "register": 1})
    found = one(
        "void F() { D3D12_DESCRIPTOR_RANGE1 r = Range(D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 2); CD3DX12_ROOT_PARAMETER1 p;"
        "p.InitAsDescriptorTable(1, &r); CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC d; d.Init_1_1(1, &p); Make(&d); }",
        (range_of,),
    )
    assert described(found.signature) == "0: table(u2-?)"
    assert [u.why for u in found.unknown] == ["its NumDescriptors: `Range` is not given its count"]


def test_a_structure_that_derives_from_a_parameter() -> None:
    found = one("""
struct root_cbv : CD3DX12_ROOT_PARAMETER {
    root_cbv(UINT reg, UINT space = 0) { InitAsConstantBufferView(reg, space); }
};
void Build() {
    CD3DX12_ROOT_PARAMETER p[] = { root_cbv(1), root_cbv(2, 3) };
    D3D12_ROOT_SIGNATURE_DESC d = { arraysize(p), p }; initialize(d);
}""")
    assert described(found.signature) == "0: cbv b1; 1: cbv b2, space3"


def test_a_signature_that_nothing_takes_is_complete_where_its_scope_ends() -> None:
    found = one(
        "void Build() { CD3DX12_ROOT_PARAMETER p; p.InitAsConstants(1, 2); CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); }"
    )
    assert described(found.signature) == "0: constants b2 x1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "void f() { CD3DX12_ROOT_PARAMETER p[4000000000]; p[1].InitAsConstants(1,1); }",
        "void f() { CD3DX12_ROOT_PARAMETER p[1]; for (;;) { p[0].InitAsConstants(1,1); } }",
        "void f() { CD3DX12_ROOT_PARAMETER p; f(); p.InitAsConstants(1 << 70, 1 / 0); "
        "D3D12_ROOT_SIGNATURE_DESC d{1, &p}; }",
        "enum E { A = B, B = A }; void f() { CD3DX12_ROOT_PARAMETER p[A]; }",
        "struct S : S { S s; }; void f() { CD3DX12_ROOT_PARAMETER p; p.InitAsConstants(sizeof(S), 0); }",
        "void f() { CD3DX12_ROOT_PARAMETER p" + "[(" * 500 + "1" + ")]" * 500 + "; }",
        "void f() { CD3DX12_ROOT_PARAMETER p; p.InitAsConstants(" + "+".join("1" * 3000) + ", 1); }",
        "void f() { D3D12_ROOT_SIGNATURE_DESC d = { { { { } } } }; "
        "D3D12_ROOT_PARAMETER p = { .x.y = 1, .ParameterType }; }",
        "void f() { CD3DX12_ROOT_PARAMETER p; p..InitAs(; ROOT_PARAMETER }}}} \x00\xff",
        "using A = B; using B = A; void f() { A ROOT_PARAMETER; std::vector<A> v; v.resize(-1); v.emplace_back(v); }",
    ],
)
def test_nothing_raises(text: str) -> None:
    assert read(text).path == "main.cpp"


@pytest.mark.parametrize(
    ("arguments", "flags"),
    [
        ("", 0),
        ('L"x"', 0),
        ('L"x", D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT', 0x40),
        ("D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT", 0x40),
        ("name, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT", 0x40),
        ("name", None),
    ],
)
def test_the_flags_of_miniengine_stand_with_a_name_or_alone(arguments: str, flags: int | None) -> None:
    found = one(f"void F() {{ rs.Reset(1, 0); rs[0].InitAsConstantBuffer(0); rs.Finalize({arguments}); }}")
    assert (None if "flags" in found.signature.unknown else found.signature.flags) == flags
