"""BL104: Resources on one register of which only some are used so far."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule
from bindlint_rules.registers.overlaps import any_pair, clusters, placed


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for group in clusters(placed(analysis.bindings)):
        mixed = next((pair for pair in any_pair(group) if pair[0][0].used != pair[1][0].used), None)
        if mixed is None:
            continue
        (used, used_range), (unused, unused_range) = sorted(mixed, key=lambda item: not item[0].used)
        others = [item for item in group if item[0] is not unused]
        message = (
            f"`{unused.name}` at {unused_range} is not used, but shares registers with `{used.name}` at {used_range}; "
            "using both is an error"
        )
        yield Violation(
            message,
            unused.resource.span,
            related=tuple(
                Related(f"`{binding.name}` is at {registers}{'' if binding.used else ', unused'}", binding.resource.span)
                for binding, registers in others
            ),
            certainty="likely",
            symbols=tuple(f"{binding.name} {registers}" for binding, registers in group),
        )


RULE = Rule(
    "BL104",
    "latent-overlap",
    "info",
    "shader",
    "An unused resource shares registers with a used one",
    check,
)
