"""BL709: A view is made in, or taken from, a heap of another type."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HeapType, HostCall
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import Pointer, heap_name, heap_places, pointers

_OF_VIEWS: dict[str, tuple[HeapType, ...]] = {
    "cbv": ("CBV_SRV_UAV",),
    "srv": ("CBV_SRV_UAV",),
    "uav": ("CBV_SRV_UAV",),
    "rtv": ("RTV",),
    "dsv": ("DSV",),
    "sampler": ("SAMPLER",),
}
_OF_CALLS: dict[str, tuple[HeapType, ...]] = {
    "ClearRenderTargetView": ("RTV",),
    "ClearDepthStencilView": ("DSV",),
    "ClearUnorderedAccessViewUint": ("CBV_SRV_UAV",),
    "ClearUnorderedAccessViewFloat": ("CBV_SRV_UAV",),
}


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for pointer in pointers(host, project):
        call, heap, needed = pointer.call, pointer.heap, _needed(pointer)
        if needed and heap.type is not None and heap.type not in needed:
            verb = "writes into" if call.kind == "view" else "takes a descriptor of"
            yield Violation(
                f"`{call.name}` {verb} {heap_name(heap)}, which is of type {heap.type}; it needs a heap of type "
                f"{' or '.join(needed)}",
                pointer.handle.span,
                heap_places(heap),
                symbols=(call.function, call.name, heap.name),
            )


def _needed(pointer: Pointer) -> tuple[HeapType, ...]:
    call = pointer.call
    if call.kind == "render-targets":
        return _of_target(call, call.handles.index(pointer.handle))
    return _OF_VIEWS[call.view] if call.view is not None else _OF_CALLS.get(call.name, ())


def _of_target(call: HostCall, position: int) -> tuple[HeapType, ...]:
    if call.count is None:
        return ("RTV", "DSV")
    return ("RTV",) if position < call.count else ("DSV",)


RULE = Rule(
    "BL709",
    "view-heap-type",
    "error",
    "host",
    "A view that is made in, or taken from, a heap of another type",
    check,
)
