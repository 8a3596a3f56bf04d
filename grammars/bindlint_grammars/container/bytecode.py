"""FXC's bytecode (SHDR, SHEX), read for its declarations: what a shader binds where reflection data was stripped."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

_STAGES = ("ps", "vs", "gs", "hs", "ds", "cs")
_CUSTOM_DATA = 53
_RESOURCE, _CONSTANT_BUFFER, _SAMPLER = 88, 89, 90
_UAV_TYPED, _UAV_RAW, _UAV_STRUCTURED, _RAW, _STRUCTURED = 156, 157, 158, 161, 162
_DECLARATIONS = {
    _RESOURCE: ("t", "typed", 1),
    _CONSTANT_BUFFER: ("b", "cbuffer", 1),
    _SAMPLER: ("s", "sampler", 0),
    _UAV_TYPED: ("u", "typed", 1),
    _UAV_RAW: ("u", "raw", 0),
    _UAV_STRUCTURED: ("u", "structured", 1),
    _RAW: ("t", "raw", 0),
    _STRUCTURED: ("t", "structured", 1),
}
"""Opcode (d3d11TokenizedProgramFormat.hpp) -> register class, view, and how many words stand before the space."""

_ALLOC, _CONSUME = 178, 179
"""What counts: its operands are a temporary register of two words, and the UAV."""

_EXTENDED = 1 << 31
_COMPARISON = 1


class DeclaredResource(NamedTuple):
    """`dimension` is D3D10_SB_RESOURCE_DIMENSION of what is typed; `upper` 4294967295 is unbounded.

    `size` is a constant buffer's in bytes, else 0; `comparison` is told of samplers.
    """

    cls: str
    view: str
    dimension: int
    space: int
    lower: int
    upper: int
    size: int = 0
    comparison: bool = False


class Bytecode(NamedTuple):
    """`stage` is a profile's prefix, "" where the number means none."""

    stage: str = ""
    major: int = 0
    minor: int = 0
    resources: tuple[DeclaredResource, ...] = ()
    faults: tuple[str, ...] = ()


def read_bytecode(data: bytes) -> Bytecode:
    """Read the part's declarations; those that do not lie within its bytes are left out."""
    words = struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
    if len(words) < 2:
        return Bytecode(faults=("the bytecode is cut off",))
    kind = words[0] >> 16
    stage = _STAGES[kind] if kind < len(_STAGES) else ""
    major, minor = words[0] >> 4 & 0xF, words[0] & 0xF
    resources: list[tuple[int, DeclaredResource]] = []
    counted: set[int] = set()
    faults: list[str] = []
    place, end = 2, min(words[1], len(words))
    while place < end:
        token = words[place]
        opcode = token & 0x7FF
        length = token >> 24 & 0x7F
        if opcode == _CUSTOM_DATA:
            length = words[place + 1] if place + 1 < end else 0
        if not length or place + length > end:
            faults.append(f"the bytecode breaks off at word {place} of {words[1]}")
            break
        operands = words[place + 1 : place + length]
        if opcode in _DECLARATIONS:
            resources += _declared(token, operands, (major, minor) >= (5, 1))
        elif opcode in (_ALLOC, _CONSUME):
            counted.update(_first_index(operands[2:]))
        place += length
    found = tuple(
        resource._replace(view="structured+counter")
        if resource.cls == "u" and resource.view == "structured" and number in counted
        else resource
        for number, resource in resources
    )
    return Bytecode(stage, major, minor, found, tuple(faults))


def _first_index(operand: tuple[int, ...]) -> tuple[int, ...]:
    """By which number an operand names its register: the first word after its token and what extends that."""
    place = 0
    while place < len(operand) and operand[place] & _EXTENDED:
        place += 1
    return operand[place + 1 : place + 2]


def _declared(token: int, words: tuple[int, ...], ranged: bool) -> Iterator[tuple[int, DeclaredResource]]:
    """The resource of one declaration, and the number by which instructions name it.

    `ranged` is shader model 5.1, which declares ranges of registers in spaces.
    """
    cls, view, before_space = _DECLARATIONS[token & 0x7FF]
    operand = 2 if words and words[0] & _EXTENDED else 1
    indices = words[operand : operand + (3 if ranged else 1)]
    rest = words[operand + len(indices) :]
    if len(indices) < (3 if ranged else 1) or len(rest) < before_space + ranged:
        return
    mode = token >> 11 & 0xF
    yield (
        indices[0],
        DeclaredResource(
            cls,
            view,
            token >> 11 & 0x1F if view == "typed" else 0,
            rest[before_space] if ranged else 0,
            indices[1] if ranged else indices[0],
            indices[2] if ranged else indices[0],
            16 * rest[0] if cls == "b" else 0,
            cls == "s" and mode == _COMPARISON,
        ),
    )
