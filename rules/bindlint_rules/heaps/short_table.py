"""BL713: A descriptor table that reaches beyond the end of its heap."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.model.root_signature import RootParameter
from bindlint.model.root_signature_checks import layout
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import heap_name, heap_places
from bindlint_rules.host_calls.held import arguments, parameter_words


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for argument in arguments(host, project):
        call, parameter = argument.call, argument.parameter
        if parameter is None or parameter.kind != "table" or parameter.unknown or len(call.handles) != 1:
            continue
        handle = call.handles[0]
        heap, needed = project.heap(handle.heap), _needed(parameter)
        # A handle that is itself outside of the heap is for the rule `handle-beyond-heap`.
        if heap is None or heap.count is None or handle.index is None or handle.index >= heap.count:
            continue
        left = heap.count - handle.index
        if needed > left:
            yield Violation(
                f"{parameter_words(parameter)} takes {needed} descriptors, but from {handle.index} on "
                f"{heap_name(heap)} has {left} of its {heap.count}",
                handle.span,
                heap_places(heap, (parameter_words(parameter), parameter.span)),
                symbols=(call.function, heap.name, str(call.index)),
            )


def _needed(parameter: RootParameter) -> int:
    """Descriptors from the start of the table on; an unbounded range takes what there is, and a first one."""
    ends = [
        slot.start + (1 if slot.range.count is None else slot.range.count)
        for slot in layout(parameter.ranges)
        if not slot.range.unknown
    ]
    return max(ends, default=0)


RULE = Rule(
    "BL713",
    "short-table",
    "warning",
    "host",
    "A descriptor table that reaches beyond the end of its heap",
    check,
)
