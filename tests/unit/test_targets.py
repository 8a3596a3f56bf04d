"""What a target can do, as `data/tiers.toml` says and as messages ask."""

from __future__ import annotations

import pytest
from bindlint.config import LEVELS
from bindlint.errors import UsageError
from bindlint.model.shader import Target
from bindlint.targets import capabilities, tiers


@pytest.mark.parametrize(
    ("tier", "level", "found"),
    [
        (1, None, (1, "11_0", {"b": 14, "t": 128, "u": 8, "s": 16})),
        (1, "11_1", (1, "11_1", {"b": 14, "t": 128, "u": 64, "s": 16})),
        (2, None, (2, "11_0", {"b": 14, "t": 1_000_000, "u": 64, "s": 2048})),
        (3, None, (3, "11_1", {"b": 0, "t": 0, "u": 0, "s": 2048})),
        (None, "11_0", (1, "11_0", {"b": 14, "t": 128, "u": 8, "s": 16})),
        (None, "12_0", (2, "12_0", {"b": 14, "t": 1_000_000, "u": 64, "s": 2048})),
        (None, "12_2", (3, "12_2", {"b": 0, "t": 0, "u": 0, "s": 2048})),
        (3, "12_0", (3, "12_0", {"b": 0, "t": 0, "u": 0, "s": 2048})),
    ],
)
def test_what_is_left_open_is_the_least(tier: int | None, level: str | None, found: tuple[int, str, dict]) -> None:  # type: ignore[type-arg]
    able = capabilities(Target(binding_tier=tier, feature_level=level))
    assert (able.tier, able.feature_level, {cls: able.limit(cls) for cls in able.limits}) == found


@pytest.mark.parametrize(
    ("tier", "level", "message"),
    [
        (1, "12_0", "feature level 12_0 comes with resource binding tier 2 or higher"),
        (2, "12_2", "feature level 12_2 comes with resource binding tier 3 or higher"),
        (3, "11_0", "resource binding tier 3 comes with feature level 11_1 or higher"),
    ],
)
def test_no_device_has_these_together(tier: int, level: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        capabilities(Target(binding_tier=tier, feature_level=level))


@pytest.mark.parametrize(
    ("level", "below"),
    [("11_0", True), ("11_1", False), ("12_0", False)],
)
def test_order_of_feature_levels(level: str, below: bool) -> None:
    assert capabilities(Target(feature_level=level)).below("11_1") is below


def test_who_must_be_populated() -> None:
    assert [capabilities(Target(binding_tier=tier)).populated for tier in (1, 2, 3)] == ["btus", "bu", ""]


def test_the_words_are_those_of_the_user() -> None:
    assert capabilities(Target(binding_tier=2, feature_level="12_1")).words == "tier 2, feature level 12_1"
    assert capabilities(Target(feature_level="12_1")).words == "feature level 12_1"


def test_the_data_has_a_source_for_each_row_and_all_levels() -> None:
    known = tiers()
    assert all(row.source for rows in (known.table_limit, known.feature_level, known.tier) for row in rows)
    assert tuple(row.name for row in known.feature_level) == LEVELS
    assert [row.number for row in known.tier] == [1, 2, 3]
