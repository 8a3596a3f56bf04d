"""Root signatures as HLSL and C++, in other versions, side by side, and in a table."""

from __future__ import annotations

import msgspec
import pytest
from bindlint.cli.rootsig_text import plain, rich_print
from bindlint.errors import UsageError
from bindlint.facts.root_signature import read_root_signature
from bindlint.model.root_signature import RootSignature, StaticSampler
from bindlint.model.source import NOWHERE
from bindlint.rootsig.convert import convert
from bindlint.rootsig.diff import difference
from bindlint.rootsig.hlsl import hlsl_text
from bindlint.rootsig.table import table_of
from bindlint.rootsig.versions import in_version
from bindlint.rootsig.words import UnwritableError

ENGINE = (
    "RootConstants(num32BitConstants = 3, b2), "
    "DescriptorTable(SRV(t2, numDescriptors = 6), UAV(u0, numDescriptors = 4)), "
    "CBV(b0), DescriptorTable(Sampler(s0, numDescriptors = 2)), "
    "DescriptorTable(SRV(t8, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE)), "
    "DescriptorTable(SRV(t0, space = 1, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE)), "
    "DescriptorTable(CBV(b1)), StaticSampler(s3)"
)


def read(text: str, version: str = "1.1") -> RootSignature:
    return read_root_signature(text, lambda _start, _end: NOWHERE, version=version, origin="macro")


def test_a_macro_holds_one_clause_a_line() -> None:
    text = convert(read("RootFlags(ALLOW_STREAM_OUTPUT), CBV(b0), SRV(t0)"), "hlsl", name="Sky", comments={1: "why"})
    assert text.data.decode() == (
        '// 1: why\n#define Sky \\\n    "RootFlags(ALLOW_STREAM_OUTPUT), " \\\n    "CBV(b0), " \\\n    "SRV(t0)"\n'
    )


CPP = """\
// Root signature 1.1, 10 of 64 DWORDs.
inline HRESULT SerializeEngine(ID3DBlob** blob, ID3DBlob** errors)
{
    CD3DX12_DESCRIPTOR_RANGE1 ranges1[2];
    ranges1[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 6, 2);
    ranges1[1].Init(D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 4, 0);

    CD3DX12_DESCRIPTOR_RANGE1 ranges3[1];
    ranges3[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER, 2, 0);

    CD3DX12_DESCRIPTOR_RANGE1 ranges4[1];
    ranges4[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, UINT_MAX, 8, 0, D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE);

    CD3DX12_DESCRIPTOR_RANGE1 ranges5[1];
    ranges5[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, UINT_MAX, 0, 1, D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE);

    CD3DX12_DESCRIPTOR_RANGE1 ranges6[1];
    ranges6[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_CBV, 1, 1);

    CD3DX12_ROOT_PARAMETER1 parameters[7];
    parameters[0].InitAsConstants(3, 2);
    parameters[1].InitAsDescriptorTable(2, ranges1);
    parameters[2].InitAsConstantBufferView(0);
    parameters[3].InitAsDescriptorTable(1, ranges3);
    parameters[4].InitAsDescriptorTable(1, ranges4);
    parameters[5].InitAsDescriptorTable(1, ranges5);
    parameters[6].InitAsDescriptorTable(1, ranges6);

    CD3DX12_STATIC_SAMPLER_DESC samplers[1];
    samplers[0].Init(3);

    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC description;
    description.Init_1_1(7, parameters, 1, samplers, D3D12_ROOT_SIGNATURE_FLAG_NONE);
    return D3DX12SerializeVersionedRootSignature(&description, D3D_ROOT_SIGNATURE_VERSION_1_1, blob, errors);
}
"""


def test_cpp_with_helpers() -> None:
    assert convert(read(ENGINE), "cpp", name="Engine").data.decode() == CPP


