"""Resource definitions (RDEF) of a shader that FXC compiled: stage, names and bindings."""

from __future__ import annotations

import struct
from typing import NamedTuple

from bindlint_grammars.container.binary import name_at, rows

_HEADER = struct.Struct("<4I2BH2I")
_SIZES = struct.Struct("<8I")
_BINDING = struct.Struct("<8I")
_BINDING_WITH_SPACE = struct.Struct("<10I")
_CONSTANT_BUFFER = struct.Struct("<6I")

PROGRAM_TYPES = {0xFFFF: "ps", 0xFFFE: "vs", 0x4753: "gs", 0x4853: "hs", 0x4453: "ds", 0x4353: "cs"}


class DefinedBinding(NamedTuple):
    """`type` is D3D_SHADER_INPUT_TYPE, `dimension` D3D_SRV_DIMENSION; 0 `descriptors` are unbounded.

    `size` is a constant buffer's in bytes, else 0.
    """

    name: str
    type: int
    dimension: int
    register: int
    descriptors: int
    space: int
    size: int


class Definitions(NamedTuple):
    """`stage` is a profile's prefix, "" where the number means none."""

    stage: str = ""
    major: int = 0
    minor: int = 0
    bindings: tuple[DefinedBinding, ...] = ()
    faults: tuple[str, ...] = ()


def read_rdef(data: bytes) -> Definitions:
    """Read the part's bytes; whatever lies outside of them is a fault and is left out."""
    head = rows(data, _HEADER, 0, 1)
    if not head:
        return Definitions(faults=("the resource definitions (RDEF) are cut off",))
    buffer_count, buffer_start, count, start, minor, major, program, _, _ = head[0]
    stage = PROGRAM_TYPES.get(program, "")
    stride = _BINDING.size
    sizes = rows(data, _SIZES, _HEADER.size, 1) if major >= 5 else []
    if sizes:
        stride = sizes[0][3]
    form = _BINDING_WITH_SPACE if stride >= _BINDING_WITH_SPACE.size else _BINDING
    found = rows(data, form, start, count, stride) if count else []
    buffers = rows(data, _CONSTANT_BUFFER, buffer_start, buffer_count) if buffer_count else []
    faults = []
    if len(found) < count or len(buffers) < buffer_count:
        faults.append("the resource definitions (RDEF) have no room for their rows")
    bytes_of = {name_at(data, row[0]): row[3] for row in buffers}
    bindings = [
        DefinedBinding(
            (name := name_at(data, row[0])),
            row[1],
            row[3],
            row[5],
            row[6],
            row[8] if len(row) > 8 else 0,
            bytes_of.get(name, 0) if row[1] == 0 else 0,
        )
        for row in found
    ]
    return Definitions(stage, major, minor, tuple(bindings), tuple(faults))
