"""Handles of host code with the heap that they point into, and how messages speak of the two."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from bindlint.model.device import HostCall, HostHandle, HostHeap, HostRef
from bindlint.model.finding import Related
from bindlint.model.host import HostFile
from bindlint.model.source import NOWHERE, Span
from bindlint.project.values import Project


class Pointer(msgspec.Struct, frozen=True):
    """A handle that a call takes, with its heap."""

    call: HostCall
    handle: HostHandle
    heap: HostHeap


def pointers(host: HostFile, project: Project) -> Iterator[Pointer]:
    """Each handle of each call whose heap is known; not those of copies."""
    for call in host.calls:
        for handle in call.handles:
            heap = project.heap(handle.heap)
            if heap is not None:
                yield Pointer(call, handle, heap)


def heap_name(heap: HostHeap) -> str:
    return f"`{heap.name}`" if heap.name else "the heap"


def heap_places(heap: HostHeap, *others: tuple[str, Span]) -> tuple[Related, ...]:
    """Where the heap is made, and other places."""
    notes = ((f"{heap_name(heap)} is made here", heap.span), *others)
    return tuple(Related(words, span) for words, span in notes if span is not NOWHERE)


def is_one(ref: HostRef) -> bool:
    """Whether the reference is to one object, so that another one differs from it."""
    return bool(ref.key) and "*" not in ref.key
