"""Overlaps: the sweep finds what comparing every two finds, order changes nothing, and the way out is one."""

from __future__ import annotations

from itertools import combinations

from bindlint.model.binding import Binding, Resource
from bindlint.model.registers import MAX_REGISTER, RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint.model.source import NOWHERE
from bindlint_rules.registers.overlaps import Placed, clusters, first_collision, placed, shared
from bindlint_rules.registers.rooms import Rooms
from hypothesis import given
from hypothesis import strategies as st

TYPES = {"t": RESOURCE_TYPES["ByteAddressBuffer"], "u": RESOURCE_TYPES["RWByteAddressBuffer"]}

LOWERS = st.one_of(st.integers(0, 12), st.integers(MAX_REGISTER - 3, MAX_REGISTER))


@st.composite
def ranges(draw: st.DrawFn) -> RegisterRange:
    lower = draw(LOWERS)
    size = draw(st.sampled_from((1, 1, 2, 5, None)))
    upper = None if size is None else min(lower + size - 1, MAX_REGISTER)
    return RegisterRange(draw(st.sampled_from("tu")), draw(st.integers(0, 1)), lower, upper)


def bound(all_ranges: list[RegisterRange]) -> list[Placed]:
    resources = (Resource(f"r{number}", TYPES[at.cls], NOWHERE) for number, at in enumerate(all_ranges))
    return placed(
        Binding(resource, at, explicit=True, used=True, view="raw")
        for resource, at in zip(resources, all_ranges, strict=True)
    )


def pairs(group: list[Placed]) -> set[frozenset[str]]:
    return {frozenset((a[0].name, b[0].name)) for a, b in combinations(group, 2) if a[1].intersects(b[1])}


@given(st.lists(ranges(), max_size=12))
def test_the_sweep_finds_every_pair_and_no_other(all_ranges: list[RegisterRange]) -> None:
    everything = bound(all_ranges)
    found = [pairs(group) for group in clusters(everything)]
    assert set().union(*found) == pairs(everything)
    assert all(found), "a group has at least one pair"
    assert sum(map(len, found)) == len(pairs(everything)), "no pair is in two groups"


@given(st.lists(ranges(), max_size=10), st.randoms(use_true_random=False))
def test_order_does_not_change_the_groups(all_ranges: list[RegisterRange], random: object) -> None:
    everything = bound(all_ranges)
    shuffled = list(everything)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    def names(items: list[Placed]) -> set[frozenset[str]]:
        return {frozenset(binding.name for binding, _ in group) for group in clusters(items)}

    assert names(everything) == names(shuffled)


@given(ranges(), ranges())
def test_what_is_shared_is_in_both(one: RegisterRange, other: RegisterRange) -> None:
    assert one.intersects(other) == other.intersects(one)
    if one.intersects(other):
        assert shared(one, other) == shared(other, one)
        assert one.contains(shared(one, other)) and other.contains(shared(one, other))


@given(st.lists(ranges(), min_size=2, max_size=12))
def test_the_way_out_is_free(all_ranges: list[RegisterRange]) -> None:
    everything = bound(all_ranges)
    for group in clusters(everything):
        _, mover = first_collision(group)
        others = [at for binding, at in everything if binding is not mover[0]]
        advice, count = Rooms(everything).way_out(mover), mover[1].count
        if advice.startswith("the next free base is "):
            base = int(advice.rpartition(mover[1].cls)[2])
            space, last = mover[1].space, None if count is None else base + count - 1
        else:
            space, base = int(advice.removeprefix("no base above is free; space").removesuffix(" is")), 0
            last = None if count is None else count - 1
        moved = RegisterRange(mover[1].cls, space, base, last)
        assert base < MAX_REGISTER and moved.last <= MAX_REGISTER
        assert not [at for at in others if at.intersects(moved)]
