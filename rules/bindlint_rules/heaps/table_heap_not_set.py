"""BL707: A descriptor table that is pointed into a heap which is not set."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HostHeap
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import Pointer, heap_name, heap_places, is_one, pointers


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for pointer in pointers(host, project):
        call, heap = pointer.call, pointer.heap
        # A heap that cannot be set at all is for the rule `invisible-gpu-handle`.
        if call.kind != "set-root-argument" or heap.shader_visible is False or not _elsewhere(pointer, project):
            continue
        there = ", ".join(f"`{ref.text}`" for ref in call.state.heaps or ())
        state = f"only {there} is set" if there else "no heap is set"
        yield Violation(
            f"`{call.name}` points root parameter {call.index_text or call.index} into {heap_name(heap)}, but {state}; "
            f"give {heap_name(heap)} to SetDescriptorHeaps before",
            pointer.handle.span,
            heap_places(heap, ("the heaps are set here", call.state.heaps_span)),
            symbols=(call.function, heap.name, call.index_text),
        )


def _elsewhere(pointer: Pointer, project: Project) -> bool:
    """Whether the heap is surely none of those that are set."""
    heaps, ref = pointer.call.state.heaps, pointer.handle.heap
    if heaps is None or not is_one(ref):
        return False
    return all(is_one(other) and other.key != ref.key and _is_other(project.heap(other), pointer) for other in heaps)


def _is_other(heap: HostHeap | None, pointer: Pointer) -> bool:
    """One heap may have several names; one that is made elsewhere is another."""
    return heap is not None and heap.span != pointer.heap.span


RULE = Rule(
    "BL707",
    "table-heap-not-set",
    "error",
    "host",
    "A descriptor table that is pointed into a heap which is not set",
    check,
)
