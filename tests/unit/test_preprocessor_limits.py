"""Hostile sources end in one problem, the rest of the file is read, and time stays bounded."""

from __future__ import annotations

import tracemalloc

import pytest
from bindlint_grammars.hlsl.limits import CEILING, Limits
from bindlint_grammars.hlsl.preprocessor import Expansion, Preprocessor, Settings
from bindlint_grammars.hlsl.source_files import SourceStore
from hypothesis import given
from hypothesis import strategies as st

LIMITS = Limits(expansion_tokens=20_000, expansion_bytes=1 << 20, includes=500)


def expand(source: str | bytes, limits: Limits = LIMITS) -> Expansion:
    data = source if isinstance(source, bytes) else source.encode()
    return Preprocessor(SourceStore(limits, overlays={"a.hlsl": data})).run("a.hlsl", Settings())


def kinds(expansion: Expansion) -> list[str]:
    return [problem.kind for problem in expansion.problems]


DOUBLING = "".join(f"#define A{level + 1} A{level} A{level}\n" for level in range(60))
BOMBS = [
    ("#define A0 x x\n" + DOUBLING + "A60", "macro-limit"),
    ("#define F(x) x x\n" + "F(" * 60 + "1" + ")" * 60, "macro-limit"),
    ("#define F(x) x\n" + "F(" * 500 + "1" + ")" * 500, "macro-limit"),
    ("#define P(x) x##x\n#define Q(x) P(x)\n" + "Q(" * 60 + "a" + ")" * 60, "macro-limit"),
    ("#define S(x) #x\n#define T(x) S(x)\n" + "T(" * 60 + '"a"' + ")" * 60, "macro-limit"),
    ("#define A0 x x\n" + DOUBLING + "#if A60\n#endif", "macro-limit"),
    ("#define A0 x x\n" + DOUBLING + "#include A60", "macro-limit"),
    ("#if " + "(" * 500 + "1" + ")" * 500 + "\n#endif", "nesting-limit"),
    ("#if " + "1?" * 500 + "1" + ":0" * 500 + "\n#endif", "nesting-limit"),
    ("#if 0x" + "9" * 100_000 + "\n#endif", "bad-condition"),
]


@pytest.mark.parametrize(("source", "kind"), BOMBS)
def test_a_bomb_is_one_problem_and_the_rest_is_read(source: str, kind: str) -> None:
    expansion = expand(source + "\nfloat ok;\n")
    assert kinds(expansion) == [kind]
    assert b"float ok;" in b"".join(unit.text for unit in expansion.units)


def test_text_out_of_macros_is_bounded() -> None:
    long = "x" * 2000
    expansion = expand(f"#define A {long}\n" + "A\n" * 2000 + "float ok;")
    assert kinds(expansion) == ["macro-limit"]
    assert sum(len(unit.text) for unit in expansion.units) < 2 << 20


LARGE = [
    "#if 1\n" * 20_000 + "#endif\n" * 20_000 + "int z;",
    "int a; /*" + "x" * 500_000 + "*/ int b;\nint c;" + " " * 500_000 + "int z;",
    "\\\n" * 50_000 + "int z;",
    "'\"\\" * 50_000 + "\nint z;",
    "#if " + "!" * 20_000 + "0\n#endif\nint z;",
    "#if " + "1||" * 20_000 + "1\n#endif\nint z;",
    "{" * 100_000 + "int z;",
    "# " * 100_000 + "\nint z;",
]


@pytest.mark.parametrize("source", LARGE, ids=range(len(LARGE)))
def test_large_sources_take_time_in_proportion(source: str) -> None:
    expansion = expand(source, Limits())
    assert b"int z;" in expansion.units[-1].text


def test_a_file_that_includes_itself_is_one_problem() -> None:
    expansion = expand('#include "a.hlsl"\n#include "a.hlsl"\nint z;')
    assert kinds(expansion) == ["include-cycle"]
    assert b"int z;" in expansion.units[-1].text


