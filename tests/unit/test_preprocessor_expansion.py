"""Macros: every case gives the tokens that DXC 1.8 gives with -P; what DXC rejects is a problem of the named kind."""

from __future__ import annotations

import pytest
from bindlint_grammars.hlsl.preprocessor import Expansion, Preprocessor, Settings
from bindlint_grammars.hlsl.source_files import SourceStore
from bindlint_grammars.hlsl.tokens import tokenize


def expand(source: str | bytes, legacy: bool = False, defines: tuple[tuple[str, str], ...] = ()) -> Expansion:
    data = source if isinstance(source, bytes) else source.encode()
    store = SourceStore(overlays={"a.hlsl": data})
    return Preprocessor(store).run("a.hlsl", Settings(defines=defines, legacy_macro_expansion=legacy))


def tokens(expansion: Expansion) -> list[str]:
    text = b"".join(unit.text for unit in expansion.units)
    return [token.text.decode() for token in tokenize(text, 0, len(text), "")]


def cut(text: str) -> list[str]:
    data = text.encode()
    return [token.text.decode() for token in tokenize(data, 0, len(data), "")]


ACCEPTED = [
    ("#define A 1\nA AA A.A", "1 AA 1 . 1"),
    ("#define AA BB\n#define BB AA\nAA BB", "AA BB"),
    ("#define f(x) x f\nf(1)(2)", "1 f(2)"),
    ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g"),
    ("#define NIL(x) x\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42"),
    ("#define A(x) B(x)\n#define B(x) A(x) x\nA(A(1)) B(A(2))", "A(A(1) 1) A(1) 1 B(A(2) 2) A(2) 2"),
    ("#define F(a) a\n#define O F\nO\n(3)\nO(O)(2)", "3 F(2)"),
    ("#define F(x) [x]\n#define LP (\n#define E\nF LP 3 ) F E (3) F", "F ( 3 ) F (3) F"),
    ("#define K(x) x (5)\n#define F(x) [x]\nK(F)", "[5]"),
    ("#define F(x) [x]\nF\n(1) F /* */ (2)", "[1] [2]"),
    ("#define F(x,y) x y\nF(a\n,\nb\nc)", "a b c"),
    ("#define F() z\nF() F( ) F(/* */) F", "z z z F"),
    ("#define F(a) [a]\n#define C 1,2\nF(C) F((1,2)) F()", "[1,2] [(1,2)] []"),
    ("#define G(a,b) <a-b>\n#define I(x) G(x)\n#define C 1,2\nI(C)", "<1-2>"),
    ("#define L(...) (__VA_ARGS__)\nL() L(1,2) L(a)", "() (1,2) (a)"),
    ("#define L(a,...) (a, __VA_ARGS__)\nL() L(1,2) L(1)", "(,) (1,2) (1,)"),
    ("#define L(a,...) (a, ## __VA_ARGS__)\nL() L(1,2) L(1) L(1,)", "() (1,2) (1) (1,)"),
    ("#define L(...) (q, ## __VA_ARGS__)\nL() L(1,2)", "(q) (q,1,2)"),
    ("#define L(a,b...) (a, ## b)\nL() L(1,2,3) L(1)", "() (1,2,3) (1)"),
    ("#define J(a,...) a ## __VA_ARGS__\nJ(x,1,2) J(x,) J(x) J(,1)", "x1,2 x x 1"),
    ("#define J(...) x ## __VA_ARGS__ ## y\nJ(1,2) J()", "x1,2y xy"),
    ("#define S(x) #x\nS(a  b \"q\\n\" 'c' \\ / ) S() S( ( a , b ) )", '"a b \\"q\\\\n\\" \'c\' \\ /" "" "( a , b )"'),
    ("#define Y(a,...) #__VA_ARGS__ a\nY(1, 2,3 ) Y(1)", '"2,3" 1 "" 1'),
    ("#define S(x) #x\n#define T(x) S(x)\n#define N 4\nS(N) T(N)", '"N" "4"'),
    ("#define C(a,b) a##b\n#define X(a,b) C(a,b)\n#define N 4\nC(t,N) X(t,N) C(N,t) C(N,N)", "tN t4 Nt NN"),
    ("#define C(a,b) a##b\nC(1,2) C(+,+) C(a,) C(,b) C(,) C(<,<) C(:,:) C(>>,=) C(-,>)", "12 ++ a b << :: >>= ->"),
    ("#define C(a,b) a ## b\n#define NAME 3\nC(NAME,) C(,NAME) C(NAM,E) C(x NAME, NAME y)", "3 3 3 x NAMENAME y"),
    (
        "#define t(x,y,z) x ## y ## z\nt(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,)",
        "123, 45, 67, 89, 10, 11, 12,",
    ),
    (
        "#define hash # ## #\n#define str(a) # a\n#define in(a) str(a)\n#define join(c, d) in(c hash d)\njoin(x, y)",
        '"x ## y"',
    ),
    ("#define C(a) 0##a\n#define D(a) 0 ##a\nC(x1) D(x1)", "0##a 0x1"),
    ("#define O # x\nO", "# x"),
    ("#define A B\n\"A\" 'A' 1A A1", "\"A\" 'A' 1A A1"),
    ("#define e E\n#define x X\n1.0e 1.e v.x 1.0.x .5.x 1f", "1.0e 1.e v.X 1.0.X .5.X 1f"),
    ("#define $a 3\n$a a$b", "3 a$b"),
    ("#define é 3\né ü", "3 ü"),
    ('#define I"x"\n#define J+3\nI J', '"x" +3'),
    ("#define A 1\n#undef A\nA\n#undef B X\n#define A(x) x\nA(2)", "A 2"),
    ("#define A 1\n#define A 2\nA", "2"),
    ("__VA_ARGS__ defined", "__VA_ARGS__ defined"),
    ("#define EMPTY\nEMPTY # define Q 3\nQ", "# define Q 3 Q"),
    ("#define A(x) x\nA(\n#if 1\na\n#else\nb\n#endif\nc) A(\n#define A 3\nA ) A", "a c 3 3"),
    ("#define g() G\ng(\n#define H 7\n) H g\n#define K\n()", "G 7 g ()"),
    ("#define A b\\\nc\nA d\\\ne f\\  \ng", "bc de fg"),
    ('"a\\\nb c" /\\\n/ gone\nx /\\\n* gone *\\\n/ y', '"ab c" x y'),
    ("#define L(a, \\\n b) a + \\\n   b\nL(1,2)", "1 + 2"),
    ("#define X /* a\nb */ 3\nX /* x\n*/ #define Y 4\nX", "3 #define Y 4 3"),
    ("don't /* x\ny */ z", "don't /* x\ny */ z"),
    ("__LINE__\n#define L __LINE__\n#define ID(x) x\nL ID(L\nL\n) ID(\n__LINE__) __LINE__", "1 4 4 5 7 7"),
    ('#line 30 "foo"\n__LINE__ __FILE__\n# 50 "bar"\n__LINE__ __FILE__', '30 "foo" 50 "bar"'),
    ("#define N 44\n#line N\n__LINE__", "44"),
    ("__COUNTER__ __COUNTER__\n#if __COUNTER__ == 2\nx __COUNTER__\n#endif", "0 1 x 3"),
    ("#define C(a,b) a##b\n#define D(a,b) C(a,b)\nD(x,__LINE__) D(x,__COUNTER__) D(y,__COUNTER__)", "x3 x0 y1"),
    ("__FILE__ __INCLUDE_LEVEL__ __BASE_FILE__", '"a.hlsl" 0 "a.hlsl"'),
    ("#undef __LINE__\n__LINE__", "__LINE__"),
    ("a@b `c` \\ d", "a @ b ` c ` \\ d"),
    ("#\n# \n#/**/define Q 7\nQ", "7"),
    ("%:define Q 2\nQ", "%:define Q 2 Q"),
    ("a\rb\r\nc\n\r#define X 1\rX\f#define Y", "a b c 1 #define Y"),
]


