"""BL310: A comparison sampler on a static sampler without comparison, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import is_comparison
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import Verdict, judgements, violation


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    for judgement in judgements(analysis, signature, Verdict.COVERED):
        (claim,), resource = judgement.claims, judgement.binding.resource
        if claim.kind != "static-sampler" or "filter" in signature.static_samplers[claim.index].unknown:
            continue
        compares = is_comparison(signature.static_samplers[claim.index])
        if compares != (resource.type.name == "SamplerComparisonState"):
            has, wants = ("a", "no") if compares else ("no", "a")
            message = (
                f"`{resource.name}` is a {resource.type.name}, but {claim.registers} ({claim.place}) has {has} "
                f"comparison filter; it needs {wants} FILTER_COMPARISON_ one"
            )
            yield violation(analysis, judgement, message, judgement.claims)


RULE = Rule(
    "BL310",
    "sampler-mode",
    "warning",
    "shader-signature",
    "A sampler and its static sampler disagree about comparison",
    check,
)
