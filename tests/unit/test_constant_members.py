"""Members of buffers on root constants: where they lie and how they are read; attributes; needs of an input layout."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.bindings.analyse import Analyser
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.shader import Profile, Shader

HEAD = "struct S { float4 a; float b; float c[3]; };\n"


def analysed(folder: Path, source: str, stage: str = "ps") -> ShaderAnalysis:
    path = folder / "a.hlsl"
    path.write_text(HEAD + source)
    return Analyser().analyse(Shader(str(path), "main", Profile(stage, 6, 0)))


def body(reads: str, registers: str = "b0", parameters: str = "uint i : INDEX") -> str:
    signature = ", ".join(f"RootConstants(num32BitConstants = 1, {register})" for register in registers.split())
    return f'[RootSignature("{signature}")] float4 main({parameters}) : SV_Target {{ return {reads}; }}'


@pytest.mark.parametrize(
    ("members", "places"),
    [
        ("float a; float3 b; float c;", [(0, 4, 0), (4, 12, 0), (16, 4, 0)]),
        ("float3 a; float2 b;", [(0, 12, 0), (16, 8, 0)]),
        ("float a[2]; float b;", [(0, 20, 16), (20, 4, 0)]),
        ("float4 a[2][3]; S b[2];", [(0, 96, 48), (96, 148, 80)]),
        ("row_major float2x3 a; float2x3 b;", [(0, 28, 0), (32, 40, 0)]),
        ("float a : packoffset(c2.y); float b : packoffset(c0);", [(36, 4, 0), (0, 4, 0)]),
    ],
)
def test_places(tmp_path: Path, members: str, places: list[tuple[int, int, int]]) -> None:
    found = analysed(tmp_path, f"cbuffer C : register(b0) {{ {members} }} {body('asfloat(i) + (float)a')}")
    assert [(m.offset, m.size, m.stride) for m in found.constant_members] == places


@pytest.mark.parametrize(
    ("reads", "used", "indexed"),
    [
        ("v.a", "a", ""),
        ("v.c[1]", "c", ""),
        ("v.c[i]", "c", "c"),
        ("v.b + v.c[i + 1]", "bc", "c"),
        ("v.a[i]", "a", ""),
        ("((S)v).a", "a", ""),
    ],
)
def test_reads_of_a_constant_buffer(tmp_path: Path, reads: str, used: str, indexed: str) -> None:
    found = analysed(tmp_path, f"ConstantBuffer<S> v : register(b0); {body(reads)}").constant_members
    assert {m.buffer for m in found} == {"v"}
    assert {m.name for m in found if m.indexed} == set(indexed)
    assert {m.name for m in found if m.used} >= set(used)
    if "(S)" not in reads:
        assert {m.name for m in found if m.used} == set(used)


@pytest.mark.parametrize(
    ("reads", "indexed"),
    [
        ("c[2]", ""),
        ("c[i]", "c"),
        ("c[1 + 1]", ""),
        ("s[i].b", "s"),
        ("s[1].b", ""),
        ("s[0].c[i]", "s"),
        ("s[0].a[i]", ""),
        ("b", ""),
    ],
)
def test_reads_of_a_block(tmp_path: Path, reads: str, indexed: str) -> None:
    source = f"cbuffer C : register(b0) {{ float b; float c[3]; S s[2]; }} {body(reads)}"
    found = analysed(tmp_path, source).constant_members
    assert [m.name for m in found if m.used] == [reads[0]]
    assert {m.name for m in found if m.indexed} == set(indexed)


def test_only_what_root_constants_feed(tmp_path: Path) -> None:
    blocks = " ".join(f"cbuffer {name.upper()} {{ float {name}; }}" for name in "abc")
    found = analysed(tmp_path, f"{blocks} {body('a + b', 'b1 b2')}")
    assert [(m.buffer, m.name) for m in found.constant_members] == [("B", "b")]


def test_nothing_is_told_of_derived_structs(tmp_path: Path) -> None:
    source = f"struct D : S {{ float d; }}; ConstantBuffer<D> v : register(b0); {body('v.d')}"
    assert analysed(tmp_path, source).constant_members == ()


@pytest.mark.parametrize(
    ("attributes", "taken"),
    [
        ('[RootSignature("")]', [True]),
        ('[RootSignature("CBV(b0)")] [RootSignature("")]', [False, True]),
        ('[RootSignature("CBV(b0)")] [rootsignature("")]', [True]),
        ("", []),
    ],
)
def test_signature_attributes(tmp_path: Path, attributes: str, taken: list[bool]) -> None:
    found = analysed(tmp_path, f"{attributes} float4 main() : SV_Target {{ return 0; }}").signature_attributes
    assert [(a.function, a.stage, a.taken) for a in found] == [("main", "ps", each) for each in taken]


@pytest.mark.parametrize(
    ("parameters", "needed"),
    [
        ("float3 place : POSITION", True),
        ("uint v : SV_VertexID, uint n : SV_InstanceID0", False),
        ("float4 place : SV_Position", True),
        ("out float4 color : COLOR, uint v : SV_VertexID", False),
        ("inout float4 color : COLOR", True),
        ("V v", True),
        ("N n", False),
    ],
)
def test_input_layout_is_needed(tmp_path: Path, parameters: str, needed: bool) -> None:
    structs = (
        "struct B { float4 b : BASE; }; struct V : B { uint v : SV_VertexID; }; struct N { uint v : SV_VertexID; };"
    )
    found = analysed(tmp_path, f"{structs} float4 main({parameters}) : SV_Position {{ return 0; }}", "vs")
    assert [entry.needs_input_assembler for entry in found.entries] == [needed]
