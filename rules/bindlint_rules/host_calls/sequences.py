"""Calls of one function on one command list, in their order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from bindlint.model.device import BindPoint, HostCall
from bindlint.model.host import HostFile

OF_STATE_OBJECTS = frozenset({"DispatchRays", "DispatchGraph"})
"""Dispatches that need no global root signature."""


def sequences(host: HostFile) -> Iterator[list[HostCall]]:
    """The calls on each command list that a function names, as they follow in it."""
    found: defaultdict[tuple[str, str], list[HostCall]] = defaultdict(list)
    for call in host.calls:
        if call.receiver.key and call.kind not in ("view", "copy"):
            found[call.function, call.receiver.key].append(call)
    yield from found.values()


def lone_sequences(host: HostFile) -> Iterator[list[HostCall]]:
    """The sequences of lists that have no other name in their function.

    Another name may be another interface of the same list, through which something is set, unless that one is known
    to begin anew as well.
    """
    found = list(sequences(host))
    unknown = Counter(calls[0].function for calls in found if calls[0].state.graphics.status == "unknown")
    for calls in found:
        itself = calls[0].state.graphics.status == "unknown"
        if unknown[calls[0].function] - itself == 0:
            yield calls


def next_setter(calls: Sequence[HostCall], at: int, point: BindPoint) -> HostCall | None:
    """The Set*RootSignature of the bind point that follows the call `at`, without a draw between."""
    for call in calls[at + 1 :]:
        if call.kind == "set-root-signature" and call.bind_point == point:
            return call
        if uses_arguments(call, point):
            return None
    return None


def uses_arguments(call: HostCall, point: BindPoint) -> bool:
    """Whether the call is a draw or dispatch of the bind point, or may be one."""
    return call.kind == "execute-indirect" or (call.kind == "draw" and call.bind_point in (point, None))
