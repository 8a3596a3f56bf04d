"""BL313: Parts of a root signature that the only shader which they can serve does not use."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import STAGE_VISIBILITY, RootSignature, Visibility
from bindlint.model.source import Span
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import parameter_name, sampler_name
from bindlint_rules.shader_signature.coverage import stage_name


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    # A macro's signature is likely to serve other shaders too; in one that is written on a shader the parts for its
    # stage alone are for this shader.
    if signature.origin != "attribute" or signature.span.macro or analysis.status != "ok":
        return
    if analysis.stage == "cs":
        own: tuple[Visibility, ...] = ("ALL",)
    elif analysis.stage in STAGE_VISIBILITY:
        own = (STAGE_VISIBILITY[analysis.stage],)
    else:
        return
    used = [binding.registers for binding in analysis.bindings if binding.used and binding.registers]
    for index, is_sampler, name, visibility, span in _parts(signature):
        claims = [c for c in signature.claims if (c.index, c.kind == "static-sampler") == (index, is_sampler)]
        if any(claim.registers.intersects(registers) for claim in claims for registers in used):
            continue
        if visibility in own:
            why = f"serves {stage_name(analysis)} only, which uses nothing of it"
        elif analysis.stage == "cs":
            why = f"is visible to {visibility} only, which a compute shader is not"
        else:
            continue
        yield Violation(f"{name} {why}", span, certainty="likely", symbols=(signature.name, name))


def _parts(signature: RootSignature) -> Iterator[tuple[int, bool, str, Visibility, Span]]:
    for parameter in signature.parameters:
        yield parameter.index, False, parameter_name(parameter), parameter.visibility, parameter.span
    for index, sampler in enumerate(signature.static_samplers):
        yield index, True, sampler_name(sampler), sampler.visibility, sampler.span


RULE = Rule(
    "BL313",
    "idle-root-parameter",
    "info",
    "shader-signature",
    "A part of a shader's own root signature that it does not use",
    check,
)
