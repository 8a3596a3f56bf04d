"""What all resource variables stand for at one point of a shader, and how the ways to such a point come together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bindlint.usage.merging.standing import (
    ANY,
    ANYTHING,
    NOT_FOLLOWED,
    UNTOLD,
    Bundle,
    Condition,
    Doubt,
    Origin,
    Path,
    Standing,
    joined,
    matches,
    met,
    unassigned,
)  # fmt: skip


class Variable(NamedTuple):
    """The number of the call that a variable belongs to (STATIC for static ones), and its number there."""

    call: int
    number: int


STATIC = -1

Origins = Mapping[Variable, Origin]


class Key(NamedTuple):
    """A part of a variable."""

    variable: Variable
    path: Path = ()


class State:
    """The state at one point. `under`: conditions that may be constants decide whether this is reached.

    `left`: so do such conditions under which the function was left before. `asked`: inputs of which something is known.
    """

    __slots__ = ("asked", "held", "left", "under")

    def __init__(self, held: dict[Variable, Bundle], under: bool, left: bool, asked: frozenset[str]) -> None:
        self.held = held
        self.under = under
        self.left = left
        self.asked = asked

    @property
    def is_certain(self) -> bool:
        return not (self.under or self.left)

    def copy(self) -> State:
        return State(dict(self.held), self.under, self.left, self.asked)

    def behind(self, condition: Condition) -> State:
        """The state on one way of a condition."""
        held = {variable: _under(bundle, condition) for variable, bundle in self.held.items()}
        under = self.under or condition.doubt != Doubt.SURE
        return State(held, under, self.left, self.asked | condition.names)

    def put(self, key: Key, bundle: Bundle, origin: Origin, index: Condition | None = None) -> None:
        """Assigns a value; under a subscript that is no constant (`index`) any element may have taken it."""
        before, length = self.held.get(key.variable, {}), len(key.path)
        if ANY in key.path:
            after = dict(before)
            for path, standing in before.items():
                if matches(path[:length], key.path):
                    value = bundle.get(path[length:], NOT_FOLLOWED)
                    after[path] = met([standing, value], index or UNTOLD, origin)
        else:
            after = {path: standing for path, standing in before.items() if path[:length] != key.path}
        for path, standing in bundle.items():
            after.setdefault((*key.path, *path), standing)
        self.held[key.variable] = after

    def get(self, key: Key, index: Condition | None, origin: Origin) -> Standing:
        """What a part of a variable stands for; `index` is the subscript in it that is no constant."""
        held, length = self.held.get(key.variable, {}), len(key.path)
        if index is None and key.path in held:
            return held[key.path]
        above = [held[path] for path in (key.path[:n] for n in range(length)) if path in held]
        if above:
            return above[-1]
        elements = [standing for path, standing in held.items() if matches(path, key.path)]
        if not elements:
            return unassigned(origin)
        return met(elements, index, origin) if index is not None else NOT_FOLLOWED

    def bundle(self, key: Key) -> Bundle:
        """All that is known of a variable or a part of it."""
        held, length = self.held.get(key.variable, {}), len(key.path)
        found = {path[length:]: standing for path, standing in held.items() if path[:length] == key.path}
        return found or (ANYTHING if any(key.path[:n] in held for n in range(length)) else {})

    def leave(self, call: int) -> None:
        """Drops the variables of a call that is over."""
        self.held = {variable: bundle for variable, bundle in self.held.items() if variable.call != call}


def together(before: State, ways: Sequence[State], condition: Condition, origins: Origins, ended: bool) -> State:
    """Where ways from `before` on come together, as far as they go on; `ended` says that others do not."""
    left = any(way.left for way in ways) or (ended and condition.doubt != Doubt.SURE)
    asked = before.asked.union(condition.names, *(way.asked for way in ways)) if ended else before.asked
    if len(ways) == 1:
        return State(ways[0].held, before.under, left, asked | ways[0].asked)
    held: dict[Variable, Bundle] = {}
    for variable in dict.fromkeys(variable for way in ways for variable in way.held):
        known = before.held.get(variable, {})
        bundles = [way.held.get(variable, {}) for way in ways]
        # What stood before is named first.
        bundles.sort(key=lambda bundle: not _is_as(bundle, known))
        held[variable] = known if _is_as(bundles[-1], known) else joined(bundles, condition, origins[variable])
    return State(held, before.under, left, asked)


def _under(bundle: Bundle, condition: Condition) -> Bundle:
    if not any(standing.chosen for standing in bundle.values()):
        return bundle
    return {path: standing.under(condition) for path, standing in bundle.items()}


def _is_as(bundle: Bundle, other: Bundle) -> bool:
    if bundle is other:
        return True
    return bundle.keys() == other.keys() and all(standing.is_as(other[path]) for path, standing in bundle.items())
