"""Where there is room for a resource beside everything else that is bound, and what other `#if` branches bind."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence

from bindlint.model.binding import Binding
from bindlint.model.registers import MAX_REGISTER, RegisterRange

from bindlint_rules.registers.overlaps import Placed

_Item = tuple[Binding | None, RegisterRange]

_MAX_STEPS = 1000
"""So many neighbours are looked at one by one; then what is behind all of them is the next free register."""


class _Line:
    """The bindings on one number line by their first register, and how far those up to each of them reach."""

    def __init__(self, items: list[_Item]) -> None:
        self.items = sorted(items, key=lambda item: item[1].lower)
        self.lowers = [registers.lower for _, registers in self.items]
        self._reach: list[tuple[int, Binding | None, int]] = []
        holder: Binding | None = None
        furthest = second = -1
        for binding, registers in self.items:
            if registers.last > furthest:
                furthest, holder, second = registers.last, binding, furthest
            else:
                second = max(second, registers.last)
            self._reach.append((furthest, holder, second))

    def reach(self, count: int, without: Binding) -> int:
        """The last register that the first `count` bindings take, one of them left out; -1 where that is none."""
        furthest, holder, second = self._reach[count - 1]
        return second if holder is without else furthest

    def next_base(self, mover: Placed) -> int:
        binding, registers = mover
        base = registers.lower
        for _ in range(_MAX_STEPS):
            behind = bisect_right(self.lowers, base)
            reach = self.reach(behind, binding)
            if reach >= base:
                base = reach + 1
                continue
            if behind == len(self.items):
                return base
            following = self.items[behind][1]
            if registers.count is not None and base + registers.count <= following.lower:
                return base
            base = following.last + 1
        return self.reach(len(self.items), binding) + 1


def _from(base: int, registers: RegisterRange) -> RegisterRange:
    """As many registers, from `base` on."""
    upper = None if registers.count is None else base + registers.count - 1
    return RegisterRange(registers.cls, registers.space, base, upper)


class Rooms:
    """All number lines of a shader. `asides` are registers that it leaves to what another `#if` would declare."""

    def __init__(self, everything: Iterable[Placed], asides: Iterable[RegisterRange] = ()) -> None:
        groups: defaultdict[str, defaultdict[int, list[_Item]]] = defaultdict(lambda: defaultdict(list))
        for item in (*everything, *((None, registers) for registers in asides)):
            groups[item[1].cls][item[1].space].append(item)
        self._lines = {cls: {space: _Line(items) for space, items in spaces.items()} for cls, spaces in groups.items()}

    def free_base(self, mover: Placed, taken: Sequence[RegisterRange] = ()) -> int | None:
        """The next register of its space from which on one of the bindings has room, None where there is none.

        `taken` are registers that others have been given meanwhile.
        """
        binding, registers = mover
        line = self._lines[registers.cls][registers.space]
        base = line.next_base(mover)
        while any(other.intersects(wanted := _from(base, registers)) for other in taken):
            behind = max(other.last for other in taken if other.intersects(wanted)) + 1
            base = line.next_base((binding, _from(behind, registers)))
        # The very last number is the compiler's mark for "none", and no base.
        return base if base < MAX_REGISTER and base + (registers.count or 1) - 1 <= MAX_REGISTER else None

    def way_out(self, mover: Placed) -> str:
        """Where there is room for one of the bindings: "the next free base is t20", or a space that nothing uses."""
        registers = mover[1]
        base = self.free_base(mover)
        if base is not None:
            return f"the next free base is {registers.cls}{base}"
        spaces = self._lines[registers.cls]
        free = next(space for space in range(len(spaces) + 1) if space not in spaces)
        return f"no base above is free; space{free} is"
