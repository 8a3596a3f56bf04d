"""BL114: Loose constants that are put at the same place of `$Globals`."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.placed_constants import overlaps


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for first, second in overlaps([constant for constant in analysis.placed if not constant.packed]):
        yield Violation(
            f"`{second.name}` at {second.place} overlaps `{first.name}` at {first.place} in `$Globals`: "
            "both read the same bytes",
            second.span,
            related=(Related(f"`{first.name}` is at {first.place}, {first.size} bytes long", first.span),),
            symbols=(first.name, second.name),
        )


RULE = Rule(
    "BL114",
    "constant-offset-overlap",
    "warning",
    "shader",
    "Two constants share bytes of `$Globals`",
    check,
)
