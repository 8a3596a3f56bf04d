"""BL406: Descriptors that a shader never touches and that the tier wants to be there all the same."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import RootParameter
from bindlint.model.shader import Target
from bindlint.rule import Rule
from bindlint.targets import Capabilities, capabilities

from bindlint_rules.root_signature.words import listed
from bindlint_rules.targets.counting import remainder, visible_to


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able, signature, seen = capabilities(target), analysis.signature, visible_to(analysis)
    if signature is None or signature.faults or not able.populated:
        return
    taken = [reach for binding in analysis.bindings if binding.used and (reach := binding.reach)]
    for parameter in signature.parameters:
        if parameter.visibility in seen:
            yield from _untouched(analysis, able, parameter, taken)


def _untouched(
    analysis: ShaderAnalysis, able: Capabilities, parameter: RootParameter, taken: list[RegisterRange]
) -> Iterator[Violation]:
    idle = [
        (part, free)
        for part in parameter.ranges
        if part.cls in able.populated and part.count
        for free in remainder(part.registers, taken)
    ]
    if not idle:
        return
    number = sum(free.count or 0 for _, free in idle)
    whole = number == sum(part.count or 0 for part in parameter.ranges)
    shown = listed([str(free) for _, free in idle[:4]] + ([f"{len(idle) - 4} more ranges"] if len(idle) > 4 else []))
    extent = "anything of it" if whole else shown
    plural = "descriptor" if number == 1 else "descriptors"
    yield Violation(
        f"tier {able.tier} needs all descriptors of parameter {parameter.index}, but `{analysis.shader.entry}` never "
        f"touches {extent} ({number} {plural}); fill them with null descriptors or move them into a table of their own",
        idle[0][0].span,
        related=tuple(Related(f"{free} is not touched", part.span) for part, free in idle[1:4]),
        certainty="likely",
        symbols=(analysis.shader.entry, f"parameter {parameter.index}", shown),
    )


RULE = Rule(
    "BL406",
    "unpopulated-descriptors",
    "warning",
    "target",
    "Descriptors that no shader touches and the tier still needs",
    check,
)
