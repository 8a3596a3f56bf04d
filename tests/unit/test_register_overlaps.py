"""The notes that lead to resources which meet, on hand-made values."""

from __future__ import annotations

from itertools import pairwise

import pytest
from analyses import analysis, span
from bindlint.model.binding import Binding, CallSite, EntryPoint, Resource, ShaderAnalysis, Use
from bindlint.model.registers import RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint_rules.registers.overlaps import MAX_INCLUDES_SHOWN, chain_note, include_notes
from bindlint_rules.registers.rooms import Rooms
from msgspec.structs import replace

MAP = Resource("map", RESOURCE_TYPES["ByteAddressBuffer"], span("b.hlsli", 5))
BOUND = Binding(MAP, RegisterRange("t", 0, 0, 0), True, True, "raw")
FETCH, LOAD = CallSite("fetch", span(line=3)), CallSite("load", span(line=4))


def with_uses(*entries: tuple[str, tuple[CallSite, ...]]) -> ShaderAnalysis:
    return replace(
        analysis(),
        entries=tuple(
            EntryPoint(name, "ps", span(), uses=(Use(MAP, frozenset(("read",)), chain),)) for name, chain in entries
        ),
    )


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ((("main", (FETCH, LOAD)),), "`map` is used by main -> fetch -> load"),
        ((("fetch", (FETCH,)),), "`map` is used by fetch"),
        ((("first", (FETCH,)), ("second", (LOAD,))), "`map` is used by first -> fetch"),
        # A compiled shader tells what it uses, but not where.
        ((("main", ()),), ""),
        ((("first", ()), ("second", (LOAD,))), "`map` is used by second -> load"),
        ((), ""),
    ],
)
def test_by_which_calls_a_resource_is_used(entries: tuple[tuple[str, tuple[CallSite, ...]], ...], said: str) -> None:
    notes = list(chain_note(with_uses(*entries), BOUND))
    assert [note.message for note in notes] == [said] * bool(said)
    assert all(note.span in (FETCH.span, LOAD.span) for note in notes)


def test_each_shader_is_asked_for_its_own_calls() -> None:
    one, other = with_uses(("main", (FETCH,))), with_uses(("main", (LOAD,)))
    asked = [next(iter(chain_note(shader, BOUND))).span for shader in (one, one, other)]
    assert asked == [FETCH.span, FETCH.span, LOAD.span]


@pytest.mark.parametrize(
    ("includes", "said"),
    [
        ({}, []),
        ({"c.hlsli": "a.hlsl"}, []),
        ({"b.hlsli": "a.hlsl"}, ["b.hlsli in a.hlsl"]),
        ({"b.hlsli": "c.hlsli", "c.hlsli": "a.hlsl"}, ["b.hlsli in c.hlsli", "c.hlsli in a.hlsl"]),
    ],
)
def test_by_which_includes_a_file_came_in(includes: dict[str, str], said: list[str]) -> None:
    shader = replace(analysis(), includes=tuple((file, span(by)) for file, by in includes.items()))
    notes = include_notes(shader, BOUND, BOUND)
    assert [f"{note.message.split('`')[1]} in {note.span.file}" for note in notes] == said


def test_includes_that_lead_on_and_on() -> None:
    files = ["b.hlsli", *(f"{number}.hlsli" for number in range(20))]
    shader = replace(analysis(), includes=tuple((file, span(by)) for file, by in pairwise(files)))
    assert len(list(include_notes(shader, BOUND))) == MAX_INCLUDES_SHOWN


def bound(*ranges: tuple[int, int | None]) -> list[tuple[Binding, RegisterRange]]:
    """Bindings by their first register and their count."""
    found = []
    for number, (lower, count) in enumerate(ranges):
        at = RegisterRange("t", 0, lower, None if count is None else lower + count - 1)
        found.append((Binding(replace(MAP, name=f"r{number}"), at, True, True, "raw"), at))
    return found


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        # A gap of two for two, one just too small for it, and one behind a binding of a single register.
        (((0, 2), (0, 1), (3, 1), (6, 1)), "the next free base is t1"),
        (((0, 2), (0, 2), (3, 1), (6, 1)), "the next free base is t4"),
        (((0, 2), (0, 2), (3, 1), (5, 1)), "the next free base is t6"),
        (((0, None), (0, 2), (3, 1)), "the next free base is t4"),
        (((0, 1), (0, None)), "no base above is free; space1 is"),
        # Registers end at 4294967295, which is no base itself.
        (((4294967293, 2), (4294967293, 1)), "the next free base is t4294967294"),
        (((4294967293, 3), (4294967293, 1)), "no base above is free; space1 is"),
        (((4294967293, 1), (4294967293, 2)), "no base above is free; space1 is"),
        (((4294967293, None), (4294967293, 2)), "no base above is free; space1 is"),
        (((4294967293, 1), (4294967293, 1)), "the next free base is t4294967294"),
        # So many gaps of one that they are not all looked at.
        (((0, 2), *((register, 1) for register in range(0, 4000, 2))), "the next free base is t3999"),
    ],
)
def test_where_the_first_of_them_could_be(ranges: tuple[tuple[int, int | None], ...], said: str) -> None:
    everything = bound(*ranges)
    assert Rooms(everything).way_out(everything[0]) == said


def test_a_space_that_nothing_uses() -> None:
    everything = bound((0, None), (0, None))
    mover, taken = everything[0]
    elsewhere = [(mover, replace(taken, space=space)) for space in (1, 3)]
    assert Rooms([*everything, *elsewhere]).way_out(everything[0]) == "no base above is free; space2 is"
