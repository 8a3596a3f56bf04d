"""What a target can do: limits of resource binding tiers and feature levels, out of `data/tiers.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from bindlint.errors import UsageError
from bindlint.model.registers import RegisterClass
from bindlint.model.shader import Target

_DATA = Path(__file__).parent / "data" / "tiers.toml"


class TableLimit(msgspec.Struct, frozen=True, rename="kebab"):
    """How many descriptors of one class the tables of a root signature may hold.

    `tiers` are the limits of tier 1, 2 and 3 in descriptors, 0 where there is none; `per` is "stage" where they hold
    for what each stage sees, "signature" where for all tables together. From tier `unbounded` on unbounded ranges are
    within the limit. `feature_level` "" is any.
    """

    cls: RegisterClass = msgspec.field(name="class")
    what: str
    per: str
    tiers: tuple[int, int, int]
    unbounded: int
    source: str
    feature_level: str = ""


class FeatureLevel(msgspec.Struct, frozen=True, rename="kebab"):
    """What every device of a feature level has at least."""

    name: str
    tier: int
    root_signature: str
    source: str


class Tier(msgspec.Struct, frozen=True, rename="kebab"):
    """A resource binding tier; `populated` are the classes of which every descriptor of a bound table must be there."""

    number: int
    feature_level: str
    populated: str
    source: str


class Tiers(msgspec.Struct, frozen=True, rename="kebab"):
    """The whole of `data/tiers.toml`."""

    table_limit: tuple[TableLimit, ...]
    feature_level: tuple[FeatureLevel, ...]
    tier: tuple[Tier, ...]

    def level(self, name: str) -> FeatureLevel:
        return next(level for level in self.feature_level if level.name == name)

    def limits(self, tier: int, feature_level: str) -> dict[RegisterClass, TableLimit]:
        """The limit of each class; a row for the feature level goes before one for all, where it is lower."""
        found = {row.cls: row for row in self.table_limit if not row.feature_level}
        for row in self.table_limit:
            if row.feature_level == feature_level and row.tiers[tier - 1] < found[row.cls].tiers[tier - 1]:
                found[row.cls] = row
        return found


class Capabilities(msgspec.Struct, frozen=True):
    """What a target is sure to do. `words` name it in messages; `asked` is what the user said."""

    tier: int
    feature_level: str
    limits: dict[RegisterClass, TableLimit]
    populated: str
    root_signature: str
    words: str
    asked: Target

    def limit(self, cls: RegisterClass) -> int:
        """Descriptors of the class in tables; 0 is no limit."""
        return self.limits[cls].tiers[self.tier - 1]

    def below(self, feature_level: str) -> bool:
        """Whether the feature level is lower than the one named."""
        names = [level.name for level in tiers().feature_level]
        return names.index(self.feature_level) < names.index(feature_level)


@cache
def tiers() -> Tiers:
    """All rows of the data file."""
    import tomllib

    return msgspec.convert(tomllib.loads(_DATA.read_text(encoding="utf-8")), Tiers)


@cache
def capabilities(target: Target) -> Capabilities:
    """What the target is sure to do: what it leaves open is the least that goes with what it says.

    Raises `UsageError` for a tier and a feature level that no device has together.
    """
    known = tiers()
    tier, level = target.binding_tier, target.feature_level
    lowest = known.tier[(tier or 1) - 1].feature_level
    if level is not None and tier is not None:
        names = [row.name for row in known.feature_level]
        least = known.level(level).tier
        if tier < least:
            raise UsageError(f"feature level {level} comes with resource binding tier {least} or higher")
        if names.index(level) < names.index(lowest):
            raise UsageError(f"resource binding tier {tier} comes with feature level {lowest} or higher")
    level = level or lowest
    tier = tier or known.level(level).tier
    said = [f"tier {target.binding_tier}"] if target.binding_tier else []
    said += [f"feature level {target.feature_level}"] if target.feature_level else []
    return Capabilities(
        tier,
        level,
        known.limits(tier, level),
        known.tier[tier - 1].populated,
        known.level(level).root_signature,
        ", ".join(said),
        target,
    )
