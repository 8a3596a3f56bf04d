"""The layout of C++ structures, as a 64-bit MSVC gives it."""

from __future__ import annotations

import pytest
from bindlint.facts.host.signatures import HostReader
from bindlint.model.host import HostStruct
from bindlint_grammars.hlsl.source_files import SourceStore


def structs(text: str) -> dict[str, HostStruct]:
    return HostReader(SourceStore(overlays={"main.cpp": text.encode()})).read("main.cpp").structs


CASES = {
    "padding between scalars": ("struct S { char a; int b; short c; };", 12, {"a": 0, "b": 4, "c": 8}),
    "eight-byte alignment": ("struct S { float a; double b; bool c; };", 24, {"a": 0, "b": 8, "c": 16}),
    "vectors of DirectXMath": (
        "struct S { DirectX::XMFLOAT3 a; float b; XMFLOAT4X4 m; XMUINT2 u; };",
        88,
        {"a": 0, "b": 12, "m": 16, "u": 80},
    ),
    "sixteen-byte types": ("struct S { float a; XMMATRIX m; XMVECTOR v; };", 96, {"a": 0, "m": 16, "v": 80}),
    "arrays": ("enum { N = 3 }; struct S { float a[N][2]; UINT8 b; };", 28, {"a": 0, "b": 24}),
    "nested structures": (
        "struct Inner { XMFLOAT2 a; char b; }; struct S { char c; Inner i[2]; };",
        28,
        {"c": 0, "i": 4},
    ),
    "inherited members": ("struct Base { int a; char b; }; struct S : Base { char c; };", 12, {"a": 0, "b": 4, "c": 8}),
    "alignas": ("struct alignas(16) S { float a; };", 16, {"a": 0}),
    "declspec": ("__declspec(align(256)) struct S { float a; };", 256, {"a": 0}),
    "declspec by another name": ("_declspec(align(256u))\nstruct S { float a; };", 256, {"a": 0}),
    "declspec of a constant": (
        "__declspec(align(D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT)) struct S { float a; };",
        256,
        {"a": 0},
    ),
    "alignas of a constant": ("constexpr int A = 64;\nstruct alignas(A) S { float a; };", 64, {"a": 0}),
    "declspec after the keyword": ("struct __declspec(align(16)) S { float a, b; };", 16, {"b": 4}),
    "an aligned member": (
        "struct S { float a; alignas(16) float b; __declspec(align(8)) float c; };",
        32,
        {"b": 16, "c": 24},
    ),
    "pointers and handles": ("struct S { int a; const char* p; D3D12_GPU_VIRTUAL_ADDRESS v; };", 24, {"p": 8, "v": 16}),
    "pragma pack": (
        "#pragma pack(push, 1)\nstruct S { char a; int b; };\n#pragma pack(pop)\nstruct T { char a; int b; };",
        5,
        {"a": 0, "b": 1},
    ),
    "unions": ("union S { int a; double b; };", 8, {"a": 0, "b": 0}),
    "an anonymous union": ("struct S { int a; union { float b; int c; }; int d; };", 12, {"a": 0, "d": 8}),
    "enumerations": ("enum class E : uint8_t { A }; enum F { B }; struct S { E e; F f; };", 8, {"e": 0, "f": 4}),
    "aliases": (
        "using Index = uint16_t; typedef XMFLOAT3 Point; struct S { Index i; Point p; };",
        16,
        {"i": 0, "p": 4},
    ),
    "a virtual function": ("struct S { virtual void f(); int a; };", 16, {"a": 8}),
    "static members take no room": ("struct S { static const int K = 2; float a[K]; };", 8, {"a": 0}),
    "std::array": ("struct S { std::array<float, 4> a; int b; };", 20, {"a": 0, "b": 16}),
}


@pytest.mark.parametrize(("text", "size", "offsets"), CASES.values(), ids=CASES)
def test_layout(text: str, size: int, offsets: dict[str, int]) -> None:
    found = structs(text).get("S")
    assert found is not None
    assert found.size == size
    assert {m.name: m.offset for m in found.members if m.name in offsets} == offsets


@pytest.mark.parametrize(
    "text",
    [
        "struct S { Elsewhere a; };",
        "struct S { int a : 3; };",
        "struct S { int a[n]; };",
        "struct S { ALIGNED(4) int a; };",
        "struct alignas(ELSEWHERE) S { int a; };",
        "struct S { __declspec(align(ELSEWHERE)) int a; };",
    ],
)
def test_a_layout_that_is_not_known_is_not_given(text: str) -> None:
    assert "S" not in structs(text)


def test_after_the_pack_is_over() -> None:
    found = structs(
        "#pragma pack(push, 1)\nstruct S { char a; int b; };\n#pragma pack(pop)\nstruct T { char a; int b; };"
    )
    assert found["T"].size == 8


def test_members_keep_their_place() -> None:
    found = structs("namespace N {\nstruct Camera {\n    XMFLOAT4X4 View;\n    float Near;\n};\n}")["N::Camera"]
    assert [str(m.span) for m in found.members] == ["main.cpp:3:16", "main.cpp:4:11"]
