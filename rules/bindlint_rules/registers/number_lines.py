"""Ranges on number lines, for questions that a look at every range would make too slow."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from heapq import heappop, heappush
from itertools import accumulate
from typing import Generic, TypeVar

from bindlint.model.registers import RegisterRange

T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)


class Line(Generic[T]):
    """Things with ranges of registers on one number line, in the order given."""

    def __init__(self, things: Iterable[tuple[RegisterRange, T]]) -> None:
        self._things = [(registers.lower, registers.last, thing) for registers, thing in things]
        self._order = sorted(range(len(self._things)), key=lambda i: self._things[i][0])
        self._lowers = [self._things[i][0] for i in self._order]
        self._reach = list(accumulate((self._things[i][1] for i in self._order), max))
        self._tops: tuple[list[int], list[int | None]] | None = None
        self._ends: list[tuple[int, int]] | None = None

    def meeting(self, registers: RegisterRange) -> list[T]:
        """Those that share a register with the range, by their first register."""
        found: list[T] = []
        at = bisect_right(self._lowers, registers.last)
        while at and self._reach[at - 1] >= registers.lower:
            at -= 1
            _, last, thing = self._things[self._order[at]]
            if last >= registers.lower:
                found.append(thing)
        return found[::-1]

    def at(self, register: int) -> T | None:
        """The first given of those that hold the register."""
        starts, tops = self._tops = self._tops or self._sweep()
        place = bisect_right(starts, register) - 1
        top = tops[place] if place >= 0 else None
        return None if top is None else self._things[top][2]

    def nearest(self, register: int) -> T | None:
        """The first given of those that end or start nearest to a register that none holds."""
        self._ends = self._ends or sorted((last, -i) for i, (_, last, _) in enumerate(self._things))
        before = bisect_left(self._ends, (register, -len(self._things))) - 1
        after = bisect_right(self._lowers, register)
        near = [(register - self._ends[before][0], -self._ends[before][1])] if before >= 0 else []
        if after < len(self._order):
            near.append((self._lowers[after] - register, self._order[after]))
        return self._things[min(near)[1]][2] if near else None

    def _sweep(self) -> tuple[list[int], list[int | None]]:
        """Where the first of those that hold a register changes, and which it is from there on."""
        open_ranges: list[tuple[int, int]] = []
        tops: list[int | None] = []
        starts = sorted({bound for lower, last, _ in self._things for bound in (lower, last + 1)})
        begun = 0
        for start in starts:
            while begun < len(self._order) and self._lowers[begun] <= start:
                order = self._order[begun]
                heappush(open_ranges, (order, self._things[order][1]))
                begun += 1
            while open_ranges and open_ranges[0][1] < start:
                heappop(open_ranges)
            tops.append(open_ranges[0][0] if open_ranges else None)
        return starts, tops


def lines(things: Iterable[tuple[RegisterRange, T]], key: Callable[[RegisterRange], Key]) -> dict[Key, Line[T]]:
    """The lines that things fall on, by class, space or both."""
    groups: defaultdict[Key, list[tuple[RegisterRange, T]]] = defaultdict(list)
    for registers, thing in things:
        groups[key(registers)].append((registers, thing))
    return {name: Line(group) for name, group in groups.items()}


def line_of(registers: RegisterRange) -> tuple[str, int]:
    """Class and space, which make a number line."""
    return registers.cls, registers.space


def meeting(groups: Mapping[tuple[str, int], Line[T]], registers: RegisterRange) -> list[T]:
    """The things on the lines that share a register with the range, by their first register."""
    line = groups.get(line_of(registers))
    return [] if line is None else line.meeting(registers)
