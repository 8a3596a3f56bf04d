"""The resource binding tier that a root signature needs, and because of what."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bindlint.model.registers import RegisterClass
from bindlint.model.root_signature import STAGE_VISIBILITY, VISIBILITIES, Claim, RootSignature, Visibility
from bindlint.model.root_signature_checks import DENY_FLAGS, HEAP_FLAGS
from bindlint.model.shader import STAGES
from bindlint.targets import TableLimit, tiers

HEAP_INDEXING_TIER = 3
"""From which heaps may be indexed directly (DirectX-Specs d3d/HLSL_SM_6_6_DynamicResources.md)."""

_SHOWN = 3
_STAGES = {visibility: STAGES[stage] for stage, visibility in STAGE_VISIBILITY.items()}


class TableCount(msgspec.Struct, frozen=True):
    """Descriptors of one class in the tables that `seen_by` sees; `descriptors` are those of bounded ranges."""

    what: str
    seen_by: str
    descriptors: int
    unbounded: bool


class TierNeed(msgspec.Struct, frozen=True):
    """The lowest tier that takes the signature, and on it the lowest feature level; None and "" where none does.

    `reasons` are what the next lower tier or feature level does not take, empty where there is none.
    """

    tier: int | None
    feature_level: str
    reasons: tuple[str, ...]
    counts: tuple[TableCount, ...]


class _Counted(msgspec.Struct, frozen=True):
    """The ranges of one class that a stage sees, or all stages together."""

    cls: RegisterClass
    seen_by: str
    claims: tuple[Claim, ...]

    @property
    def total(self) -> int:
        return sum(claim.registers.count or 0 for claim in self.claims)


def tier_need(signature: RootSignature) -> TierNeed:
    """What the signature needs, as far as it could be read.

    Only descriptor tables count, with the visibility of their parameters (the D3D12 Resource Binding specification,
    "Levels of Hardware Support").
    """
    rows = tiers().limits(3, "")
    counted = [each for cls, row in rows.items() for each in _counts(signature, cls, row)]
    counts = tuple(
        TableCount(rows[each.cls].what, each.seen_by, each.total, any(map(_unbounded, each.claims))) for each in counted
    )
    against: tuple[str, ...] = ()
    for tier, level in _hardware():
        objections = tuple(_objections(signature, counted, tier, level))
        if not objections:
            return TierNeed(tier, level, against, counts)
        against = objections
    return TierNeed(None, "", against, counts)


def _hardware() -> Iterator[tuple[int, str]]:
    """Each tier with each feature level that it comes with, from low to high."""
    known = tiers()
    names = [level.name for level in known.feature_level]
    for tier in known.tier:
        for level in known.feature_level[names.index(tier.feature_level) :]:
            if level.tier <= tier.number:
                yield tier.number, level.name


def _counts(signature: RootSignature, cls: RegisterClass, row: TableLimit) -> Iterator[_Counted]:
    claims = [claim for claim in signature.claims if claim.kind == "table" and claim.registers.cls == cls]
    if not claims:
        return
    if row.per == "signature":
        yield _Counted(cls, "all stages together", tuple(claims))
        return
    shared = _seen(claims, "ALL")
    if shared:
        yield _Counted(cls, "every stage", shared)
    for visibility in VISIBILITIES[1:]:
        own = _seen(claims, visibility)
        if own:
            yield _Counted(cls, f"the {_STAGES[visibility]} shader", (*shared, *own))


def _seen(claims: list[Claim], visibility: Visibility) -> tuple[Claim, ...]:
    return tuple(claim for claim in claims if claim.visibility == visibility)


def _unbounded(claim: Claim) -> bool:
    return claim.registers.upper is None


def _objections(signature: RootSignature, counted: list[_Counted], tier: int, level: str) -> Iterator[str]:
    """What hardware of the tier and feature level does not take."""
    limits = tiers().limits(tier, level)
    denied = any(signature.flags & bit for bit in DENY_FLAGS.values())
    for cls, row in limits.items():
        own = [each for each in counted if each.cls == cls]
        endless = dict.fromkeys(claim for each in own for claim in each.claims if _unbounded(claim))
        if endless and tier < row.unbounded:
            yield f"{_places(list(endless))}: unbounded {row.what} need tier {row.unbounded}"
        most = row.tiers[tier - 1]
        on = f" on feature level {row.feature_level}" if row.feature_level else ""
        over = [each for each in own if most and each.total > most]
        # Where every stage is over the limit already, no single one is named.
        for each in over[:1] if over and over[0] is own[0] and over[0].seen_by == "every stage" else over:
            also = "; stages with a DENY flag are counted too" if denied and row.per == "stage" else ""
            yield f"{each.total} {row.what} in tables for {each.seen_by}, tier {tier}{on} allows {most}{also}"
    if tier < HEAP_INDEXING_TIER:
        for name, bit in HEAP_FLAGS.values():
            if signature.flags & bit:
                yield f"{name} needs tier {HEAP_INDEXING_TIER}"


def _places(claims: list[Claim]) -> str:
    """`t8-unbounded (parameter 4, range 0), t0-unbounded, space1 (parameter 5, range 0)`."""
    more = f" and {len(claims) - _SHOWN} more" if len(claims) > _SHOWN else ""
    return ", ".join(f"{claim.registers} ({claim.place})" for claim in claims[:_SHOWN]) + more
