"""BL302: An array of resources that the root signature covers only in part, or in several pieces."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import Claim, RootSignature
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import Judgement, Verdict, judgements, stage_name, violation

SINGLE = {
    "constants": "root constants",
    "cbv": "a root descriptor",
    "srv": "a root descriptor",
    "uav": "a root descriptor",
    "static-sampler": "a static sampler",
}


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    for judgement in judgements(analysis, signature, Verdict.PARTLY):
        message = f"`{judgement.binding.name}` needs {judgement.registers} in {stage_name(analysis)}; {_why(judgement)}"
        yield violation(analysis, judgement, message, judgement.claims)


def _why(judgement: Judgement) -> str:
    needed, claims = judgement.registers, sorted(judgement.claims, key=lambda claim: claim.registers.lower)
    places = " and ".join(f"{claim.registers} ({claim.place})" for claim in claims[:3])
    if _missing_from(needed.lower, claims) > needed.last:
        return f"the root signature has it only in pieces, {places}; an array must lie in one range"
    if len(claims) == 1 and claims[0].kind in SINGLE:
        return f"{places} is {SINGLE[claims[0].kind]}, which holds one register, no array"
    return f"the root signature covers only {places}; all of the array counts, used or not"


def _missing_from(register: int, claims: list[Claim]) -> int:
    """The first register from `register` on that none of the claims, sorted by register, covers."""
    for claim in claims:
        if claim.registers.lower > register:
            break
        register = max(register, claim.registers.last + 1)
    return register


RULE = Rule(
    "BL302",
    "partly-bound-array",
    "error",
    "shader-signature",
    "An array that the root signature does not cover in one range",
    check,
)
