"""Whole messages of rules about registers, with severity, certainty and notes: pages show parts of messages only."""

from __future__ import annotations

import pytest
from judged import judged, pixel

TEXTURE, TYPED = "Texture2D<float4>", "RWBuffer<float4>"
WRITES = "[numthreads(1, 1, 1)] void main() {{ {} }}"
ONE_SET = "a library has one set of registers for all its entry points"
IN_CODE_ORDER = (
    "registers and are numbered in the order in which the optimized code meets them, "
    "which any change of the code may alter"
)
MUST_KNOW = "and the compiler must know which; read from each and choose between the values, or make an array of them"


@pytest.mark.parametrize(
    ("declarations", "used", "said"),
    [
        (
            f"{TEXTURE} a : register(t3), b : register(t3);",
            "a.Load(0) + b.Load(0)",
            ["`b` at t3 overlaps `a` at t3; the next free base is t4", "`a` is at t3"],
        ),
        (
            f"{TEXTURE} a[2] : register(t3), b : register(t4), c : register(t4);",
            "a[0].Load(0) + b.Load(0) + c.Load(0)",
            [
                "`b` at t4 overlaps `a` at t3-t4: both take t4; 3 resources overlap here; the next free base is t5",
                "`a` is at t3-t4",
                "`c` is at t4",
            ],
        ),
        (
            f"{TEXTURE} a[] : register(t3), b : register(t9);",
            "a[0].Load(0) + b.Load(0)",
            [
                "`b` at t9 overlaps `a` at t3-unbounded: both take t9; no base above is free; space1 is",
                "`a` is at t3-unbounded",
            ],
        ),
        (
            f"{TEXTURE} a[] : register(t3), b[] : register(t4);",
            "a[0].Load(0) + b[0].Load(0)",
            [
                "`b` at t4-unbounded overlaps `a` at t3-unbounded: a register space holds one unbounded resource; "
                "no base above is free; space1 is, "
                "with a descriptor table of its own that may start at the same descriptor",
                "`a` is at t3-unbounded",
            ],
        ),
    ],
)
def test_overlaps(declarations: str, used: str, said: list[str]) -> None:
    first, *notes = said
    assert judged("register-overlap", pixel(declarations, used), "-T", "ps_6_0") == [
        f"error, likely: {first}",
        *(f"note: {note}" for note in notes),
        "note: `a` is used by main",
        "note: `b` is used by main",
    ]


@pytest.mark.parametrize(
    ("body", "graded"),
    [
        ("a[0] = 1; b[0] = 1;", "certain"),
        ("a[0] = 1; if (n) b[0] = 1;", "likely"),
        ("if (n) a[0] = 1; b[0] = 1;", "likely"),
    ],
)
def test_an_overlap_is_as_certain_as_the_uses(body: str, graded: str) -> None:
    declared = f"uint n; {TYPED} a : register(u1), b : register(u1);"
    first, *_ = judged("register-overlap", declared + WRITES.format(body), "-T", "cs_6_0")
    assert first == f"error, {graded}: `b` at u1 overlaps `a` at u1; the next free base is u2"


def test_an_overlap_in_a_library() -> None:
    source = f'{TYPED} a : register(u1), b : register(u1); [shader("compute")] ' + WRITES.format("a[0] = 1; b[0] = 1;")
    first, *_ = judged("register-overlap", source, "-T", "lib_6_3")
    assert first.endswith(f": `b` at u1 overlaps `a` at u1; {ONE_SET}; the next free base is u2")


def test_an_overlap_for_vulkan() -> None:
    source = pixel(f"{TYPED} a : register(u1), b : register(u1);", "a[0] + b[0]")
    severities = [
        judged("register-overlap", source, "-T", "ps_6_0", *more)[0].split(",")[0] for more in ((), ("-spirv",))
    ]
    assert severities == ["error", "warning"]


def test_overlaps_to_come() -> None:
    source = pixel(f"{TEXTURE} a : register(t3), b : register(t3), c : register(t3);", "a.Load(0)")
    assert judged("latent-overlap", source, "-T", "ps_6_0") == [
        "info, likely: `b` at t3 is not used, but shares registers with `a` at t3; using both is an error",
        "note: `a` is at t3",
        "note: `c` is at t3, unused",
    ]


