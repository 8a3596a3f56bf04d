"""Plain facts about root signatures: overlaps, layout of tables, flags, samplers."""

from __future__ import annotations

from itertools import combinations

import pytest
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import Claim, DescriptorRange, RootParameter, StaticSampler, Visibility
from bindlint.model.root_signature_checks import (
    descriptor_flag_faults,
    layout,
    mixes_samplers,
    overlap_groups,
    range_flag_faults,
    range_overflows,
    sampler_faults,
)
from hypothesis import given
from hypothesis import strategies as st


def claim(lower: int, upper: int | None, visibility: Visibility = "ALL", index: int = 0, space: int = 0) -> Claim:
    return Claim(RegisterRange("t", space, lower, upper), "srv", visibility, index)


@pytest.mark.parametrize(
    ("claims", "groups"),
    [
        ([claim(0, 3), claim(4, 7)], []),
        ([claim(0, 4), claim(4, 7)], [[0, 1]]),
        ([claim(4, 7), claim(0, 4)], [[0, 1]]),
        ([claim(4, None), claim(9, 9), claim(3, 3)], [[0, 1]]),
        ([claim(0, 0, "PIXEL"), claim(0, 0, "VERTEX")], []),
        ([claim(0, 0, "PIXEL"), claim(0, 0, "PIXEL")], [[0, 1]]),
        ([claim(0, 0, "PIXEL"), claim(0, 0, "VERTEX"), claim(0, 0)], [[0, 1, 2]]),
        ([claim(0, 0), claim(0, 0, space=1)], []),
        ([claim(0, 2), claim(2, 4), claim(4, 6), claim(8, 8), claim(8, 8)], [[0, 1, 2], [3, 4]]),
    ],
)
def test_overlap_groups(claims: list[Claim], groups: list[list[int]]) -> None:
    numbered = [Claim(c.registers, c.kind, c.visibility, index) for index, c in enumerate(claims)]
    assert [[member.index for member in group] for group in overlap_groups(numbered)] == groups


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    lower = draw(st.integers(0, 12))
    upper = draw(st.sampled_from((lower, lower, lower + 2, lower + 5, None)))
    visibility: Visibility = draw(st.sampled_from(("ALL", "PIXEL", "VERTEX")))
    return claim(lower, upper, visibility, space=draw(st.integers(0, 1)))


@given(st.lists(claims(), max_size=9))
def test_groups_hold_exactly_what_conflicts(found: list[Claim]) -> None:
    numbered = [Claim(c.registers, c.kind, c.visibility, index) for index, c in enumerate(found)]
    conflicting = {c.index for pair in combinations(numbered, 2) if pair[0].conflicts(pair[1]) for c in pair}
    grouped = [member.index for group in overlap_groups(numbered) for member in group]
    assert sorted(grouped) == sorted(conflicting)
    for group in overlap_groups(numbered):
        for one in group:
            assert any(one.conflicts(other) for other in group if other is not one)
    for here, there in combinations(overlap_groups(numbered), 2):
        assert not any(one.conflicts(other) for one in here for other in there)


@pytest.mark.parametrize("visibility", ["ALL", "PIXEL"])
def test_many_claims_are_grouped_in_time(visibility: Visibility) -> None:
    pairs = [claim(number, number + 1, visibility, 2 * number) for number in range(30_000)]
    assert [len(group) for group in overlap_groups([*pairs, claim(0, None, "PIXEL", 1)])] == [30_001]


@pytest.mark.parametrize(
    ("ranges", "starts"),
    [
        ([DescriptorRange("t", 0, count=3), DescriptorRange("u", 0)], [0, 3]),
        ([DescriptorRange("t", 0, offset=5), DescriptorRange("u", 0), DescriptorRange("b", 0, offset=0)], [5, 6, 0]),
        ([DescriptorRange("t", 0, count=None), DescriptorRange("u", 0)], [0, 1 << 32]),
    ],
)
def test_layout(ranges: list[DescriptorRange], starts: list[int]) -> None:
    assert [slot.start for slot in layout(ranges)] == starts


