"""`junit`: an XML report for servers that show test results: a suite a shader, a test case a finding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape as escape_text
from xml.sax.saxutils import quoteattr

from bindlint.engine import ProjectReport, Report
from bindlint.model.finding import Finding
from bindlint.report import Piece, Style, Summary
from bindlint.report.terminal import encode, escape

_NOT_IN_XML = re.compile("[\ufffe\uffff]")


class JunitRenderer:
    """Findings that make the run fail are failures, others have passed and are told as output, silenced ones skipped.

    A shader in which nothing is found is one test case that has passed.
    """

    separator = b""

    def __init__(self, style: Style) -> None:
        self._failing = style.failing

    def begin(self) -> bytes:
        return b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="bindlint">\n'

    def shader(self, file: str, report: Report) -> list[Piece]:
        shader = report.analysis.shader
        words = (file, shader.entry, "" if shader.profile is None else str(shader.profile))
        name = " ".join(word for word in words if word)
        return [Piece("", self._suite(name, file, report.findings, (*report.suppressed, *report.known)))]

    def project(self, report: ProjectReport) -> list[Piece]:
        name = "project" if report.host is None else report.host.path
        return [Piece("", self._suite(name, name, report.findings, (*report.suppressed, *report.known)))]

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        suite = self._suite("suppressions", "suppressions", findings, ()) if findings else b""
        return suite + b"</testsuites>\n"

    def _suite(self, name: str, file: str, findings: Iterable[Finding], silenced: Iterable[Finding]) -> bytes:
        cases = [self._case(file, finding) for finding in findings]
        failures = sum("<failure" in case for case in cases)
        skipped = [_case(file, finding, '<skipped message="silenced"/>') for finding in silenced]
        cases += skipped
        if not cases:
            cases = [f'    <testcase classname={_attribute(file)} name="nothing found"/>\n']
        counts = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{len(skipped)}"'
        head = f"  <testsuite name={_attribute(name)} {counts}>\n"
        return encode(f"{head}{''.join(cases)}  </testsuite>\n")

    def _case(self, file: str, finding: Finding) -> str:
        violation = finding.violation
        lines = [f"{violation.span}: {finding.severity}[{finding.code}] {violation.message}"]
        lines += [f"{related.span}: {related.message}" for related in violation.related]
        text = escape_text("\n".join(map(_clean, lines)))
        if finding.severity not in self._failing:
            return _case(file, finding, f"<system-out>{text}</system-out>")
        attributes = f'type="{finding.severity}" message={_attribute(violation.message)}'
        return _case(file, finding, f"<failure {attributes}>{text}</failure>")


def _case(file: str, finding: Finding, inner: str) -> str:
    """A test case; its name stays the same when lines move."""
    about = "; ".join(finding.violation.symbols)
    name = f"{finding.code} {finding.name}" + (f": {about}" if about else "")
    head = f"    <testcase classname={_attribute(file)} name={_attribute(name)}>"
    return f"{head}\n      {inner}\n    </testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    """The text without what no XML document can hold."""
    return _NOT_IN_XML.sub(lambda match: ascii(match[0])[1:-1], escape(text))
