"""The resource binding tier that a root signature needs, and because of what."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bindlint.model.registers import RegisterClass
from bindlint.model.root_signature import Claim, RootSignature
from bindlint.model.root_signature_checks import DENY_FLAGS, HEAP_FLAGS
from bindlint.targets import TableLimit, tiers
from bindlint.tiers.counting import HEAP_INDEXING_TIER, Count, allowed, counts_of, over, table_claims
from bindlint.tiers.need import Reason, TableCount, TierNeed, lowest
from bindlint.words import listed

_Counted = list[tuple[RegisterClass, Count]]
INSTEAD: dict[RegisterClass, str] = {
    "b": "root CBVs or root constants",
    "t": "root SRVs where they are raw or structured buffers",
    "u": "root UAVs where they are raw or structured buffers without a counter",
    "s": "static samplers",
}
"""What serves a resource of a class and does not count, since it stands in no table."""


def tier_need(signature: RootSignature) -> TierNeed:
    """What the signature needs, as far as it could be read.

    Only descriptor tables count, with the visibility of their parameters (the D3D12 Resource Binding specification,
    "Levels of Hardware Support").
    """
    objections = partial(signature_objections, signature, _counted(signature))
    return lowest(objections, table_counts(signature), bool(signature.faults))


def table_counts(signature: RootSignature) -> tuple[TableCount, ...]:
    """The descriptors in tables, of each class that has any."""
    rows = tiers().limits(3, "")
    return tuple(
        TableCount(rows[cls].what, count.seen_by, count.total, count.is_unbounded) for cls, count in _counted(signature)
    )


def signature_objections(signature: RootSignature, counted: _Counted | None, tier: int, level: str) -> Iterator[Reason]:
    """What hardware of the tier and feature level does not take."""
    counted = _counted(signature) if counted is None else counted
    denied = any(signature.flags & bit for bit in DENY_FLAGS.values())
    for cls, row in tiers().limits(tier, level).items():
        own = [count for each, count in counted if each == cls]
        yield from _unbounded(own, row, tier)
        most = row.tiers[tier - 1]
        for count in over(own, most):
            also = "; stages with a DENY flag are counted too" if denied and row.per == "stage" else ""
            yield Reason(
                f"{count.total} {row.what} in tables for {count.seen_by}, {allowed(row, tier)}{also}",
                _fewer(count, row, most),
                count.crossing(most).span,
            )
    if tier < HEAP_INDEXING_TIER:
        for name, bit in HEAP_FLAGS.values():
            if signature.flags & bit:
                remedy = "bind through descriptor tables what is taken out of the heap"
                yield Reason(f"{name} needs tier {HEAP_INDEXING_TIER}", remedy, signature.flags_span)


def _counted(signature: RootSignature) -> _Counted:
    rows = tiers().limits(3, "")
    return [(cls, count) for cls, row in rows.items() for count in counts_of(table_claims(signature, cls), row)]


def _unbounded(counts: list[Count], row: TableLimit, tier: int) -> Iterator[Reason]:
    endless: dict[Claim, None] = dict.fromkeys(c for each in counts for c in each.claims if c.registers.upper is None)
    if endless and tier < row.unbounded:
        places = listed([f"{claim.registers} ({claim.place})" for claim in endless])
        all_of = "all stages together" if row.per == "signature" else "each stage"
        yield Reason(
            f"{places}: unbounded {row.what} need tier {row.unbounded}",
            f"give {'it' if len(endless) == 1 else 'them'} an end: {row.tiers[tier - 1]} {row.what} for {all_of}",
            next(iter(endless)).span,
        )


def _fewer(count: Count, row: TableLimit, most: int) -> str:
    apart = row.per == "stage" and any(claim.visibility == "ALL" for claim in count.claims)
    narrow = ", or show them to the stages that use them only" if apart else ""
    return f"take {count.total - most} out of tables ({INSTEAD[row.cls]}){narrow}"
