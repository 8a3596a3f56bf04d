"""BL711: A shader-visible heap with more descriptors than every device has."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HostHeap
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule
from bindlint.tiers.counting import MAX_SAMPLERS, MAX_VIEWS

from bindlint_rules.heaps.words import heap_name


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for heap in host.heaps:
        if heap.count == 0:
            yield _violation(heap, f"{heap_name(heap)} has no descriptors; a heap has at least one")
        elif not heap.shader_visible or heap.count is None:
            continue
        elif heap.type == "SAMPLER" and heap.count > MAX_SAMPLERS:
            text = f"has {heap.count} samplers; a shader-visible heap has at most {MAX_SAMPLERS}"
            yield _violation(heap, f"{heap_name(heap)} {text}")
        elif heap.type == "CBV_SRV_UAV" and heap.count > MAX_VIEWS:
            text = f"has {heap.count:,} descriptors; on resource binding tiers 1 and 2 there are at most {MAX_VIEWS:,}"
            yield _violation(heap, f"{heap_name(heap)} {text}", warning=True)


def _violation(heap: HostHeap, message: str, warning: bool = False) -> Violation:
    symbols = (heap.function, heap.name)
    return Violation(message, heap.span, symbols=symbols, severity="warning" if warning else None)


RULE = Rule(
    "BL711",
    "heap-size",
    "error",
    "host",
    "A shader-visible heap with more descriptors than devices have",
    check,
)
