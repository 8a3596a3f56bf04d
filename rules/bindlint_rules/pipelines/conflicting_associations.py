"""BL526: A shader that is associated with two root signatures of the same kind."""

from __future__ import annotations

from collections.abc import Iterable

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import library_exports
from bindlint_rules.pipelines.state_objects import conflicts


def check(analysis: ShaderAnalysis) -> Iterable[Violation]:
    return conflicts(library_exports(analysis))


RULE = Rule(
    "BL526",
    "conflicting-associations",
    "error",
    "shader",
    "A shader that is associated with two root signatures of the same kind",
    check,
)