@pytest.mark.parametrize(("source", "expected"), ACCEPTED)
def test_tokens_are_those_of_dxc(source: str, expected: str) -> None:
    expansion = expand(source)
    assert tokens(expansion) == cut(expected)
    assert not expansion.problems


LEGACY = [
    ("#define C(a,b) a##b\n#define N 4\nC(t,N) C(N,t) C(N,N)", "t4 4t 44"),
    ("#define f(x) register(t##x)\n#define g(x) x\n#define SLOT g(3)\nf(SLOT) f(g(2))", "register(t3) register(t2)"),
    ("#define A B\n#define B A\n#define C(a,b) a##b\nC(x,A) C(A,x) C(C(x,y),z) C(x,C(y,z))", "xA Ax xyz xyz"),
    ("#define S(x) #x\n#define N 4\nS(N)", '"N"'),
]


@pytest.mark.parametrize(("source", "expected"), LEGACY)
def test_fxc_expands_arguments_before_pasting(source: str, expected: str) -> None:
    expansion = expand(source, legacy=True)
    assert tokens(expansion) == cut(expected)
    assert not expansion.problems


REJECTED = [
    ("#define A(x,y) [x|y]\nA(1) z", "macro-arguments", "[1|] z"),
    ("#define A(x) <x>\nA(1,2) z", "macro-arguments", "<1> z"),
    ("#define A() q\nA(1) z", "macro-arguments", "q z"),
    ("#define A(x) x\nA(1", "macro-arguments", "A"),
    ("#define C(a,b) a##b\nC(-,3) z", "bad-paste", "-3 z"),
    ("#foo bar\nz", "bad-directive", "z"),
    ("#define defined 1\nz", "bad-directive", "z"),
    ("#define 3 4\nz", "bad-directive", "z"),
    ("#define\nz", "bad-directive", "z"),
    ("#define F(a a\nz", "bad-directive", "z"),
    ("#define F(a,a) a\nz", "bad-directive", "z"),
    ("#define F(,) a\nz", "bad-directive", "z"),
    ("#define F(...,a) a\nz", "bad-directive", "z"),
    ("#define F(a) #b\nz", "bad-directive", "z"),
    ("#define F a ##\nz", "bad-directive", "z"),
    ("#define F ## a\nz", "bad-directive", "z"),
    ("#undef 3\nz", "bad-directive", "z"),
    ("#line foo\nz", "bad-directive", "z"),
    ("#include\nz", "bad-directive", "z"),
    ("#include foo\nz", "bad-directive", "z"),
    ('#include ""\nz', "bad-directive", "z"),
    ("#include_next <x>\nz", "bad-directive", "z"),
    ("#error don't\nz", "error-directive", "z"),
    ("#warning w\nz", "warning-directive", "z"),
    ('#define A(x) x\nA(\n#include "b"\nc) z', "include-in-macro-arguments", "c z"),
    ("#define A(x) x\nA(\n#pragma b\nc) z", "include-in-macro-arguments", "c z"),
    ("z /* never closed", "unterminated-comment", "z"),
]


