"""Masking: equal length, what stays, what is kept aside, and that broken text is bounded in its effect and its cost."""

from __future__ import annotations

import re

import pytest
from bindlint_grammars.hlsl.masking import mask
from bindlint_grammars.hlsl.masking_tokens import close_angle, close_brace, close_bracket, end_of_value
from bindlint_grammars.hlsl.parser import KEYWORDS, parse
from hypothesis import given
from hypothesis import strategies as st

VALID = [
    "cbuffer A : register(b0, space1) { float4 x : packoffset(c0); row_major float4x4 m; };",
    "tbuffer A{float x;}",
    "cbuffer A { cbuffer B : register(b1) { float y; } Texture2D t : register(t4); float f() { return 1; } };",
    "Texture2D<float4> t[N + 1][] : register(t0) : register(ps, t5), s : register(t1);",
    "StructuredBuffer<vector<float, 4> > b; Buffer<snorm float4>c; InputPatch<V, 3>d;",
    '[shader("pixel")][numthreads(8, 8, 1)] export void f(inout float4 a : SV_Position) : SV_Target { if (a) { } "}" }',
    "[[vk::binding(0, 1)]] Texture2D t;",
    "struct [raypayload] P { float a : read(caller) : write(caller, miss); };",
    "template<typename T, int N = 4> struct S : B<T>, C { T a[N]; T operator+(S o); T operator[](uint i) { } };",
    "template<> float g<int>(int x) { return x; } template<> struct Q<int> { int a; };",
    "typename F<T>::template G<0> x; T A<float>::f() const { return 0; }",
    "struct S { RWBuffer<float> b; } s : register(u3), q[2]; struct { int a; } anonymous; struct S again;",
    "interface I { float f(float x); }; class K : I { float f(float x) { return x; } };",
    "enum E { A, B = 3, }; enum class F : uint { C = (1 << 2) };",
    "float sample, line[2], point;",
    "float f(float triangle, line V v[2], sample float new, center float center) { return 0; }",
    "struct point { float in_ : X; float template_; uint bits : 3; };",
    "static const float4 k[] = { { 1.0.xxxx }, 1.5L.xxxx, { 0x1p3, 1.0h } }; groupshared uint g[64];",
    "typedef float4 F[4]; typedef struct { int a; } G; using Q = Foo<int>; template<class T> using R = Buffer<T>;",
    "using namespace a::b; namespace A::B { int x; } namespace { int y; } ::A::B z;",
    'float4 c : COLOR < string name = "x"; float3 d = { 1, 2, 3 }; > = { 1, 2 }; texture t < string n = "a.dds"; >;',
    "sampler s = sampler_state { Texture = <t>; Filter = LINEAR; }; SamplerState r : register(s1) { Filter = F; };",
    "technique11 T { pass P { SetVertexShader(CompileShader(vs_5_0, main())); } } BlendState b { Enable[0] = TRUE; };",
    'GlobalRootSignature g = { "CBV(b0)" ", SRV(t0)" }; TriangleHitGroup h = { "a", "b" };',
    "void f() { }; ; float after; float g()[3] { return x; } void h(void);",
    "void ms(out indices uint3 i[64], out vertices V v[64], in payload P p) { }",
    'bool all = a < b; float4 d = e > f ? 1 : 2, i; static_assert(1 < 2, "text"); float j = (float[4])x;',
    "unsigned int u : register(c2); const unsigned long v; globallycoherent RWTexture2D<unorm float> w;",
    "RaytracingAccelerationStructure scene : register(t0, space1); ConstantBuffer<struct Z> z[] : register(b0);",
]


@pytest.mark.parametrize("text", VALID)
def test_real_constructs_leave_no_error(text):
    masked = mask(text.encode())
    assert len(masked.text) == len(text.encode())
    assert masked.unread == ()
    assert not parse(masked.text).root_node.has_error, masked.text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("cbuffer A : register(b0) { float x; };", "namespace                { float x; } "),
        ("tbuffer A{float x;}", "namespace{float x;}"),
        ("Texture2D<float4> t[N] : register(t0);", "Texture2D________ t[ ]               ;"),
        ("Buffer<float>b;", "Buffer______ b;"),
        ("[numthreads(1, 1, 1)] void f(in T a) { x; }", "                      void f(   T a) {    }"),
        ("static const int a = 3, b;", "             int a    , b;"),
        ("interface I { };", "struct    I { };"),
        ("float sample : X;", "float SAMPLE    ;"),
        ("T operator +(T o);", "T operator__(T o);"),
        ("enum E : uint { A };", "enum E : uint {   };"),
        ("struct A : B { };", "struct A : B { };"),
        ("struct A a : B;", "struct A a    ;"),
        ("void f() { };", "void f() { } "),
    ],
)
def test_masked_text(text, masked):
    assert mask(text.encode()).text.decode() == masked


