"""BL706: A descriptor table that is pointed into a heap of the wrong type."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HeapType
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.model.root_signature import RootParameter
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import heap_name, heap_places
from bindlint_rules.host_calls.held import arguments, parameter_words


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for argument in arguments(host, project):
        call, parameter = argument.call, argument.parameter
        if parameter is None or parameter.kind != "table" or len(call.handles) != 1:
            continue
        heap, needed = project.heap(call.handles[0].heap), _needed(parameter)
        if heap is not None and heap.type is not None and needed is not None and heap.type != needed:
            yield Violation(
                f"{parameter_words(parameter)} needs a {needed} heap, but `{call.name}` points it into "
                f"{heap_name(heap)}, which is of type {heap.type}",
                call.handles[0].span,
                heap_places(heap, (parameter_words(parameter), parameter.span)),
                symbols=(call.function, heap.name, str(call.index)),
            )


def _needed(parameter: RootParameter) -> HeapType | None:
    """None where no range is known, or where samplers and others are mixed, which is another rule's."""
    samplers = {part.cls == "s" for part in parameter.ranges}
    if len(samplers) != 1:
        return None
    return "SAMPLER" if samplers.pop() else "CBV_SRV_UAV"


RULE = Rule(
    "BL706",
    "table-heap-type",
    "error",
    "host",
    "A descriptor table that is pointed into a heap of the wrong type",
    check,
)
