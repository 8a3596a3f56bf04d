"""BL712: A handle beyond the last descriptor of its heap."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HostCall, HostHandle
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import heap_name, heap_places


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for call in host.calls:
        for handle, count in _stretches(call):
            heap = project.heap(handle.heap)
            index = handle.last if handle.index is None else handle.index
            if heap is None or heap.count is None or index is None:
                continue
            last = index + max(count, 1) - 1
            if index < 0 or last >= heap.count:
                at = f"descriptor {index}" if count <= 1 else f"descriptors {index}-{last}"
                has = f"0-{heap.count - 1}" if heap.count > 1 else f"{heap.count}"
                yield Violation(
                    f"`{call.name}` takes {at} of {heap_name(heap)}, which has {has} only",
                    handle.span,
                    heap_places(heap),
                    symbols=(call.function, call.name, heap.name, str(index)),
                )


def _stretches(call: HostCall) -> Iterator[tuple[HostHandle, int]]:
    """Each handle of the call and how many descriptors it stands for, at least."""
    yield from ((handle, 1) for handle in call.handles)
    if call.copy is not None:
        for part in (*(call.copy.destinations or ()), *(call.copy.sources or ())):
            yield part.handle, 1 if part.count is None else part.count


RULE = Rule(
    "BL712",
    "handle-beyond-heap",
    "error",
    "host",
    "A handle beyond the last descriptor of its heap",
    check,
)
