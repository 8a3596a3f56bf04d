"""Workflow commands: places, titles, and text that cannot become a command of its own."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from analyses import analysis, span
from bindlint.engine import Report
from bindlint.model.finding import Finding, Related, Severity, Violation
from bindlint.report.github import GithubRenderer


def line_of(violation: Violation, severity: Severity = "error", root: Path | None = None) -> str:
    finding = Finding("BL103", "register-overlap", severity, violation)
    (piece,) = GithubRenderer(root or Path.cwd()).shader("a.hlsl", Report(analysis(), (finding,)))
    return piece.data.decode()


@pytest.mark.parametrize(("severity", "command"), [("error", "error"), ("warning", "warning"), ("info", "notice")])
def test_a_command(severity: Severity, command: str) -> None:
    line = line_of(Violation("what is wrong", span(line=3, column=7, length=4)), severity)
    place = "file=a.hlsl,line=3,col=7,endLine=3,endColumn=10"
    assert line == f"::{command} {place},title=BL103 register-overlap::what is wrong\n"


def test_several_lines_have_no_last_column() -> None:
    place = msgspec.structs.replace(span(line=3), end_line=5)
    assert "line=3,col=1,endLine=5,title=" in line_of(Violation("m", place))


def test_an_empty_place_ends_where_it_begins() -> None:
    assert "col=4,endLine=1,endColumn=4," in line_of(Violation("m", span(column=4, length=0)))


def test_other_places_are_lines_of_the_message() -> None:
    related = (Related("first", span("b.hlsl", 9)), Related("nowhere", span("")))
    assert line_of(Violation("m", span(), related)).endswith("::m%0Afirst: b.hlsl:9\n")


def test_nothing_becomes_a_command() -> None:
    violation = Violation("100%\n::error::x\x1b[31m", span("a,b:c%\n.hlsl"))
    line = line_of(violation)
    assert line.count("\n") == 1 and line.startswith("::error file=a%2Cb%3Ac%25\\n.hlsl,line=")
    assert line.endswith("::100%25\\n::error::x\\x1b[31m\n")


def test_no_place() -> None:
    assert line_of(Violation("m", span(""))) == "::error title=BL103 register-overlap::m\n"


def test_files_are_named_from_the_root(tmp_path: Path) -> None:
    file = tmp_path / "d" / "a.hlsl"
    assert "file=d/a.hlsl," in line_of(Violation("m", span(str(file))), root=tmp_path)
    assert "file=d/a.hlsl," not in line_of(Violation("m", span(str(file))), root=tmp_path / "other")
