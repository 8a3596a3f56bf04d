"""BL714: Descriptors are copied out of a shader-visible heap."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.copies import parts
from bindlint_rules.heaps.words import heap_name, heap_places


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for part in parts(host, project):
        if part.side == "source" and part.heap.shader_visible:
            yield Violation(
                f"`{part.call.name}` copies from {heap_name(part.heap)}, which is shader-visible and cannot be read by "
                f"the CPU; keep the descriptors in a heap that is not shader-visible and copy from there",
                part.range.span,
                heap_places(part.heap),
                symbols=(part.call.function, part.heap.name),
            )


RULE = Rule(
    "BL714",
    "copy-from-visible-heap",
    "error",
    "host",
    "Descriptors are copied out of a shader-visible heap",
    check,
)
