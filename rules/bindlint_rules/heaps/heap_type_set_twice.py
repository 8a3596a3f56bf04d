"""BL703: SetDescriptorHeaps with several heaps of one type."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HEAP_TYPES
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import heap_name, heap_places

BINDABLE = HEAP_TYPES[:2]


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for call in host.calls:
        if call.kind != "set-heaps" or not call.heaps:
            continue
        message, heaps = "", []
        for heap_type in BINDABLE:
            known = (project.heap(ref) for ref in call.heaps)
            same = [heap for heap in known if heap is not None and heap.type == heap_type]
            if len(same) > 1:
                names = " and ".join(dict.fromkeys(map(heap_name, same)))
                message, heaps = f"`{call.name}` takes one {heap_type} heap, but is given {len(same)}: {names}", same
        if not message and len(call.heaps) > len(BINDABLE):
            message = f"`{call.name}` takes one CBV_SRV_UAV and one SAMPLER heap, but is given {len(call.heaps)} heaps"
        if message:
            notes = dict.fromkeys(note for heap in heaps for note in heap_places(heap))
            yield Violation(message, call.span, tuple(notes), symbols=(call.function, *(heap.name for heap in heaps)))


RULE = Rule(
    "BL703",
    "heap-type-set-twice",
    "error",
    "host",
    "SetDescriptorHeaps with several heaps of one type",
    check,
)
