"""BL104: Resources on one register of which only some are used so far."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.overlaps import Placed, clusters, placed


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for group in clusters(placed(analysis.bindings)):
        mixed = _mixed_pair(group)
        if mixed is None:
            continue
        (used, used_range), (unused, unused_range) = mixed
        others = [item for item in group if item[0] is not unused]
        message = (
            f"`{unused.name}` at {unused_range} is not used, but shares registers with `{used.name}` at {used_range}; "
            "using both is an error"
        )
        yield Violation(
            message,
            unused.resource.span,
            related=tuple(
                Related(f"`{other.name}` is at {registers}{'' if other.used else ', unused'}", other.resource.span)
                for other, registers in others
            ),
            certainty="likely",
            symbols=tuple(f"{binding.name} {registers}" for binding, registers in group),
        )


def _mixed_pair(group: list[Placed]) -> tuple[Placed, Placed] | None:
    """The first used resource and unused one that share a register."""
    used, unused = ([item for item in group if item[0].used is wanted] for wanted in (True, False))
    return next(((one, other) for one in used for other in unused if one[1].intersects(other[1])), None)


RULE = Rule(
    "BL104",
    "latent-overlap",
    "info",
    "shader",
    "An unused resource shares registers with a used one",
    check,
)
