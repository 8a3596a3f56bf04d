"""BL406: Descriptors that a shader never touches and that the tier wants to be there all the same."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.root_signature import RootParameter
from bindlint.model.shader import Target
from bindlint.rule import Rule
from bindlint.targets import Capabilities, capabilities
from bindlint.tiers.populated import Idle, idle_descriptors
from bindlint.words import counted

from bindlint_rules.root_signature.words import listed


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able, signature = capabilities(target), analysis.signature
    if signature is None or signature.faults or not able.populated:
        return
    for parameter, idle in idle_descriptors(signature, [analysis], able.populated):
        yield _untouched(analysis, able, parameter, idle)


def _untouched(analysis: ShaderAnalysis, able: Capabilities, parameter: RootParameter, idle: list[Idle]) -> Violation:
    number = sum(each.free.count or 0 for each in idle)
    whole = all(part.count for part in parameter.ranges) and number == sum(part.count or 0 for part in parameter.ranges)
    more = len(idle) - 4
    rest = [counted(more, "more range")] if more > 0 else []
    shown = listed([str(each.free) for each in idle[:4]] + rest)
    extent = "anything of it" if whole else shown
    plural = "descriptor" if number == 1 else "descriptors"
    return Violation(
        f"tier {able.tier} needs all descriptors of parameter {parameter.index}, but `{analysis.shader.entry}` never "
        f"touches {extent} ({number} {plural}); fill them with null descriptors or move them into a table of their own",
        idle[0].part.span,
        related=tuple(Related(f"{each.free} is not touched", each.part.span) for each in idle[1:4]),
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
