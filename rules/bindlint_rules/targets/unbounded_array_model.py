"""BL412: An unbounded array of resources in a shader model that has none."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.targets.shader_model import profile_below


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    profile = profile_below(analysis, (5, 1))
    for resource in analysis.resources if profile is not None else ():
        if resource.count is None:
            yield Violation(
                f"`{resource.name}` is unbounded, but {profile} needs the size of an array; unbounded ones need shader "
                "model 5.1",
                resource.span,
                symbols=(resource.name, str(profile)),
            )


RULE = Rule(
    "BL412",
    "unbounded-array-model",
    "error",
    "shader",
    "An unbounded array of resources below shader model 5.1",
    check,
)
