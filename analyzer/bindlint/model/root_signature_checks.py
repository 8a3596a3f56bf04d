"""What makes a root signature invalid, as plain facts: rules word them, and serialization asks for DXC's verdict."""

from __future__ import annotations

import math
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from bindlint_grammars.root_signature.names import BORDER_COLORS, FILTERS, ROOT_FLAGS, SAMPLER_FLAGS

from bindlint.model.registers import MAX_REGISTER
from bindlint.model.root_signature import (
    LOCAL_ROOT_SIGNATURE,
    VISIBILITIES,
    Claim,
    DescriptorRange,
    RootParameter,
    RootSignature,
    StaticSampler,
    Visibility,
)

VALID_ROOT_FLAGS = 0x80000FFF
"""D3D12_ROOT_SIGNATURE_FLAGS, with the internal highest bit that DXC lets pass."""

DENY_FLAGS: dict[Visibility, int] = {
    visibility: ROOT_FLAGS[f"DENY_{visibility}_SHADER_ROOT_ACCESS"]
    for visibility in VISIBILITIES
    if visibility != "ALL"
}
"""The root flag that keeps a stage from all root arguments."""

ALLOW_INPUT_LAYOUT = ROOT_FLAGS["ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"]

HEAP_FLAGS = {
    "ResourceDescriptorHeap": ("CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED", ROOT_FLAGS["CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED"]),
    "SamplerDescriptorHeap": ("SAMPLER_HEAP_DIRECTLY_INDEXED", ROOT_FLAGS["SAMPLER_HEAP_DIRECTLY_INDEXED"]),
}
"""The root flag that lets a shader index a descriptor heap directly, by HLSL's name of the heap."""

GLOBAL_ORIGINS = frozenset({"attribute", "define", "global-subobject"})
"""Where DXC takes a signature for a global one, whatever its flags say."""

DESCRIPTORS_VOLATILE = 0x1
DATA_VOLATILE = 0x2
DATA_STATIC_WHILE_SET_AT_EXECUTE = 0x4
DATA_STATIC = 0x8
KEEPING_BOUNDS_CHECKS = 0x10000
DATA_FLAGS = DATA_VOLATILE | DATA_STATIC_WHILE_SET_AT_EXECUTE | DATA_STATIC

RESERVED_SPACES = range(0xFFFFFFF0, 0x100000000)
"""D3D12_DRIVER_RESERVED_REGISTER_SPACE_VALUES_START to D3D12_OS_RESERVED_REGISTER_SPACE_VALUES_END."""

MIN_MIP_LOD_BIAS, MAX_MIP_LOD_BIAS = -16.0, struct.unpack("<f", struct.pack("<f", 15.99))[0]
"""D3D12_MIP_LOD_BIAS_MIN and _MAX, compared in single precision as DXC does."""

MAX_ANISOTROPY = 16

FILTER_VALUES = frozenset(FILTERS.values())

UINT_BORDER_COLOR, NON_NORMALIZED_COORDINATES = SAMPLER_FLAGS.values()
UINT_BORDER_COLORS = frozenset(number for name, number in BORDER_COLORS.items() if name.endswith("_UINT"))
FLOAT_BORDER_COLORS = frozenset((1, 2))
"""The opaque ones: transparent black is 0 in either reading."""

TEXEL_FILTERS = frozenset(reduction | kind for reduction in (0x0, 0x100, 0x180) for kind in (0x0, 0x14))
"""Filters that go with coordinates in texels: point or linear within one level, no comparison (VulkanOn12.md)."""
TEXEL_ADDRESSES = frozenset((3, 4))
"""CLAMP and BORDER."""

FlagFault = Literal["unknown-bits", "several-data", "sampler-data", "volatile-static", "volatile-keeping"]
SamplerFault = Literal[
    "filter",
    "address",
    "bias",
    "anisotropy",
    "comparison",
    "lod",
    "lod-order",
    "lod-negative",
    "flags",
    "border-flag",
    "texel-filter",
    "texel-lod",
    "texel-address",
]
DXC_PASSES: frozenset[SamplerFault] = frozenset(("lod-order", "lod-negative"))
"""What DXC says nothing of. It knows no sampler flags, so that it says nothing of them either."""


