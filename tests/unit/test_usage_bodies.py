"""Bodies as steps: kinds, conditions, loops, locals and free names; broken and absurd text."""

from __future__ import annotations

import pytest
from bindlint.nesting import MAX_NESTING
from bindlint.usage.bodies.body import parse_body, parse_initializer
from bindlint.usage.bodies.syntax import Assign, Body, Call, Local, Ref, Select

PARAMETERS = (Local("p", "float4"), Local("q", "Texture2D", 1))


def body(text: str) -> Body:
    return parse_body("{" + text + "}", PARAMETERS)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", ""),
        (";;;", ""),
        ("f();", "expression"),
        ("float a;", ""),
        ("float a = 1;", "assign"),
        ("float a = 1, b, c = 2;", "assign assign"),
        ("const static uint a = 1;", "assign"),
        ("unsigned int a = 1;", "assign"),
        ("Texture2D<float4> t = g;", "assign"),
        ("StructuredBuffer<Pair<float, int> > t = g;", "assign"),
        ("X::Y<4> t = g;", "assign"),
        ("typename T::Inner t = g;", "assign"),
        ("typename Y<T>::template Inner<0> t = g, u;", "assign"),
        ("Y<T>::f(g);", "expression"),
        ("struct S s = g;", "assign"),
        ("a < b && c > d;", "expression"),
        ("a * b;", "expression"),
        ("return;", "return"),
        ("return a; f();", "return"),
        ("if (a) return b; f();", "condition return expression"),
        ("if (a) return b; else return c; f();", "condition return return"),
        ("if (bool a = b) f();", "assign condition expression"),
        ("{ f(); } g();", "expression expression"),
        ("for (;;) f();", "loop expression"),
        ("for (int i = 0; i < 3; i++) f();", "assign loop expression expression"),
        ("while (a) { f(); break; g(); }", "loop expression jump"),
        ("do f(); while (a);", "loop expression"),
        ("switch (a) { case 1: f(); break; case 2: default: g(); }", "loop expression jump expression"),
        ("discard;", "discard"),
        ("[unroll(4)] [loop] while (a) continue;", "loop jump"),
        ("typedef float F; F a = 1;", "assign"),
        ("using F = float; F a = 1;", "assign"),
        ("enum E { A, B }; E a = A;", "assign"),
        ("struct S { int a; int b; } s = { 1, 2 };", "assign"),
        ("struct S { int a; }; S s;", ""),
        ("a = b, c = d;", "expression"),
        ("float a[2] = { 1, 2 };", "assign"),
        ("float4 a : SEMANTIC = 1;", "assign"),
    ],
)
def test_steps(text: str, kinds: str) -> None:
    assert " ".join(step.kind for step in body(text).steps) == kinds


