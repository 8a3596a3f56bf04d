"""What a person wants to know of a root signature: each parameter's slots, how it is set, and what it costs."""

from __future__ import annotations

import msgspec
from bindlint_grammars.root_signature import names

from bindlint.model.root_signature import (
    MAX_COST,
    DescriptorRange,
    RootParameter,
    RootSignature,
    StaticSampler,
    Visibility,
)
from bindlint.model.root_signature_checks import layout
from bindlint.model.source import Span
from bindlint.rootsig.document import entry_of
from bindlint.rootsig.tier import TierNeed, tier_need
from bindlint.rootsig.words import flag_names

MAX_LOCAL_BYTES = 4064
"""Of local root arguments: a shader record of 4096 bytes, less its identifier of 32 (DirectX Raytracing)."""

IDENTIFIER_BYTES = 32
"""With which a shader record begins."""

_CALLS = {
    "table": "DescriptorTable",
    "constants": "32BitConstants",
    "cbv": "ConstantBufferView",
    "srv": "ShaderResourceView",
    "uav": "UnorderedAccessView",
}
_VIEWS = {"b": "cbv", "t": "srv", "u": "uav", "s": "sampler"}


class RangeRow(msgspec.Struct, frozen=True):
    """A descriptor range; `descriptors` None is unbounded, `start` is its place in the table, in descriptors."""

    registers: str
    view: str
    descriptors: int | None
    start: int
    flags: tuple[str, ...]
    declared: str


class ParameterRow(msgspec.Struct, frozen=True):
    """A root parameter. `index` is its slot in the API, `registers` are those in HLSL (a table's are in its ranges).

    `count` is how many descriptors (None: unbounded, or not known where the row is `partial`) or 32-bit values, `cost`
    and `total` are DWORDs. In a local signature nothing is called: `record_offset` and `record_bytes` tell its place in
    the shader record.
    """

    index: int
    kind: str
    registers: str
    heap: str
    graphics_call: str
    compute_call: str
    at_draw: str
    visibility: Visibility
    flags: tuple[str, ...]
    count: int | None
    cost: int
    total: int
    declared: str
    ranges: tuple[RangeRow, ...] = ()
    record_offset: int | None = None
    record_bytes: int | None = None
    partial: bool = False


class SamplerRow(msgspec.Struct, frozen=True):
    """A static sampler; names of its state are those of HLSL without their prefix, unknown values are numbers."""

    index: int
    registers: str
    filter: str | int
    address: tuple[str | int, str | int, str | int]
    comparison: str | int
    border_color: str | int
    mip_lod_bias: float | str
    max_anisotropy: int
    min_lod: float | str
    max_lod: float | str
    visibility: Visibility
    flags: tuple[str, ...]
    declared: str


class Table(msgspec.Struct, frozen=True):
    """A whole signature. `limit` is in DWORDs, for a local one `record_bytes` counts to `limit` in bytes."""

    name: str
    version: str
    local: bool
    flags: tuple[str, ...]
    cost: int
    limit: int
    record_bytes: int | None
    parameters: tuple[ParameterRow, ...]
    static_samplers: tuple[SamplerRow, ...]
    faults: tuple[str, ...]
    declared: str
    hardware: TierNeed


def table_of(signature: RootSignature) -> Table:
    """The table of a signature."""
    rows, total, end = [], 0, 0
    for parameter in signature.parameters:
        total += parameter.cost
        start, size = record_place(parameter, end)
        end = start + size
        rows.append(_parameter(parameter, total, (start, size) if signature.is_local else None))
    samplers = zip(signature.static_samplers, entry_of(signature).static_samplers, strict=True)
    return Table(
        signature.name,
        signature.version,
        signature.is_local,
        _flags(signature.flags, names.ROOT_FLAGS),
        total,
        MAX_LOCAL_BYTES if signature.is_local else MAX_COST,
        end if signature.is_local else None,
        tuple(rows),
        tuple(
            SamplerRow(
                index,
                str(sampler.registers),
                entry.filter,
                (entry.address_u, entry.address_v, entry.address_w),
                entry.comparison,
                entry.border_color,
                entry.mip_lod_bias,
                entry.max_anisotropy,
                entry.min_lod,
                "unlimited" if entry.max_lod is None else entry.max_lod,
                sampler.visibility,
                _flags(sampler.flags, names.SAMPLER_FLAGS),
                _place(sampler.span),
            )
            for index, (sampler, entry) in enumerate(samplers)
        ),
        tuple(f"{_place(fault.span)}: {fault.message}".removeprefix(": ") for fault in signature.faults),
        _place(signature.span),
        tier_need(signature),
    )


def record_place(parameter: RootParameter, end: int) -> tuple[int, int]:
    """Where a parameter lies in the local root arguments, in bytes, after one that ends at `end`; and its size.

    Constants are aligned to 4 bytes, root descriptors and table handles to 8 (DirectX Raytracing specification).
    """
    size, alignment = (4 * parameter.count, 4) if parameter.kind == "constants" else (8, 8)
    return (end + alignment - 1) // alignment * alignment, size


def sampler_state(sampler: StaticSampler) -> StaticSampler:
    """What is left of a sampler without the place where it stands, for comparison."""
    return msgspec.structs.replace(sampler, span=RootSignature().span)


def _parameter(parameter: RootParameter, total: int, record: tuple[int, int] | None) -> ParameterRow:
    call = _CALLS[parameter.kind]
    in_record = record is not None
    return ParameterRow(
        parameter.index,
        parameter.kind,
        "" if parameter.kind == "table" else str(parameter.registers[0]),
        _heap(parameter),
        "" if in_record else f"SetGraphicsRoot{call}",
        "" if in_record else f"SetComputeRoot{call}",
        _at_draw(parameter, in_record),
        parameter.visibility,
        _flags(parameter.flags, names.DESCRIPTOR_FLAGS),
        _count(parameter),
        parameter.cost,
        total,
        _place(parameter.span),
        tuple(_range(slot.range, slot.start) for slot in layout(parameter.ranges)),
        record_offset=record[0] if record is not None else None,
        record_bytes=record[1] if record is not None else None,
        partial=parameter.partial,
    )


def _heap(parameter: RootParameter) -> str:
    classes = {"SAMPLER" if part.cls == "s" else "CBV_SRV_UAV" for part in parameter.ranges}
    return " and ".join(sorted(classes))


def _count(parameter: RootParameter) -> int | None:
    if parameter.kind != "table":
        return parameter.count if parameter.kind == "constants" else 1
    counts = [part.count for part in parameter.ranges]
    known = [count for count in counts if count is not None]
    return None if parameter.partial or len(known) < len(counts) else sum(known)


def _at_draw(parameter: RootParameter, in_record: bool) -> str:
    if parameter.kind == "constants":
        return f"{parameter.count} 32-bit value{'s' * (parameter.count != 1)}"
    if parameter.kind == "table":
        return "GPU descriptor handle" + (", 8 bytes" if in_record else "")
    return "GPU address" + (", multiple of 256" if parameter.kind == "cbv" else "")


def _range(part: DescriptorRange, start: int) -> RangeRow:
    return RangeRow(
        str(part.registers),
        _VIEWS[part.cls],
        part.count,
        start,
        _flags(part.flags, names.RANGE_FLAGS),
        _place(part.span),
    )


def _flags(value: int, known: dict[str, int]) -> tuple[str, ...]:
    found, rest = flag_names(value, known)
    return (*found, f"{rest:#x}") if rest else tuple(found)


def _place(span: Span) -> str:
    return str(span) if span.file else ""
