"""What a person wants to know of a root signature: each parameter's slots, how it is set, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from bindlint_grammars.root_signature import names

from bindlint.model.root_signature import (
    MAX_COST,
    RootParameter,
    RootSignature,
    StaticSampler,
    Visibility,
)
from bindlint.model.root_signature_checks import layout
from bindlint.model.source import Span
from bindlint.rootsig.document import sampler_entry
from bindlint.rootsig.words import flag_names
from bindlint.tiers.need import TableCount
from bindlint.tiers.signature import tier_need

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
    """A descriptor range; `descriptors` None is unbounded, `start` is its place in the table, in descriptors.

    What `unknown` names is not known, here and in what else has it: it is None, and `?` in registers.
    """

    registers: str
    view: str
    descriptors: int | None
    start: int | None
    flags: tuple[str, ...] | None
    declared: str
    unknown: tuple[str, ...] = ()


class ParameterRow(msgspec.Struct, frozen=True):
    """A root parameter. `index` is its slot in the API, `registers` are those in HLSL (a table's are in its ranges).

    `count` is how many descriptors (None: unbounded, or not known) or 32-bit values, `cost` and `total` are DWORDs. In
    a local signature nothing is called: `record_offset` and `record_bytes` tell its place in the shader record. Costs
    and places after something unknown are None, and `ranges` among the `unknown` are more than those that are here.
    """

    index: int
    kind: str
    registers: str
    heap: str
    graphics_call: str
    compute_call: str
    at_draw: str
    visibility: Visibility | None
    flags: tuple[str, ...] | None
    count: int | None
    cost: int | None
    total: int | None
    declared: str
    ranges: tuple[RangeRow, ...] = ()
    record_offset: int | None = None
    record_bytes: int | None = None
    unknown: tuple[str, ...] = ()


class SamplerRow(msgspec.Struct, frozen=True):
    """A static sampler; names of its state are those of HLSL without their prefix, values without a name numbers."""

    index: int
    registers: str
    filter: str | int | None
    address: tuple[str | int | None, str | int | None, str | int | None]
    comparison: str | int | None
    border_color: str | int | None
    mip_lod_bias: float | str | None
    max_anisotropy: int | None
    min_lod: float | str | None
    max_lod: float | str | None
    visibility: Visibility | None
    flags: tuple[str, ...] | None
    declared: str
    unknown: tuple[str, ...] = ()


class Hardware(msgspec.Struct, frozen=True):
    """As `bindlint.tiers.need.TierNeed` has it, the reasons in words."""

    tier: int | None
    feature_level: str
    reasons: tuple[str, ...]
    counts: tuple[TableCount, ...]


class Table(msgspec.Struct, frozen=True):
    """A whole signature. `limit` is in DWORDs, for a local one `record_bytes` counts to `limit` in bytes.

    `cost` and `record_bytes` are None where not all is known; they are at least `least_cost` and `least_record_bytes`.
    `when` lists the conditions of host code under which the signature is so, `!x` where x does not hold.
    `flags` None are not known, nor is then whether the signature is `local`. Of "parameters" and "static_samplers"
    among the `unknown` there are more than those that are here, or there may be.
    """

    name: str
    version: str
    local: bool | None
    flags: tuple[str, ...] | None
    cost: int | None
    least_cost: int
    limit: int
    record_bytes: int | None
    least_record_bytes: int | None
    parameters: tuple[ParameterRow, ...]
    static_samplers: tuple[SamplerRow, ...]
    faults: tuple[str, ...]
    declared: str
    hardware: Hardware
    unknown: tuple[str, ...] = ()
    when: tuple[str, ...] = ()


def _hardware(signature: RootSignature) -> Hardware:
    need = tier_need(signature)
    return Hardware(need.tier, need.feature_level, tuple(reason.text for reason in need.reasons), need.counts)


def table_of(signature: RootSignature) -> Table:
    """The table of a signature."""
    rows: list[ParameterRow] = []
    total, end, known = 0, 0, True
    for parameter in signature.parameters:
        # After a parameter that could not be read at all neither totals nor places are known.
        known = known and parameter.index == len(rows)
        start, size = record_place(parameter, end)
        total, end = total + parameter.cost, start + size
        record = (start if known else None, size if parameter.is_cost_known else None)
        known = known and parameter.is_cost_known
        rows.append(_parameter(parameter, total if known else None, record if signature.is_local else None))
    return Table(
        signature.name,
        signature.version,
        None if "flags" in signature.unknown and not signature.is_local else signature.is_local,
        _flags(signature.flags, names.ROOT_FLAGS, signature.unknown),
        total if signature.is_cost_known else None,
        total,
        MAX_LOCAL_BYTES if signature.is_local else MAX_COST,
        end if signature.is_local and signature.is_cost_known else None,
        end if signature.is_local else None,
        tuple(rows),
        tuple(_sampler(index, sampler) for index, sampler in enumerate(signature.static_samplers)),
        tuple(f"{_place(fault.span)}: {fault.message}".removeprefix(": ") for fault in signature.faults),
        _place(signature.span),
        _hardware(signature),
        signature.unknown,
        signature.when,
    )


def record_place(parameter: RootParameter, end: int) -> tuple[int, int]:
    """Where a parameter lies in the local root arguments, in bytes, after one that ends at `end`; and its size.

    Constants are aligned to 4 bytes, root descriptors and table handles to 8 (DirectX Raytracing specification).
    """
    size, alignment = (4 * parameter.count, 4) if parameter.kind == "constants" else (8, 8)
    return (end + alignment - 1) // alignment * alignment, size


def _parameter(
    parameter: RootParameter, total: int | None, record: tuple[int | None, int | None] | None
) -> ParameterRow:
    call = _CALLS[parameter.kind]
    in_record = record is not None
    return ParameterRow(
        parameter.index,
        parameter.kind,
        parameter.shown,
        _heap(parameter),
        "" if in_record else f"SetGraphicsRoot{call}",
        "" if in_record else f"SetComputeRoot{call}",
        _at_draw(parameter, in_record),
        None if "visibility" in parameter.unknown else parameter.visibility,
        _flags(parameter.flags, names.DESCRIPTOR_FLAGS, parameter.unknown),
        _count(parameter),
        parameter.cost if parameter.is_cost_known else None,
        total,
        _place(parameter.span),
        tuple(_ranges(parameter)),
        record_offset=record[0] if record is not None else None,
        record_bytes=record[1] if record is not None else None,
        unknown=parameter.unknown,
    )


def _heap(parameter: RootParameter) -> str:
    classes = {"SAMPLER" if part.cls == "s" else "CBV_SRV_UAV" for part in parameter.ranges}
    return " and ".join(sorted(classes)) or ("?" if "ranges" in parameter.unknown else "")


def _count(parameter: RootParameter) -> int | None:
    if parameter.kind == "constants":
        return parameter.count if parameter.is_cost_known else None
    if parameter.kind != "table":
        return 1
    counts = [None if "count" in part.unknown else part.count for part in parameter.ranges]
    known = [count for count in counts if count is not None]
    return None if "ranges" in parameter.unknown or len(known) < len(counts) else sum(known)


def _at_draw(parameter: RootParameter, in_record: bool) -> str:
    if parameter.kind == "constants":
        count = parameter.count if parameter.is_cost_known else "?"
        return f"{count} 32-bit value{'s' * (count != 1)}"
    if parameter.kind == "table":
        return "GPU descriptor handle" + (", 8 bytes" if in_record else "")
    return "GPU address" + (", multiple of 256" if parameter.kind == "cbv" else "")


def _ranges(parameter: RootParameter) -> Iterator[RangeRow]:
    whole = "ranges" not in parameter.unknown
    known = whole
    for slot in layout(parameter.ranges):
        part = slot.range
        known = "offset" not in part.unknown and (known or part.offset is not None)
        open_count = "count" in part.unknown
        yield RangeRow(
            part.shown,
            _VIEWS[part.cls],
            None if open_count else part.count,
            slot.start if known else None,
            _flags(part.flags, names.RANGE_FLAGS, part.unknown),
            _place(part.span),
            part.unknown,
        )
        known = known and whole and not open_count


def _sampler(index: int, sampler: StaticSampler) -> SamplerRow:
    entry = sampler_entry(sampler)

    def known(field: str) -> Any:
        return None if field in sampler.unknown else getattr(entry, field)

    limit = known("max_lod")
    return SamplerRow(
        index,
        sampler.shown,
        known("filter"),
        (known("address_u"), known("address_v"), known("address_w")),
        known("comparison"),
        known("border_color"),
        known("mip_lod_bias"),
        known("max_anisotropy"),
        known("min_lod"),
        "unlimited" if limit is None and "max_lod" not in sampler.unknown else limit,
        known("visibility"),
        _flags(sampler.flags, names.SAMPLER_FLAGS, sampler.unknown),
        _place(sampler.span),
        sampler.unknown,
    )


def _flags(value: int, known: dict[str, int], unknown: tuple[str, ...]) -> tuple[str, ...] | None:
    if "flags" in unknown:
        return None
    found, rest = flag_names(value, known)
    return (*found, f"{rest:#x}") if rest else tuple(found)


def _place(span: Span) -> str:
    return str(span) if span.file else ""
