"""Pipeline state validation data (PSV0) of a compiled shader: stage, entry point, bindings."""

from __future__ import annotations

import struct
from typing import NamedTuple

from bindlint_grammars.container.binary import name_at, rows
from bindlint_grammars.container.parts import SHADER_KINDS

_LENGTH = struct.Struct("<I")
_RESOURCE = struct.Struct("<4I")
_RESOURCE_WITH_KIND = struct.Struct("<6I")
_STAGE_BYTE, _ENTRY_NAME = 24, 48
"""Places within the runtime information, from its versions 1 and 3 on."""


class CompiledResource(NamedTuple):
    """A range of registers as the compiler bound it.

    `view` is PSVResourceType (1 sampler, 2 cbuffer, 3 to 5 typed, raw and structured SRV, 6 to 9 UAV, the last with a
    counter), `kind` is DXIL's ResourceKind, 0 where it is not told; `upper` 4294967295 is unbounded.
    """

    view: int
    space: int
    lower: int
    upper: int
    kind: int = 0


class ValidationData(NamedTuple):
    """`stage` is a profile's prefix, "" in the oldest version."""

    stage: str = ""
    entry: str = ""
    resources: tuple[CompiledResource, ...] = ()
    faults: tuple[str, ...] = ()


def read_psv0(data: bytes) -> ValidationData:
    """Read the part's bytes; whatever lies outside of them is a fault and is left out."""
    head = rows(data, _LENGTH, 0, 1)
    size = head[0][0] if head else 0
    counted = rows(data, _LENGTH, 4 + size, 1)
    if not counted:
        return ValidationData(faults=("the validation data (PSV0) is cut off",))
    info = data[4 : 4 + size]
    kind = info[_STAGE_BYTE] if size > _STAGE_BYTE else len(SHADER_KINDS)
    stage = SHADER_KINDS[kind] if kind < len(SHADER_KINDS) else ""
    place, count = 8 + size, counted[0][0]
    stride = rows(data, _LENGTH, place, 1) if count else [(0,)]
    step = stride[0][0] if stride else 0
    form = _RESOURCE_WITH_KIND if step >= _RESOURCE_WITH_KIND.size else _RESOURCE
    found = rows(data, form, place + 4, count, step) if count else []
    if len(found) < count:
        return ValidationData(stage, faults=(f"the validation data (PSV0) has no room for its {count} bindings",))
    end = place + (4 + step * count if count else 0)
    strings = rows(data, _LENGTH, end, 1)
    entry = ""
    if strings and size >= _ENTRY_NAME + 4:
        table = data[end + 4 : end + 4 + strings[0][0]]
        entry = name_at(table, _LENGTH.unpack_from(info, _ENTRY_NAME)[0])
    return ValidationData(stage, entry, tuple(CompiledResource(*row[:5]) for row in found))
