"""Resources that meet on the same registers, and where there would be room instead."""

from __future__ import annotations

import os
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator

from bindlint.model.binding import Binding, EntryPoint, ShaderAnalysis, Use
from bindlint.model.finding import Related
from bindlint.model.registers import RegisterRange
from bindlint.model.source import Span

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
        if registers.last < registers.lower:
            # DXC lets an array without elements take nothing.
            continue
        lines[registers.cls, registers.space].append((order, (binding, registers)))
    for line in lines.values():
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
    clear: list[tuple[int, ...]] = []
    for order, item in enumerate(group):
        registers = item[1]
        # What came before shares nothing, so that it is in the order of its last registers as well.
        at = bisect_left(clear, (registers.last + 1,))
        met = []
        while at and clear[at - 1][1] >= registers.lower:
            at -= 1
            met.append(clear[at][2])
        if met:
            return group[min(met)], item
        insort(clear, (registers.lower, registers.last, order))
    raise ValueError("nothing in the group shares a register")


def shared(one: RegisterRange, other: RegisterRange) -> RegisterRange:
    """The registers that two intersecting ranges have in common; two unbounded ones end at the last register."""
    return RegisterRange(one.cls, one.space, max(one.lower, other.lower), min(one.last, other.last))


_last_uses: tuple[tuple[EntryPoint, ...], dict[tuple[str, Span], tuple[EntryPoint, Use]]] = ((), {})


def _uses(entries: tuple[EntryPoint, ...]) -> dict[tuple[str, Span], tuple[EntryPoint, Use]]:
    """For each resource the first use with its calls; that of the last shader is kept for the next question."""
    global _last_uses
    if _last_uses[0] is not entries:
        found: dict[tuple[str, Span], tuple[EntryPoint, Use]] = {}
        for entry in entries:
            for use in entry.uses:
                if use.chain:
                    found.setdefault((use.resource.name, use.resource.span), (entry, use))
        _last_uses = (entries, found)
    return _last_uses[1]


def chain_note(analysis: ShaderAnalysis, binding: Binding) -> Iterator[Related]:
    """By which calls an entry point comes to use the binding."""
    found = _uses(analysis.entries).get((binding.name, binding.resource.span))
    if found is not None:
        entry, use = found
        calls = " -> ".join(dict.fromkeys([entry.name, *(site.function for site in use.chain)]))
        yield Related(f"`{binding.name}` is used by {calls}", use.chain[-1].span)


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
