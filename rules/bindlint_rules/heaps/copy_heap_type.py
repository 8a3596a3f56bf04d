"""BL715: Descriptors are copied from or to a heap of another type than the copy is for."""

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
        wanted, given = part.copy.type, part.heap.type
        if wanted is not None and given is not None and wanted != given:
            yield Violation(
                f"`{part.call.name}` copies descriptors of type {wanted}, but its {part.side} {heap_name(part.heap)} "
                f"is of type {given}",
                part.range.span,
                heap_places(part.heap),
                symbols=(part.call.function, part.heap.name, part.side),
            )


RULE = Rule(
    "BL715",
    "copy-heap-type",
    "error",
    "host",
    "Descriptors are copied from or to a heap of another type",
    check,
)
