"""Wrapper functions of a project's own, as its configuration describes them, in terms of d3d12.h."""

from __future__ import annotations

from bindlint.facts.host.values import Unknown, Value
from bindlint.model.host import WrapperDescription

_FIELDS: dict[str, tuple[str, dict[str, str]]] = {
    "constants": (
        "D3D12_ROOT_PARAMETER1",
        {
            "register": "Constants.ShaderRegister",
            "space": "Constants.RegisterSpace",
            "count": "Constants.Num32BitValues",
            "visibility": "ShaderVisibility",
        },
    ),
    "descriptor": (
        "D3D12_ROOT_PARAMETER1",
        {
            "register": "Descriptor.ShaderRegister",
            "space": "Descriptor.RegisterSpace",
            "flags": "Descriptor.Flags",
            "visibility": "ShaderVisibility",
        },
    ),
    "table": (
        "D3D12_ROOT_PARAMETER1",
        {
            "count": "DescriptorTable.NumDescriptorRanges",
            "ranges": "DescriptorTable.pDescriptorRanges",
            "visibility": "ShaderVisibility",
        },
    ),
    "range": (
        "D3D12_DESCRIPTOR_RANGE1",
        {
            "type": "RangeType",
            "count": "NumDescriptors",
            "register": "BaseShaderRegister",
            "space": "RegisterSpace",
            "flags": "Flags",
            "offset": "OffsetInDescriptorsFromTableStart",
        },
    ),
    "signature": (
        "D3D12_ROOT_SIGNATURE_DESC1",
        {
            "parameter_count": "NumParameters",
            "parameters": "pParameters",
            "sampler_count": "NumStaticSamplers",
            "samplers": "pStaticSamplers",
            "flags": "Flags",
        },
    ),
}
_PARAMETER_TYPES = {"table": 0, "constants": 1, "cbv": 2, "srv": 3, "uav": 4}
_DEFAULTS = {
    **{kind: {"space": 0, "flags": 0, "visibility": 0} for kind in _PARAMETER_TYPES},
    "range": {"space": 0, "flags": 0, "offset": 0xFFFFFFFF},
}
"""Those of d3dx12's helpers."""


def known_arguments(gives: str) -> tuple[str, ...]:
    """What an argument of a wrapper that makes a `gives` can be."""
    return tuple(_fields_of(gives)[1])


def described_fields(wrapper: WrapperDescription, values: list[Value]) -> tuple[str, dict[str, Value]]:
    """The structure that a call of the wrapper makes, and what it writes to which of its fields."""
    kind, names = _fields_of(wrapper.gives)
    given: dict[str, Value] = {}
    if wrapper.gives != "signature" and wrapper.target != "receiver":
        given = {what: Unknown(f"`{wrapper.function}` is not given its {what}") for what in names}
    given |= {**_DEFAULTS.get(wrapper.gives, {}), **wrapper.values}
    given |= {what: values[i] for what, i in wrapper.arguments.items() if 0 <= i < len(values)}
    fields = {names[what]: value for what, value in given.items() if what in names}
    if wrapper.gives in _PARAMETER_TYPES:
        fields["ParameterType"] = _PARAMETER_TYPES[wrapper.gives]
    return kind, fields


def _fields_of(gives: str) -> tuple[str, dict[str, str]]:
    return _FIELDS["descriptor" if gives in ("cbv", "srv", "uav") else gives]