@pytest.mark.parametrize(("source", "kind", "expected"), REJECTED)
def test_what_dxc_rejects_is_one_problem_and_the_rest_is_read(source: str, kind: str, expected: str) -> None:
    expansion = expand(source)
    assert [problem.kind for problem in expansion.problems] == [kind]
    assert tokens(expansion) == cut(expected)


def test_definitions_given_from_outside() -> None:
    defines = (("A", "1"), ("E", ""), ("F(x)", "x+x"), ("A", "2"))
    assert tokens(expand("A E F(3)", defines=defines)) == cut("2 3+3")
    assert [problem.kind for problem in expand("x", defines=(("3", "1"),)).problems] == ["bad-directive"]


def test_pragmas_are_kept_where_they_stand() -> None:
    source = (
        "#pragma once\n#pragma mark x\n#pragma region r\na;\n# pragma  pack_matrix ( row_major ) // c\nb;\n#pragma A\n"
    )
    (unit,) = expand("#define A 1\n" + source).units
    assert [text for _, text in unit.pragmas] == ["pack_matrix ( row_major )", "A"]
    assert unit.text[: unit.pragmas[0][0]].split() == [b"a;"]
    assert unit.text[: unit.pragmas[1][0]].split() == [b"a;", b"b;"]


def test_pragmas_without_text_are_a_unit_too() -> None:
    (unit,) = expand("#pragma A\n").units
    assert (unit.text, unit.pragmas) == (b"", ((0, "A"),))
    assert unit.locate(0, 0) == (unit.origin(0), 0)


def test_the_pragma_operator() -> None:
    expansion = expand('#define M(x) _Pragma(#x) q\nM(pack_matrix(row_major))\n_Pragma("a \\"b\\"") r')
    assert tokens(expansion) == ["q", "r"]
    assert [text for _, text in expansion.units[0].pragmas] == ["pack_matrix(row_major)", 'a "b"']


def test_macros_at_the_end_of_the_shader() -> None:
    expansion = expand('#define N 3\n#define RS "CBV(b" N ")" \\\n "x"\n#define F(x) x\n#define N 4\n')
    unit = expansion.macro("RS")
    assert unit is not None
    assert unit.text.split() == [b'"CBV(b"', b"4", b'")"', b'"x"']
    origin = unit.origin(unit.text.index(b'"x"'))
    assert (origin.file, origin.macro) == ("a.hlsl", "RS")
    assert expansion.is_defined("F")
    assert expansion.macro("F") is None
    assert expansion.macro("absent") is None
    assert not expansion.is_defined("absent")
