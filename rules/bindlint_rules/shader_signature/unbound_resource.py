"""BL301: A used resource that the root signature does not bind."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import STAGE_VISIBILITY, Claim, RootSignature
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import (
    Judgement,
    Verdict,
    judgements,
    stage_name,
    violation,
    whole_signature,
)

KINDS: dict[RegisterClass, str] = {"b": "a constant buffer", "t": "an SRV", "u": "a UAV", "s": "a sampler"}

MISTAKEN_CLASSES: dict[RegisterClass, str] = {"b": "", "t": "u", "u": "t", "s": ""}
MISTAKEN = {"tbuffer": "bu", "TextureBuffer": "bu"}
"""Which classes a resource may have been taken for where the signature was written."""


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    unbound = judgements(analysis, signature, Verdict.UNBOUND)
    if unbound:
        stage = STAGE_VISIBILITY.get(analysis.stage, "ALL")
        seen = [claim for claim in signature.claims if claim.visibility in ("ALL", stage)]
        taken = [binding.registers for binding in analysis.bindings if binding.used and binding.registers]
        idle = [claim for claim in seen if not any(claim.registers.intersects(registers) for registers in taken)]
        for judgement in unbound:
            yield _violation(analysis, signature, judgement, seen, idle)


def _violation(
    analysis: ShaderAnalysis, signature: RootSignature, judgement: Judgement, seen: list[Claim], idle: list[Claim]
) -> Violation:
    binding, registers = judgement.binding, judgement.registers
    subject, way_out = f"`{binding.name}`", ""
    if binding.resource.origin == "$Globals":
        subject = "`$Globals`, the constant buffer of the loose constants,"
        way_out = "; declare them in a cbuffer, or static where they never change"
    chosen = "" if binding.explicit else " (chosen by the compiler)"
    near, miss = _nearest_miss(judgement, seen, idle)
    return violation(
        analysis,
        judgement,
        f"{subject} needs {registers}{chosen} in {stage_name(analysis)}; {miss}{way_out}",
        [near] if near else (),
        notes=() if near else (whole_signature(signature),),
    )


def _nearest_miss(judgement: Judgement, seen: list[Claim], idle: list[Claim]) -> tuple[Claim | None, str]:
    """What of the signature comes closest to the binding, and how to say it.

    What no other resource uses comes first: the same register in another space, in the class that the resource may be
    taken for, a neighbour, in any class; then the same with what is in use.
    """
    needed, name = judgement.registers, judgement.binding.resource.type.name
    mistaken = MISTAKEN.get(name, MISTAKEN_CLASSES[needed.cls])
    found = (
        _in_other_space(needed, idle)
        or _in_other_class(judgement, idle, mistaken)
        or _neighbour(needed, idle)
        or _in_other_class(judgement, idle, "btus")
        or _in_other_space(needed, seen)
        or _neighbour(needed, seen)
    )
    if found:
        return found
    same_class = [claim for claim in seen if claim.registers.cls == needed.cls]
    others = " and ".join(f"{claim.registers} ({claim.place})" for claim in same_class[:2])
    elsewhere = f", but has {others}" if others else ""
    message = f"the root signature shows it no `{needed.cls}` register in space{needed.space}{elsewhere}"
    return next(iter(same_class), None), message


def _in_other_space(needed: RegisterRange, claims: list[Claim]) -> tuple[Claim, str] | None:
    for claim in claims:
        other = claim.registers
        if other.cls == needed.cls and other.lower <= needed.lower <= other.last:
            spelt = f"{needed.cls}{needed.lower}"
            return claim, f"the root signature has {spelt} only in space{other.space} ({claim.place})"
    return None


def _in_other_class(judgement: Judgement, idle: list[Claim], classes: str) -> tuple[Claim, str] | None:
    needed = judgement.registers
    for claim in idle:
        other = claim.registers
        if other.cls in classes and other.space == needed.space and other.lower <= needed.lower <= other.last:
            return claim, (
                f"the root signature has {other} ({claim.place}), {KINDS[other.cls]} that the shader does not use, "
                f"but `{judgement.binding.name}` is {KINDS[needed.cls]}"
            )
    return None


def _neighbour(needed: RegisterRange, claims: list[Claim]) -> tuple[Claim, str] | None:
    same_line = [c for c in claims if (c.registers.cls, c.registers.space) == (needed.cls, needed.space)]
    if not same_line:
        return None
    nearest = min(same_line, key=lambda claim: _distance(claim, needed.lower))
    place = f"{nearest.registers} ({nearest.place})"
    if nearest.registers.last < needed.lower and nearest.registers.count != 1:
        return nearest, f"the root signature's range {place} ends before it"
    return nearest, f"the nearest that the root signature has is {place}"


def _distance(claim: Claim, register: int) -> int:
    return max(claim.registers.lower - register, register - claim.registers.last)


RULE = Rule(
    "BL301",
    "unbound-resource",
    "error",
    "shader-signature",
    "A used resource that the root signature does not bind",
    check,
)
