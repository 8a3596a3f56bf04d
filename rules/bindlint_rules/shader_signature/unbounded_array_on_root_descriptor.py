"""BL306: An unbounded array whose register is a root descriptor, root constants or a static sampler."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import Verdict, judgements, violation
from bindlint_rules.shader_signature.partly_bound_array import SINGLE


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    for judgement in judgements(analysis, signature, Verdict.UNBOUNDED_ON_ROOT):
        (claim,) = judgement.claims
        message = (
            f"`{judgement.binding.name}` is an unbounded array, but {claim.registers} ({claim.place}) "
            f"is {SINGLE[claim.kind]}, which holds one register; arrays need a descriptor table"
        )
        yield violation(analysis, judgement, message, judgement.claims)
    for judgement in judgements(analysis, signature, Verdict.COVERED):
        (claim,) = judgement.claims
        # DXC takes an array of one for no array at all; static samplers it may name by the documentation too.
        if judgement.binding.resource.dimensions and claim.kind in ("constants", "cbv", "srv", "uav"):
            message = (
                f"`{judgement.binding.name}` is an array, if only of one, but {claim.registers} ({claim.place}) is "
                f"{SINGLE[claim.kind]}; arrays, and what is indexed at run time, need a descriptor table"
            )
            yield violation(analysis, judgement, message, judgement.claims, "warning")


RULE = Rule(
    "BL306",
    "unbounded-array-on-root-descriptor",
    "error",
    "shader-signature",
    "An unbounded array on a root descriptor",
    check,
)
