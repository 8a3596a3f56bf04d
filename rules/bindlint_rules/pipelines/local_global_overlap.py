"""BL521: Registers that both root signatures of a ray-tracing shader bind."""

from __future__ import annotations

from collections.abc import Iterable

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import library_exports
from bindlint_rules.pipelines.state_objects import overlaps


def check(analysis: ShaderAnalysis) -> Iterable[Violation]:
    return overlaps(library_exports(analysis))


RULE = Rule(
    "BL521",
    "local-global-overlap",
    "error",
    "shader",
    "A register in both the local and the global root signature of a shader",
    check,
)
