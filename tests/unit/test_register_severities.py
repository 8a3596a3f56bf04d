"""How grave rules about registers find what they find, and near misses: pages ask for codes and parts of messages."""

from __future__ import annotations

import pytest
from judged import judged, pixel

STRUCT = "struct L { float4 c; Texture2D<float4> maps[4]; };"
GRID = "struct G { float4 c; }; ConstantBuffer<G> g[2][3] : register(b0);"


@pytest.mark.parametrize(
    ("rule", "declarations", "used", "said"),
    [
        ("register-on-field", "struct L { float4 c : register(c4); }; L lamp;", "lamp.c", ["error, certain: `L.c`"]),
        ("register-on-field", "struct L { float4 c : register(c4); };", "1", ["info, certain: `L.c`"]),
        (
            "register-overflow",
            "Buffer<float4> a[4] : register(t4294967293), b[2] : register(t4294967295, space1);",
            "a[0][0] + b[0][0]",
            ["error, likely: `a` has 4 elements"],
        ),
        (
            "register-overflow",
            "Buffer<float4> a[4] : register(t4294967293);",
            "1",
            ["info, certain: `a` has 4 elements"],
        ),
        (
            "register-overflow",
            "Buffer<float4> a[65536][65536] : register(t1), b[65536][65537] : register(t0, space1);",
            "a[0][0][0] + b[0][0][0]",
            ["error, likely: `a` has 4294967296 elements", "error, likely: `b` has 4295032832 elements"],
        ),
        (
            "reserved-space",
            "Buffer<float4> a : register(t0, space4294967280), b : register(t1, space4294967280);",
            "a[0]",
            ["error, likely: `a` is in space4294967280", "info, likely: `b` is in space4294967280"],
        ),
        (
            "no-free-register",
            "Buffer<float4> a[] : register(t0), b[N];",
            "a[0][0] + b[0][0]",
            ["error, unknown: no room is left for `b`", "note: `a` takes t0-unbounded"],
        ),
        ("constant-not-static", "const float a = 1;", "a", ["warning, likely: `a` is const and not static"]),
        ("constant-not-static", "float a = 1;", "a", ["info, likely: `a` is not static"]),
        (
            "bad-packoffset",
            "cbuffer F { float4 a : packoffset(c0); float b : packoffset(c0); };",
            "a + b",
            ["warning, certain: `b` at c0 overlaps `a` at c0", "note: `a` is at c0, 16 bytes long"],
        ),
        (
            "bad-packoffset",
            "cbuffer F { float4 a : packoffset(c0); float b : packoffset(c0.y); };",
            "a + b",
            ["error, certain: `b` at c0.y overlaps `a` at c0", "note: `a` is at c0, 16 bytes long"],
        ),
        (
            "dynamic-member-index",
            f"{STRUCT} L s; uint u;",
            "s.maps[u].Load(0)",
            ["error, likely: `s.maps` is an array of resources inside a struct or cbuffer"],
        ),
        (
            "dynamic-member-index",
            f"{STRUCT} L s;",
            "s.maps[WaveGetLaneIndex()].Load(0)",
            ["error, likely: `s.maps` is an array of resources inside a struct or cbuffer"],
        ),
        (
            "dynamic-member-index",
            f"{STRUCT} L s; float4 f(uint k) {{ return s.maps[k].Load(0); }}",
            "f(1) + s.maps[2].Load(0)",
            ["warning, likely: `s.maps` is an array of resources inside a struct or cbuffer"],
        ),
        (
            "dynamic-member-index",
            f"{GRID} uint u;",
            "g[u][1].c + g[1][1].c",
            ["error, likely: `g` has several dimensions, and DXC fails on [u]"],
        ),
        (
            "dynamic-member-index",
            GRID,
            "g[WaveGetLaneIndex()][1].c",
            ["error, likely: `g` has several dimensions, and DXC fails on [WaveGetLaneIndex()]"],
        ),
        (
            "dynamic-member-index",
            f"{GRID} float4 f(uint k) {{ return g[k][1].c; }}",
            "f(1)",
            ["warning, likely: `g` has several dimensions, and DXC fails on [k]"],
        ),
    ],
)
def test_severities(rule: str, declarations: str, used: str, said: list[str]) -> None:
    found = judged(rule, pixel(declarations, used), "-T", "ps_6_0")
    assert len(found) == len(said), found
    assert all(line.startswith(beginning) for line, beginning in zip(found, said, strict=True)), found


