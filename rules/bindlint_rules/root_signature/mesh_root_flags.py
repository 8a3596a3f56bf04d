"""BL215: Flags and visibilities for mesh shaders, which older runtimes do not know."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import STAGE_VISIBILITY, RootSignature, Visibility
from bindlint.model.root_signature_checks import DENY_FLAGS
from bindlint.model.shader import STAGES
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import parameter_name, sampler_name

MESH_STAGES: tuple[Visibility, ...] = ("AMPLIFICATION", "MESH")
GIVEN = "cpp"
"""What a pipeline gives to a shader is for others too: `needless-mesh-flags` looks at all of them."""
NEED = "needs a runtime and a device that know mesh shaders"


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    if STAGE_VISIBILITY.get(analysis.stage) in MESH_STAGES or signature.origin == GIVEN:
        return
    stage = "" if analysis.stage == "rootsig" else STAGES.get(analysis.stage, "")
    user = f"; the {stage} shader here is none" if stage else ""
    flags = [f"DENY_{stage}_SHADER_ROOT_ACCESS" for stage in MESH_STAGES if signature.flags & DENY_FLAGS[stage]]
    if flags:
        message = f"{' | '.join(flags)} {NEED}{user}"
        yield Violation(message, signature.flags_span, symbols=(signature.name, *flags))
    parts = [(parameter_name(each), each.visibility, each.span) for each in signature.parameters]
    parts += [(sampler_name(each), each.visibility, each.span) for each in signature.static_samplers]
    for name, visibility, span in parts:
        if visibility in MESH_STAGES:
            message = f"{name} is visible to {visibility}, which {NEED}{user}"
            yield Violation(message, span, symbols=(signature.name, name, visibility))


RULE = Rule(
    "BL215",
    "mesh-root-flags",
    "info",
    "shader-signature",
    "Flags and visibilities that need mesh shader support",
    check,
)