@pytest.mark.parametrize(
    ("part", "overflows"),
    [
        (DescriptorRange("t", 0xFFFFFFFF), False),
        (DescriptorRange("t", 0xFFFFFFFF, count=2), True),
        (DescriptorRange("t", 0xFFFFFFFF, count=None), False),
        (DescriptorRange("t", 0, count=6, offset=0xFFFFFFFA), False),
        (DescriptorRange("t", 0, count=7, offset=0xFFFFFFFA), True),
    ],
)
def test_overflow(part: DescriptorRange, overflows: bool) -> None:
    (slot,) = layout([part])
    assert range_overflows(slot) == overflows


@pytest.mark.parametrize(
    ("cls", "flags", "faults"),
    [
        ("t", 0, ()),
        ("t", 0x1, ()),
        ("t", 0x8, ()),
        ("t", 0x10008, ()),
        ("t", 0x1 | 0x4, ()),
        ("t", 0x1 | 0x2, ()),
        ("t", 0x2 | 0x4, ("several-data",)),
        ("u", 0x1 | 0x8, ("volatile-static",)),
        ("b", 0x10001, ("volatile-keeping",)),
        ("b", 0x20, ("unknown-bits",)),
        ("s", 0x1, ()),
        ("s", 0x10000, ()),
        ("s", 0x2, ("sampler-data",)),
        ("s", 0xE, ("sampler-data",)),
    ],
)
def test_range_flags(cls: str, flags: int, faults: tuple[str, ...]) -> None:
    assert range_flag_faults(DescriptorRange(cls, 0, flags=flags)) == faults  # type: ignore[arg-type]


@pytest.mark.parametrize(("flags", "faults"), [(0, ()), (8, ()), (2 | 8, ("several-data",)), (1, ("unknown-bits",))])
def test_descriptor_flags(flags: int, faults: tuple[str, ...]) -> None:
    assert descriptor_flag_faults(RootParameter(0, "cbv", flags=flags)) == faults


@pytest.mark.parametrize(("classes", "mixed"), [("tub", False), ("ss", False), ("ts", True), ("st", True), ("", False)])
def test_mixed_tables(classes: str, mixed: bool) -> None:
    ranges = tuple(DescriptorRange(cls, 0) for cls in classes)  # type: ignore[arg-type]
    assert mixes_samplers(RootParameter(0, "table", ranges=ranges)) == mixed


@pytest.mark.parametrize(
    ("sampler", "faults"),
    [
        (StaticSampler(0), ()),
        (StaticSampler(0, filter=0x54), ("filter",)),
        (StaticSampler(0, address_v=6), ("address",)),
        (StaticSampler(0, mip_lod_bias=-16.0), ()),
        (StaticSampler(0, mip_lod_bias=16.0), ("bias",)),
        (StaticSampler(0, mip_lod_bias=float("nan")), ("bias",)),
        (StaticSampler(0, max_anisotropy=17), ("anisotropy",)),
        (StaticSampler(0, comparison=0), ()),
        (StaticSampler(0, filter=0x95, comparison=0), ("comparison",)),
        (StaticSampler(0, min_lod=float("nan")), ("lod",)),
        (StaticSampler(0, min_lod=3.0, max_lod=2.0), ("lod-order",)),
        (StaticSampler(0, min_lod=-3, max_lod=-1), ("lod-negative",)),
        (StaticSampler(0, min_lod=-3, max_lod=0), ()),
        (StaticSampler(0, flags=4), ("flags",)),
        (StaticSampler(0, flags=1), ("border-flag",)),
        (StaticSampler(0, flags=1, border_color=0), ()),
        (StaticSampler(0, flags=1, border_color=4), ()),
        (StaticSampler(0, flags=2), ("texel-filter", "texel-lod", "texel-address")),
        (StaticSampler(0, 0, 0x114, 3, 4, 1, max_lod=0, flags=2), ()),
        (StaticSampler(0, 0, 0x94, 3, 4, 1, max_lod=0, flags=2), ("texel-filter",)),
        (StaticSampler(0, 0, 0x0, 3, 2, 1, max_lod=0, flags=2), ("texel-address",)),
    ],
)
def test_static_samplers(sampler: StaticSampler, faults: tuple[str, ...]) -> None:
    assert sampler_faults(sampler) == faults
