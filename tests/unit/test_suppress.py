"""Suppression comments as they are read."""

from __future__ import annotations

import pytest
from analyses import Text
from bindlint.suppress import read_suppressions
from bindlint_grammars.hlsl.source_files import decode


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int a; // bindlint: allow(x)", [("x", 1)]),
        ("// bindlint: allow(x)\nint a;", [("x", 2)]),
        ("// bindlint: allow(x)\r\n\t// why\r\n  // more\r\nint a;", [("x", 4)]),
        ("// bindlint: allow(x)\n// bindlint: allow(y)\nint a;", [("x", 3), ("y", 3)]),
        ("/* bindlint: allow(x) */ int a;", [("x", 1)]),
        ("/* bindlint: allow(x) */\nint a;", [("x", 2)]),
        ("//bindlint:allow( x , y )z", [("x", 2), ("y", 2)]),
        ("int a;\n// bindlint: allow-file(x)\n", [("x", 0)]),
        ("// bindlint: allow(x)", [("x", 2)]),
        ("// bindlint: -T ps_6_6", []),
        ("// see bindlint: the analyzer (for x)", []),
        ("int bindlint;", []),
    ],
)
def test_names_and_lines(text: str, expected: list[tuple[str, int]]) -> None:
    found = read_suppressions("a.hlsl", Text(text))
    assert [(s.rule, s.line) for s in found] == expected
    assert not any(s.fault for s in found)


def test_a_rule_named_often_in_a_comment_is_one_suppression() -> None:
    found = read_suppressions("a.hlsl", Text("// bindlint: allow(x, y, x, y, x)\nint a;"))
    assert [(s.rule, s.span.column) for s in found] == [("x", 20), ("y", 23)]


def test_many_comments_in_a_row_are_read_in_time() -> None:
    source = decode("a.hlsl", b"// bindlint: allow(x)\n" * 5000 + b"int a; // bindlint: allow(y)\n")
    found = read_suppressions("a.hlsl", source)
    assert {s.line for s in found} == {5001}


def test_columns_count_code_points() -> None:
    (found,) = read_suppressions("a.hlsl", Text('"é"; // bindlint: allow(überlapp)'))
    assert (found.rule, found.span.column, found.span.end_column) == ("überlapp", 25, 33)


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("// bindlint: allow register-overlap", ["allow"]),
        ("/* bindlint: allow-file */ // bindlint: allow (x)", ["allow-file"]),
        ("// bindlint: allowed are all", []),
        ("// bindlint: allow-other(x)", ["allow-other"]),
    ],
)
def test_a_comment_without_rules_is_at_fault(text: str, verbs: list[str]) -> None:
    assert [s.rule for s in read_suppressions("a.hlsl", Text(text)) if s.fault] == verbs
