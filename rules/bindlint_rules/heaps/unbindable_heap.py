"""BL702: SetDescriptorHeaps with a heap that cannot be set."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HostHeap
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import heap_name, heap_places


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for call in host.calls:
        for ref in (call.heaps or ()) if call.kind == "set-heaps" else ():
            heap = project.heap(ref)
            wrong = _wrong(heap) if heap is not None else ""
            if heap is not None and wrong:
                yield Violation(
                    f"`{call.name}` takes shader-visible CBV_SRV_UAV and SAMPLER heaps, but {heap_name(heap)} {wrong}",
                    call.span,
                    heap_places(heap),
                    symbols=(call.function, heap.name),
                )


def _wrong(heap: HostHeap) -> str:
    if heap.type in ("RTV", "DSV"):
        return f"is of type {heap.type}, whose descriptors go to OMSetRenderTargets as CPU handles"
    return "is not shader-visible" if heap.shader_visible is False else ""


RULE = Rule(
    "BL702",
    "unbindable-heap",
    "error",
    "host",
    "SetDescriptorHeaps with a heap that is not shader-visible or of another type",
    check,
)
