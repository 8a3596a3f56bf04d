"""Sizes of constant buffers and structured elements. Every size was read off what DXC 1.8 wrote for that buffer."""

from pathlib import Path

import pytest
from bindlint.bindings.analyse import Analyser
from bindlint.model.shader import Profile, Shader

CONSTANT_BUFFERS = [
    ("float a; float3 b; float2 c;", "", 24),
    ("float2 a; float3 b; float c;", "", 32),
    ("float a[3]; float b;", "", 40),
    ("float4x4 m; float3x3 n; float last;", "", 112),
    ("row_major float3x4 m; float last;", "", 52),
    ("float3x4 m; float last;", "", 64),
    ("float3x4 m; float last;", "#pragma pack_matrix(row_major)\n", 52),
    ("double a; float b; double2 c;", "", 32),
    ("bool a; uint2 b; int c[2][2];", "", 68),
    ("S s; float last;", "struct S { float3 a; float b; float2 c; };\n", 28),
    ("S s[2]; float last;", "struct S { float3 a; float b; float2 c; };\n", 60),
    ("float4 a : packoffset(c2); float b : packoffset(c0.y);", "", 48),
    ("uint64_t a; float b;", "", 12),
    ("float a; matrix<float,2,3> m; vector<int,3> v;", "", 76),
    ("E e; float3 f;", "enum E { A, B };\n", 16),
    ("D d; float last;", "struct B { float3 a; }; struct D : B { float4 b; };\n", 36),
]
BIT_FIELDS = [
    ("uint a : 8; uint b : 24; uint c : 4; uint d : 29; float last;", 16),
    ("uint a : 20; uint b : 20; float last;", 12),
    ("int a : 3; uint b : 5; float last;", 8),
    ("uint a : 8; float x; uint b : 8; float last;", 16),
]
STRIDES = [
    ("float", 4),
    ("float3", 12),
    ("float4x4", 64),
    ("struct { float3 a; float b[2]; }", 20),
    ("struct { float a; double b; float c; }", 24),
]


def sizes(tmp_path: Path, source: str, **options: bool) -> dict[str, int]:
    path = tmp_path / "layout.hlsl"
    path.write_text(source)
    analysis = Analyser().analyse(Shader(str(path), "main", Profile("cs", 6, 2), **options))
    return {r.name: r.size or r.stride for r in analysis.resources}


@pytest.mark.parametrize(("members", "before", "size"), CONSTANT_BUFFERS)
def test_constant_buffers(tmp_path: Path, members: str, before: str, size: int) -> None:
    block = f"{before}cbuffer C {{ {members} }}\nvoid main() {{}}"
    assert sizes(tmp_path, block)["C"] == size
    if "packoffset" not in members:
        view = f"{before}struct T {{ {members} }};\nConstantBuffer<T> C;\nvoid main() {{}}"
        assert sizes(tmp_path, view)["C"] == size


@pytest.mark.parametrize(("members", "size"), BIT_FIELDS)
def test_bit_fields(tmp_path: Path, members: str, size: int) -> None:
    view = f"struct T {{ {members} }};\nConstantBuffer<T> C;\nvoid main() {{}}"
    assert sizes(tmp_path, view)["C"] == size


def test_options_that_move_members(tmp_path: Path) -> None:
    assert sizes(tmp_path, "cbuffer C { float2x4 m; float last; } void main() {}", row_major=True)["C"] == 36
    short = "cbuffer C { half a; half3 b; float c; } void main() {}"
    assert sizes(tmp_path, short, enable_16bit_types=True)["C"] == 12


@pytest.mark.parametrize(("element", "stride"), STRIDES)
def test_strides(tmp_path: Path, element: str, stride: int) -> None:
    named = element.replace("struct {", "struct T {")
    before = f"{named};\n" if named.startswith("struct") else ""
    source = f"{before}StructuredBuffer<{'T' if before else element}> B; void main() {{}}"
    assert sizes(tmp_path, source)["B"] == stride


def test_loose_constants(tmp_path: Path) -> None:
    source = "float3 a : register(c0); float2 b : register(c2); float c; void main() {}"
    assert sizes(tmp_path, source)["$Globals"] == 44
