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


def _table() -> dict[str, ResourceType]:
    table: dict[str, ResourceType] = {}

    def add(cls: RegisterClass, view: ViewKind, letters: str, names: str, counter: bool = False) -> None:
        for name in names.split():
            table[name] = ResourceType(name, cls, view, letters, counter)

    add("b", "cbuffer", "b", "cbuffer ConstantBuffer")
    add(
        "t",
        "typed",
        "ts",
        "Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS Texture2DMSArray Texture3D TextureCube TextureCubeArray",
    )
    add("t", "typed", "t", "Buffer tbuffer TextureBuffer")
    add("t", "raw", "t", "ByteAddressBuffer")
    add("t", "raw", "bcistu", "RaytracingAccelerationStructure")
    add("t", "structured", "t", "StructuredBuffer")
    add("u", "typed", "u", "RWTexture1D RWTexture1DArray RWTexture2D RWTexture2DArray RWTexture2DMS RWTexture2DMSArray RWTexture3D RWBuffer")
    add("u", "typed", "u", "RasterizerOrderedTexture1D RasterizerOrderedTexture1DArray RasterizerOrderedTexture2D RasterizerOrderedTexture2DArray RasterizerOrderedTexture3D RasterizerOrderedBuffer")
    add("u", "typed", "u", "FeedbackTexture2D FeedbackTexture2DArray")
    add("u", "raw", "u", "RWByteAddressBuffer RasterizerOrderedByteAddressBuffer")
    add("u", "structured", "u", "RWStructuredBuffer RasterizerOrderedStructuredBuffer AppendStructuredBuffer ConsumeStructuredBuffer", counter=True)
    add("s", "sampler", "st", "SamplerState SamplerComparisonState sampler")
    return table


RESOURCE_TYPES: dict[str, ResourceType] = _table()
"""By name as HLSL spells it. Source: FACTS section 2, checked against DXC 1.8."""

BUFFER_VIEWS = ("ConstantBuffer", "TextureBuffer")
"""Resources whose template argument is the struct that they hold."""
