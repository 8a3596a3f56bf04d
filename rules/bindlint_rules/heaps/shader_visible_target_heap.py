"""BL701: A heap of render target or depth stencil views that is to be shader-visible."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.model.source import NOWHERE
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import heap_name, heap_places

TARGETS = ("RTV", "DSV")


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for heap in host.heaps:
        if heap.type in TARGETS and heap.shader_visible:
            at_flags = heap.flags_span is not NOWHERE
            yield Violation(
                f"{heap_name(heap)} is of type {heap.type}, which cannot be shader-visible; only CBV_SRV_UAV and "
                f"SAMPLER heaps can",
                heap.flags_span if at_flags else heap.span,
                heap_places(heap) if at_flags else (),
                symbols=(heap.function, heap.name),
            )


RULE = Rule(
    "BL701",
    "shader-visible-target-heap",
    "error",
    "host",
    "A heap of render target or depth stencil views that is to be shader-visible",
    check,
)
