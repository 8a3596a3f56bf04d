"""Facts that the rules about registers look at: what is written where, subscripts, counters, merged resources."""

from __future__ import annotations

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.model.binding import ShaderAnalysis

PIXEL = "float4 main(uint input : INPUT) : SV_Target { return %s; }"
COMPUTE = "%s void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint flat : SV_GroupIndex) { %s }"


def analyse(source: str, profile: str = "ps_6_0") -> ShaderAnalysis:
    analyser = Analyser()
    analyser.overlay("/shaders/a.hlsl", source.encode())
    shader = msgspec.structs.replace(parse_arguments(["-T", profile]).shader, file="/shaders/a.hlsl")
    return analyser.analyse(shader)


@pytest.mark.parametrize(
    ("field", "clauses", "packoffset", "unbounded", "view"),
    [
        ("Texture2D<float4> map : register(t4)", 1, "", False, False),
        ("float4 color : packoffset(c3)", 0, "c3", False, False),
        ("float weights[]", 0, "", True, False),
        ("ConstantBuffer<Light> light", 0, "", False, True),
    ],
)
def test_fields_of_structs(field: str, clauses: int, packoffset: str, unbounded: bool, view: bool) -> None:
    analysis = analyse(f"struct Light {{ float4 c; }}; struct S {{ float gain; {field}; }}; S s; {PIXEL % '1'}")
    (found,) = analysis.fields
    assert (len(found.clauses), found.packoffset, found.unbounded, found.view) == (
        clauses,
        packoffset,
        unbounded,
        view,
    )
    assert found.owner == "S" and found.held and found.mentioned


@pytest.mark.parametrize(
    ("holder", "held", "mentioned"),
    [
        ("", False, False),
        ("S s;", True, True),
        ("struct T { S s; }; T t[2];", True, True),
        ("cbuffer B { S s; };", True, True),
        ("static S s;", False, True),
        ("void f(S s) { }", False, True),
    ],
)
def test_which_structs_have_instances(holder: str, held: bool, mentioned: bool) -> None:
    analysis = analyse(f"struct S {{ float x : register(c1); }}; {holder} {PIXEL % '1'}")
    (found,) = analysis.fields
    assert (found.held, found.mentioned) == (held, mentioned)


def test_stray_registers() -> None:
    source = """
    Texture2D<float4> a : register(t0);
    static Texture2D<float4> b : register(t1) = a;
    float4 f(Texture2D<float4> c : register(t2), float x) { Texture2D<float4> d : register(t3) = a; return d.Load(0); }
    """
    found = analyse(source + PIXEL % "b.Load(0) + f(a, 1)").stray
    assert [(stray.name, stray.where) for stray in found] == [("b", "static"), ("f", "parameter"), ("f", "local")]


@pytest.mark.parametrize(
    ("member", "start", "size", "whole"),
    [
        ("float4 a : packoffset(c2)", 32, 16, False),
        ("float2 a : packoffset(C1.z)", 24, 8, False),
        ("float a : packoffset(c0.a)", 12, 4, False),
        ("float a[3] : packoffset(c1)", 16, 36, True),
        ("float4x4 a : packoffset(c)", 0, 64, True),
        ("float a : packoffset(t1)", None, 4, False),
        ("float a : packoffset(c0.X)", None, 4, False),
        ("float a : packoffset(c0.xy)", None, 4, False),
    ],
)
def test_places_in_buffers(member: str, start: int | None, size: int, whole: bool) -> None:
    (found,) = analyse(f"cbuffer B {{ {member}; static float other = 1; }}; {PIXEL % '1'}").placed
    assert (found.buffer, found.name, found.start, found.size, found.whole) == ("B", "a", start, size, whole)


def test_places_outside_of_buffers() -> None:
    source = "float4 a : register(c5); float b : packoffset(c1); cbuffer C : packoffset(c2) { float c; }; float d;"
    found = analyse(source + PIXEL % "a + b + c + d").placed
    assert [(p.buffer, p.name, p.place, p.start, p.packed) for p in found] == [
        ("$Globals", "a", "c5", 80, False),
        ("", "b", "c1", None, True),
        ("C", "C", "c2", None, True),
    ]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("ConstantBuffer<float4> v;", "numeric"),
        ("TextureBuffer<uint> v;", "numeric"),
        ("ConstantBuffer<Objects> v[2];", "objects"),
        ("ConstantBuffer<Objects> v;", None),
        ("ConstantBuffer<Plain> v[2];", None),
        ("Buffer<float4> v;", None),
    ],
)
def test_buffer_views(written: str, kind: str | None) -> None:
    structs = "struct Plain { float x; }; struct Objects { Texture2D t; float x; };"
    found = analyse(f"{structs} {written} {PIXEL % '1'}").views
    assert [view.kind for view in found] == ([kind] if kind else [])


def test_counters_go_up_and_down() -> None:
    source = """
    RWStructuredBuffer<uint> list[2]; AppendStructuredBuffer<uint> added; RWStructuredBuffer<uint> idle;
    void unused() { idle.IncrementCounter(); }
    """
    body = "list[1].IncrementCounter(); list[0].DecrementCounter(); added.Append(1);"
    found = analyse(source + COMPUTE % ("[numthreads(1, 1, 1)]", body), "cs_6_0").counters
    assert [(use.name, use.up) for use in found] == [("list", True), ("list", False), ("added", True)]


