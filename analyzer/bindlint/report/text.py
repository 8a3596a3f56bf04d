"""`text`: findings with the source lines that they are about, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bindlint.engine import ProjectReport, Report
from bindlint.model.finding import Finding
from bindlint.model.shader import STAGES, Shader
from bindlint.model.source import Span
from bindlint.project.counts import Counts, counts_of
from bindlint.report import Piece, Sources, Style, Summary, key_of
from bindlint.report.tables import show_shader
from bindlint.report.terminal import Paint, encode, escape, width
from bindlint.words import counted

_MAX_RELATED = 8
_MAX_LINE = 400


class TextRenderer:
    """Each finding once, whichever shaders it was met in; `show` renders the binding tables instead."""

    separator = b""

    def __init__(self, style: Style, sources: Sources) -> None:
        self._show = style.show
        self._target = style.target
        self._paint = Paint(style.color)
        self._sources = sources

    def begin(self) -> bytes:
        return b""

    def shader(self, file: str, report: Report) -> list[Piece]:
        if self._show:
            lines = show_shader(file, report.analysis, self._paint, self._target)
            return [Piece("", encode("\n".join(lines) + "\n\n"))]
        pieces = []
        shader = report.analysis.shader
        if shader.inferred or (shader.profile is None and report.analysis.status != "failed"):
            pieces.append(Piece("", encode(self._paint("dim", escape(_found(file, shader))) + "\n")))
        return [*pieces, *self._findings(report.findings)]

    def project(self, report: ProjectReport) -> list[Piece]:
        pieces = self._findings(report.findings)
        if report.host is None and report.project.hosts:
            pieces.append(Piece("", encode(self._paint("dim", _joined(counts_of(report.project))) + "\n")))
        return pieces

    def _findings(self, findings: Iterable[Finding]) -> list[Piece]:
        return [Piece(key_of(each), encode("\n".join(self._finding(each)) + "\n\n")) for each in findings]

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        if self._show:
            return b""
        blocks = ["\n".join(self._finding(finding)) + "\n\n" for finding in findings]
        return encode("".join(blocks) + _closing(summary) + "\n")

    def _finding(self, finding: Finding) -> Iterator[str]:
        violation = finding.violation
        sure = "" if violation.certainty == "certain" else f", {violation.certainty}"
        head = self._paint(finding.severity, f"{finding.severity}[{finding.code}]")
        yield f"{head} {self._paint('bold', escape(violation.message))} ({finding.name}{sure})"
        yield from self._place(violation.span, "-->", finding.severity)
        for related in violation.related[:_MAX_RELATED]:
            yield f"  {self._paint('blue', 'note:')} {escape(related.message)}"
            yield from self._place(related.span, "-->", "blue")
        if len(violation.related) > _MAX_RELATED:
            yield f"  {self._paint('blue', 'note:')} and {len(violation.related) - _MAX_RELATED} more places"
        if violation.fix is not None:
            option = "--fix" if violation.fix.safe else "--unsafe-fixes"
            yield f"  {self._paint('blue', 'fix:')} {escape(violation.fix.title)} ({option})"

    def _place(self, span: Span, arrow: str, style: str) -> Iterator[str]:
        source = self._sources(span.file) if span.file else None
        lines = source.text.split(b"\n", span.line)[span.line - 1 : span.line] if source else []
        gutter = " " * len(str(span.line))
        if span.file:
            yield f"{gutter}{self._paint('blue', arrow)} {escape(str(span))}"
        if lines and lines[0].strip():
            yield from self._snippet(span, lines[0].rstrip(b"\r").decode("utf-8", "replace"), gutter, style)
        if span.macro and span.use is not None:
            used = "" if span.use.file.startswith("<") else f", used at {span.use}"
            origin = escape(f"from the macro `{span.macro}`{used}")
            yield f"{gutter} {self._paint('blue', '=')} {origin}"

    def _snippet(self, span: Span, line: str, gutter: str, style: str) -> Iterator[str]:
        if span.column > len(line) + 1 or len(line) > _MAX_LINE:
            return
        end = span.end_column if span.end_line == span.line else len(line) + 1
        before, marked = escape(line[: span.column - 1]), escape(line[span.column - 1 : end - 1])
        bar = self._paint("blue", "|")
        yield f"{gutter} {bar}"
        yield f"{self._paint('blue', str(span.line))} {bar} {escape(line)}"
        yield f"{gutter} {bar} {' ' * width(before)}{self._paint(style, '^' * max(width(marked), 1))}"


def _found(file: str, shader: Shader) -> str:
    """What a shader is taken for that was given without a profile."""
    if shader.profile is None:
        return f"{file}: no entry point found, checked for what needs none"
    stage = STAGES[shader.profile.stage]
    name = f"{stage} shader `{shader.entry}`" if shader.entry else stage
    return f"{file}: {name} as {shader.profile} ({shader.inferred})"


def _joined(counts: Counts) -> str:
    """How much of the host code is known."""
    parts = [
        f"{counted(counts.root_signatures, 'root signature')} ({counts.complete_signatures} known whole)",
        f"{counted(counts.pipelines, 'pipeline')} ({counts.joined_pipelines} joined)",
        f"{counted(counts.heaps, 'heap')}",
        f"{counted(counts.calls, 'call')} ({counts.known_calls} known)",
    ]
    return f"host code: {', '.join(parts)}"


def _closing(summary: Summary) -> str:
    shaders = counted(summary.shaders, "shader")
    if summary.hosts:
        shaders = f"{shaders}, {counted(summary.hosts, 'file')} of host code"
    found = [counted(n, word) for n, word in ((summary.error, "error"), (summary.warning, "warning")) if n]
    found += [f"{summary.info} info"] if summary.info else []
    text = f"{shaders}: {', '.join(found) if found else 'nothing found'}"
    if summary.suppressed:
        text += f"; {summary.suppressed} suppressed"
    if summary.known:
        text += f"; {summary.known} known"
    for number, how in ((summary.partial, "only partly"), (summary.failed, "not")):
        text += f"; {number} {how} read" if number else ""
    if summary.partial_hosts:
        text += f"; {counted(summary.partial_hosts, 'file')} of host code only partly followed"
    return text
