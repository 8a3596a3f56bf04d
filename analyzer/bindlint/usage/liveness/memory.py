"""Stores in variables that the compiler leaves in memory, where it drops fewer of them."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.usage.liveness.flow import Flow, Seed
from bindlint.usage.liveness.needs import EFFECT, NOTHING, Var
from bindlint.usage.liveness.stores import EVERYTHING, Stores

_MANY = 16
"""From so many arrays on they are taken as one."""


def in_memory(flow: Flow) -> Iterator[Seed]:
    """Stores in arrays that decide whether those stores run, or feed them in branches and loops.

    DXC drops a store in what has subscripts that are not known only where nothing reads that, live or not (tried).
    """
    groups = [{number} for number in flow.moving] if len(flow.moving) < _MANY else [flow.moving]
    for group in groups:
        given = [seed for number in group for seed in given_to(flow, number)]
        needs = set(NOTHING.union(*(needed for needed, i in given if _in_branches(flow, i))))
        flow.reach(needs, {i for _, i in given}, circles=False)
        if any(isinstance(need, Var) and need.number in group for need in needs):
            yield from ((needed | {EFFECT}, i) for needed, i in given)
    for (symbol, _), seeds in flow.writes.items():
        # Static arrays are looked at early, when much that reads them is still there.
        if symbol in flow.shifting and symbol in flow.loaded:
            yield from seeds


def _in_branches(flow: Flow, index: int) -> bool:
    """Whether a step stands in a branch or loop, or has one itself."""
    return index in flow.branching or bool(flow.steps[index].controls or flow.steps[index].loops)


def given_to(flow: Flow, number: int) -> list[Seed]:
    """All that is ever stored in a local."""
    stores = flow.stores.get(number, Stores())
    given = [(needs, i) for _, needs, i in stores.stored("", EVERYTHING)]
    return given + [(frozenset((source,)), i) for _, source, i in stores.copied("", EVERYTHING)]
