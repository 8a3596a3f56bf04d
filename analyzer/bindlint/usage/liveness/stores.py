"""What is stored in one local variable, in the order of the steps, and what of it a read may still find."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from bindlint.usage.liveness.needs import Needs, Use, Var
from bindlint.usage.liveness.paths import inside, overlap

Ways = tuple[tuple[int, bool], ...]
"""The branches that a step stands in, outermost first."""

EVERYTHING = 0
"""The view of a read that may find whatever is ever stored."""

UNSTORED = 1
"""The view of a read before anything is stored."""

_MAX_SCAN = 64
_EXACT = 16
_position = itemgetter(2)


class Overwriting(NamedTuple):
    """A step that surely gives a field a new value, the branches it stands in, the place of its store, and by path the
    first stores that outlive it and those before it."""

    step: int
    ways: Ways
    position: int
    first: dict[str, int]


class Stores:
    """Stores are triples (what, step, position); what is needed for the value, or what is copied.

    A view (a number, see `Var`) is what a read may find: not what was surely overwritten before it and, outside of
    loops, not what is stored after it.
    """

    __slots__ = ("_numbers", "_overwritings", "_views", "copies", "count", "fields")

    def __init__(self) -> None:
        self.fields: dict[str, list[tuple[Needs, int, int]]] = {}
        self.copies: list[tuple[tuple[str, Var | Use], int, int]] = []
        self.count = 0
        self._overwritings: list[Overwriting] = []
        self._views: list[tuple[dict[str, int], int | None]] = [({}, None), ({}, 0)]
        self._numbers: dict[tuple[int, int | None], int] = {(-1, None): EVERYTHING, (-1, 0): UNSTORED}

    def store(self, field: str, needs: Needs, step: int) -> None:
        self.fields.setdefault(field, []).append((needs, step, self.count))
        self.count += 1

    def copy(self, field: str, source: Var | Use, step: int) -> None:
        self.copies.append(((field, source), step, self.count))
        self.count += 1

    def overwrite(self, field: str, step: int, ways: Ways) -> None:
        """The step that was noted last gives a field a new value whenever what follows it in its block runs."""
        own = [stored[_index(stored, step)] for stored in self.fields.values() if stored[-1][1] == step]
        position = min(map(_position, own), default=self.count)
        if self.copies and self.copies[-1][1] == step:
            position = min(position, self.copies[-1][2])
        number = self._latest(step, ways)
        earlier = self._overwritings[number].first if number >= 0 else {}
        first = {path: at for path, at in earlier.items() if not _covers(field, path)}
        self._overwritings.append(Overwriting(step, ways, position, {**first, field: position}))

    def view(self, step: int, ways: Ways, repeats: bool) -> int:
        """That of a read in a step; `repeats`: the step may run again after later ones."""
        number = self._latest(step, ways)
        if repeats:
            return self._view(-1 if len(self._overwritings) > _MAX_SCAN else number, None)
        # Of many stores the exact one matters less than how many views there are.
        start = self._overwritings[number].position if number >= 0 else 0
        grain = max(1, (self.count - start) // _EXACT)
        return self._view(number, start - (start - self.count) // grain * grain)

    def view_at_end(self, first_return: int) -> int:
        """Of whoever called: wherever the function ends."""
        found = [i for i, o in enumerate(self._overwritings) if o.step < first_return and not o.ways]
        return self._view(found[-1], None) if found else EVERYTHING

    def overwritten(self, view: int) -> dict[str, int]:
        """The fields that had a new value before, with the first stores that outlive it."""
        return self._views[view][0]

    def _view(self, number: int, until: int | None) -> int:
        found = self._numbers.get((number, until))
        if found is None:
            found = self._numbers[number, until] = len(self._views)
            self._views.append((self._overwritings[number].first if number >= 0 else {}, until))
        return found

    def _latest(self, step: int, ways: Ways) -> int:
        """The last overwriting that runs before a step wherever that runs, -1 where none is known."""
        for number in range(len(self._overwritings) - 1, max(-1, len(self._overwritings) - _MAX_SCAN), -1):
            other = self._overwritings[number]
            if other.step < step and ways[: len(other.ways)] == other.ways:
                return number
        return -1

    # -- reading

    def stored(self, name: str, view: int) -> Iterator[tuple[str, Needs, int]]:
        """What a read of `name` may find of what was stored in the fields that it meets, with the steps."""
        for field, stored in self.fields.items():
            if overlap(field, name):
                start, end = self._window(field, name, view)
                first = bisect_left(stored, start, key=_position) if start else 0
                last = bisect_left(stored, end, key=_position) if end < self.count else len(stored)
                for needs, step, _ in stored[first:last]:
                    yield field, needs, step

    def copied(self, name: str, view: int) -> Iterator[tuple[str, Var | Use, int]]:
        """What a read of `name` may find of what copies gave the fields that it meets, with the steps."""
        for (field, source), step, position in self.copies:
            if overlap(field, name):
                start, end = self._window(field, name, view)
                if start <= position < end:
                    yield field, source, step

    def keeps_input(self, name: str, view: int) -> bool:
        """Whether a read may find what the variable held at the call."""
        return not any(_covers(path, name) for path in self._views[view][0])

    def _window(self, field: str, name: str, view: int) -> tuple[int, int]:
        first, until = self._views[view]
        part = field if len(field) > len(name) else name
        start = 0
        for path, at in first.items():
            if at > start and _covers(path, part):
                start = at
        return start, self.count if until is None else until


def _index(stored: list[tuple[Needs, int, int]], step: int) -> int:
    return bisect_left(stored, step, key=itemgetter(1))


def _covers(path: str, other: str) -> bool:
    """Whether `other` lies wholly in `path`."""
    return not path or (len(other) >= len(path) and inside(other, path) is not None)