@pytest.mark.parametrize(
    ("base", "count", "hint"),
    [
        (9, "[4294967294]", "the highest base for it is t2"),
        (1, "[65536][65536]", "the highest base for it is t0"),
        (1, "[65536][65537]", "no base has room for it"),
    ],
)
def test_where_a_long_array_could_be(base: int, count: str, hint: str) -> None:
    (found,) = judged("register-overflow", pixel(f"Buffer<float4> a{count} : register(t{base});", "1"), "-T", "ps_6_0")
    assert found.endswith(hint)


LIBRARY = '{} [shader("raygeneration")] void rays() {{ Output[0] = 1; }}'


@pytest.mark.parametrize(
    ("declarations", "arguments", "said"),
    [
        ("RWBuffer<float4> Output;", "", ["warning, likely"]),
        ('GlobalRootSignature S = { "UAV(u0)" }; RWBuffer<float4> Output;', "", ["error, likely"]),
        ("RWBuffer<float4> Output : register(u0);", "", []),
        ("RWBuffer<float4> Output;", "-auto-binding-space 0", []),
    ],
)
def test_what_a_library_leaves_open(declarations: str, arguments: str, said: list[str]) -> None:
    found = judged("unassigned-in-library", LIBRARY.format(declarations), "-T", "lib_6_3", *arguments.split())
    assert [line.partition(":")[0] for line in found] == said


def test_no_room_in_a_library_is_the_other_rules_to_say() -> None:
    source = (
        'RWBuffer<float> a[] : register(u0), b[4]; [shader("raygeneration")] void rays() { a[0][0] = 1; b[0][0] = 1; }'
    )
    arguments = ("-T", "lib_6_3", "-auto-binding-space", "0")
    assert judged("unassigned-in-library", source, *arguments) == []
    assert len(judged("no-free-register", source, *arguments)) == 2


@pytest.mark.parametrize(
    ("rule", "declarations", "used", "count"),
    [
        # A struct of data is placed within `$Globals` by a register of any class.
        ("register-ignored", "struct L { float4 c; }; L a : register(c0); L b : register(t3);", "a.c + b.c", 0),
        # A space without a register says nothing about classes.
        ("register-ignored", "struct L { Texture2D<float4> m; }; L a : register(space1);", "a.m.Load(0)", 0),
        # A cbuffer of the same name is no member of the struct.
        (
            "register-ignored",
            "cbuffer a { float4 c; }; struct L { Texture2D<float4> m; }; L a : register(b0);",
            "a.m.Load(0) + c",
            1,
        ),
        # All elements carry the one annotation.
        ("register-ignored", "cbuffer C { Texture2D<float4> m[2] : register(t3); };", "m[0].Load(0) + m[1].Load(0)", 1),
        ("register-on-constant", "struct L { Texture2D<float4> m; }; L a : register(t1);", "a.m.Load(0)", 0),
        ("register-sentinel", "float4 a : register(c4294967295);", "a", 0),
        ("bad-packoffset", "float4 a : packoffset(c3), b : packoffset(c3);", "a + b", 2),
        (
            "duplicate-cbuffer",
            "namespace A { Buffer<float4> m; } namespace B { Buffer<float4> m; }",
            "A::m[0] + B::m[0]",
            0,
        ),
        # The instances and elements of one declaration have one size in common.
        ("array-size", "struct L { Texture2D<float4> m[N]; }; L a[2];", "a[1].m[3].Load(0)", 1),
        ("index-out-of-range", "Buffer<float4> a[N];", "a[3][0]", 0),
        ("index-out-of-range", "struct L { Texture2D<float4> m[N]; }; L a;", "a.m[3].Load(0)", 0),
        ("index-out-of-range", "Buffer<float4> a[0];", "a[0][0]", 0),
        (
            "index-out-of-range",
            "Buffer<float4> m[4]; struct L { float m[8]; }; ConstantBuffer<L> lamp;",
            "m[3][0] + lamp.m[6]",
            0,
        ),
    ],
)
def test_near_misses(rule: str, declarations: str, used: str, count: int) -> None:
    found = judged(rule, pixel(declarations, used), "-T", "ps_6_6")
    assert len([line for line in found if not line.startswith("note: ")]) == count, found


def test_a_space_for_a_struct() -> None:
    source = pixel("struct L { Texture2D<float4> m; }; L a : register(space1);", "a.m.Load(0)")
    assert judged("register-on-constant", source, "-T", "ps_6_0") == [
        "error, certain: `a` at space1: a constant outside every cbuffer is part of `$Globals` and cannot name a space"
    ]
