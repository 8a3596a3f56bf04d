"""What a run says, rendered: one module a format, each a `Renderer`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

import msgspec

from bindlint.engine import ProjectReport, Report
from bindlint.model.finding import Finding, Severity
from bindlint.model.registers import RegisterRange
from bindlint.model.shader import Target
from bindlint.suppress import SourceText

View = Literal["tiers", "graph", "impact"]

Sources = Callable[[str], SourceText | None]
"""The text of a file by its path as findings spell it; None where it was not read."""


class Style(msgspec.Struct, frozen=True):
    """How to render: `color` for terminals, `show` for the binding table in the place of findings.

    `view` is something else to be shown: the "tiers" that are needed, the "graph", or the "impact" on `registers`.
    `target` is what the binding table is held against, None where nothing is asked for. `without` are kinds of nodes
    that the graph leaves out.
    """

    color: bool = False
    show: bool = False
    target: Target | None = None
    view: View | None = None
    registers: RegisterRange | None = None
    without: tuple[str, ...] = ()
    failing: tuple[Severity, ...] = ("error",)
    """The severities of findings that make the run fail."""


class Piece(NamedTuple):
    """Rendered output. Pieces with the same key (unless it is "") are the same finding, seen from several shaders."""

    key: str
    data: bytes


class Totals(msgspec.Struct):
    """What a run came to, for formats that tell it: codes of all findings, also of silenced ones; files that were read,
    `targets` being those that were asked for; what was said besides; and the exit status."""

    codes: set[str] = set()
    files: set[str] = set()
    targets: set[str] = set()
    notes: list[str] = []
    status: int = 0


class Summary(msgspec.Struct):
    """Counts over a run; findings that several shaders share count once."""

    shaders: int = 0
    hosts: int = 0
    partial: int = 0
    failed: int = 0
    partial_hosts: int = 0
    """How many of the files of host code were read only partly."""
    suppressed: int = 0
    error: int = 0
    warning: int = 0
    info: int = 0
    needs: Counter[tuple[int, str]] | msgspec.UnsetType = msgspec.UNSET
    """How many shaders need a tier and a feature level, where that is asked for; tier 0: none is enough."""
    known: int | msgspec.UnsetType = msgspec.UNSET
    """How many findings a baseline has, where there is one."""
    totals: Totals | msgspec.UnsetType = msgspec.UNSET
    """For the formats in `WITH_TOTALS`."""


class Renderer(Protocol):
    """One format: `begin`, then the pieces of each shader and of the project, `separator` between them, then `end`.

    Findings of the run as a whole (about suppression comments) are known only at its end: `last` may work them into the
    last piece, `end` may render them.
    """

    separator: bytes

    def begin(self) -> bytes: ...

    def shader(self, file: str, report: Report) -> list[Piece]:
        """One shader; `file` is its name as the input gave it."""
        ...

    def project(self, report: ProjectReport) -> list[Piece]:
        """One file of host code, or what is said about the project as a whole."""
        ...

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes: ...

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes: ...


FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "msvc", "junit")
LINE_FORMATS = ("text", "concise", "msvc")
"""Those that are for a console, in its encoding; the others are UTF-8."""
WITH_TOTALS = ("sarif",)
WITH_FIXES = ("text", "json", "jsonl", "sarif")
SHOW_FORMATS = ("text", "json", "jsonl")
"""Those that have room for a binding table."""
GRAPH_FORMATS = ("dot", "graphml", "json", "mermaid")
IMPACT_FORMATS = ("text", "json")


def renderer(name: str, style: Style, sources: Sources) -> Renderer:
    """The renderer of a format, of those that go with the style's view."""
    if style.view == "tiers":
        from bindlint.report.tiers import TierJsonRenderer, TierTextRenderer

        return TierTextRenderer(style) if name == "text" else TierJsonRenderer(name == "jsonl")
    if style.view == "graph":
        from bindlint.report.graph import GraphRenderer

        return GraphRenderer(name, style.without)
    if style.view == "impact" and style.registers is not None:
        from bindlint.report.impact import ImpactRenderer

        return ImpactRenderer(style, style.registers, name)
    if name == "text":
        from bindlint.report.text import TextRenderer

        return TextRenderer(style, sources)
    if name == "concise":
        from bindlint.report.concise import ConciseRenderer

        return ConciseRenderer()
    if name == "sarif":
        from bindlint.report.sarif import SarifRenderer

        return SarifRenderer()
    if name == "github":
        from bindlint.report.github import GithubRenderer

        return GithubRenderer()
    if name == "msvc":
        from bindlint.report.msvc import MsvcRenderer

        return MsvcRenderer()
    if name == "junit":
        from bindlint.report.junit import JunitRenderer

        return JunitRenderer(style)
    from bindlint.report.json import JsonLinesRenderer, JsonRenderer

    return JsonRenderer(style) if name == "json" else JsonLinesRenderer(style)


def key_of(finding: Finding) -> str:
    """The same for the same finding wherever it was met."""
    return f"{finding.code} {finding.violation.span} {finding.violation.message}"
