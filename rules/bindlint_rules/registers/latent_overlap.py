"""BL104: Resources on one register of which only some are used so far."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation, weakest
from bindlint.rule import Rule

from bindlint_rules.registers.number_lines import Line
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
            certainty=weakest("likely", *(binding.certainty for binding, _ in group)),
            symbols=tuple(f"{binding.name} {registers}" for binding, registers in group),
        )


def _mixed_pair(group: list[Placed]) -> tuple[Placed, Placed] | None:
    """The first used resource and unused one that share a register."""
    unused = Line((item[1], order) for order, item in enumerate(group) if not item[0].used)
    for item in group:
        met = unused.meeting(item[1]) if item[0].used else ()
        if met:
            return item, group[min(met)]
    return None


RULE = Rule(
    "BL104",
    "latent-overlap",
    "info",
    "shader",
    "An unused resource shares registers with a used one",
    check,
)