def test_includes_nested_as_deep_as_dxc_allows() -> None:
    files = {f"h{level}.h": f'#include "h{level + 1}.h"\n'.encode() for level in range(250)}
    for depth, expected in ((199, []), (201, ["include-cycle"])):
        overlays = {**files, f"h{depth}.h": b"int deep;\n"}
        expansion = Preprocessor(SourceStore(overlays=overlays)).run("h0.h", Settings())
        assert kinds(expansion) == expected


def test_includes_that_double_are_bounded() -> None:
    overlays = {f"h{level}.h": f'#include "h{level + 1}.h"\n'.encode() * 2 + b"int a;" for level in range(40)}
    store = SourceStore(LIMITS, overlays={**overlays, "h40.h": b"int z;"})
    expansion = Preprocessor(store).run("h0.h", Settings())
    assert kinds(expansion) == ["macro-limit"]
    assert expansion.problems[0].partial


def test_what_is_held_is_let_go_and_answers_stay_the_same() -> None:
    overlays = {f"s{number}.hlsl": b"#define N 1\nfloat a = N;" + b" " * number for number in range(50)}
    preprocessor = Preprocessor(SourceStore(Limits(held_bytes=200), overlays=overlays))
    texts = {preprocessor.run(name, Settings()).units[0].text for name in overlays}
    assert texts == {b"float a = 1 ; \n"}
    assert preprocessor.held_bytes < 2000


PIECES = [
    "#define ", "#undef ", "#if ", "#ifdef ", "#elif ", "#else", "#endif", "#include ", "#pragma ", "#line ", "#error ",
    "A", "B", "F(", "F", "(", ")", ",", "##", "#", "...", "__VA_ARGS__", "__LINE__", "__COUNTER__", "defined",
    "_Pragma", '"', "'", "\\", "/*", "*/", "//", "\n", "\r\n", " ", "1", "0x", "1.0e+", "<", ">", "?", ":", "-",
    "é", "\0", "a.hlsl",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_no_text_raises(source: str) -> None:
    expansion = expand(source)
    for unit in expansion.units:
        assert unit.locate(0, len(unit.text))[0].offset <= len(source.encode())
    for problem in expansion.problems:
        assert 0 <= problem.start <= problem.end <= len(source.encode())


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    expansion = expand(data)
    assert expansion.files == ("a.hlsl",)


def test_a_file_that_includes_itself_ends_at_the_highest_depth() -> None:
    expansion = expand('#include "a.hlsl"\n' * 2, CEILING)
    assert kinds(expansion) == ["include-cycle"]


def test_macros_and_conditions_at_the_highest_nesting() -> None:
    deep = CEILING.macro_nesting
    expansion = expand("#define F(x) x\n" + "F(" * deep + "ok" + ")" * deep + "\n", CEILING)
    assert kinds(expansion) == []
    conditions = expand("#if " + "(" * deep + "1" + ")" * deep + "\nok\n#endif\n", CEILING)
    assert kinds(conditions) == []
    assert all(b"ok" in run.units[0].text for run in (expansion, conditions))


def test_headers_that_include_the_next_one_twice_end_soon() -> None:
    headers = {f"{depth}.hlsl": f'#include "{depth + 1}.hlsl"\n'.encode() * 2 for depth in range(40)}
    expansion = Preprocessor(SourceStore(overlays={**headers, "40.hlsl": b"int x;"})).run("0.hlsl", Settings())
    assert kinds(expansion) == ["macro-limit"]


def test_operators_that_nest_within_parentheses_are_evaluated_or_said_to_be_too_many() -> None:
    expansion = expand("#if " + "(1||0&&1|1^1&1==1<1<<1+1*" * 99 + "1" + ")" * 99 + "\n#endif\nfloat ok;\n")
    assert kinds(expansion) in ([], ["nesting-limit"])
    assert b"float ok;" in b"".join(unit.text for unit in expansion.units)


@pytest.mark.parametrize("source", ['#define S "{}"\nint z;', "#define C '{}'\nint z;", 'int a = f("{}"); int z;'])
def test_long_literals_take_little_more_than_their_length(source: str) -> None:
    data = source.format("x" * 500_000).encode()
    tracemalloc.start()
    expand(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * len(data)
