"""Serialized root signatures (the RTS0 part of a container): plain data to the bytes that DXC writes, and back."""

from __future__ import annotations

import struct
from typing import NamedTuple

VERSIONS = (1, 2, 3)
"""Root signature 1.0, 1.1 and 1.2."""

TABLE, CONSTANTS, CBV, SRV, UAV = range(5)
"""D3D12_ROOT_PARAMETER_TYPE."""

_HEADER = struct.Struct("<6I")
_PARAMETER = struct.Struct("<3I")
_CONSTANTS = struct.Struct("<3I")
_DESCRIPTOR = {1: struct.Struct("<2I"), 2: struct.Struct("<3I"), 3: struct.Struct("<3I")}
_TABLE = struct.Struct("<2I")
_RANGE = {1: struct.Struct("<5I"), 2: struct.Struct("<6I"), 3: struct.Struct("<6I")}
_SAMPLER = {1: struct.Struct("<4IfIIIff3I"), 2: struct.Struct("<4IfIIIff3I"), 3: struct.Struct("<4IfIIIff4I")}


class Range(NamedTuple):
    """D3D12_DESCRIPTOR_RANGE1; `kind` is SRV 0, UAV 1, CBV 2, sampler 3; 4294967295 is "unbounded" and "append"."""

    kind: int
    descriptors: int
    register: int
    space: int
    flags: int
    offset: int


class Parameter(NamedTuple):
    """D3D12_ROOT_PARAMETER1; `constants` is how many there are, `flags` belong to descriptors, `ranges` to tables."""

    kind: int
    visibility: int
    register: int = 0
    space: int = 0
    constants: int = 0
    flags: int = 0
    ranges: tuple[Range, ...] = ()


class Sampler(NamedTuple):
    """D3D12_STATIC_SAMPLER_DESC1; `flags` exist from version 1.2 on."""

    filter: int
    address_u: int
    address_v: int
    address_w: int
    mip_lod_bias: float
    max_anisotropy: int
    comparison: int
    border_color: int
    min_lod: float
    max_lod: float
    register: int
    space: int
    visibility: int
    flags: int = 0


class SerializedRootSignature(NamedTuple):
    """A root signature as its bytes hold it. `faults` say what lies outside of the bytes, and is left out."""

    version: int
    flags: int
    parameters: tuple[Parameter, ...] = ()
    samplers: tuple[Sampler, ...] = ()
    faults: tuple[str, ...] = ()


def serialize(signature: SerializedRootSignature) -> bytes:
    """The bytes in DXC's order: header, parameters, each parameter's payload with a table's ranges, samplers."""
    version = signature.version
    start = _HEADER.size
    payload_start = start + _PARAMETER.size * len(signature.parameters)
    headers, payloads = b"", b""
    for parameter in signature.parameters:
        offset = payload_start + len(payloads)
        headers += _PARAMETER.pack(parameter.kind, parameter.visibility, offset)
        payloads += _payload(parameter, version, offset)
    samplers = b"".join(
        _SAMPLER[version].pack(*(sampler if version == 3 else sampler[:-1])) for sampler in signature.samplers
    )
    header = _HEADER.pack(
        version,
        len(signature.parameters),
        start,
        len(signature.samplers),
        payload_start + len(payloads),
        signature.flags,
    )
    return header + headers + payloads + samplers


def _payload(parameter: Parameter, version: int, offset: int) -> bytes:
    if parameter.kind == CONSTANTS:
        return _CONSTANTS.pack(parameter.register, parameter.space, parameter.constants)
    if parameter.kind != TABLE:
        values = (parameter.register, parameter.space, parameter.flags)
        return _DESCRIPTOR[version].pack(*(values[:-1] if version == 1 else values))
    ranges = b"".join(_RANGE[version].pack(*(r[:4] + r[5:] if version == 1 else r)) for r in parameter.ranges)
    return _TABLE.pack(len(parameter.ranges), offset + _TABLE.size) + ranges


def dxc_can_read_back(data: bytes) -> bool:
    """Whether DXC's own reader takes the bytes: it wants room for one range even where a table has none."""
    version, count, start = struct.unpack_from("<3I", data)
    for kind, _, offset in _PARAMETER.iter_unpack(data[start : start + count * _PARAMETER.size]):
        if kind == TABLE and offset + _TABLE.size + _RANGE[version].size > len(data):
            return False
    return True


def read_rts0(data: bytes) -> SerializedRootSignature:
    """Read the part's bytes, following its offsets; whatever lies outside of the bytes is a fault and is left out."""
    if len(data) < _HEADER.size:
        return SerializedRootSignature(0, 0, faults=(f"{len(data)} bytes are too few for a root signature",))
    version, count, start, sampler_count, sampler_start, flags = _HEADER.unpack_from(data)
    if version not in VERSIONS:
        return SerializedRootSignature(version, flags, faults=(f"unknown root signature version {version}",))
    faults: list[str] = []
    parameters: list[Parameter] = []
    # Tables may point at one another's ranges, so that a small hostile blob could stand for billions of them.
    room = len(data) // _RANGE[version].size
    for index, (kind, visibility, offset) in enumerate(_rows(data, _PARAMETER, start, count, "parameters", faults)):
        parameter = _read_parameter(data, version, kind, visibility, offset, f"root parameter {index}", faults)
        if parameter is None:
            break
        room -= len(parameter.ranges)
        if room < 0:
            faults.append("tables share their ranges")
            break
        parameters.append(parameter)
    samplers = [
        Sampler(*row) for row in _rows(data, _SAMPLER[version], sampler_start, sampler_count, "static samplers", faults)
    ]
    return SerializedRootSignature(version, flags, tuple(parameters), tuple(samplers), tuple(faults))


def _rows(
    data: bytes, row: struct.Struct, start: int, count: int, what: str, faults: list[str]
) -> list[tuple[int, ...]]:
    """`count` rows from `start` on; none of them where they do not all lie within the data."""
    end = start + row.size * count
    if end > len(data):
        faults.append(f"{what} end at byte {end} of {len(data)}")
        return []
    return list(row.iter_unpack(data[start:end]))


def _read_parameter(
    data: bytes, version: int, kind: int, visibility: int, offset: int, what: str, faults: list[str]
) -> Parameter | None:
    if kind > UAV:
        faults.append(f"{what} has the unknown type {kind}")
        return None
    form = _TABLE if kind == TABLE else _CONSTANTS if kind == CONSTANTS else _DESCRIPTOR[version]
    rows = _rows(data, form, offset, 1, what, faults)
    if not rows:
        return None
    if kind == TABLE:
        range_count, range_start = rows[0]
        ranges = _rows(data, _RANGE[version], range_start, range_count, f"the ranges of {what}", faults)
        flagged = [(*r[:4], 0, r[4]) if version == 1 else r for r in ranges]
        return Parameter(kind, visibility, ranges=tuple(Range(*r) for r in flagged))
    if kind == CONSTANTS:
        return Parameter(kind, visibility, rows[0][0], rows[0][1], constants=rows[0][2])
    return Parameter(kind, visibility, rows[0][0], rows[0][1], flags=rows[0][2] if version > 1 else 0)
