"""Integer constant expressions: values as C has them, None where nothing can be told."""

from __future__ import annotations

import pytest
from bindlint.usage.constants import evaluate

NAMES = {"A": 3, "B": -2, "Scope::C": 7, "zero": 0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("0x1F", 31),
        ("0X1fu", 31),
        ("010", 8),
        ("08", 8),
        ("12UL", 12),
        ("A", 3),
        ("Scope::C", 7),
        ("Scope :: C", 7),
        ("true", 1),
        ("false || true", 1),
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("1 / 0", None),
        ("1 % zero", None),
        ("1 << 4 | 1", 17),
        ("6 & 3 ^ 1", 3),
        ("~0 & 0xFF", 255),
        ("1 << 100", None),
        ("1 << -1", None),
        ("-A", -3),
        ("- -A", 3),
        ("!A", 0),
        ("!!A", 1),
        ("+5", 5),
        ("A > B", 1),
        ("A == 3 && B != 3", 1),
        ("A < B ? 1 : 2", 2),
        ("A ? B ? 4 : 5 : 6", 4),
        ("zero ? unknown : 9", 9),
        ("unknown ? 1 : 1", None),
        ("false && unknown", 0),
        ("unknown && false", 0),
        ("true || unknown", 1),
        ("true && unknown", None),
        ("unknown + 1", None),
        ("unknown * 0", None),
        ("(uint)A", 3),
        ("uint(A) + int ( 1 )", 4),
        ("(int)-1", -1),
        ("A.x", None),
        ("f(1)", None),
        ("A[0]", None),
        ("true || f(1).x[2]", 1),
        ("", None),
        ("1 +", None),
        ("(1", None),
        ("1)", None),
        ("1 2", None),
        ("A = 2", None),
        ("'a'", 97),
        ("'ab'", None),
        ("1.5", None),
        ("1.5 > 1", 1),
        ("(int)1.5", 1),
        ("@", None),
        ("9" * 400, None),
        ("(" * 500 + "1" + ")" * 500, None),
        ("-" * 5000 + "1", None),
    ],
)
def test_values(text: str, value: int | None) -> None:
    assert evaluate(text, NAMES.get) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("0b11", 3), ("~0u - 0xfffffff0", 15), ("5 - 6u", 0xFFFFFFFF), ("5 - 6", -1), ("0xffffffffL", 0xFFFFFFFF)],
)
def test_binary_and_unsigned(text: str, value: int) -> None:
    assert evaluate(text, {}.get) == value
