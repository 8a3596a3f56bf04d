"""JUnit's XML: the elements and attributes that Jenkins' schema (junit-10.xsd) allows, and what they say."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from analyses import analysis, span
from bindlint.cli import group
from bindlint.engine import Report
from bindlint.model.finding import Finding, Related, Severity, Violation
from bindlint.report import Style, Summary, renderer
from click.testing import CliRunner

ALLOWED = {
    "testsuites": ({"name", "tests", "failures", "errors"}, {"testsuite"}, set()),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped"},
        {"testcase"},
        {"name", "tests", "failures", "errors"},
    ),
    "testcase": ({"name", "classname"}, {"skipped", "failure", "system-out"}, {"name"}),
    "failure": ({"type", "message"}, set(), set()),
    "skipped": ({"message"}, set(), set()),
    "system-out": (set(), set(), set()),
}
"""For each element its attributes, its children, and the attributes that it must have."""


def read(data: bytes) -> ElementTree.Element:
    root = ElementTree.fromstring(data)
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, children, needed = ALLOWED[element.tag]
        assert needed <= element.attrib.keys() <= attributes
        assert {child.tag for child in element} <= children
    for suite in root:
        cases = list(suite)
        assert int(suite.attrib["tests"]) == len(cases)
        assert int(suite.attrib["failures"]) == sum(case.find("failure") is not None for case in cases)
        assert int(suite.attrib["skipped"]) == sum(case.find("skipped") is not None for case in cases)
        assert suite.attrib["errors"] == "0"
    return root


def finding(severity: Severity = "error", message: str = "m", symbols: tuple[str, ...] = ()) -> Finding:
    related = (Related("other", span("b.hlsl", 9)),)
    return Finding("BL103", "register-overlap", severity, Violation(message, span(line=3), related, symbols=symbols))


def document(*reports: Report, failing: tuple[Severity, ...] = ("error",)) -> ElementTree.Element:
    junit = renderer("junit", Style(failing=failing), lambda _: None)
    pieces = [piece.data for report in reports for piece in junit.shader("a.hlsl", report)]
    return read(b"".join([junit.begin(), *pieces, junit.end(Summary(), ())]))


def test_a_suite_a_shader_and_a_case_a_finding() -> None:
    found = (finding(symbols=("a t0", "b t0")), finding("warning"))
    root = document(Report(analysis(), found, suppressed=(finding("info"),)), Report(analysis()))
    first, second = root
    assert first.attrib == {"name": "a.hlsl", "tests": "3", "failures": "1", "errors": "0", "skipped": "1"}
    names = [case.attrib["name"] for case in first]
    assert names == ["BL103 register-overlap: a t0; b t0", "BL103 register-overlap", "BL103 register-overlap"]
    failure = first[0].find("failure")
    assert failure is not None and failure.attrib == {"type": "error", "message": "m"}
    assert failure.text == "a.hlsl:3:1: error[BL103] m\nb.hlsl:9:1: other"
    output = first[1].find("system-out")
    assert output is not None and str(output.text).startswith("a.hlsl:3:1: warning[BL103] m")
    assert [case.attrib["name"] for case in second] == ["nothing found"]


@pytest.mark.parametrize(("failing", "failures"), [(("error", "warning"), "1"), ((), "0")])
def test_what_fails_is_what_makes_the_run_fail(failing: tuple[Severity, ...], failures: str) -> None:
    (suite,) = document(Report(analysis(), (finding("warning"),)), failing=failing)
    assert suite.attrib["failures"] == failures


def test_everything_is_escaped() -> None:
    text = "<&\"'>]]>\x00\x1b\ufffe\ud800 \n"
    (suite,) = document(Report(analysis(), (finding(message=text, symbols=(text,)),)))
    failure = suite[0].find("failure")
    assert failure is not None
    assert failure.attrib["message"] == "<&\"'>]]>\\x00\\x1b\\ufffe\\ud800 \\n"


def test_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shader = (
        "Texture2D t : register(u0);\n// bindlint: allow(register-overlap)\nfloat4 main() : SV_Target { return 0; }\n"
    )
    (tmp_path / "a.hlsl").write_text(shader, encoding="utf-8")
    words = ["check", "--format", "junit", "-T", "ps_6_0", "--fail-on", "warning", "a.hlsl"]
    result = CliRunner().invoke(group, words)
    first, last = read(result.stdout_bytes)
    assert result.exit_code == 1
    assert (first.attrib["name"], first.attrib["failures"]) == ("a.hlsl main ps_6_0", "1")
    assert (last.attrib["name"], last.attrib["failures"]) == ("suppressions", "1")
