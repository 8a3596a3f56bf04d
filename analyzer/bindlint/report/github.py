"""`github`: workflow commands, which GitHub shows as annotations on the lines of a pull request."""

from __future__ import annotations

from pathlib import Path

from bindlint.engine import ProjectReport, Report
from bindlint.model.finding import Finding, Related, Severity
from bindlint.report import Piece, Summary, key_of
from bindlint.report.places import below, source_root
from bindlint.report.terminal import encode, escape

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}
_MAX_RELATED = 8


class GithubRenderer:
    """`::error file=F,line=L,col=C,endLine=L,endColumn=C,title=T::message`; further places are lines of the message."""

    separator = b""

    def __init__(self, root: Path | None = None) -> None:
        self._root = root or source_root()

    def begin(self) -> bytes:
        return b""

    def shader(self, file: str, report: Report) -> list[Piece]:
        return [Piece(key_of(finding), self._command(finding)) for finding in report.findings]

    def project(self, report: ProjectReport) -> list[Piece]:
        return [Piece(key_of(finding), self._command(finding)) for finding in report.findings]

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        return b"".join(map(self._command, findings))

    def _command(self, finding: Finding) -> bytes:
        violation = finding.violation
        span = violation.span
        properties: dict[str, object] = {}
        if span.file:
            properties |= {"file": self._named(span.file), "line": span.line, "col": span.column}
            properties["endLine"] = span.end_line
            if span.end_line == span.line:
                # GitHub counts the last column in, and takes columns only of places within one line.
                properties["endColumn"] = max(span.end_column - 1, span.column)
        properties["title"] = f"{finding.code} {finding.name}"
        listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
        lines = [violation.message]
        lines += [f"{r.message}: {self._named(r.span.file)}:{r.span.line}" for r in self._related(finding)]
        text = "%0A".join(_data(line) for line in lines)
        return encode(f"::{_COMMANDS[finding.severity]} {listed}::{text}\n")

    def _named(self, file: str) -> str:
        return below(file, self._root) or file

    @staticmethod
    def _related(finding: Finding) -> list[Related]:
        return [related for related in finding.violation.related if related.span.file][:_MAX_RELATED]


def _data(text: str) -> str:
    """What stands behind `::`: `%` and line ends would be read as something else."""
    return escape(text).replace("%", "%25")


def _property(text: str) -> str:
    """What stands before it, where `:` and `,` end a value too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
