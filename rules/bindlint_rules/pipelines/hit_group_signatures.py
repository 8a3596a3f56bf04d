"""BL523: Shaders of one hit group with different local root signatures."""

from __future__ import annotations

from collections.abc import Iterable

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import library_exports
from bindlint_rules.pipelines.state_objects import unlike_members


def check(analysis: ShaderAnalysis) -> Iterable[Violation]:
    return unlike_members(library_exports(analysis))


RULE = Rule(
    "BL523",
    "hit-group-signatures",
    "error",
    "shader",
    "Shaders of one hit group have different local root signatures",
    check,
)
