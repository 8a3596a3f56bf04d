"""Who uses registers, and what breaks where they move: as text, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bindlint.model.registers import RegisterRange
from bindlint.model.source import Span
from bindlint.project.impact import Cover, EntryUse, Impact, Taker, impact, pipeline_name
from bindlint.project.values import Project
from bindlint.report import Style
from bindlint.report.json import SCHEMA_VERSION, to_json
from bindlint.report.terminal import Paint, encode, escape
from bindlint.report.whole import WholeRenderer
from bindlint.words import counted, listed


class ImpactRenderer(WholeRenderer):
    """The answer about some registers."""

    def __init__(self, style: Style, registers: RegisterRange, form: str) -> None:
        self._paint = Paint(style.color)
        self._registers = registers
        self._is_text = form == "text"

    def whole(self, project: Project) -> bytes:
        found = impact(project, self._registers)
        if self._is_text:
            return encode("\n".join(_lines(found, self._paint)) + "\n")
        unread = [analysis.shader.file for analysis in project.analyses if analysis.status != "ok"]
        return to_json(_document(found, sorted({*unread}))) + b"\n"


def _lines(found: Impact, paint: Paint) -> Iterator[str]:
    used = [taker for taker in found.takers if taker.uses]
    entries = {(use.file, use.entry, use.profile) for taker in used for use in taker.uses}
    counts = f"{counted(len(used), 'resource')} of {counted(len(entries), 'entry point')}"
    yield paint("bold", f"{found.registers}: used by {counts}")
    if found.takers:
        yield paint("bold", "resources")
        for taker in found.takers:
            yield from map(escape, _taker(taker))
    if found.covers:
        yield paint("bold", "root signatures")
        for cover in found.covers:
            yield from map(escape, _cover(cover))
    if found.pipelines:
        yield paint("bold", "pipelines")
        for pipeline in found.pipelines:
            yield escape(f"  {pipeline_name(pipeline)}: {', '.join(stage.name for stage in pipeline.stages)}")
    yield paint("bold", "if the range moves")
    yield from map(escape, _moved(found, used))
    yield paint("bold", "if it shrinks from its end")
    yield from map(escape, _shrunk(found))


def _taker(taker: Taker) -> Iterator[str]:
    given = "" if taker.explicit else ", chosen by the compiler"
    unused = "" if taker.uses else ", not used"
    yield f"  `{taker.name}` {taker.registers}{given}{unused} ({taker.span})"
    for use in taker.uses:
        yield f"    {_entry(use)}"


def _entry(use: EntryUse) -> str:
    profile = f" ({use.profile})" if use.profile else ""
    how = f": {', '.join(use.kinds)}" if use.kinds else ""
    chain = f" by {' > '.join(use.chain)}" if len(use.chain) > 1 else ""
    return f"{use.file}:{use.entry}{profile}{how}{chain}"


def _cover(cover: Cover) -> Iterator[str]:
    claim = cover.claim
    kind = {"table": "", "static-sampler": ""}.get(claim.kind, f", root {claim.kind}")
    name = f"`{cover.signature}`, " if cover.signature else ""
    yield f"  {name}{claim.place}{kind}: {claim.registers} for {claim.visibility} ({claim.span})"
    for call in cover.calls:
        yield f"    {call.name}({call.index_text}, ...) sets it ({call.span})"


def _moved(found: Impact, used: list[Taker]) -> Iterator[str]:
    if not used:
        yield "  nothing breaks: no entry point uses it"
    for taker in used:
        what = "needs another register" if taker.explicit else "needs a register of its own in the source"
        yield f"  `{taker.name}` {what} ({_places(taker)})"
    for cover in found.covers:
        if cover.calls:
            index = f"parameter {cover.claim.index}"
            yield f"  calls that set {index} stay: they name the parameter and no register"


def _shrunk(found: Impact) -> Iterator[str]:
    least = found.least
    if least is None:
        yield "  nothing breaks"
    elif least != found.registers:
        yield f"  to {least} nothing breaks"
    for loss in found.losses:
        takers = listed([f"`{taker.name}` ({_places(taker)})" for taker in loss.takers])
        lost = "with an end" if loss.register is None else f"without {found.registers.cls}{loss.register}"
        yield f"  {lost}: {takers}"
    for cover in found.covers:
        if cover.followed_by:
            where = f"the table of parameter {cover.claim.index}"
            yield f"  behind it in {where} descriptors move up: {', '.join(cover.followed_by)}"


def _places(taker: Taker) -> str:
    entries = list(dict.fromkeys(f"{use.file}:{use.entry}" for use in taker.uses))
    pipelines = list(dict.fromkeys(name.partition(" (")[0] for use in taker.uses for name in use.pipelines))
    return listed(entries) + (f"; pipelines {listed(pipelines)}" if pipelines else "")


def _document(found: Impact, unread: list[str]) -> dict[str, Any]:
    """`least` is what is enough for all uses, null where there are none; `losses` go from the end of the range on."""
    return {
        "version": SCHEMA_VERSION,
        "registers": str(found.registers),
        "resources": [
            {
                "name": taker.name,
                "registers": str(taker.registers),
                "explicit": taker.explicit,
                **_place(taker.span),
                "uses": taker.uses,
            }
            for taker in found.takers
        ],
        "root_signatures": [
            {
                "name": cover.signature,
                "place": cover.claim.place,
                "kind": cover.claim.kind,
                "registers": str(cover.claim.registers),
                "visibility": cover.claim.visibility,
                **_place(cover.claim.span),
                "calls": [{"name": c.name, "index": c.index, **_place(c.span)} for c in cover.calls],
                "pipelines": cover.pipelines,
                "followed_by": cover.followed_by,
            }
            for cover in found.covers
        ],
        "pipelines": [
            {"name": p.name, **_place(p.span), "stages": [stage.name for stage in p.stages]} for p in found.pipelines
        ],
        "least": None if found.least is None else str(found.least),
        "losses": [
            {"register": loss.register, "resources": [taker.name for taker in loss.takers]} for loss in found.losses
        ],
        "unread": unread,
    }


def _place(span: Span) -> dict[str, str | int]:
    return {"file": span.file, "line": span.line, "column": span.column}
