"""Descriptors counted as the hardware tiers count them: in descriptor tables, for each stage or for all together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Related
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import STAGE_VISIBILITY, VISIBILITIES, Claim, RootSignature, Visibility
from bindlint.model.shader import STAGES
from bindlint.targets import Capabilities, TableLimit

LEGACY_UAV_COUNT = 8
"""D3D12_PS_CS_UAV_REGISTER_COUNT: with more, a shader asks for the feature "64 UAV slots" of feature level 11.1."""

LEGACY_STAGES_WITHOUT_UAVS = ("vs", "hs", "ds", "gs")
"""Before feature level 11.1 there are UAVs in pixel and compute shaders only."""

HEAP_INDEXING_TIER = 3
"""From which heaps may be indexed directly (DirectX-Specs d3d/HLSL_SM_6_6_DynamicResources.md)."""

MAX_VIEWS = 1_000_000
"""D3D12_MAX_SHADER_VISIBLE_DESCRIPTOR_HEAP_SIZE_TIER_1 and _TIER_2 (d3d12.h); tier 3 has as many or more."""

MAX_SAMPLERS = 2048
"""D3D12_MAX_SHADER_VISIBLE_SAMPLER_HEAP_SIZE (d3d12.h), on all tiers."""

EVERY_STAGE, ALL_STAGES = "every stage", "all stages together"
_SHOWN = 4
_STAGE_NAMES = {visibility: STAGES[stage] for stage, visibility in STAGE_VISIBILITY.items()}


class Count(msgspec.Struct, frozen=True):
    """Ranges of one class in tables, and how many descriptors the bounded ones are; `seen_by` says by whom."""

    seen_by: str
    claims: tuple[Claim, ...]

    @property
    def sees(self) -> str:
        """The beginning of a message: `every stage sees`."""
        return f"{self.seen_by} {'see' if self.seen_by == ALL_STAGES else 'sees'}"

    @property
    def total(self) -> int:
        return sum(claim.registers.count or 0 for claim in self.claims)

    @property
    def is_unbounded(self) -> bool:
        return any(claim.registers.upper is None for claim in self.claims)

    @property
    def largest(self) -> list[Claim]:
        """The ranges with the most descriptors, as many as a message shows."""
        return sorted(self._bounded, key=lambda claim: -(claim.registers.count or 0))[:_SHOWN]

    @property
    def parts(self) -> str:
        """`8 in parameter 0, range 0; 9 in parameter 1, range 2`."""
        more = "; ..." if len(self._bounded) > _SHOWN else ""
        return "; ".join(f"{claim.registers.count} in {claim.place}" for claim in self.largest) + more

    @property
    def related(self) -> tuple[Related, ...]:
        return tuple(Related(f"{claim.registers} in {claim.place}", claim.span) for claim in self.largest)

    @property
    def _bounded(self) -> list[Claim]:
        return [claim for claim in self.claims if claim.registers.upper is not None]

    def crossing(self, most: int) -> Claim:
        """The range with which there are more descriptors than `most`."""
        total = 0
        for claim in self.claims:
            total += claim.registers.count or 0
            if total > most:
                break
        return claim


def table_claims(signature: RootSignature, cls: RegisterClass) -> list[Claim]:
    """The ranges of one class in descriptor tables."""
    return [claim for claim in signature.claims if claim.kind == "table" and claim.registers.cls == cls]


def counts_of(claims: Sequence[Claim], row: TableLimit) -> Iterator[Count]:
    """The ranges by who sees them: all stages together, or every stage and then each stage that has some of its own.

    Visibility counts on low tiers (the D3D12 Resource Binding specification, "Levels of Hardware Support").
    """
    shared = tuple(claim for claim in claims if claim.visibility == "ALL")
    if row.per == "signature":
        shared = tuple(claims)
    if shared:
        yield Count(ALL_STAGES if row.per == "signature" else EVERY_STAGE, shared)
    for visibility in VISIBILITIES[1:] if row.per == "stage" else ():
        own = [claim for claim in claims if claim.visibility == visibility]
        if own:
            yield Count(f"the {_STAGE_NAMES[visibility]} shader", (*shared, *own))


def over(counts: Iterable[Count], most: int) -> list[Count]:
    """The counts above the limit (0: there is none); where every stage is over it already, no single stage is named."""
    found = [count for count in counts if most and count.total > most]
    return found[:1] if found and found[0].seen_by == EVERY_STAGE else found


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
    return allowed(able.limits[cls], able.tier)


def allowed(row: TableLimit, tier: int) -> str:
    """`tier 1 allows 14`, with the feature level where the row is for one."""
    level = f" on feature level {row.feature_level}" if row.feature_level else ""
    return f"tier {tier}{level} allows {row.tiers[tier - 1]}"


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
