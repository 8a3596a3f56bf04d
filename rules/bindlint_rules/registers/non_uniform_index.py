"""BL132: Subscripts on resources that differ between threads and are not marked so."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for access in analysis.accesses:
        if access.varying:
            yield Violation(
                f"`{access.name}[{access.index}]`: the subscript differs between threads of a wave, and without "
                f"NonUniformResourceIndex the result is undefined; write [NonUniformResourceIndex({access.index})]",
                access.span,
                certainty="likely",
                symbols=(access.name, access.function, access.index),
            )


RULE = Rule(
    "BL132",
    "non-uniform-index",
    "warning",
    "shader",
    "A subscript differs between threads without NonUniformResourceIndex",
    check,
)
