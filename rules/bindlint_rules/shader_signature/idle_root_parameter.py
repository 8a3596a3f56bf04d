"""BL313: Parts of a root signature that the only shader which they can serve does not use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import msgspec
from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import STAGE_VISIBILITY, Claim, RootSignature, Visibility
from bindlint.model.source import Span
from bindlint.rule import Rule

from bindlint_rules.registers.number_lines import Line, meeting
from bindlint_rules.root_signature.words import parameter_name, sampler_name
from bindlint_rules.shader_signature.coverage import stage_name, used_lines


class Part(msgspec.Struct, frozen=True):
    """A root parameter or static sampler with all that it binds."""

    name: str
    visibility: Visibility
    span: Span
    claims: tuple[Claim, ...]

    def serves(self, used: Mapping[tuple[str, int], Line[Binding]]) -> bool:
        """Whether one of the used bindings has a register of the part; it counts, too, if the stage does not see it."""
        return any(meeting(used, claim.registers) for claim in self.claims)


def parts(signature: RootSignature) -> Iterator[Part]:
    claims: defaultdict[tuple[bool, int], list[Claim]] = defaultdict(list)
    for claim in signature.claims:
        claims[claim.kind == "static-sampler", claim.index].append(claim)
    for parameter in signature.parameters:
        own = tuple(claims[False, parameter.index])
        yield Part(parameter_name(parameter), parameter.visibility, parameter.span, own)
    for index, sampler in enumerate(signature.static_samplers):
        yield Part(sampler_name(sampler), sampler.visibility, sampler.span, tuple(claims[True, index]))


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    # A macro's signature is likely to serve other shaders too; in one that is written on a shader the parts for its
    # stage alone are for this shader.
    if signature.origin != "attribute" or signature.span.macro or analysis.status != "ok":
        return
    own = "ALL" if analysis.stage == "cs" else STAGE_VISIBILITY.get(analysis.stage)
    used = used_lines(analysis)
    for part in parts(signature):
        if part.visibility == own:
            why = f"serves {stage_name(analysis)} only, which uses nothing of it"
        elif analysis.stage == "cs":
            why = f"is visible to {part.visibility} only, which a compute shader is not"
        else:
            continue
        if not part.serves(used):
            yield Violation(f"{part.name} {why}", part.span, certainty="likely", symbols=(signature.name, part.name))


RULE = Rule(
    "BL313",
    "idle-root-parameter",
    "info",
    "shader-signature",
    "A part of a shader's own root signature that it does not use",
    check,
)