@pytest.mark.parametrize(
    ("text", "free", "local_names"),
    [
        ("a + b.c[d];", "a b d", ""),
        ("p + q[0];", "", ""),
        ("float a = a0; a + a1;", "a0 a1 float", "a"),
        ("{ float a; a; } a;", "a float", "a"),
        ("for (int i = 0; i < n; i++) i; i;", "i int n", "i"),
        ("if (bool c = d) c; c;", "bool c d", "c"),
        ("float a; { float a = a; }", "float", "a a"),
        ("X::Y::f(a); X::v;", "a f v", ""),
        ("f<T>(a);", "T a f", ""),
        ("f<3>(a) + (b < c);", "a b c f", ""),
        ("1.0f + 2e-3 + 0x1F + 5u;", "", ""),
        ('"a b" + c;', "c", ""),
        ("(float4)a;", "a float4", ""),
        ("p.x.free;", "", ""),
        ("Set<Map> s = g;", "Map Set g", "s"),
    ],
)
def test_names(text: str, free: str, local_names: str) -> None:
    parsed = body(text)
    assert parsed.free == frozenset(free.split())
    assert [local.name for local in parsed.locals[len(PARAMETERS) :]] == local_names.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", (Ref("a", -1),)),
        ("a.b.c", (Ref("a", -1, ("b", "c")),)),
        ("f(a)", (Call("f", ((Ref("a", -1),),), (0,)),)),
        ("t.Load(a).x", (Call("Load", ((Ref("a", -1),),), (0,), (Ref("t", -1),), members=("x",)),)),
        ("a = b", (Assign((Ref("a", -1),), (Ref("b", -1),), False, plain=True),)),
        ("a += b", (Assign((Ref("a", -1),), (Ref("b", -1),), True, plain=True),)),
        ("a++", (Assign((Ref("a", -1),), (), True),)),
        ("++a", (Assign((Ref("a", -1),), (), True),)),
        ("a ? b : c", (Select(0, (Ref("a", -1),), (Ref("b", -1),), (Ref("c", -1),)),)),
        ("a + b", (Ref("a", -1), Ref("b", -1))),
        ("{ a, { b } }", (Ref("a", -1), Ref("b", -1))),
    ],
)
def test_expressions(text: str, expected: object) -> None:
    (step,) = parse_initializer(text).steps
    assert step.value == expected


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("f(1 + 2);", True),
        ("a[i + 1].b.f(x);", True),
        ("(a).f();", True),
        ("a = 1 + 2;", True),
        ("return a;", True),
        ("return (a);", True),
        ("float b = f(3);", True),
        ("return a * 0;", False),
        ("return -a;", False),
        ("return 1;", False),
        ("false && f();", False),
        ("0, f();", False),
        ("return (a + 1);", False),
        ("return (float4)a;", False),
        ("float b = true ? f() : g();", False),
        ("float b = f(3) + 1;", False),
    ],
)
def test_plain_steps(text: str, plain: bool) -> None:
    (step,) = body(text).steps
    assert step.plain == plain


def test_conditions_and_loops_that_a_step_runs_under() -> None:
    steps = body("if (a) { while (b) f(); } else g();").steps
    assert [(s.kind, s.controls, s.loops) for s in steps] == [
        ("condition", (), ()),
        ("loop", ((0, True),), ()),
        ("expression", ((0, True), (1, True)), (1,)),
        ("expression", ((0, False),), ()),
    ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("if (p) f();", "__parameter_0"),
        ("p = 1; if (p) f();", "__unknown"),
        ("p++; if (p) f();", "__unknown"),
        ("int n = 3; if (n) f();", "((int)(3))"),
        ("int n = 3; n = 4; if (n) f();", "__unknown"),
        ("const int n = 3; g(n); if (n) f();", "((int)(3))"),
        ("int n = 3; g(n); if (n) f();", "__unknown"),
        ("int n; if (n) f();", "__unknown"),
        ("if (a.p) f();", "a . p"),
    ],
)
def test_texts_of_conditions(text: str, kept: str) -> None:
    parsed = body(text)
    (condition,) = [step for step in parsed.steps if step.kind == "condition"]
    assert " ".join(parsed.texts[condition.text].split()) == kept


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "}", "{{{", "}}}", "if", "if (", "if (a", "for (", "for (;", "do", "do {", "switch (a) {", "case",
        "return", "return (", "a[", "a.", "a::", "f(", "f(a,", "f<", "f<a", "a ?", "a ? b", "a ? b :", "=", "++", "--",
        "float", "float a[", "float a = ", "float a : ", "struct", "struct S", "struct S {", "typedef", "using", "enum",
        "\"", "'", "\\", "#", "\0", "é ü 漢", ") ] }", "; ) ; ]", "[unroll", "operator[](a)", "template<typename T>",
    ],
)  # fmt: skip
def test_broken_text_is_read(text: str) -> None:
    assert isinstance(parse_body("{" + text, PARAMETERS), Body)
    assert isinstance(parse_initializer(text), Body)


def test_nesting_beyond_all_measure_becomes_one_bag_of_names() -> None:
    parsed = body("x = " + "(" * (MAX_NESTING + 1) + "a + p" + ")" * (MAX_NESTING + 1) + ";")
    (step,) = parsed.steps
    assert step.kind == "return"
    assert {"x", "a"} <= parsed.free
    assert Ref("p", 0) in step.value
