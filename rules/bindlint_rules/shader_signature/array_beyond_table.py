"""BL312: An unbounded array whose descriptor range ends."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import Verdict, judgements, violation


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    for judgement in judgements(analysis, signature, Verdict.COVERED):
        (claim,), registers = judgement.claims, judgement.registers
        if registers.upper is None and claim.registers.upper is not None:
            last = claim.registers.upper - registers.lower
            message = (
                f"`{judgement.binding.name}` is an unbounded array, but its range {claim.registers} ({claim.place}) "
                f"ends; indices above {last} are undefined"
            )
            yield violation(analysis, judgement, message, judgement.claims)


RULE = Rule(
    "BL312",
    "array-beyond-table",
    "info",
    "shader-signature",
    "An unbounded array on a descriptor range that ends",
    check,
)
