"""Containers of compiled shaders (DXBC, as DXC and FXC write them): bytes to named parts."""

from __future__ import annotations

import struct
from typing import NamedTuple

from bindlint_grammars.container.binary import rows

MAGIC = b"DXBC"
MAX_PARTS = 256
"""DXC writes about a dozen."""

_HEADER = struct.Struct("<4s16sHHII")
_OFFSET = struct.Struct("<I")
_PART = struct.Struct("<4sI")
_PROGRAM = struct.Struct("<6I")

_KIND_WORDS = "ps vs gs hs ds cs lib raygeneration intersection anyhit closesthit miss callable ms as node"
SHADER_KINDS = tuple(_KIND_WORDS.split())
"""DXIL's number of a kind of shader (DxilConstants.h) -> the prefix of its profile, or the name of its stage."""


class Parts(NamedTuple):
    """The parts of a container by their four letters; of several with one name the first. `faults` say what is off."""

    parts: dict[str, bytes]
    faults: tuple[str, ...] = ()


class Program(NamedTuple):
    """What a part of DXIL says of itself: the kind of shader, its model, and LLVM bitcode."""

    kind: str
    major: int
    minor: int
    bitcode: bytes


def read_parts(data: bytes) -> Parts:
    """The parts of a container; those that do not lie within its bytes are left out."""
    if len(data) < _HEADER.size or data[:4] != MAGIC:
        return Parts({}, ("the file is no shader container: it does not begin with DXBC",))
    *_, size, count = _HEADER.unpack_from(data)
    faults = [] if size == len(data) else [f"the container is {size} bytes long by its header, but has {len(data)}"]
    offsets = rows(data, _OFFSET, _HEADER.size, min(count, MAX_PARTS))
    if count > len(offsets):
        faults.append(f"the container has no room for its {count} parts")
    parts: dict[str, bytes] = {}
    room = len(data)
    for (offset,) in offsets:
        if offset + _PART.size > len(data):
            faults.append(f"a part begins at byte {offset} of {len(data)}")
            continue
        letters, length = _PART.unpack_from(data, offset)
        name = letters.decode("latin-1")
        start = offset + _PART.size
        room -= length
        if start + length > len(data) or room < 0:
            faults.append(f"the part {name!r} ends at byte {start + length} of {len(data)}")
            continue
        parts.setdefault(name, data[start : start + length])
    return Parts(parts, tuple(faults))


def read_program(part: bytes) -> Program | None:
    """The header of a DXIL or STAT part; None where it is none."""
    if len(part) < _PROGRAM.size:
        return None
    version, _, magic, _, offset, size = _PROGRAM.unpack_from(part)
    kind = version >> 16
    if magic != int.from_bytes(b"DXIL", "little") or kind >= len(SHADER_KINDS):
        return None
    start = 8 + offset
    return Program(SHADER_KINDS[kind], version >> 4 & 0xF, version & 0xF, part[start : start + size])
