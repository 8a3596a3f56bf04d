"""BL128: Resources that the compiler places, for those who want every register to be written."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.overlaps import placed


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    implicit = [
        (binding, registers)
        for binding, registers in placed(analysis.bindings)
        if binding.used and not binding.explicit and binding.resource.origin != "$Globals"
    ]
    if not implicit:
        return
    (first, registers), *others = implicit
    more = f", and neither have {len(others)} more" if others else ""
    yield Violation(
        f"`{first.name}` has no register{more}: the compiler places it at {registers}",
        first.resource.span,
        related=tuple(Related(f"`{b.name}` is placed at {taken}", b.resource.span) for b, taken in others),
        certainty="likely",
        symbols=tuple(binding.name for binding, _ in implicit),
    )


RULE = Rule(
    "BL128",
    "implicit-binding",
    "warning",
    "shader",
    "Used resources have no register of their own",
    check,
    enabled=False,
)
