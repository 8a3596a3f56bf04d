"""BL710: A UAV is cleared through a CPU handle of a shader-visible heap, which the CPU cannot read."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import heap_name, heap_places, pointers


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for pointer in pointers(host, project):
        call, handle, heap = pointer.call, pointer.handle, pointer.heap
        clears = call.kind == "clear" and call.name.startswith("ClearUnorderedAccessView")
        if clears and handle.side == "cpu" and heap.shader_visible:
            yield Violation(
                f"the CPU handle of `{call.name}` points into {heap_name(heap)}, which is shader-visible and cannot be "
                f"read by the CPU; give the descriptor's twin in a heap that is not shader-visible",
                handle.span,
                heap_places(heap),
                symbols=(call.function, call.name, heap.name),
            )


RULE = Rule(
    "BL710",
    "clear-handle-visible",
    "error",
    "host",
    "A UAV is cleared through a CPU handle of a shader-visible heap",
    check,
)