@pytest.mark.parametrize(
    ("index", "group", "varies"),
    [
        ("id.x", "64, 1, 1", True),
        ("id.x + 1", "8, 8, 1", True),
        ("id.y", "8, 8, 1", True),
        ("id.y", "64, 4, 1", False),
        ("id.y", "64, 1, 1", False),
        ("id.z", "1, 1, 64", True),
        ("id.x", "1, 1, 1", False),
        ("id.x", "2, 1, 1", False),
        ("flat", "64, 1, 1", True),
        ("min(flat, 3)", "64, 1, 1", True),
        ("group.x", "64, 1, 1", False),
        ("id.x / 64", "64, 1, 1", False),
        ("id.x & 1", "64, 1, 1", False),
        ("WaveReadLaneFirst(id.x)", "64, 1, 1", False),
        ("NonUniformResourceIndex(id.x)", "64, 1, 1", False),
        ("unknown(id.x)", "64, 1, 1", False),
        ("local", "64, 1, 1", True),
        ("twice", "64, 1, 1", False),
        ("layer", "64, 1, 1", False),
        ("3", "64, 1, 1", False),
    ],
)
def test_what_varies_between_threads(index: str, group: str, varies: bool) -> None:
    source = "RWBuffer<uint> maps[64]; cbuffer Frame { uint layer; };"
    body = f"uint local = id.x * 2; uint twice = id.x; twice = 3; maps[{index}][0] = local + twice;"
    analysis = analyse(source + COMPUTE % (f"[numthreads({group})]", body), "cs_6_0")
    (access,) = (a for a in analysis.accesses if a.name == "maps")
    assert access.index == index and access.varying == varies


def test_subscripts_of_every_dimension_and_on_the_way_to_leaves() -> None:
    source = """
    struct Inner { Texture2D<float4> maps[4]; float weights[4]; };
    struct Outer { Inner inner[2]; };
    Outer outer : register(t0);
    Texture2D<float4> grid[2][3] : register(t20);
    """
    body = "outer.inner[1].maps[input].Load(0) * outer.inner[0].weights[input] + grid[1][input].Load(0)"
    found = analyse(source + PIXEL % body).accesses
    assert [(a.name, a.index, a.value, a.dimension) for a in found] == [
        ("outer.inner", "1", 1, 0),
        ("outer.inner.*.maps", "input", None, 0),
        ("outer.inner", "0", 0, 0),
        ("grid", "1", 1, 0),
        ("grid", "input", None, 1),
    ]


MERGES = """
Texture2D<float4> a : register(t0), b : register(t1), c[4] : register(t2);
RWBuffer<float4> d;
Buffer<float4> e;
static Texture2D<float4> s;
void set(out Texture2D<float4> given) { given = a; }
"""


@pytest.mark.parametrize(
    ("body", "sources", "sure"),
    [
        ("Texture2D<float4> t = a; if (input) t = b; return t.Load(0);", ("a", "b"), True),
        ("Texture2D<float4> t; if (input > 2) t = b; else t = a; return t.Load(0);", ("b", "a"), True),
        ("Texture2D<float4> t = input ? a : b; return t.Load(0);", ("a", "b"), True),
        ("uint k = input * 2; Texture2D<float4> t = a; if (k) t = b; return t.Load(0);", ("a", "b"), False),
        ("Texture2D<float4> t = a; if (false) t = b; return t.Load(0);", (), False),
        ("Texture2D<float4> t = a; if (input) t = a; return t.Load(0);", (), False),
        ("Texture2D<float4> t = c[0]; if (input) t = c[1]; return t.Load(0);", (), False),
        ("Texture2D<float4> t = a; float4 x = t.Load(0); t = b; return x + t.Load(0);", (), False),
        ("Texture2D<float4> t = a; if (input) { t = b; return t.Load(0); } return t.Load(1);", (), False),
        ("float4 t = a.Load(0); if (input) t = b.Load(0); return t;", (), False),
        ("Texture2D<float4> t; return t.Load(0);", ("",), True),
        ("Texture2D<float4> t; if (input) t = a; return t.Load(0);", ("a", ""), True),
        ("Texture2D<float4> t; if (input) { t = a; return t.Load(0); } return 1;", (), False),
        ("Texture2D<float4> t; if (input) t = a; else return 1; return t.Load(0);", (), False),
        ("Texture2D<float4> t; if (input) t = a; if (input) return t.Load(0); return 1;", (), False),
        ("Texture2D<float4> t; return 1;", (), False),
        ("RWBuffer<float4> t; t[0] = 1; return 1;", ("",), True),
        ("a = b; return 1;", ("a", "b"), True),
        ("c[1] = a; return 1;", ("c", "a"), True),
        ("return s.Load(0);", ("",), True),
        ("s = a; return s.Load(0);", (), False),
        ("set(s); return s.Load(0);", (), False),
        ("d[input] = e[input]; return 1;", (), False),
        ("if (false) a = b; return a.Load(0);", (), False),
        ("for (uint k = 0; k < 2; ++k) { Texture2D<float4> t = a; if (k) t = b; t.Load(0); } return 1;", (), False),
    ],
)
def test_merged_resources(body: str, sources: tuple[str, ...], sure: bool) -> None:
    found = analyse(f"{MERGES} float4 main(uint input : INPUT) : SV_Target {{ {body} }}").merged
    assert [(merged.sources, merged.sure) for merged in found] == ([(sources, sure)] if sources else [])
