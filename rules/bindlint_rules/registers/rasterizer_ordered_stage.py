"""BL126: Rasterizer-ordered views where nothing is rasterized."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.shader import STAGES
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    profile = analysis.shader.profile
    if profile is None or profile.stage == "ps" or profile.is_library:
        return
    for binding in analysis.bindings:
        name = binding.resource.type.name
        if binding.used and name.startswith("RasterizerOrdered"):
            yield Violation(
                f"`{binding.name}`: a {name} orders the pixels of a pixel shader and cannot be used in a "
                f"{STAGES[profile.stage]} shader; use {name.replace('RasterizerOrdered', 'RW')}",
                binding.resource.span,
                certainty="likely",
                symbols=(binding.name,),
            )


RULE = Rule(
    "BL126",
    "rasterizer-ordered-stage",
    "error",
    "shader",
    "A rasterizer-ordered view outside a pixel shader",
    check,
)
