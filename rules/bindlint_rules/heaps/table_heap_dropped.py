"""BL705: A draw with a descriptor table in a heap that is no longer set."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HostCall, HostHeap
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.model.source import NOWHERE, Span
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import heap_places, is_one
from bindlint_rules.host_calls.sequences import sequences


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for calls in sequences(host):
        told: set[tuple[Span, int]] = set()
        tables: dict[tuple[str, int], HostCall] = {}
        for call in calls:
            if call.kind == "set-root-argument" and call.bind_point is not None and call.index is not None:
                tables[call.bind_point, call.index] = call
            elif call.kind == "draw" and call.bind_point is not None:
                for (point, index), table in tables.items():
                    if point != call.bind_point or index not in call.state.bound(point).arguments:
                        continue
                    where = (call.state.heaps_span, index)
                    if where not in told and _dropped(table, call):
                        told.add(where)
                        yield _violation(table, call, project)


def _dropped(table: HostCall, draw: HostCall) -> bool:
    """Whether the table's heap was set when the table was, and is not at the draw."""
    before, now = table.state.heaps, draw.state.heaps
    if before is None or now is None or len(table.handles) != 1 or not all(map(is_one, (*before, *now))):
        return False
    ref = table.handles[0].heap
    return is_one(ref) and ref.key in {r.key for r in before} and ref.key not in {r.key for r in now}


def _violation(table: HostCall, draw: HostCall, project: Project) -> Violation:
    ref = table.handles[0].heap
    set_now = ", ".join(f"`{each.text}`" for each in draw.state.heaps or ()) or "no heap"
    notes = (
        (f"`{table.name}` comes here", table.span),
        (f"`{draw.name}` comes here", draw.span),
    )
    heap = project.heap(ref) or HostHeap(ref.key, ref.text, "", NOWHERE)
    return Violation(
        f"`SetDescriptorHeaps` replaces all heaps by {set_now}, but root parameter {table.index} points into "
        f"`{ref.text}` at `{draw.name}`; set the table again after it, or give both heaps",
        draw.state.heaps_span,
        heap_places(heap, *notes),
        symbols=(draw.function, ref.key, str(table.index)),
    )


RULE = Rule(
    "BL705",
    "table-heap-dropped",
    "error",
    "host",
    "A draw with a descriptor table in a heap that is no longer set",
    check,
)
