"""Which part of a root signature covers each binding of a shader, judged as DXC and D3D12 do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import Enum, auto

import msgspec
from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Related, Severity, Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import STAGE_VISIBILITY, Claim, RootSignature
from bindlint.model.root_signature_checks import DENY_FLAGS
from bindlint.model.shader import STAGES
from bindlint.model.source import NOWHERE

from bindlint_rules.registers.number_lines import Line, line_of, lines, meeting
from bindlint_rules.registers.overlaps import chain_note


class Verdict(Enum):
    """What is wrong with one binding, or COVERED; each verdict is worded by one rule."""

    UNBOUND = auto()
    PARTLY = auto()
    INVISIBLE = auto()
    WRONG_KIND = auto()
    UNBOUNDED_ON_ROOT = auto()
    DENIED = auto()
    COVERED = auto()


class Judgement(msgspec.Struct, frozen=True):
    """One binding held against the signature. `claims` are the parts of the signature that come into it."""

    binding: Binding
    registers: RegisterRange
    verdict: Verdict
    claims: tuple[Claim, ...] = ()


_Lines = dict[tuple[str, int], Line[Claim]]
_last: tuple[ShaderAnalysis, RootSignature, tuple[Judgement, ...]] | None = None


def judgements(analysis: ShaderAnalysis, signature: RootSignature, *verdicts: Verdict) -> list[Judgement]:
    """Every used binding with one of the verdicts. Libraries have no one signature and are not judged.

    The rules of this family ask one after the other about the same shader, so that the last answer is kept.
    """
    global _last
    if _last is None or _last[0] is not analysis or _last[1] is not signature:
        _last = (analysis, signature, tuple(_judge(analysis, signature)))
    return [judgement for judgement in _last[2] if judgement.verdict in verdicts]


def _judge(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Judgement]:
    if analysis.stage not in STAGES or analysis.stage in ("lib", "rootsig"):
        return
    stage = STAGE_VISIBILITY.get(analysis.stage, "ALL")
    # DXC looks at what all stages see first, and takes the lowest range that meets the binding.
    groups: defaultdict[int, list[tuple[RegisterRange, Claim]]] = defaultdict(list)
    for claim in signature.claims:
        rank = 0 if claim.visibility == "ALL" else 1 if claim.visibility == stage else 2
        groups[rank].append((claim.registers, claim))
    shared, own, unseen = (lines(groups[rank], line_of) for rank in range(3))
    denied = bool(signature.flags & DENY_FLAGS.get(stage, 0))
    for binding in analysis.bindings:
        if binding.used and binding.registers is not None:
            verdict, claims = _verdict(binding, binding.registers, (shared, own), unseen)
            if denied and verdict is Verdict.COVERED:
                verdict = Verdict.DENIED
            yield Judgement(binding, binding.registers, verdict, claims)


def verdict_for_all(
    binding: Binding, registers: RegisterRange, claims: Iterable[Claim]
) -> tuple[Verdict, tuple[Claim, ...]]:
    """The verdict for a shader that has no visibility of its own, such as one for ray tracing."""
    seen: defaultdict[bool, list[tuple[RegisterRange, Claim]]] = defaultdict(list)
    for claim in claims:
        seen[claim.visibility == "ALL"].append((claim.registers, claim))
    return _verdict(binding, registers, (lines(seen[True], line_of), {}), lines(seen[False], line_of))


def _verdict(
    binding: Binding, registers: RegisterRange, seen: tuple[_Lines, _Lines], unseen: _Lines
) -> tuple[Verdict, tuple[Claim, ...]]:
    needed = registers
    if registers.upper is None:
        # An unbounded array needs its first register only.
        needed = RegisterRange(registers.cls, registers.space, registers.lower, registers.lower)
    met = tuple(claim for group in seen for claim in meeting(group, needed))
    if not met:
        hidden = tuple(meeting(unseen, needed))
        return (Verdict.INVISIBLE, hidden) if hidden else (Verdict.UNBOUND, ())
    cover = met[0]
    if not cover.registers.contains(needed):
        return Verdict.PARTLY, met
    if cover.kind in ("srv", "uav") and binding.view in ("typed", "structured+counter"):
        return Verdict.WRONG_KIND, (cover,)
    if cover.kind != "table" and registers.upper is None:
        return Verdict.UNBOUNDED_ON_ROOT, (cover,)
    return Verdict.COVERED, (cover,)


def used_lines(analysis: ShaderAnalysis) -> dict[tuple[str, int], Line[Binding]]:
    """The used bindings on their number lines, with all that they may take."""
    return lines(((b.reach, b) for b in analysis.bindings if b.used and b.reach is not None), line_of)


def stage_name(analysis: ShaderAnalysis) -> str:
    return f"the {STAGES[analysis.stage]} shader"


def whole_signature(signature: RootSignature) -> Related:
    """Where the signature stands, for what it lacks."""
    return Related("the root signature", signature.span)


def root_flags(signature: RootSignature) -> Related:
    """Where the flags of the signature stand, or would have to."""
    if signature.flags_span is NOWHERE:
        return whole_signature(signature)
    return Related("the root flags", signature.flags_span)


def violation(
    analysis: ShaderAnalysis,
    judgement: Judgement,
    message: str,
    claims: Iterable[Claim] = (),
    severity: Severity | None = None,
    notes: Iterable[Related] = (),
) -> Violation:
    """A finding at the binding's register clause, or at its name where the compiler chose the register."""
    resource = judgement.binding.resource
    span = resource.clauses[-1].span if judgement.binding.explicit and resource.clauses else resource.span
    places = (Related(f"the root signature has {claim.registers} in {claim.place}", claim.span) for claim in claims)
    return Violation(
        message,
        span,
        related=(*places, *notes, *chain_note(analysis, judgement.binding)),
        certainty=judgement.binding.certainty,
        symbols=(resource.name, str(judgement.registers), analysis.stage),
        severity=severity,
    )
