"""BL405: A UAV outside pixel and compute shaders, below feature level 11.1."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.shader import STAGES, Target
from bindlint.rule import Rule
from bindlint.targets import capabilities
from bindlint.tiers.counting import LEGACY_STAGES_WITHOUT_UAVS, used


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able = capabilities(target)
    # A tier above 1 alone says nothing of the feature level.
    if (
        analysis.stage not in LEGACY_STAGES_WITHOUT_UAVS
        or not able.below("11_1")
        or (able.tier > 1 and not target.feature_level)
    ):
        return
    for binding in used(analysis, "u"):
        yield Violation(
            f"`{binding.name}` is a UAV in a {STAGES[analysis.stage]} shader; feature level {able.feature_level} has "
            f"UAVs in pixel and compute shaders only, in all stages from 11_1 on",
            binding.resource.span,
            certainty=binding.certainty,
            symbols=(binding.name, analysis.stage),
        )


RULE = Rule(
    "BL405",
    "uav-stage",
    "error",
    "target",
    "A UAV outside pixel and compute shaders below feature level 11.1",
    check,
)
