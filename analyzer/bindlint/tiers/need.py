"""The lowest tier and feature level that take something, and what the next lower ones do not take of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import msgspec

from bindlint.model.source import NOWHERE, Span
from bindlint.targets import tiers


class Reason(msgspec.Struct, frozen=True):
    """What hardware does not take; `remedy` is what would do without it."""

    text: str
    remedy: str = ""
    span: Span = NOWHERE


class TableCount(msgspec.Struct, frozen=True):
    """Descriptors of one class in the tables that `seen_by` sees; `descriptors` are those of bounded ranges."""

    what: str
    seen_by: str
    descriptors: int
    unbounded: bool


class TierNeed(msgspec.Struct, frozen=True):
    """The lowest tier that takes it, and on it the lowest feature level; None and "" where none does.

    `reasons` are what the next lower tier, or feature level, does not take, empty where there is none. `least`: what
    could not be read may need more.
    """

    tier: int | None
    feature_level: str
    reasons: tuple[Reason, ...]
    counts: tuple[TableCount, ...]
    least: bool = False


Objections = Callable[[int, str], Iterator[Reason]]
"""What hardware of a tier and a feature level does not take."""


def lowest(objections: Objections, counts: tuple[TableCount, ...] = (), least: bool = False) -> TierNeed:
    """The least hardware to which there are no objections."""
    known = hardware()
    for tier, level in known:
        if any(True for _ in objections(tier, level)):
            continue
        lower = [each for each in known if each[0] == tier - 1][-1:]
        lower += [each for each in known[: known.index((tier, level))] if each[0] == tier][-1:]
        return TierNeed(tier, level, _reasons(objections, lower), counts, least)
    return TierNeed(None, "", _reasons(objections, [known[-1]]), counts, least)


def _reasons(objections: Objections, refused: list[tuple[int, str]]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(reason for each in refused for reason in objections(*each)))


@cache
def hardware() -> tuple[tuple[int, str], ...]:
    """Each tier with each feature level that it comes with, from low to high."""
    known = tiers()
    names = [level.name for level in known.feature_level]
    return tuple(
        (tier.number, level.name)
        for tier in known.tier
        for level in known.feature_level[names.index(tier.feature_level) :]
        if level.tier <= tier.number
    )
