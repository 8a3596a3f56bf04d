"""BL130: Resources that entry points of one file find at different registers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bindlint.model.binding import Resource, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.registers import RegisterRange
from bindlint.rule import Rule

from bindlint_rules.registers.overlaps import placed


def check(analyses: tuple[ShaderAnalysis, ...]) -> Iterator[Violation]:
    places: defaultdict[Resource, dict[RegisterRange, ShaderAnalysis]] = defaultdict(dict)
    for analysis in analyses:
        for binding, registers in placed(analysis.bindings):
            places[binding.resource].setdefault(registers, analysis)
    for resource, found in places.items():
        if len(found) < 2:
            continue
        where = ", ".join(f"{registers} in {_entry(analysis)}" for registers, analysis in found.items())
        hidden = resource.origin == "$Globals"
        advice = "put its members into a cbuffer with a register" if hidden else "give it a register"
        yield Violation(
            f"`{resource.name}` has no register and is at {where}: the place depends on what else an entry point uses; "
            f"{advice}",
            resource.span,
            related=tuple(
                Related(f"{entry.name} has it at {registers}", entry.span)
                for registers, analysis in found.items()
                for entry in analysis.entries
            ),
            certainty="likely",
            symbols=(resource.name, *map(str, found)),
        )


def _entry(analysis: ShaderAnalysis) -> str:
    return analysis.shader.entry or "the library"


RULE = Rule(
    "BL130",
    "entry-dependent-register",
    "warning",
    "file",
    "One resource is at different registers in different entry points",
    check,
)
