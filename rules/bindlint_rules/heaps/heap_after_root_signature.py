"""BL704: SetDescriptorHeaps after a root signature whose shaders index the heap directly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bindlint.model.device import BindPoint, HeapType, HostCall
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.model.root_signature_checks import HEAP_FLAGS
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.words import is_one
from bindlint_rules.host_calls.held import places, signature_of, signature_setter, signature_words
from bindlint_rules.host_calls.sequences import next_setter, sequences

_TYPES: tuple[tuple[HeapType, str], ...] = (
    ("CBV_SRV_UAV", "ResourceDescriptorHeap"),
    ("SAMPLER", "SamplerDescriptorHeap"),
)
_POINTS: tuple[BindPoint, ...] = ("graphics", "compute")


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for calls in sequences(host):
        for at, call in enumerate(calls):
            if call.kind == "set-heaps" and call.heaps:
                for point in _POINTS:
                    yield from _judge(calls, at, point, project)


def _judge(calls: Sequence[HostCall], at: int, point: BindPoint, project: Project) -> Iterator[Violation]:
    call = calls[at]
    bound = call.state.bound(point)
    signature = signature_of(bound, project)
    if signature is None or "flags" in signature.signature.unknown or next_setter(calls, at, point) is not None:
        return
    flags = [name for name, bit in _flags(call, project) if signature.signature.flags & bit]
    if flags:
        # A heap that the caller may have set already makes no difference when it is set again.
        sure = call.state.heaps is not None
        unless = "" if sure else " unless the same heap is set already"
        setter, name = signature_setter(point), signature_words(signature, bound.signature)
        yield Violation(
            f"`{call.name}` comes after `{setter}({bound.signature.text})`, but {name} has the "
            f"flag {flags[0]}, which takes the heap that is set by then{unless}; set the heap first",
            call.span,
            places((f"`{setter}` comes here", bound.span), ("the root flags", signature.signature.flags_span)),
            certainty="certain" if sure else "likely",
            symbols=(call.function, signature.name, flags[0]),
            severity=None if sure else "warning",
        )


def _flags(call: HostCall, project: Project) -> Iterator[tuple[str, int]]:
    """The root flags that are about a heap which the call changes."""
    before = call.state.heaps or ()
    for ref in call.heaps or ():
        heap = project.heap(ref)
        known = any(is_one(old) and old.key == ref.key for old in before) or any(not old.key for old in before)
        for heap_type, name in _TYPES:
            if heap is not None and heap.type == heap_type and not known:
                yield HEAP_FLAGS[name]


RULE = Rule(
    "BL704",
    "heap-after-root-signature",
    "error",
    "host",
    "SetDescriptorHeaps after a root signature of directly indexed heaps",
    check,
)
