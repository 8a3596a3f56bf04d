"""Register ranges: the number lines on which resources and root signatures meet."""

from __future__ import annotations

from typing import Literal

import msgspec

RegisterClass = Literal["b", "t", "u", "s"]

MAX_REGISTER = 0xFFFFFFFF
"""The last register of each space (D3D12 Resource Binding specification); also the compilers' "unbounded" mark."""


class RegisterRange(msgspec.Struct, frozen=True):
    """An inclusive range of registers of one class in one register space; `upper` None is unbounded."""

    cls: RegisterClass
    space: int
    lower: int
    upper: int | None

    @property
    def last(self) -> int:
        """The last register, with the end of the number line for an unbounded range."""
        return MAX_REGISTER if self.upper is None else self.upper

    @property
    def count(self) -> int | None:
        """How many registers, None where unbounded."""
        return None if self.upper is None else self.upper - self.lower + 1

    def intersects(self, other: RegisterRange) -> bool:
        return (
            self.cls == other.cls
            and self.space == other.space
            and self.lower <= other.last
            and other.lower <= self.last
        )

    def contains(self, other: RegisterRange) -> bool:
        return (
            self.cls == other.cls
            and self.space == other.space
            and self.lower <= other.lower
            and other.last <= self.last
        )

    def __str__(self) -> str:
        """As HLSL writes it: `t3`, `t0-t15, space1`, `t0-unbounded`."""
        first = f"{self.cls}{self.lower}"
        if self.upper is None:
            text = f"{first}-unbounded"
        elif self.upper <= self.lower:
            text = first
        else:
            text = f"{first}-{self.cls}{self.upper}"
        return f"{text}, space{self.space}" if self.space else text