@pytest.mark.parametrize(
    ("text", "version", "lines"),
    [
        (
            "SRV(t1, space = 2, flags = DATA_STATIC, visibility = SHADER_VISIBILITY_PIXEL)",
            "1.1",
            [
                "D3D12_ROOT_PARAMETER1 parameters[1] = {};",
                "parameters[0].ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV;",
                "parameters[0].Descriptor.Flags = D3D12_ROOT_DESCRIPTOR_FLAG_DATA_STATIC;",
                "parameters[0].ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL;",
                "description.Desc_1_1.pParameters = parameters;",
                "description.Desc_1_1.pStaticSamplers = nullptr;",
            ],
        ),
        (
            "DescriptorTable(UAV(u1, numDescriptors = unbounded, offset = 4)), StaticSampler(s1, mipLODBias = 0.5)",
            "1.0",
            [
                "const D3D12_DESCRIPTOR_RANGE ranges0[] =",
                "    { D3D12_DESCRIPTOR_RANGE_TYPE_UAV, UINT_MAX, 1, 0, 4 },",
                "parameters[0].DescriptorTable.pDescriptorRanges = ranges0;",
                "samplers[0].MipLODBias = 0.5f;",
                "samplers[0].MaxLOD = D3D12_FLOAT32_MAX;",
                "description.Version = D3D_ROOT_SIGNATURE_VERSION_1_0;",
            ],
        ),
    ],
)
def test_cpp_without_helpers(text: str, version: str, lines: list[str]) -> None:
    written = convert(read(text), "cpp-raw", version).data.decode()
    for line in lines:
        assert f"    {line}\n" in written


def test_values_without_a_name() -> None:
    sampler = StaticSampler(0, filter=0x54)
    signature = RootSignature(flags=0x80000000, static_samplers=(sampler,))
    with pytest.raises(UnwritableError, match="root flags 0x80000000"):
        hlsl_text(signature)
    with pytest.raises(UnwritableError, match="filter 0x54 of static sampler 0"):
        hlsl_text(msgspec.structs.replace(signature, flags=0))
    text = convert(signature, "cpp").data.decode()
    assert "static_cast<D3D12_FILTER>(0x54)" in text
    assert "static_cast<D3D12_ROOT_SIGNATURE_FLAGS>(0x80000000u)" in text


