"""Registers and register spaces as the configuration writes them."""

from __future__ import annotations

import pytest
from bindlint.model.policy import SpaceRange, read_registers, read_spaces
from bindlint.model.registers import RegisterRange


@pytest.mark.parametrize(
    ("text", "registers"),
    [
        ("b0", RegisterRange("b", 0, 0, 0)),
        (" t3, space2 ", RegisterRange("t", 2, 3, 3)),
        ("t0-t15, space1", RegisterRange("t", 1, 0, 15)),
        ("t0 - 15", RegisterRange("t", 0, 0, 15)),
        ("u4-unbounded", RegisterRange("u", 0, 4, None)),
        ("s4294967295", RegisterRange("s", 0, 4294967295, 4294967295)),
        ("s4294967296", None),
        ("t0, space4294967296", None),
        ("t5-t3", None),
        ("t0-u3", None),
        ("c0", None),
        ("T0", None),
        ("t", None),
        ("t0 space1", None),
        ("", None),
    ],
)
def test_registers(text: str, registers: RegisterRange | None) -> None:
    assert read_registers(text) == registers
    if registers is not None:
        assert read_registers(str(registers)) == registers


@pytest.mark.parametrize(
    ("text", "spaces"),
    [
        ("7", SpaceRange(7, 7)),
        ("space7", SpaceRange(7, 7)),
        ("100-109", SpaceRange(100, 109)),
        ("space100 - space109", SpaceRange(100, 109)),
        ("4294967295", SpaceRange(4294967295, 4294967295)),
        ("4294967296", None),
        ("109-100", None),
        ("1,2", None),
        ("", None),
    ],
)
def test_spaces(text: str, spaces: SpaceRange | None) -> None:
    assert read_spaces(text) == spaces


def test_a_range_of_spaces_has_both_its_ends() -> None:
    spaces = SpaceRange(100, 109)
    assert [space in spaces for space in (99, 100, 109, 110)] == [False, True, True, False]
    assert (str(spaces), str(SpaceRange(7, 7))) == ("space100-space109", "space7")
