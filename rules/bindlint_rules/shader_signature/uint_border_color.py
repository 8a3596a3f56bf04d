"""BL314: An integer border color for a shader model that does not know it."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import has_integer_border
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import sampler_name

FIRST_MODEL = (6, 7)


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    profile = analysis.shader.profile
    if profile is None or profile.shader_model >= FIRST_MODEL:
        return
    for sampler in signature.static_samplers:
        if has_integer_border(sampler):
            yield Violation(
                f"{sampler_name(sampler)} has an integer border color, which needs shader model 6.7 "
                f"(advanced texture operations); the shader is compiled for {profile}",
                sampler.span,
                tuple(
                    Related(f"`{entry.name}` is compiled for {profile}", entry.span) for entry in analysis.entries[:1]
                ),
                symbols=(signature.name, sampler_name(sampler)),
            )


RULE = Rule(
    "BL314",
    "uint-border-color",
    "warning",
    "shader-signature",
    "An integer border color below shader model 6.7",
    check,
)
