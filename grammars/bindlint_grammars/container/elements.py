"""Signatures of a shader's inputs and outputs (ISG1, OSG1 and FXC's ISGN, OSGN)."""

from __future__ import annotations

import struct
from typing import NamedTuple

from bindlint_grammars.container.binary import name_at, rows

_HEADER = struct.Struct("<2I")
_ELEMENT = struct.Struct("<3I12x")
_ELEMENT_OF_STREAM = struct.Struct("<4x3I16x")


class Element(NamedTuple):
    """`system_value` is D3D_NAME: 0 is a semantic of the user's own."""

    semantic: str
    semantic_index: int
    system_value: int


def read_elements(part: bytes, newer: bool) -> tuple[Element, ...]:
    """The elements of one signature; those that do not lie within its bytes are left out. `newer` is ISG1 and OSG1."""
    head = rows(part, _HEADER, 0, 1)
    count, start = head[0] if head else (0, 0)
    found = rows(part, _ELEMENT_OF_STREAM if newer else _ELEMENT, start, count)
    return tuple(Element(name_at(part, name), index, value) for name, index, value in found)
