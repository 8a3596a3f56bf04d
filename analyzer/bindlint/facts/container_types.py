"""The numbers by which containers name kinds of resources, as resource types."""

from __future__ import annotations

from functools import cache

import msgspec

from bindlint.model.registers import MAX_REGISTER, RegisterClass, RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES, ResourceType, ViewKind

_VIEWS: dict[int, tuple[RegisterClass, ViewKind]] = {
    1: ("s", "sampler"),
    2: ("b", "cbuffer"),
    3: ("t", "typed"),
    4: ("t", "raw"),
    5: ("t", "structured"),
    6: ("u", "typed"),
    7: ("u", "raw"),
    8: ("u", "structured"),
    9: ("u", "structured+counter"),
}
"""PSVResourceType (DxilPipelineStateValidation.h)."""

_KIND_WORDS = """
    Texture1D Texture2D Texture2DMS Texture3D TextureCube Texture1DArray Texture2DArray Texture2DMSArray
    TextureCubeArray Buffer ByteAddressBuffer StructuredBuffer cbuffer SamplerState tbuffer
    RaytracingAccelerationStructure FeedbackTexture2D FeedbackTexture2DArray
"""
_KINDS = ("", *_KIND_WORDS.split())
"""DXIL's ResourceKind (DxilConstants.h)."""

_TYPICAL = {"b": "cbuffer", "s": "SamplerState", "typed": "Buffer", "raw": "ByteAddressBuffer"}
"""What a resource is called where only the kind of its view is known."""

_FXC_TYPES: dict[int, tuple[RegisterClass, ViewKind, str]] = {
    0: ("b", "cbuffer", "cbuffer"),
    1: ("t", "typed", "tbuffer"),
    2: ("t", "typed", ""),
    3: ("s", "sampler", "SamplerState"),
    4: ("u", "typed", ""),
    5: ("t", "structured", "StructuredBuffer"),
    6: ("u", "structured", "RWStructuredBuffer"),
    7: ("t", "raw", "ByteAddressBuffer"),
    8: ("u", "raw", "RWByteAddressBuffer"),
    9: ("u", "structured+counter", "AppendStructuredBuffer"),
    10: ("u", "structured+counter", "ConsumeStructuredBuffer"),
    11: ("u", "structured+counter", "RWStructuredBuffer"),
    12: ("t", "raw", "RaytracingAccelerationStructure"),
    13: ("u", "typed", "FeedbackTexture2D"),
}
"""D3D_SHADER_INPUT_TYPE."""

_DIMENSION_WORDS = """
    Buffer Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS Texture2DMSArray Texture3D
    TextureCube TextureCubeArray ByteAddressBuffer
"""
_DIMENSIONS = ("", *_DIMENSION_WORDS.split())
"""D3D_SRV_DIMENSION."""

_BYTECODE_DIMENSION_WORDS = """
    Buffer Texture1D Texture2D Texture2DMS Texture3D TextureCube Texture1DArray Texture2DArray Texture2DMSArray
    TextureCubeArray
"""
_BYTECODE_DIMENSIONS = ("", *_BYTECODE_DIMENSION_WORDS.split())
"""D3D10_SB_RESOURCE_DIMENSION."""


@cache
def validated_type(view: int, kind: int, cls: str = "", counter: bool = False) -> ResourceType | None:
    """The type of a resource of DXIL, by PSVResourceType or, where `view` is 0, by class; None for unknown numbers."""
    name = _KINDS[kind] if 0 < kind < len(_KINDS) else ""
    if view:
        found = _VIEWS.get(view)
        return None if found is None else _type(*found, name)
    base = RESOURCE_TYPES.get(name)
    if base is None or not cls:
        return None
    shape: ViewKind = "structured+counter" if counter and base.view == "structured" else base.view
    return _type(cls, shape, name)  # type: ignore[arg-type]


@cache
def fxc_type(kind: int, dimension: int) -> ResourceType:
    """The type of a resource of FXC; an unknown number is taken for a texture's."""
    cls, view, name = _FXC_TYPES.get(kind, _FXC_TYPES[2])
    dimensions = _DIMENSIONS[dimension] if dimension < len(_DIMENSIONS) else ""
    return _type(cls, view, name or dimensions)


@cache
def bytecode_type(cls: str, view: str, dimension: int, comparison: bool) -> ResourceType:
    """The type of a resource that FXC's bytecode declares."""
    name = _BYTECODE_DIMENSIONS[dimension] if dimension < len(_BYTECODE_DIMENSIONS) else ""
    return _type(cls, view, "SamplerComparisonState" if comparison else name)  # type: ignore[arg-type]


def _type(cls: RegisterClass, view: ViewKind, name: str) -> ResourceType:
    name = name or _TYPICAL.get(cls) or _TYPICAL.get(view, "StructuredBuffer")
    written = f"RW{name}" if cls == "u" and f"RW{name}" in RESOURCE_TYPES else name
    known = RESOURCE_TYPES.get(written)
    if known is not None and known.cls == cls:
        return msgspec.structs.replace(known, view=view)
    return ResourceType(written, cls, view, cls)


def range_of(cls: RegisterClass, space: int, lower: int, upper: int) -> RegisterRange:
    """Registers as containers give them: 4294967295 at the end is "unbounded"."""
    return RegisterRange(cls, space, lower, None if upper >= MAX_REGISTER else max(upper, lower))