def test_what_is_kept():
    text = b"[a(1)] static T x[2] : S : register(t0) : packoffset(c1) : mistake(u1) = 3, y;"
    masked = mask(text)
    head = masked.heads[text.index(b"T x")]
    tail = masked.tails[text.index(b"]", 8) + 1]
    assert head.modifiers == [b"static"]
    assert [text[slice(*place)] for place in head.attributes] == [b"[a(1)]"]
    assert [(clause.kind, text[clause.start : clause.end]) for clause in tail.clauses] == [
        ("semantic", b"S"),
        ("register", b"register(t0)"),
        ("packoffset", b"packoffset(c1)"),
        ("other", b"mistake(u1)"),
    ]
    assert tail.initializer is not None
    assert text[slice(*tail.initializer)] == b"3"


@pytest.mark.parametrize(
    "broken",
    [
        "}",
        ")",
        '"text"',
        "@",
        "MACRO(a) ",
        "register(t0)",
        "Buffer<float a;",
        "float4 a[ ;",
        "foo(;",
        "int x y z;",
        "3;",
    ],
)
def test_broken_text_costs_its_own_declaration_only(broken):
    text = f"void f() {{ }}\n{broken}\nvoid g() {{ }}".encode()
    masked = mask(text)
    assert masked.unread or parse(masked.text).root_node.has_error
    assert masked.text.endswith(b"void g() { }")


WORDS = re.findall(
    r"\S+|\n",
    """struct cbuffer namespace enum typedef using template operator technique float4 sample in register(t0)
    < > { } ( ) [ ] ; : :: , = " #x static_assert [a]""",
)


@given(st.lists(st.sampled_from(WORDS)).map(" ".join) | st.text())
def test_length_never_changes(text):
    data = text.encode()
    assert len(mask(data).text) == len(data)


@given(st.binary())
def test_any_bytes_are_taken(data):
    assert len(mask(data).text) == len(data)


@pytest.mark.parametrize(
    "unit",
    ["a<", "(", "a(\n(\n", "[\n", "f(){{\n}\n", "struct a{", "{", "}", "::", "a::", "x=(\n", "template<", "a(b,"],
)
def test_hostile_text_is_linear(unit):
    text = (unit * (30_000 // len(unit))).encode()
    masked = mask(text)
    parse(masked.text)
    assert len(masked.text) == len(text)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [("{a{b}}c", 1, (6, True)), ('{"}"}c', 1, (5, True)), ("{a", 1, (2, False)), ("{a{\n}\nb", 1, (5, False))],
)
def test_close_brace(text, start, end):
    assert close_brace(text.encode(), start) == end


@pytest.mark.parametrize(
    ("text", "end"), [("(a(b))c", (6, True)), ('(")")c', (5, True)), ("(a;)", (2, False)), ("(a\n;)", (2, False))]
)
def test_close_bracket(text, end):
    assert close_bracket(text.encode(), 0) == end


@pytest.mark.parametrize(
    ("text", "end"), [("<a<b>>c", (6, False)), ("<(a>b)>c", (7, False)), ("<a=1;>", (6, True)), ("<a;", (-1, False))]
)
def test_close_angle(text, end):
    assert close_angle(text.encode(), 0) == end


@pytest.mark.parametrize(
    ("text", "end"), [("f(a,b),c", 6), ("{1,2};", 5), ("A<b,c>(1), d", 9), ("a<b, c", 3), ("x", 1)]
)
def test_end_of_value(text, end):
    assert end_of_value(text.encode(), 0) == end


def test_keywords_of_the_grammar():
    assert {b"struct", b"namespace", b"new", b"static"} <= KEYWORDS
    assert b"float4" not in KEYWORDS
