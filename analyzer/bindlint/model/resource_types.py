"""HLSL's resource types: the register class and the kind of view that each takes."""

from __future__ import annotations

from typing import Literal

import msgspec

from bindlint.model.registers import RegisterClass

ViewKind = Literal["cbuffer", "typed", "raw", "structured", "structured+counter", "sampler"]
"""How D3D12 sees the resource, in the words of the pipeline state validation data that DXC writes (PSV0)."""


class ResourceType(msgspec.Struct, frozen=True):
    """One of HLSL's resource types.

    `letters` are the register letters that DXC accepts on it (SemaHLSL DiagnoseRegisterType): for textures and samplers
    more than the class that is bound, for acceleration structures all.
    """

    name: str
    cls: RegisterClass
    view: ViewKind
    letters: str
    counter: bool = False
    """Append and Consume buffers, and RWStructuredBuffer, can have a hidden counter."""


_ROWS: tuple[tuple[RegisterClass, ViewKind, str, str], ...] = (
    ("b", "cbuffer", "b", "cbuffer ConstantBuffer"),
    ("t", "typed", "ts", "Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS Texture2DMSArray Texture3D"),
    ("t", "typed", "ts", "TextureCube TextureCubeArray"),
    ("t", "typed", "t", "Buffer tbuffer TextureBuffer"),
    ("t", "raw", "t", "ByteAddressBuffer"),
    ("t", "raw", "bcistu", "RaytracingAccelerationStructure"),
    ("t", "structured", "t", "StructuredBuffer"),
    ("u", "typed", "u", "RWTexture1D RWTexture1DArray RWTexture2D RWTexture2DArray RWTexture2DMS RWTexture2DMSArray"),
    ("u", "typed", "u", "RWTexture3D RWBuffer RasterizerOrderedTexture1D RasterizerOrderedTexture1DArray"),
    ("u", "typed", "u", "RasterizerOrderedTexture2D RasterizerOrderedTexture2DArray RasterizerOrderedTexture3D"),
    ("u", "typed", "u", "RasterizerOrderedBuffer FeedbackTexture2D FeedbackTexture2DArray"),
    ("u", "raw", "u", "RWByteAddressBuffer RasterizerOrderedByteAddressBuffer"),
    ("u", "structured", "u", "RWStructuredBuffer RasterizerOrderedStructuredBuffer"),
    ("u", "structured", "u", "AppendStructuredBuffer ConsumeStructuredBuffer"),
    ("s", "sampler", "st", "SamplerState SamplerComparisonState sampler"),
)

RESOURCE_TYPES: dict[str, ResourceType] = {
    name: ResourceType(name, cls, view, letters, view == "structured" and cls == "u")
    for cls, view, letters, names in _ROWS
    for name in names.split()
}
"""By name as HLSL spells it. Source: SemaHLSL.cpp, checked against DXC 1.8."""

BUFFER_VIEWS = ("ConstantBuffer", "TextureBuffer")
"""Resources whose template argument is the struct that they hold."""
