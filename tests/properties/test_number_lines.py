"""What number lines say quickly is what a look at every range says."""

from __future__ import annotations

from bindlint.bindings.assign import _Line as Allocator
from bindlint.model.binding import Binding, Resource
from bindlint.model.registers import MAX_REGISTER, RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint.model.source import NOWHERE
from bindlint_rules.registers.number_lines import Line, meeting
from bindlint_rules.registers.overlaps import Placed, clusters, first_collision
from bindlint_rules.registers.rooms import Rooms
from hypothesis import example, given
from hypothesis import strategies as st


def _range(lower: int, count: int | None) -> RegisterRange:
    return RegisterRange("t", 0, lower, None if count is None else lower + count - 1)


ranges = st.builds(_range, st.integers(1, 24), st.sampled_from((*range(7), 1, 1, 2, 2, 3, None)))
some_ranges = st.lists(ranges, max_size=12)


def placed(given_ranges: list[RegisterRange]) -> list[Placed]:
    resources = [Resource(f"r{i}", RESOURCE_TYPES["Texture2D"], NOWHERE) for i in range(len(given_ranges))]
    return [
        (Binding(resource, registers, True, True, "typed"), registers)
        for resource, registers in zip(resources, given_ranges, strict=True)
    ]


@given(some_ranges, ranges)
def test_lines(things: list[RegisterRange], asked: RegisterRange) -> None:
    line = Line((registers, order) for order, registers in enumerate(things))
    by_lower = sorted(range(len(things)), key=lambda i: things[i].lower)
    assert line.meeting(asked) == [i for i in by_lower if things[i].intersects(asked)]
    assert meeting({("t", 0): line}, asked) == line.meeting(asked)
    assert meeting({("t", 1): line, ("s", 0): line}, asked) == []
    for register in range(32):
        holding = [i for i, registers in enumerate(things) if registers.lower <= register <= registers.last]
        assert line.at(register) == next(iter(holding), None)
        if not holding:
            distances = [max(r.lower - register, register - r.last) for r in things]
            nearest = min(range(len(things)), key=distances.__getitem__, default=None)
            assert line.nearest(register) == nearest


@given(some_ranges)
@example([_range(5, 1), _range(3, 2), _range(4, 2)])
def test_collisions(things: list[RegisterRange]) -> None:
    for group in clusters(placed(things)):
        pairs = ((one, other) for at, other in enumerate(group) for one in group[:at])
        assert first_collision(group) == next(pair for pair in pairs if pair[0][1].intersects(pair[1][1]))


@given(some_ranges.map(lambda some: [r for r in some if r.count != 0]).filter(bool), st.data())
def test_rooms(things: list[RegisterRange], data: st.DataObject) -> None:
    bindings = placed(things)
    mover = data.draw(st.sampled_from(bindings))
    base, count = mover[1].lower, mover[1].count
    for binding, taken in sorted(bindings, key=lambda item: item[1].lower):
        if binding is mover[0] or taken.last < base:
            continue
        if count is not None and base + count <= taken.lower:
            break
        base = taken.last + 1
    fits = base + (count or 1) - 1 <= MAX_REGISTER
    said = f"the next free base is t{base}" if fits else "no base above is free; space1 is"
    assert Rooms(bindings).way_out(mover) == said


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 5)), max_size=12), st.integers(1, 6))
def test_the_first_gap_that_fits(taken: list[tuple[int, int]], count: int) -> None:
    line = Allocator()
    for lower, length in taken:
        line.insert(lower, lower + length - 1)
    free = set(range(200)) - {register for lower, length in taken for register in range(lower, lower + length)}
    assert line.first_fit(count) == next(base for base in sorted(free) if set(range(base, base + count)) <= free)
    assert line.after_last() == max((lower + length for lower, length in taken), default=0)
