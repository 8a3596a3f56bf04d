"""`msvc`: one line a finding, as Visual Studio and MSBuild read them out of a build's output."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.engine import ProjectReport, Report
from bindlint.model.finding import Finding, Severity
from bindlint.model.source import Span
from bindlint.report import Piece, Summary, key_of
from bindlint.report.terminal import encode, escape

_MAX_RELATED = 8
_CATEGORIES: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "message"}


class MsvcRenderer:
    """`file(line,column): warning BL101: message`, and a line without a code for each further place."""

    separator = b""

    def begin(self) -> bytes:
        return b""

    def shader(self, file: str, report: Report) -> list[Piece]:
        return [Piece(key_of(finding), _lines(finding)) for finding in report.findings]

    def project(self, report: ProjectReport) -> list[Piece]:
        return [Piece(key_of(finding), _lines(finding)) for finding in report.findings]

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        return b"".join(map(_lines, findings))


def _lines(finding: Finding) -> bytes:
    return encode("".join(f"{escape(line)}\n" for line in _said(finding)))


def _said(finding: Finding) -> Iterator[str]:
    violation = finding.violation
    category = _CATEGORIES[finding.severity]
    yield f"{_origin(violation.span)}: {category} {finding.code}: {violation.message} [{finding.name}]"
    for related in violation.related[:_MAX_RELATED]:
        if related.span.file:
            yield f"{_origin(related.span)}: message : {related.message}"


def _origin(span: Span) -> str:
    """The place; the tool's own name where there is none."""
    return f"{span.file}({span.line},{span.column})" if span.file else "bindlint"
