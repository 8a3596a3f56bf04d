"""`concise`: one line a finding, as compilers and editors read them."""

from __future__ import annotations

from bindlint.engine import ProjectReport, Report
from bindlint.model.finding import Finding
from bindlint.report import Piece, Summary, key_of
from bindlint.report.terminal import encode, escape


class ConciseRenderer:
    """`file:line:col: severity[CODE] message`."""

    separator = b""

    def begin(self) -> bytes:
        return b""

    def shader(self, file: str, report: Report) -> list[Piece]:
        return [Piece(key_of(finding), _line(finding)) for finding in report.findings]

    def project(self, report: ProjectReport) -> list[Piece]:
        return [Piece(key_of(finding), _line(finding)) for finding in report.findings]

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        return b"".join(map(_line, findings))


def _line(finding: Finding) -> bytes:
    violation = finding.violation
    return encode(escape(f"{violation.span}: {finding.severity}[{finding.code}] {violation.message}") + "\n")
