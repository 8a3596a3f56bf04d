"""BL122: Arrays without a size inside structs."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for field in analysis.fields:
        if field.unbounded:
            yield Violation(
                f"`{field.owner}.{field.name}` has no size, and an array in a struct must have one; "
                "only arrays of resources at global scope may be unbounded",
                field.span,
                symbols=(field.owner, field.name),
            )


RULE = Rule(
    "BL122",
    "unbounded-field",
    "error",
    "shader",
    "An array inside a struct has no size",
    check,
)
