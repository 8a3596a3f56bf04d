"""Which resource binding tier and feature level shaders, pipelines and heaps need: as text, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from bindlint.engine import ProjectReport, Report
from bindlint.model.finding import Finding
from bindlint.model.source import Span
from bindlint.report import Piece, Style, Summary
from bindlint.report.json import SCHEMA_VERSION, to_json
from bindlint.report.terminal import Paint, encode, escape
from bindlint.tiers.need import Reason, TableCount, TierNeed, hardware
from bindlint.tiers.subjects import ProjectTiers, TierReport, Used, project_tiers, shader_tiers
from bindlint.words import counted, listed


class TierTextRenderer:
    """A block for each shader and pipeline, and at the end how many shaders need what."""

    separator = b""

    def __init__(self, style: Style) -> None:
        self._paint = Paint(style.color)

    def begin(self) -> bytes:
        return b""

    def shader(self, file: str, report: Report) -> list[Piece]:
        shader = report.analysis.shader
        name = f"{file}{': ' + shader.entry if shader.entry else ''}{f' ({shader.profile})' if shader.profile else ''}"
        if report.analysis.status == "failed":
            why = [f"  {problem.span}: {problem.message}" for problem in report.analysis.problems]
            return [self._piece([f"{self._bold(name)}: not read", *map(escape, why)])]
        return [self._piece(self._block(name, shader_tiers(report.analysis)))]

    def project(self, report: ProjectReport) -> list[Piece]:
        if report.host is not None:
            return []
        found = project_tiers(report.project)
        blocks = [[*self._block(f"pipeline `{p.name}` ({p.span})", need)] for p, need in found.pipelines]
        blocks += [
            [*self._block(f"heap `{heap.name}` ({heap.span})", TierReport(need))]
            for heap, need in found.heaps
            if need.reasons
        ]
        return [*map(self._piece, blocks), self._piece(self._whole(found))]

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        if not summary.needs:
            return b""
        return encode("\n".join(_closing(summary, summary.needs)) + "\n")

    def _block(self, name: str, report: TierReport) -> Iterator[str]:
        yield f"{self._bold(name)}: {_needs(report.need)}"
        for reason in report.need.reasons:
            place = f" ({reason.span})" if reason.span.file else ""
            yield escape(f"  {reason.text}{place}")
            if reason.remedy:
                yield escape(f"    to do without: {reason.remedy}")
        if report.used:
            yield escape(f"  uses {', '.join(map(_used, report.used))}")
        if report.need.counts:
            yield escape(f"  in tables: {', '.join(map(_counted, report.need.counts))}")
        for each in report.untouched:
            listed = ", ".join(map(str, each.registers))
            yield escape(
                f"  on tier {each.tier} fill parameter {each.parameter} ({each.span}) whole: nothing touches {listed} "
                f"({counted(each.descriptors, 'descriptor')})"
            )
        for why in report.unread:
            yield escape(f"  not counted: {why}")

    def _whole(self, found: ProjectTiers) -> Iterator[str]:
        if found.pipelines:
            yield _numbers("pipeline", Counter(report.need.tier or 0 for _, report in found.pipelines))
        need = f"tier {found.tier}, feature level {found.feature_level}" if found.tier else "more than any tier has"
        why = f", because of {listed([*found.deciding])}" if found.deciding else ""
        yield escape(f"{self._bold('all together')}: {need}{why}")

    def _bold(self, text: str) -> str:
        return self._paint("bold", escape(text))

    @staticmethod
    def _piece(lines: Iterable[str]) -> Piece:
        return Piece("", encode("\n".join(lines) + "\n\n"))


def _needs(need: TierNeed) -> str:
    if need.tier is None:
        return "no tier is enough"
    return f"{'at least ' if need.least else ''}tier {need.tier}, feature level {need.feature_level}"


def _used(used: Used) -> str:
    """`4 SRVs, 3 of them in tables`; what only a table can serve must be there."""
    number = "unbounded" if used.descriptors is None else str(used.descriptors)
    tables = "unbounded" if used.in_tables is None else str(used.in_tables)
    where = "" if used.in_tables == 0 else " in tables" if number == tables else f" ({tables} in tables)"
    what = used.what.removesuffix("s") if used.descriptors == 1 else used.what
    return f"{number} {what}{where}"


def _counted(count: TableCount) -> str:
    number = f"{count.descriptors} and unbounded" if count.descriptors and count.unbounded else str(count.descriptors)
    number = "unbounded" if count.unbounded and not count.descriptors else number
    what = count.what.removesuffix("s") if number == "1" else count.what
    return f"{number} {what} for {count.seen_by}"


def _closing(summary: Summary, needs: Counter[tuple[int, str]]) -> Iterator[str]:
    tiers: Counter[int] = Counter()
    for (tier, _), number in needs.items():
        tiers[tier] += number
    yield _numbers("shader", tiers) + (f", {summary.failed} not read" if summary.failed else "")
    for (tier, level), number in sorted(needs.items()):
        if tier and level != next(each for of, each in hardware() if of == tier):
            yield f"  of tier {tier}, {number} {'needs' if number == 1 else 'need'} feature level {level}"


def _numbers(what: str, tiers: Counter[int]) -> str:
    """`12 shaders need tier 1, 1 shader needs tier 2`."""
    parts = []
    for tier in (1, 2, 3, 0):
        number = tiers[tier]
        if number:
            need = f"tier {tier}" if tier else "more than any tier has"
            parts.append(f"{number} {what}{' needs' if number == 1 else 's need'} {need}")
    return ", ".join(parts)


class ReasonDocument(msgspec.Struct, frozen=True):
    """`remedy` tells what would do without it."""

    message: str
    remedy: str
    file: str
    line: int
    column: int


class UntouchedDocument(msgspec.Struct, frozen=True):
    """Descriptors that must be there on `tier` when the table of a root parameter is bound."""

    tier: int
    parameter: int
    registers: tuple[str, ...]
    descriptors: int
    file: str
    line: int
    column: int


class NeedDocument(msgspec.Struct, frozen=True, omit_defaults=True):
    """`tier` null: none is enough. `at_least`: what is `unread` may need more. In `used` null is unbounded."""

    name: str
    tier: int | None
    feature_level: str
    at_least: bool
    reasons: tuple[ReasonDocument, ...]
    used: tuple[Used, ...]
    tables: tuple[TableCount, ...]
    untouched: tuple[UntouchedDocument, ...]
    unread: tuple[str, ...]
    file: str
    line: int = 0
    column: int = 0
    profile: str = ""
    status: str = ""


class HardwareDocument(msgspec.Struct, frozen=True):
    """What pipelines and heaps need, and all together; `deciding` are those that need as much."""

    pipelines: tuple[NeedDocument, ...] = ()
    heaps: tuple[NeedDocument, ...] = ()
    tier: int | None = None
    feature_level: str = ""
    deciding: tuple[str, ...] = ()
    kind: str = "project"


class TierJsonRenderer:
    """`{"version", "shaders": [...], "project", "summary"}`, or a line for each shader and one for the project.

    The project is there where there is host code, or pipelines are configured.
    """

    def __init__(self, lines: bool) -> None:
        self._lines = lines
        self._project: HardwareDocument | None = None
        self.separator = b"" if lines else b",\n"

    def begin(self) -> bytes:
        return b"" if self._lines else b'{"version":%d,"shaders":[\n' % SCHEMA_VERSION

    def shader(self, file: str, report: Report) -> list[Piece]:
        shader = report.analysis.shader
        document = _document(shader.entry, shader_tiers(report.analysis), file)
        profile = str(shader.profile) if shader.profile else ""
        document = msgspec.structs.replace(document, profile=profile, status=report.analysis.status)
        return [self._piece(document)]

    def project(self, report: ProjectReport) -> list[Piece]:
        if report.host is not None:
            return []
        found = project_tiers(report.project)
        pipelines = (_document(p.name, need, span=p.span) for p, need in found.pipelines)
        heaps = (_document(heap.name, TierReport(need), span=heap.span) for heap, need in found.heaps)
        whole = (found.tier, found.feature_level, found.deciding)
        self._project = HardwareDocument(tuple(pipelines), tuple(heaps), *whole)
        return [self._piece(self._project)] if self._lines else []

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        if self._lines:
            return b""
        needs = sorted((summary.needs or Counter()).items())
        counts = [{"tier": t or None, "feature_level": level, "shaders": number} for (t, level), number in needs]
        totals = {"shaders": summary.shaders, "failed": summary.failed, "partial": summary.partial, "needs": counts}
        project = b'"project":%b,' % to_json(self._project) if self._project else b""
        return b'\n],%b"summary":%b}\n' % (project, to_json(totals))

    def _piece(self, document: NeedDocument | HardwareDocument) -> Piece:
        return Piece("", to_json(document) + (b"\n" if self._lines else b""))


def _document(name: str, report: TierReport, file: str = "", span: Span | None = None) -> NeedDocument:
    need = report.need
    return NeedDocument(
        name=name,
        tier=need.tier,
        feature_level=need.feature_level,
        at_least=need.least,
        reasons=tuple(map(_reason, need.reasons)),
        used=report.used,
        tables=need.counts,
        untouched=tuple(
            UntouchedDocument(
                each.tier, each.parameter, tuple(map(str, each.registers)), each.descriptors, *_place(each.span)
            )
            for each in report.untouched
        ),
        unread=report.unread,
        file=file or (span.file if span else ""),
        line=span.line if span else 0,
        column=span.column if span else 0,
    )


def _reason(reason: Reason) -> ReasonDocument:
    return ReasonDocument(reason.text, reason.remedy, *_place(reason.span))


def _place(span: Span) -> tuple[str, int, int]:
    return span.file, span.line, span.column
