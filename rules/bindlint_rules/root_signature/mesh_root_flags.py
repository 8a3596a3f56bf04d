"""BL215: Flags and visibilities for mesh shaders, which older runtimes do not know."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature, Visibility
from bindlint.model.root_signature_checks import DENY_FLAGS
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import parameter_name, sampler_name

MESH_STAGES: tuple[Visibility, ...] = ("AMPLIFICATION", "MESH")
NEED = "needs a runtime and a device that know mesh shaders"


def check(signature: RootSignature) -> Iterator[Violation]:
    flags = [f"DENY_{stage}_SHADER_ROOT_ACCESS" for stage in MESH_STAGES if signature.flags & DENY_FLAGS[stage]]
    if flags:
        message = f"{' | '.join(flags)} {NEED}, even for pipelines without one"
        yield Violation(message, signature.flags_span, symbols=(signature.name, *flags))
    parts = [(parameter_name(each), each.visibility, each.span) for each in signature.parameters]
    parts += [(sampler_name(each), each.visibility, each.span) for each in signature.static_samplers]
    for name, visibility, span in parts:
        if visibility in MESH_STAGES:
            message = f"{name} is visible to {visibility}, which {NEED}"
            yield Violation(message, span, symbols=(signature.name, name, visibility))


RULE = Rule(
    "BL215",
    "mesh-root-flags",
    "info",
    "root-signature",
    "Flags and visibilities that need mesh shader support",
    check,
)
