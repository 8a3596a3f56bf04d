"""Lines for Visual Studio and MSBuild, by the pattern with which MSBuild finds them in a build's output."""

from __future__ import annotations

import re

import pytest
from analyses import analysis, span
from bindlint.engine import Report
from bindlint.model.finding import Finding, Related, Severity, Violation
from bindlint.report import Style, renderer

CANONICAL = re.compile(
    r"(?P<origin>(?P<file>.+)\((?P<line>\d+),(?P<column>\d+)\)|bindlint): "
    r"(?P<category>error|warning|message) (?P<code>\w+): (?P<text>.*)"
)


def lines(violation: Violation, severity: Severity = "error") -> list[str]:
    finding = Finding("BL103", "register-overlap", severity, violation)
    (piece,) = renderer("msvc", Style(), lambda _: None).shader("a.hlsl", Report(analysis(), (finding,)))
    return piece.data.decode().splitlines()


@pytest.mark.parametrize(("severity", "category"), [("error", "error"), ("warning", "warning"), ("info", "message")])
def test_a_line(severity: Severity, category: str) -> None:
    (line,) = lines(Violation("what is wrong", span("C:\\s\\a (1).hlsl", 3, 7)), severity)
    match = CANONICAL.fullmatch(line)
    assert match is not None
    assert match.group("file", "line", "column", "category") == ("C:\\s\\a (1).hlsl", "3", "7", category)
    assert match.group("code", "text") == ("BL103", "what is wrong [register-overlap]")


def test_no_place() -> None:
    (line,) = lines(Violation("m", span("")))
    assert line == "bindlint: error BL103: m [register-overlap]" and CANONICAL.fullmatch(line)


def test_other_places_follow_without_being_counted() -> None:
    related = (Related("here", span("b.hlsl", 9)), Related("nowhere", span("")))
    assert lines(Violation("m", span(), related))[1:] == ["b.hlsl(9,1): message : here"]


def test_control_characters_are_shown() -> None:
    assert lines(Violation("a\nb\x1b", span()))[0].endswith("a\\nb\\x1b [register-overlap]")