class Slot(msgspec.Struct, frozen=True):
    """A range's place in its table, in descriptors; a `start` past 4294967295 is an append after an unbounded range."""

    range: DescriptorRange
    start: int

    @property
    def last(self) -> int:
        return MAX_REGISTER if self.range.count is None else self.start + self.range.count - 1


def layout(ranges: Iterable[DescriptorRange]) -> Iterator[Slot]:
    """Where each range of a table lies: at its offset, else after the range before it."""
    append = 0
    for part in ranges:
        slot = Slot(part, append if part.offset is None else part.offset)
        append = slot.last + 1
        yield slot


def overlap_groups(claims: Iterable[Claim]) -> list[list[Claim]]:
    """Claims that conflict, directly or through one another; each group in the order of the signature."""
    lines: defaultdict[tuple[str, int], list[_Entry]] = defaultdict(list)
    for order, claim in enumerate(claims):
        lines[claim.registers.cls, claim.registers.space].append((order, claim))
    groups = [group for line in lines.values() for chain in _chains(line) for group in _connected(chain)]
    return [[claim for _, claim in group] for group in sorted(groups)]


_Entry = tuple[int, Claim]


def _chains(line: list[_Entry]) -> Iterator[list[_Entry]]:
    """Runs of entries whose registers touch, whatever their visibility."""
    chain: list[_Entry] = []
    reach = -1
    for entry in sorted(line, key=lambda entry: entry[1].registers.lower):
        if entry[1].registers.lower > reach:
            yield chain
            chain = []
        chain.append(entry)
        reach = max(reach, entry[1].registers.last)
    yield chain


def _connected(chain: list[_Entry]) -> Iterator[list[_Entry]]:
    """The groups of two and more in a chain, sorted by register, that conflict when visibility counts too.

    Of those with one visibility only the one that reaches furthest is held against what follows: all that reach as far
    as what follows begins lie over one another there, and so are in one group with it.
    """
    furthest: dict[Visibility, Claim] = {}
    group_of: dict[Visibility, list[_Entry]] = {}
    groups: dict[int, list[_Entry]] = {}
    for entry in chain:
        claim = entry[1]
        group = [entry]
        for visibility, other in furthest.items():
            met = group_of[visibility]
            if met is not group and claim.conflicts(other):
                # The smaller moves, so that no entry moves often.
                group, moved = (group, met) if len(group) > len(met) else (met, group)
                group += moved
                groups.pop(id(moved), None)
                group_of = {seen: group if of is moved else of for seen, of in group_of.items()}
        groups[id(group)] = group
        known = furthest.get(claim.visibility)
        if known is None or known.registers.last < claim.registers.last:
            furthest[claim.visibility] = claim
            group_of[claim.visibility] = group
    for group in groups.values():
        if len(group) > 1:
            yield sorted(group)


def range_flag_faults(part: DescriptorRange) -> tuple[FlagFault, ...]:
    """Why a range's flags do not go together (root signature version 1.1, "Flags" in the win32 documentation)."""
    flags = part.flags
    faults = list(_data_flag_faults(flags, DATA_FLAGS | DESCRIPTORS_VOLATILE | KEEPING_BOUNDS_CHECKS))
    if part.cls == "s":
        faults = [fault for fault in faults if fault != "several-data"]
        if flags & DATA_FLAGS:
            faults.append("sampler-data")
    elif flags & DATA_STATIC and flags & DESCRIPTORS_VOLATILE:
        faults.append("volatile-static")
    if flags & DESCRIPTORS_VOLATILE and flags & KEEPING_BOUNDS_CHECKS:
        faults.append("volatile-keeping")
    return tuple(faults)


def descriptor_flag_faults(parameter: RootParameter) -> tuple[FlagFault, ...]:
    """Why a root descriptor's flags do not go together."""
    return tuple(_data_flag_faults(parameter.flags, DATA_FLAGS))