@pytest.mark.parametrize(
    ("text", "message"), [("CBV(", "cannot be read"), ("CBV(b0), CBV(b0)", "D3D12 refuses this root signature")]
)
def test_what_has_no_bytes(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        convert(read(text), "rts0")


@pytest.mark.parametrize(
    ("text", "up", "lost_going_down"),
    [
        ("CBV(b0)", "CBV(b0, flags = DATA_VOLATILE)", 1),
        ("CBV(b0, flags = DATA_VOLATILE)", "CBV(b0, flags = DATA_VOLATILE)", 0),
        ("RootConstants(num32BitConstants = 4, b0)", "RootConstants(num32BitConstants = 4, b0)", 0),
        (
            "DescriptorTable(SRV(t0, flags = DATA_STATIC)), DescriptorTable(Sampler(s0))",
            "DescriptorTable(SRV(t0, flags = DESCRIPTORS_VOLATILE | DATA_VOLATILE)), "
            "DescriptorTable(Sampler(s0, flags = DESCRIPTORS_VOLATILE))",
            1,
        ),
    ],
)
def test_versions(text: str, up: str, lost_going_down: int) -> None:
    down, lost = in_version(read(text), "1.0")
    assert len(lost) == lost_going_down
    assert in_version(down, "1.1") == (read(up), ())


def test_sampler_flags_are_lost_below_version_1_2() -> None:
    signature = RootSignature("1.2", static_samplers=(StaticSampler(0, flags=1),))
    down, lost = in_version(signature, "1.1")
    assert down.static_samplers[0].flags == 0
    assert lost == ("static sampler 0: flags 0x1 begin with version 1.2",)


@pytest.mark.parametrize(
    ("old", "new", "shader", "caller"),
    [
        ("CBV(b0)", "CBV(b0)", [], []),
        ("CBV(b0)", "CBV(b1)", ["b0 is gone", "b1 is new"], ["parameter 0 feeds b1, no longer b0"]),
        (
            "CBV(b0), SRV(t0)",
            "SRV(t0), CBV(b0)",
            [],
            ["parameter 0 is parameter 1 now", "parameter 1 is parameter 0 now"],
        ),
        (
            "DescriptorTable(SRV(t0, numDescriptors = 2))",
            "DescriptorTable(SRV(t0, numDescriptors = 3), visibility = SHADER_VISIBILITY_PIXEL)",
            ["t0-t1 becomes t0-t2", "t0-t2 is visible to PIXEL, no longer to ALL"],
            ["parameter 0 is a table of t0-t2, no longer of t0-t1"],
        ),
        (
            "RootConstants(num32BitConstants = 3, b0)",
            "CBV(b0)",
            ["b0 is a root CBV, no longer root constants"],
            ["parameter 0 is a root CBV, no longer 3 root constants", "it costs 2 DWORDs, no longer 3"],
        ),
        (
            "RootConstants(num32BitConstants = 3, b0)",
            "RootConstants(num32BitConstants = 4, b0)",
            [],
            ["parameter 0 has 4 root constants, no longer 3", "it costs 4 DWORDs, no longer 3"],
        ),
        (
            "StaticSampler(s0)",
            "StaticSampler(s0, maxAnisotropy = 4)",
            ["s0: max_anisotropy is 4, no longer 16"],
            [],
        ),
        (
            "RootFlags(ALLOW_STREAM_OUTPUT)",
            "CBV(b0, flags = DATA_STATIC)",
            ["root flags are none, no longer ALLOW_STREAM_OUTPUT", "b0 is new"],
            ["parameter 0 (a root CBV) is new", "it costs 2 DWORDs, no longer 0"],
        ),
        ("CBV(b0)", "CBV(b0, flags = DATA_STATIC)", ["b0: flags are DATA_STATIC, no longer none"], []),
    ],
)
def test_differences(old: str, new: str, shader: list[str], caller: list[str]) -> None:
    found = difference(read(old), read(new))
    assert len(found.shader) == len(shader)
    assert all(told.startswith(wanted) for told, wanted in zip(found.shader, shader, strict=True)), found
    assert list(found.caller) == caller


def test_the_table_of_a_global_signature() -> None:
    table = table_of(read(ENGINE))
    assert (table.cost, table.limit, table.record_bytes) == (10, 64, None)
    assert [row.total for row in table.parameters] == [3, 4, 6, 7, 8, 9, 10]
    assert [row.heap for row in table.parameters[:4]] == ["", "CBV_SRV_UAV", "", "SAMPLER"]
    assert [row.count for row in table.parameters[:5]] == [3, 10, 1, 2, None]
    assert [part.start for part in table.parameters[1].ranges] == [0, 6]
    assert table.parameters[0].graphics_call == "SetGraphicsRoot32BitConstants"
    assert table.parameters[2].compute_call == "SetComputeRootConstantBufferView"
    assert table.parameters[0].at_draw == "3 32-bit values"
    text = "\n".join(plain(table))
    assert "  [0001223456......" in text
    assert "] 10 of 64 DWORDs" in text
    assert "t0-unbounded, space1" in text


@pytest.mark.parametrize(("columns", "drawn"), [("200", True), ("60", False)])
def test_a_terminal_gets_a_drawn_table_where_it_is_wide_enough(
    columns: str, drawn: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    rich_print([table_of(read(ENGINE))])
    shown = capsys.readouterr().out
    assert ("\u2588" * 10 + "\u2591" * 54 in shown) == drawn
    assert ("[0001223456" in shown) != drawn
    assert "10 of 64 DWORDs" in shown and "SetComputeRoot32BitConstants" in shown


def test_a_local_signature_is_a_record() -> None:
    text = (
        "RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants = 3, b0), SRV(t0), DescriptorTable(UAV(u0))"
    )
    table = table_of(read(text))
    assert [(row.record_offset, row.record_bytes) for row in table.parameters] == [(0, 12), (16, 8), (24, 8)]
    assert (table.record_bytes, table.limit) == (32, 4064)
    assert all(not row.graphics_call for row in table.parameters)
    assert "32 of 4064 bytes; a shader record of 32 + 32 bytes takes 64" in "\n".join(plain(table))


def test_too_large_a_signature_fills_the_bar_and_says_so() -> None:
    text = "\n".join(plain(table_of(read("RootConstants(num32BitConstants = 70, b0), CBV(b1)"))))
    assert f"[{'0' * 64}] 72 of 64 DWORDs, 8 too many" in text
