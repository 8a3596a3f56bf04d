"""BL524: One static sampler that local root signatures define differently."""

from __future__ import annotations

from collections.abc import Iterable

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.pipelines.state_objects import unlike_samplers


def check(analysis: ShaderAnalysis) -> Iterable[Violation]:
    return unlike_samplers(each for each in analysis.signatures if each.origin == "local-subobject")


RULE = Rule(
    "BL524",
    "local-sampler-state",
    "error",
    "shader",
    "A static sampler that several local root signatures define differently",
    check,
)
