"""BL415: A UAV that shader model 4 does not have."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.shader import STAGES
from bindlint.rule import Rule

from bindlint_rules.targets.shader_model import profile_below


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    profile = profile_below(analysis, (5, 0))
    bound = [b for b in analysis.bindings if b.used and b.resource.cls == "u"]
    if profile is None or not bound:
        return
    if profile.stage != "cs":
        for binding in bound:
            need = f"{profile} has none in {STAGES[profile.stage]} shaders; they need shader model 5.0"
            yield _violation(binding, f"`{binding.name}` is a UAV, but {need}")
        return
    for binding in bound:
        if binding.view == "typed":
            kinds = "RWStructuredBuffer and RWByteAddressBuffer only"
            yield _violation(binding, f"`{binding.name}` is a {binding.resource.type.name}, but {profile} has {kinds}")
    first, *more = bound
    total = sum(binding.resource.count or 1 for binding in bound)
    if total > 1:
        others = tuple(Related(f"`{other.name}` is another", other.resource.span) for other in more)
        yield _violation(first, f"{profile} has one UAV, u0, but the shader uses {total}", others)


def _violation(binding: Binding, message: str, related: tuple[Related, ...] = ()) -> Violation:
    return Violation(
        message,
        binding.resource.span,
        related=related,
        certainty=binding.certainty,
        symbols=(binding.name,),
    )


RULE = Rule(
    "BL415",
    "uav-model",
    "error",
    "shader",
    "A UAV that shader model 4 does not have",
    check,
)
