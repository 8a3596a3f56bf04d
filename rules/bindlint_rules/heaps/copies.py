"""Copies of descriptors: their two sides with the heaps, and how many descriptors each has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from bindlint.model.device import CopyRange, HostCall, HostCopy, HostHeap
from bindlint.model.host import HostFile
from bindlint.project.values import Project

Side = Literal["source", "destination"]


class CopyPart(msgspec.Struct, frozen=True):
    """One range of a copy with its heap."""

    call: HostCall
    copy: HostCopy
    side: Side
    range: CopyRange
    heap: HostHeap


def copies(host: HostFile) -> Iterator[tuple[HostCall, HostCopy]]:
    for call in host.calls:
        if call.copy is not None:
            yield call, call.copy


def parts(host: HostFile, project: Project) -> Iterator[CopyPart]:
    """Each range whose heap is known."""
    for call, copy in copies(host):
        sides: tuple[tuple[Side, tuple[CopyRange, ...]], ...] = (
            ("source", copy.sources or ()),
            ("destination", copy.destinations or ()),
        )
        for side, ranges in sides:
            for part in ranges:
                heap = project.heap(part.handle.heap)
                if heap is not None:
                    yield CopyPart(call, copy, side, part, heap)


def total(ranges: tuple[CopyRange, ...] | None) -> int | None:
    """Descriptors of all ranges, None where that is not known."""
    if ranges is None or any(part.count is None for part in ranges):
        return None
    return sum(part.count or 0 for part in ranges)
