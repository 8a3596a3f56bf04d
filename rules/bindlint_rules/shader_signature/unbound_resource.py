"""BL301: A used resource that the root signature does not bind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from operator import itemgetter

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import STAGE_VISIBILITY, Claim, RootSignature
from bindlint.rule import Rule

from bindlint_rules.registers.number_lines import line_of, lines, meeting
from bindlint_rules.shader_signature.coverage import (
    Judgement,
    Verdict,
    judgements,
    stage_name,
    used_lines,
    violation,
    whole_signature,
)

KINDS: dict[RegisterClass, str] = {"b": "a constant buffer", "t": "an SRV", "u": "a UAV", "s": "a sampler"}
MAX_OTHERS = 2
"""Parts that are named where none is near."""

MISTAKEN_CLASSES: dict[RegisterClass, str] = {"b": "", "t": "u", "u": "t", "s": ""}
MISTAKEN = {"tbuffer": "bu", "TextureBuffer": "bu"}
"""Which classes a resource may have been taken for where the signature was written."""


class _Claims:
    """Parts of a signature in its order, for questions about what is near a register."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        placed = [(claim.registers, (order, claim)) for order, claim in enumerate(claims)]
        self.by_class = lines(placed, lambda registers: registers.cls)
        self.by_line = lines(placed, line_of)
        self.first: defaultdict[RegisterClass, list[Claim]] = defaultdict(list)
        for registers, (_, claim) in placed:
            if len(self.first[registers.cls]) < MAX_OTHERS:
                self.first[registers.cls].append(claim)


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    unbound = judgements(analysis, signature, Verdict.UNBOUND)
    if unbound:
        stage = STAGE_VISIBILITY.get(analysis.stage, "ALL")
        visible = [claim for claim in signature.claims if claim.visibility in ("ALL", stage)]
        taken = used_lines(analysis)
        seen = _Claims(visible)
        idle = _Claims(claim for claim in visible if not meeting(taken, claim.registers))
        for judgement in unbound:
            yield _violation(analysis, signature, judgement, seen, idle)


def _violation(
    analysis: ShaderAnalysis, signature: RootSignature, judgement: Judgement, seen: _Claims, idle: _Claims
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


def _nearest_miss(judgement: Judgement, seen: _Claims, idle: _Claims) -> tuple[Claim | None, str]:
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
    same_class = seen.first[needed.cls]
    others = " and ".join(f"{claim.registers} ({claim.place})" for claim in same_class)
    elsewhere = f", but has {others}" if others else ""
    message = f"the root signature shows it no `{needed.cls}` register in space{needed.space}{elsewhere}"
    return next(iter(same_class), None), message


def _in_other_space(needed: RegisterRange, claims: _Claims) -> tuple[Claim, str] | None:
    line = claims.by_class.get(needed.cls)
    found = line.at(needed.lower) if line is not None else None
    if found is None:
        return None
    claim = found[1]
    spelt = f"{needed.cls}{needed.lower}"
    return claim, f"the root signature has {spelt} only in space{claim.registers.space} ({claim.place})"


def _in_other_class(judgement: Judgement, idle: _Claims, classes: str) -> tuple[Claim, str] | None:
    needed = judgement.registers
    own = (idle.by_line.get((cls, needed.space)) for cls in classes)
    found = [first for line in own if line is not None and (first := line.at(needed.lower)) is not None]
    if not found:
        return None
    claim = min(found, key=itemgetter(0))[1]
    other = claim.registers
    return claim, (
        f"the root signature has {other} ({claim.place}), {KINDS[other.cls]} that the shader does not use, "
        f"but `{judgement.binding.name}` is {KINDS[needed.cls]}"
    )


def _neighbour(needed: RegisterRange, claims: _Claims) -> tuple[Claim, str] | None:
    line = claims.by_line.get(line_of(needed))
    found = line.nearest(needed.lower) if line is not None else None
    if found is None:
        return None
    nearest = found[1]
    place = f"{nearest.registers} ({nearest.place})"
    if nearest.registers.last < needed.lower and nearest.registers.count != 1:
        return nearest, f"the root signature's range {place} ends before it"
    return nearest, f"the nearest that the root signature has is {place}"


RULE = Rule(
    "BL301",
    "unbound-resource",
    "error",
    "shader-signature",
    "A used resource that the root signature does not bind",
    check,
)
