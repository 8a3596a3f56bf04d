"""Stores in variables that the compiler leaves in memory, where it drops fewer of them."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.usage.liveness.flow import Flow, Seed
from bindlint.usage.liveness.needs import EFFECT, NOTHING, Global, Var
from bindlint.usage.liveness.stores import EVERYTHING, Stores


def in_memory(flow: Flow) -> Iterator[Seed]:
    """Stores in arrays that decide whether those stores run, or feed them in branches and loops.

    DXC drops a store in what has subscripts that are not known only where nothing reads that, live or not (tried).
    """
    again = {i for i, step in enumerate(flow.steps) if i in flow.branching or step.controls or step.loops}
    for number in flow.moving:
        given = given_to(flow, number)
        needs = set(NOTHING.union(*(needed for needed, i in given if i in again)))
        flow.reach(needs, {i for _, i in given}, circles=False)
        if any(isinstance(need, Var) and need.number == number for need in needs):
            yield from ((needed | {EFFECT}, i) for needed, i in given)
    for (symbol, _), seeds in flow.writes.items():
        for seed in seeds if symbol.variable.dimensions else ():
            if any(isinstance(need, Global) and need.symbol is symbol for need in flow.closure((seed,))):
                yield seed


def given_to(flow: Flow, number: int) -> list[Seed]:
    """All that is ever stored in a local."""
    stores = flow.stores.get(number, Stores())
    given = [(needs, i) for _, needs, i in stores.stored("", EVERYTHING)]
    return given + [(frozenset((source,)), i) for _, source, i in stores.copied("", EVERYTHING)]
