"""BL103: Used resources that claim the same registers."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Edit, Fix, Related, Violation, weakest
from bindlint.model.registers import RegisterRange
from bindlint.rule import Rule

from bindlint_rules.registers.annotations import moved
from bindlint_rules.registers.overlaps import (
    Placed,
    chain_note,
    clusters,
    first_collision,
    include_notes,
    placed,
    shared,
)
from bindlint_rules.registers.rooms import Rooms

_MOST_MOVED = 8
"""Where more meet on one register, what is wrong is no single number."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    everything = placed(analysis.bindings)
    rooms = Rooms(everything, analysis.asides)
    for group in clusters(item for item in everything if item[0].used):
        yield _violation(analysis, group, rooms)


def _violation(analysis: ShaderAnalysis, group: list[Placed], rooms: Rooms) -> Violation:
    (first, first_range), (second, second_range) = first_collision(group)
    message = f"`{second.name}` at {second_range} overlaps `{first.name}` at {first_range}"
    unbounded = first_range.upper is None and second_range.upper is None
    if unbounded:
        message += ": a register space holds one unbounded resource"
    elif first_range != second_range:
        message += f": both take {shared(first_range, second_range)}"
    if len(group) > 2:
        message += f"; {len(group)} resources overlap here"
    if analysis.shader.profile is not None and analysis.shader.profile.is_library:
        message += "; a library has one set of registers for all its entry points"
    message += f"; {rooms.way_out((second, second_range))}"
    if unbounded:
        message += ", with a descriptor table of its own that may start at the same descriptor"
    places = [
        Related(f"`{binding.name}` is at {registers}", binding.resource.span)
        for binding, registers in group
        if binding is not second
    ]
    notes = [*include_notes(analysis, first, second), *chain_note(analysis, first), *chain_note(analysis, second)]
    return Violation(
        message,
        second.resource.span,
        related=(*places, *notes),
        certainty=weakest(*(binding.certainty for binding, _ in group)),
        symbols=tuple(f"{binding.name} {registers}" for binding, registers in group),
        fix=_fix(analysis, group, rooms),
        # Vulkan lets descriptors alias, so that there the overlap may well be meant.
        severity="warning" if analysis.shader.spirv else None,
    )


def _fix(analysis: ShaderAnalysis, group: list[Placed], rooms: Rooms) -> Fix | None:
    """The next free registers for all but the first that is declared; safe where no compiler takes the overlap."""
    if len(group) > _MOST_MOVED:
        return None
    kept: list[RegisterRange] = []
    given: list[RegisterRange] = []
    edits: list[Edit] = []
    titles = []
    for binding, registers in group:
        if any(registers.intersects(other) for other in kept):
            base = rooms.free_base((binding, registers), given)
            clauses = binding.resource.clauses
            if base is None or registers.count is None or len(clauses) != 1:
                return None
            fix = moved(clauses[0], number=base)
            if fix is None:
                return None
            registers = RegisterRange(registers.cls, registers.space, base, base + registers.count - 1)
            given.append(registers)
            edits += fix.edits
            titles.append(f"`{binding.name}` to {registers}")
        kept.append(registers)
    accepted = analysis.shader.spirv or (analysis.shader.profile is not None and analysis.shader.profile.is_library)
    return Fix(f"move {', '.join(titles)}", tuple(edits), safe=not accepted)


RULE = Rule(
    "BL103",
    "register-overlap",
    "error",
    "shader",
    "Two used resources take the same register",
    check,
)