def _data_flag_faults(flags: int, known: int) -> Iterator[FlagFault]:
    if flags & ~known:
        yield "unknown-bits"
    if (flags & DATA_FLAGS).bit_count() > 1:
        yield "several-data"


def mixes_samplers(parameter: RootParameter) -> bool:
    """Whether a table holds samplers and something else; they live in different heaps."""
    return len({part.cls == "s" for part in parameter.ranges}) > 1


def sampler_faults(sampler: StaticSampler) -> tuple[SamplerFault, ...]:
    """Values of a static sampler that D3D12 does not take, or that cannot be meant."""
    lods = (sampler.min_lod, sampler.max_lod)
    in_texels = bool(sampler.flags & NON_NORMALIZED_COORDINATES)
    integer = bool(sampler.flags & UINT_BORDER_COLOR)
    faults: dict[SamplerFault, bool] = {
        "filter": sampler.filter not in FILTER_VALUES,
        "address": not {sampler.address_u, sampler.address_v, sampler.address_w} <= {1, 2, 3, 4, 5},
        "bias": not MIN_MIP_LOD_BIAS <= sampler.mip_lod_bias <= MAX_MIP_LOD_BIAS,
        "anisotropy": sampler.max_anisotropy > MAX_ANISOTROPY,
        "comparison": is_comparison(sampler) and not 1 <= sampler.comparison <= 8,
        "lod": any(map(math.isnan, lods)),
        "lod-order": sampler.min_lod > sampler.max_lod,
        "lod-negative": sampler.max_lod < 0,
        "flags": bool(sampler.flags & ~(UINT_BORDER_COLOR | NON_NORMALIZED_COORDINATES)),
        "border-flag": integer and sampler.border_color in FLOAT_BORDER_COLORS,
        "texel-filter": in_texels and sampler.filter not in TEXEL_FILTERS,
        "texel-lod": in_texels and lods != (0, 0),
        "texel-address": in_texels and not {sampler.address_u, sampler.address_v} <= TEXEL_ADDRESSES,
    }
    return tuple(fault for fault, found in faults.items() if found)


def is_comparison(sampler: StaticSampler) -> bool:
    """Whether the filter compares (D3D12_FILTER_REDUCTION_TYPE_COMPARISON in bits 7 and 8)."""
    return sampler.filter & 0x180 == 0x80


def has_integer_border(sampler: StaticSampler) -> bool:
    """Whether the border color is one of integers, by its value or by its flag."""
    return sampler.border_color in UINT_BORDER_COLORS or bool(sampler.flags & UINT_BORDER_COLOR)


def range_overflows(slot: Slot) -> bool:
    """Whether a bounded range runs past the last register, or past the last descriptor of a table."""
    count = slot.range.count
    return count is not None and max(slot.range.register + count, slot.start + count) - 1 > MAX_REGISTER


def local_flag_on_global(signature: RootSignature) -> bool:
    """Whether a signature that must be a global one says that it is local."""
    return bool(signature.flags & LOCAL_ROOT_SIGNATURE) and signature.origin in GLOBAL_ORIGINS


def dxc_accepts(signature: RootSignature) -> bool:
    """Whether DXC's verifier lets the signature pass (it does not look at cost, tiers or most of the root flags)."""
    claims = signature.claims
    return not (
        signature.faults
        or signature.flags & ~VALID_ROOT_FLAGS
        or local_flag_on_global(signature)
        or any(_dxc_refuses(parameter) for parameter in signature.parameters)
        or any(set(sampler_faults(sampler)) - DXC_PASSES for sampler in signature.static_samplers)
        or any(claim.registers.space in RESERVED_SPACES for claim in claims)
        or overlap_groups(claims)
    )


def _dxc_refuses(parameter: RootParameter) -> bool:
    if parameter.kind != "table":
        return parameter.kind != "constants" and bool(descriptor_flag_faults(parameter))
    return mixes_samplers(parameter) or any(
        slot.range.count == 0
        or slot.start > MAX_REGISTER
        or range_overflows(slot)
        or set(range_flag_faults(slot.range)) - {"volatile-keeping"}
        for slot in layout(parameter.ranges)
    )
