"""BL708: A GPU handle of a heap that is not shader-visible."""

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
        if handle.side == "gpu" and heap.shader_visible is False:
            yield Violation(
                f"`{call.name}` takes a GPU handle of {heap_name(heap)}, which is not shader-visible and has none; "
                f"copy the descriptors into a shader-visible heap",
                handle.span,
                heap_places(heap),
                symbols=(call.function, call.name, heap.name),
            )


RULE = Rule(
    "BL708",
    "invisible-gpu-handle",
    "error",
    "host",
    "A GPU handle of a heap that is not shader-visible",
    check,
)