@pytest.mark.parametrize(
    ("declarations", "said"),
    [
        (
            f"{TEXTURE} a[6] : register(t4294967290), b[];",
            [
                "no room is left for `b`, which needs all registers from its base on, in the t registers of space0; "
                "give it a space of its own, such as register(space1), or explicit registers",
                "`a` takes t4294967290-t4294967295",
            ],
        ),
        (
            f"{TEXTURE} a[] : register(t3, space1), b[4] : register(space1);",
            [
                "no room is left for `b`, which needs 4 registers in a row, in the t registers of space1; "
                "give it a space of its own, such as register(space2), or explicit registers",
                "`a` takes t3-unbounded, space1",
            ],
        ),
        (
            f"{TEXTURE} a[] : register(t3), b[];",
            [
                "`b` is a second unbounded resource after `a` in the t registers of space0: a space holds one; "
                "give it a space of its own, such as register(space1), or explicit registers",
                "`a` takes t3-unbounded",
            ],
        ),
    ],
)
def test_no_room(declarations: str, said: list[str]) -> None:
    first, *notes = judged("no-free-register", pixel(declarations, "a[0].Load(0) + b[0].Load(0)"), "-T", "ps_6_0")
    assert [first, *notes] == [f"error, likely: {said[0]}", f"note: {said[1]}"]


@pytest.mark.parametrize(
    ("declarations", "used", "said"),
    [
        (
            "struct M { Texture2D<float4> a, b, c; SamplerState s, t; }; M m, n;",
            "m.a.Sample(m.s, 0) + m.b.Sample(n.t, 0) + n.c.Load(0)",
            [
                f"warning, likely: `m.s`, `n.t` have no s {IN_CODE_ORDER}; give the struct's instance an s register",
                "note: `n.t` is numbered with it",
                f"warning, likely: `m.a`, `m.b` and 1 more have no t {IN_CODE_ORDER}; "
                "give the struct's instance a t register",
                "note: `n.c` is numbered with it",
            ],
        ),
        (
            "cbuffer C { Texture2D<float4> a, b, c; };",
            "a.Load(0) + c.Load(0)",
            [
                f"warning, likely: `a`, `c` have no t {IN_CODE_ORDER}; "
                "declare them outside the cbuffer with registers of their own",
                "note: `c` is numbered with it",
            ],
        ),
        (
            "struct M { Texture2D<float4> a, b; }; M m; cbuffer C { Texture2D<float4> h; };",
            "m.a.Load(0) + h.Load(0)",
            [
                f"warning, likely: `m.a`, `h` have no t {IN_CODE_ORDER}; "
                "declare them outside the struct with registers of their own",
                "note: `h` is numbered with it",
            ],
        ),
    ],
)
def test_registers_by_the_order_of_code(declarations: str, used: str, said: list[str]) -> None:
    assert judged("unstable-register", pixel(declarations, used), "-T", "ps_6_0") == said


def test_a_packoffset_on_the_buffer_itself_is_none_of_a_member() -> None:
    source = pixel("cbuffer F : packoffset(c0) { float4 a; float4 b : packoffset(c1); };", "a + b")
    assert judged("bad-packoffset", source, "-T", "ps_6_0") == [
        "error, certain: `F`: packoffset(c0): it belongs on the members of a cbuffer; "
        "the buffer itself takes a register",
        "warning, certain: `a` has no packoffset and `b` has one: of the members of `F` all have one or none",
        "note: `b` is at c1",
    ]


STAYS = 'Texture2D<float4> d, n, x; [shader("pixel")] float4 main(uint i : I) : SV_Target {{ {} }}'
CHANGES = "Texture2D<float4> s = d; if (i) s = {}; return s.Load(0);"


@pytest.mark.parametrize(
    ("source", "profile", "severity", "what", "declared"),
    [
        (STAYS.format(CHANGES.format("n")), "ps_6_0", "error", "`s` may be `d` or `n`", "dn"),
        (STAYS.format(CHANGES.format("n")), "lib_6_3", "error", "`s` may be `d` or `n`", "dn"),
        (STAYS.format(CHANGES.format("n")), "lib_6_x", "warning", "`s` may be `d` or `n`", "dn"),
        (
            STAYS.format(CHANGES.format("ResourceDescriptorHeap[0]")),
            "ps_6_6",
            "warning",
            "`s` may be `d` or `ResourceDescriptorHeap`",
            "d",
        ),
        (
            "Texture2D<float4> d, n; Texture2D<float4> pick(uint i) { if (i) return d; return n; } "
            "float4 main(uint i : I) : SV_Target { return pick(i).Load(0); }",
            "ps_6_0",
            "error",
            "`pick` may choose `d` or `n`",
            "dn",
        ),
        (
            "Texture2D<float4> d, n; Texture2D<float4> pick(uint i) { if (i * i > 4) return d; return n; } "
            "float4 main(uint i : I) : SV_Target { return pick(i).Load(0); }",
            "ps_6_0",
            "warning",
            "`pick` may choose `d` or `n`",
            "dn",
        ),
    ],
)
def test_one_resource_or_another(source: str, profile: str, severity: str, what: str, declared: str) -> None:
    assert judged("ambiguous-resource", source, "-T", profile) == [
        f"{severity}, likely: {what}, {MUST_KNOW}",
        *(f"note: `{name}` is declared here" for name in declared),
    ]
