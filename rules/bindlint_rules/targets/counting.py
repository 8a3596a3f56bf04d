"""Descriptors counted as the hardware tiers count them: in descriptor tables, for each stage or for all together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Related
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import STAGE_VISIBILITY, VISIBILITIES, Claim, RootSignature, Visibility
from bindlint.model.shader import STAGES
from bindlint.targets import Capabilities

_SHOWN = 4

STAGE_NAMES = {visibility: STAGES[stage] for stage, visibility in STAGE_VISIBILITY.items()}
"""A visibility -> the stage that it stands for."""


class Count(msgspec.Struct, frozen=True):
    """Bounded ranges of one class, and how many descriptors they are; `who` begins a message ("every stage sees")."""

    who: str
    claims: tuple[Claim, ...]

    @property
    def total(self) -> int:
        return sum(claim.registers.count or 0 for claim in self.claims)

    @property
    def largest(self) -> list[Claim]:
        """The ranges with the most descriptors, as many as a message shows."""
        return sorted(self.claims, key=lambda claim: -(claim.registers.count or 0))[:_SHOWN]

    @property
    def parts(self) -> str:
        """`8 in parameter 0, range 0; 9 in parameter 1, range 2`."""
        more = "; ..." if len(self.claims) > _SHOWN else ""
        return "; ".join(f"{claim.registers.count} in {claim.place}" for claim in self.largest) + more

    @property
    def related(self) -> tuple[Related, ...]:
        return tuple(Related(f"{claim.registers} in {claim.place}", claim.span) for claim in self.largest)


def table_claims(signature: RootSignature, cls: RegisterClass) -> list[Claim]:
    """The ranges of one class in descriptor tables."""
    return [claim for claim in signature.claims if claim.kind == "table" and claim.registers.cls == cls]


def stage_counts(claims: Iterable[Claim]) -> Iterator[Count]:
    """What all stages see, then what each stage sees that has ranges of its own: visibility counts on low tiers."""
    bounded = [claim for claim in claims if claim.registers.count is not None]
    shared = [claim for claim in bounded if claim.visibility == "ALL"]
    yield Count("every stage sees", tuple(shared))
    for visibility in VISIBILITIES[1:]:
        own = [claim for claim in bounded if claim.visibility == visibility]
        if own:
            yield Count(f"the {STAGE_NAMES[visibility]} shader sees", (*shared, *own))


def signature_count(claims: Iterable[Claim]) -> Count:
    """What all stages see together."""
    return Count("all stages together see", tuple(claim for claim in claims if claim.registers.count is not None))


def visible_to(analysis: ShaderAnalysis) -> tuple[Visibility, ...]:
    """The visibilities that the shader's stage sees; none for what is no shader of one stage."""
    if analysis.stage not in STAGES or analysis.stage in ("lib", "rootsig"):
        return ()
    own = STAGE_VISIBILITY.get(analysis.stage)
    return ("ALL",) if own is None else ("ALL", own)


def used(analysis: ShaderAnalysis, cls: RegisterClass) -> list[Binding]:
    """The used bindings of one class."""
    return [binding for binding in analysis.bindings if binding.used and binding.resource.cls == cls]


def needs_table(binding: Binding) -> bool:
    """Whether no root descriptor, root constants or static sampler can serve the binding."""
    return binding.resource.count != 1 or binding.view in ("typed", "structured+counter")


def limit_words(able: Capabilities, cls: RegisterClass) -> str:
    """`tier 1 allows 14`, with the feature level where it makes the difference."""
    level = able.limits[cls].feature_level
    return f"tier {able.tier}{f' on feature level {level}' if level else ''} allows {able.limit(cls)}"


def remainder(whole: RegisterRange, taken: Iterable[RegisterRange]) -> list[RegisterRange]:
    """The registers of a bounded range that are in none of the others."""
    free = []
    lower = whole.lower
    for other in sorted((r for r in taken if r.intersects(whole)), key=lambda r: r.lower):
        if other.lower > lower:
            free.append(RegisterRange(whole.cls, whole.space, lower, other.lower - 1))
        lower = max(lower, other.last + 1)
    if lower <= whole.last:
        free.append(RegisterRange(whole.cls, whole.space, lower, whole.last))
    return free
