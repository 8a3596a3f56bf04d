"""Structs that contain themselves: one problem for each ring, at a field, and never a crash."""

from __future__ import annotations

import pytest
from cases.usage import analysed

MAIN = "float4 main() : SV_Target { return 0; }\n"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("struct R { R r; };", ["`R` contains itself: `R.r` is a `R`"]),
        ("struct R { R r[2]; R s; };", ["`R` contains itself: `R.r` is a `R`"]),
        ("struct R : R { int i; };", ["`R` contains itself: `R` inherits from `R`"]),
        ("struct A : B { int i; }; struct B : A { int j; };", ["`A` contains itself (through `B`)"]),
        ("struct B; struct A { B b; }; struct B { A a; };", ["`A` contains itself (through `B`): `A.b` is a `B`"]),
        ("struct R { struct { R r; } inner; };", ["contains itself (through"]),
        ("typedef struct R Other; struct R { Other r; };", ["`R` contains itself: `R.r` is a `Other`"]),
        ("struct R { StructuredBuffer<R> r; };", ["`R.r` is a `StructuredBuffer<R>`"]),
        ("struct P { P p; }; struct Q { Q q; };", ["`P` contains itself", "`Q` contains itself"]),
        ("template<typename T> struct H { T t; }; struct R { H<R> h; };", ["`R` contains itself (through `H`)"]),
        ("template<typename T> struct A { A<T> a; }; A<int> i;", ["`A` contains itself: `A.a` is a `A<int>`"]),
        ("template<int N> struct A { A<N + 1> a; }; A<1> i;", ["`A` contains itself with ever other arguments"]),
        ("template<typename T> struct A { A<A<T> > a; }; A<int> i;", ["`A` contains itself with ever other arguments"]),
        ("template<typename T> struct A { A<T> a; };", []),
        ("struct R { static R r; R get() { return r; } int i; };", []),
        ("struct P { int i; }; struct R { P p; P q; StructuredBuffer<P> s; };", []),
        ("namespace N { struct R { int i; }; } struct R { N::R r; };", []),
    ],
)
def test_rings(text: str, messages: list[str]) -> None:
    problems = [p for p in analysed(f"{text}\n{MAIN}", "-T ps_6_6 -E main").problems if p.kind == "endless-struct"]
    assert len(problems) == len(messages)
    for problem, message in zip(problems, messages, strict=True):
        assert message in problem.message
        assert problem.span.line == 1


@pytest.mark.parametrize(
    "text",
    [
        "static const int A = B; static const int B = A; Texture2D<float4> T[A];",
        "struct S { static const int K = S::K + 1; int i; }; Texture2D<float4> T[S::K];",
        "template<int N> struct S { static const int K = S<N + 1>::K; }; Texture2D<float4> T[S<1>::K];",
        "template<int N> struct S { static const int K = N; }; static const int M = S<M>::K; Texture2D<float4> T[M];",
        "Texture2D<float4> T[sizeof(x)]; float x[sizeof(x)];",
        "static const int K = sizeof(x); float x[K]; Texture2D<float4> T[K];",
        "struct S { float a[sizeof(S)]; }; Texture2D<float4> T[sizeof(S)];",
    ],
)
def test_sizes_that_hang_on_themselves(text: str) -> None:
    resources = analysed(f"{text}\n{MAIN}", "-T ps_6_6 -E main").resources
    assert [bool(r.untold_size) for r in resources if r.name == "T"] == [True]


def test_long_chains_of_sizes_end() -> None:
    chain = "".join(f"float x{i}[sizeof(x{i + 1})];" for i in range(500))
    text = f"{chain} float x500; Texture2D<float4> T[sizeof(x0)];\n{MAIN}"
    assert [r.count for r in analysed(text, "-T ps_6_6 -E main").resources if r.name == "T"] == [1]
