"""Resources that meet on the same registers, and where there would be room instead."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Related
from bindlint.model.registers import MAX_REGISTER, RegisterRange

MAX_INCLUDES_SHOWN = 8

Placed = tuple[Binding, RegisterRange]
"""A binding with the registers that it is known to have."""


def placed(bindings: Iterable[Binding]) -> list[Placed]:
    """The bindings that have registers, in the order given."""
    return [(binding, binding.registers) for binding in bindings if binding.registers is not None]


def clusters(bindings: Iterable[Placed]) -> Iterator[list[Placed]]:
    """The groups of two and more that hang together by shared registers, each in the order given.

    One sweep over each number line, so that fifty resources on one register are one group and not 1,225 pairs.
    """
    lines: defaultdict[tuple[str, int], list[tuple[int, Placed]]] = defaultdict(list)
    for order, (binding, registers) in enumerate(bindings):
        lines[registers.cls, registers.space].append((order, (binding, registers)))
    for line in lines.values():
        if len(line) < 2:
            continue
        line.sort(key=lambda item: item[1][1].lower)
        group, reach = [line[0]], line[0][1][1].last
        for item in line[1:]:
            if item[1][1].lower <= reach:
                group.append(item)
            else:
                yield from _in_order(group)
                group = [item]
            reach = max(reach, item[1][1].last)
        yield from _in_order(group)


def _in_order(group: list[tuple[int, Placed]]) -> Iterator[list[Placed]]:
    if len(group) > 1:
        yield [item for _, item in sorted(group, key=lambda entry: entry[0])]


def first_collision(group: list[Placed]) -> tuple[Placed, Placed]:
    """The first two that share a register: the earlier declared one, then the later one."""
    pairs = ((one, other) for other_at, other in enumerate(group) for one in group[:other_at])
    return next((one, other) for one, other in pairs if one[1].intersects(other[1]))


def shared(one: RegisterRange, other: RegisterRange) -> RegisterRange:
    """The registers that two intersecting ranges have in common."""
    upper = None if one.upper is None and other.upper is None else min(one.last, other.last)
    return RegisterRange(one.cls, one.space, max(one.lower, other.lower), upper)


def way_out(mover: Placed, everything: list[Placed]) -> str:
    """Where there is room: "the next free base is t20", or a register space that nothing uses yet."""
    binding, registers = mover
    line = [other for other in everything if other[0] is not binding and other[1].cls == registers.cls]
    base = registers.lower
    for _, taken in sorted(line, key=lambda item: item[1].lower):
        if taken.space != registers.space or taken.last < base:
            continue
        if registers.count is not None and base + registers.count <= taken.lower:
            break
        base = taken.last + 1
    if base + (registers.count or 1) - 1 <= MAX_REGISTER:
        return f"the next free base is {registers.cls}{base}"
    spaces = {taken.space for _, taken in line} | {registers.space}
    free = next(space for space in range(len(spaces) + 1) if space not in spaces)
    return f"no base above is free; space{free} is"


def chain_note(analysis: ShaderAnalysis, binding: Binding) -> Iterator[Related]:
    """By which calls an entry point comes to use the binding."""
    for entry in analysis.entries:
        for use in entry.uses:
            if use.chain and use.resource == binding.resource:
                calls = " -> ".join(dict.fromkeys([entry.name, *(site.function for site in use.chain)]))
                yield Related(f"`{binding.name}` is used by {calls}", use.chain[-1].span)
                return


def include_notes(analysis: ShaderAnalysis, *bindings: Binding) -> Iterable[Related]:
    """By which includes the files that declare the bindings come into the shader, each directive once."""
    includes = dict(analysis.includes)
    notes: dict[Related, None] = {}
    for binding in bindings:
        file = binding.resource.span.file
        for _ in range(MAX_INCLUDES_SHOWN):
            directive = includes.get(file)
            if directive is None:
                break
            notes[Related(f"`{os.path.basename(file)}` is included here", directive)] = None
            file = directive.file
    return notes
