"""Conditionals: which branch DXC 1.8 takes, and what of an `#if` it rejects."""

from __future__ import annotations

import pytest
from bindlint_grammars.hlsl.predefined import predefined
from bindlint_grammars.hlsl.preprocessor import Expansion, Preprocessor, Settings
from bindlint_grammars.hlsl.source_files import SourceStore


def expand(source: str, settings: Settings | None = None) -> Expansion:
    return Preprocessor(SourceStore(overlays={"a.hlsl": source.encode()})).run("a.hlsl", settings or Settings())


def words(expansion: Expansion) -> str:
    return " ".join(b" ".join(unit.text for unit in expansion.units).decode().split())


TRUE = [
    "1", "2||1/0", "!(0 && (1/0))", "1 ? 2 : 1/0", "-1 > 0u", "1u - 2 > 0", "(-1)/2 == 0", "-7 % 3 == -1",
    "-1 >> 1 == -1",
    "-9223372036854775807 - 2 > 0", "1 ? 0u - 1 : -1", "(1 ? -1 : 0u) > 0", "!(1 << 64)", "(5 & 4 == 4) == 1",
    "+1 == - -1", "(1,2) == 2", "true && !false", "0xFFFFFFFFFFFFFFFF == -1", "10ul == 10 && 10LL && 0b11 == 3",
    "010 == 8", "'ab' == 24930", r"'\n' == 10 && '\x41' == 65 && '\101' == 65", "UNDEFINED == 0", "!UNDEFINED",
    "1 == 1 ? 2 : 0", "7 & 3 ^ 1 | 8 << 2 >> 1 % 3 == ~0", "0 ? 0 : 1 ? 1 : 0", "1 - 1 - 1 == -1", "2 + 3 * 4 == 14",
    "8 / 2 / 2 == 2", "1 || 0 && 0", "~0u == 18446744073709551615u", "5 != 4 && 4 <= 4 && 4 >= 4 && 3 < 4",
    "defined A && defined(A) && !defined B", "!D(B)", "E A", "F(A)*2 == 4 && F (1) == 2", "ONE_ARGUMENT == 0",
    "__has_include(\"a.hlsl\") && !__has_include(\"b.hlsl\") && !__has_include(<a.hlsl>)", "!__has_feature(x)",
    "1 >> 0x100000000 == 1 && 1 << 0x100000000 == 0", r"'\377' == -1 && '\0\377' == 255", "10llu == 10 && 1lu && 1LLU",
    "1 || 0x10000000000000000",
    "defined(__has_include)", "__LINE__ == 7", "__COUNTER__ == 0",
]  # fmt: skip
HEAD = "#define A 2\n#define D(x) defined(x)\n#define E defined\n#define F(x) x+1\n\n\n"


@pytest.mark.parametrize("condition", TRUE)
def test_true(condition: str) -> None:
    expansion = expand(f"{HEAD}#if {condition} // why\nyes\n#else\nno\n#endif")
    assert words(expansion) == "yes"
    assert not expansion.problems


BAD = [
    "", "1 1", "1.0", "0x", "\"a\"", "FOO(1)", "1 and 0", "1/0", "1 % 0", "1,2", "(((1)", "1)", "= 3", "EMPTY", "1 &&",
    "1 ? 2", "defined", "defined(A", "defined(3)", "9999999999999999999999", "__has_include(", "__has_include(A)", "#",
    "1lL", "1uu", "1LUl", "0 && 08",
]  # fmt: skip


@pytest.mark.parametrize("condition", BAD)
def test_a_bad_condition_is_reported_and_false(condition: str) -> None:
    expansion = expand(f"#define EMPTY\n#if {condition}\nyes\n#else\nno\n#endif")
    assert [problem.kind for problem in expansion.problems] == ["bad-condition"]
    assert words(expansion) == "no"


BRANCHES = [
    ("#ifdef A\n1\n#else\n2\n#endif", "2"),
    ("#ifndef A\n1\n#else\n2\n#endif", "1"),
    ("#define A\n#ifdef A B\n1\n#else x\n2\n#endif y", "1"),
    ("#if 0\n1\n#elif 1\n2\n#elif 1/0\n3\n#else\n4\n#endif", "2"),
    ("#if 1\n1\n#elif 1/0\n3\n#else\n4\n#endif 5", "1"),
    ("#if 0\n#if 1\n1\n#else\n2\n#endif\n#else\n#if 0\n3\n#else\n4\n#endif\n#endif\n5", "4 5"),
    ("#if 0\n#foo\n#include\n#define 3\n#error x\n#elif 1\ny\n#elif foo bar\n#else\n#endif", "y"),
    ("#if 0\n'\n\"\n/*\n#endif\n*/\n#else\ny\n#endif", "y"),
    ("#ifdef/**/X\n#else\n1\n#endif/**/", "1"),
    ("#if !defined(A) && \\\n  !defined(B)\nq\n#endif", "q"),
    ("#define true 0\n#if true\n1\n#endif\n2", "2"),
    ("#ifdef true\n1\n#endif\n#ifdef __has_include\n2\n#endif", "2"),
]


@pytest.mark.parametrize(("source", "expected"), BRANCHES)
def test_branches(source: str, expected: str) -> None:
    expansion = expand(source)
    assert words(expansion) == expected
    assert not expansion.problems


UNBALANCED = [
    ("#if 1\nx", "x"),
    ("#if 0\nx", ""),
    ("#endif\nx", "x"),
    ("#else\nx", "x"),
    ("#elif 1\nx", "x"),
    ("#if 1\na\n#else\nb\n#else\nc\n#endif\nx", "a x"),
    ("#if 0\na\n#else\nb\n#elif 1\nc\n#endif\nx", "b x"),
]


@pytest.mark.parametrize(("source", "expected"), UNBALANCED)
def test_unbalanced(source: str, expected: str) -> None:
    expansion = expand(source)
    assert [problem.kind for problem in expansion.problems] == ["unbalanced-conditional"]
    assert words(expansion) == expected


def test_a_name_is_missing() -> None:
    assert [problem.kind for problem in expand("#ifdef\n#endif\n#ifndef 3\n#endif").problems] == ["bad-condition"] * 2


TARGETS = [
    (predefined("pixel", 6, 6), "__SHADER_TARGET_STAGE == __SHADER_STAGE_PIXEL && __SHADER_TARGET_MINOR == 6"),
    (predefined("library", 6, 15), "__SHADER_TARGET_STAGE == __SHADER_STAGE_LIBRARY && __SHADER_TARGET_MINOR == 15"),
    (predefined("root signature", 1, 1), "__SHADER_TARGET_STAGE == 16 && __SHADER_TARGET_MAJOR == 0"),
    (
        predefined("mesh", 6, 5, 2018),
        "__HLSL_VERSION == 2018 && !defined(__HLSL_ENABLE_16_BIT) && __SHADER_STAGE_MESH == 13",
    ),
    (predefined("compute", 6, 2, 2021, True), "__HLSL_VERSION == 2021 && __HLSL_ENABLE_16_BIT && !defined(__spirv__)"),
    (predefined("compute", 6, 2, spirv=True), "__spirv__ && __hlsl_dx_compiler && __DXC_VERSION_MINOR == 8"),
]


@pytest.mark.parametrize(("macros", "condition"), TARGETS)
def test_macros_of_the_target(macros: tuple[tuple[str, str], ...], condition: str) -> None:
    expansion = expand(f"#if {condition}\nyes\n#endif", Settings(predefined=macros))
    assert words(expansion) == "yes"
    assert not expansion.problems
