"""What d3d12.h and d3dx12.h declare of root signatures: structures, enumerations, helper methods and their defaults."""

from __future__ import annotations

import difflib
from functools import cache

import msgspec
from bindlint_grammars.root_signature import names

from bindlint.facts.host import descriptions, device_api

APPEND = UNBOUNDED = 0xFFFFFFFF
FLOAT_MAX = 3.4028234663852886e38

_TABLE_1_0, _TABLE_1_1 = "D3D12_ROOT_DESCRIPTOR_TABLE", "D3D12_ROOT_DESCRIPTOR_TABLE1"
_SAMPLER = (
    "Filter AddressU AddressV AddressW MipLODBias MaxAnisotropy ComparisonFunc BorderColor MinLOD MaxLOD "
    "ShaderRegister RegisterSpace ShaderVisibility"
)
_DESC = "NumParameters pParameters NumStaticSamplers pStaticSamplers Flags"
_PARAMETER = "ParameterType DescriptorTable|Constants|Descriptor ShaderVisibility"

RECORDS: dict[str, tuple[str, ...]] = {
    name: tuple(fields.split())
    for name, fields in {
        "D3D12_DESCRIPTOR_RANGE": "RangeType NumDescriptors BaseShaderRegister RegisterSpace "
        "OffsetInDescriptorsFromTableStart",
        "D3D12_DESCRIPTOR_RANGE1": "RangeType NumDescriptors BaseShaderRegister RegisterSpace Flags "
        "OffsetInDescriptorsFromTableStart",
        _TABLE_1_0: "NumDescriptorRanges pDescriptorRanges",
        _TABLE_1_1: "NumDescriptorRanges pDescriptorRanges",
        "D3D12_ROOT_CONSTANTS": "ShaderRegister RegisterSpace Num32BitValues",
        "D3D12_ROOT_DESCRIPTOR": "ShaderRegister RegisterSpace",
        "D3D12_ROOT_DESCRIPTOR1": "ShaderRegister RegisterSpace Flags",
        "D3D12_ROOT_PARAMETER": _PARAMETER,
        "D3D12_ROOT_PARAMETER1": _PARAMETER,
        "D3D12_STATIC_SAMPLER_DESC": _SAMPLER,
        "D3D12_STATIC_SAMPLER_DESC1": _SAMPLER + " Flags",
        "D3D12_SAMPLER_DESC": "Filter AddressU AddressV AddressW MipLODBias MaxAnisotropy ComparisonFunc BorderColor "
        "MinLOD MaxLOD",
        "D3D12_ROOT_SIGNATURE_DESC": _DESC,
        "D3D12_ROOT_SIGNATURE_DESC1": _DESC,
        "D3D12_ROOT_SIGNATURE_DESC2": _DESC,
        "D3D12_VERSIONED_ROOT_SIGNATURE_DESC": "Version Desc_1_0|Desc_1_1|Desc_1_2",
    }.items()
}
"""Fields in order; those of a union are joined by `|`."""

FIELD_TYPES: dict[tuple[str, str], str] = {
    ("D3D12_ROOT_PARAMETER", "DescriptorTable"): _TABLE_1_0,
    ("D3D12_ROOT_PARAMETER", "Constants"): "D3D12_ROOT_CONSTANTS",
    ("D3D12_ROOT_PARAMETER", "Descriptor"): "D3D12_ROOT_DESCRIPTOR",
    ("D3D12_ROOT_PARAMETER1", "DescriptorTable"): _TABLE_1_1,
    ("D3D12_ROOT_PARAMETER1", "Constants"): "D3D12_ROOT_CONSTANTS",
    ("D3D12_ROOT_PARAMETER1", "Descriptor"): "D3D12_ROOT_DESCRIPTOR1",
    ("RootParameter", "DescriptorTable"): _TABLE_1_0,
    ("RootParameter", "Constants"): "D3D12_ROOT_CONSTANTS",
    ("RootParameter", "Descriptor"): "D3D12_ROOT_DESCRIPTOR",
    ("D3D12_VERSIONED_ROOT_SIGNATURE_DESC", "Desc_1_0"): "D3D12_ROOT_SIGNATURE_DESC",
    ("D3D12_VERSIONED_ROOT_SIGNATURE_DESC", "Desc_1_1"): "D3D12_ROOT_SIGNATURE_DESC1",
    ("D3D12_VERSIONED_ROOT_SIGNATURE_DESC", "Desc_1_2"): "D3D12_ROOT_SIGNATURE_DESC2",
}

SIGNATURES = ("D3D12_ROOT_SIGNATURE_DESC", "D3D12_ROOT_SIGNATURE_DESC1", "D3D12_ROOT_SIGNATURE_DESC2")
VERSIONED = "D3D12_VERSIONED_ROOT_SIGNATURE_DESC"
PARAMETERS = ("D3D12_ROOT_PARAMETER", "D3D12_ROOT_PARAMETER1")
MINIENGINE = "RootSignature"
"""The wrapper class of MiniEngine, the sample engine of DirectX-Graphics-Samples."""
MINIENGINE_PARAMETER = "RootParameter"

_HELPERS = (
    "DESCRIPTOR_RANGE", "DESCRIPTOR_RANGE1", "ROOT_DESCRIPTOR_TABLE", "ROOT_DESCRIPTOR_TABLE1", "ROOT_CONSTANTS",
    "ROOT_DESCRIPTOR", "ROOT_DESCRIPTOR1", "ROOT_PARAMETER", "ROOT_PARAMETER1", "STATIC_SAMPLER_DESC",
    "STATIC_SAMPLER_DESC1", "ROOT_SIGNATURE_DESC", "ROOT_SIGNATURE_DESC1", "ROOT_SIGNATURE_DESC2",
    "VERSIONED_ROOT_SIGNATURE_DESC",
)  # fmt: skip
TYPES: dict[str, str] = {name: name for name in RECORDS} | {f"CD3DX12_{name}": f"D3D12_{name}" for name in _HELPERS}
"""Every spelling of a structure's name, d3dx12's among them, to the structure that it is or derives from."""
TYPES |= {name: name for name in (MINIENGINE, MINIENGINE_PARAMETER)}


class Method(msgspec.Struct, frozen=True):
    """A method as assignments: argument i goes to `fields[i]`, with its default in `defaults`; `sets` are fixed."""

    fields: tuple[str, ...]
    defaults: dict[str, int | float]
    sets: dict[str, int]

    @property
    def required(self) -> int:
        return len(self.fields) - len(self.defaults)


def _method(fields: str, **sets: int) -> Method:
    named: list[str] = []
    defaults: dict[str, int | float] = {}
    for field in fields.split():
        name, equals, default = field.partition("=")
        named.append(name)
        if equals:
            defaults[name] = float(default) if "." in default or "e" in default else int(default)
    return Method(tuple(named), defaults, sets)


_RANGE = "RangeType NumDescriptors BaseShaderRegister RegisterSpace=0 OffsetInDescriptorsFromTableStart=4294967295"
_RANGE1 = (
    "RangeType NumDescriptors BaseShaderRegister RegisterSpace=0 Flags=0 OffsetInDescriptorsFromTableStart=4294967295"
)
_CONSTANTS = "Constants.Num32BitValues Constants.ShaderRegister Constants.RegisterSpace=0 ShaderVisibility=0"
_DESCRIPTOR = "Descriptor.ShaderRegister Descriptor.RegisterSpace=0 ShaderVisibility=0"
_DESCRIPTOR1 = "Descriptor.ShaderRegister Descriptor.RegisterSpace=0 Descriptor.Flags=0 ShaderVisibility=0"
_TABLE = "DescriptorTable.NumDescriptorRanges DescriptorTable.pDescriptorRanges ShaderVisibility=0"
_SIGNATURE = "NumParameters pParameters NumStaticSamplers=0 pStaticSamplers=0 Flags=0"
_STATIC_SAMPLER = (
    "ShaderRegister Filter=85 AddressU=1 AddressV=1 AddressW=1 MipLODBias=0.0 MaxAnisotropy=16 ComparisonFunc=4 "
    "BorderColor=2 MinLOD=0.0 MaxLOD=3.4028234663852886e38 ShaderVisibility=0 RegisterSpace=0"
)
_SELF = "Constants.ShaderRegister Constants.Num32BitValues ShaderVisibility=0 Constants.RegisterSpace=0"
_SELF_DESCRIPTOR = "Descriptor.ShaderRegister ShaderVisibility=0 Descriptor.RegisterSpace=0"

METHODS: dict[tuple[str, str], Method] = {
    ("D3D12_DESCRIPTOR_RANGE", "Init"): _method(_RANGE),
    ("D3D12_DESCRIPTOR_RANGE1", "Init"): _method(_RANGE1),
    (_TABLE_1_0, "Init"): _method("NumDescriptorRanges pDescriptorRanges"),
    (_TABLE_1_1, "Init"): _method("NumDescriptorRanges pDescriptorRanges"),
    ("D3D12_ROOT_CONSTANTS", "Init"): _method("Num32BitValues ShaderRegister RegisterSpace=0"),
    ("D3D12_ROOT_DESCRIPTOR", "Init"): _method("ShaderRegister RegisterSpace=0"),
    ("D3D12_ROOT_DESCRIPTOR1", "Init"): _method("ShaderRegister RegisterSpace=0 Flags=0"),
    ("D3D12_STATIC_SAMPLER_DESC", "Init"): _method(_STATIC_SAMPLER),
    ("D3D12_STATIC_SAMPLER_DESC1", "Init"): _method(_STATIC_SAMPLER + " Flags=0"),
    **{(name, "Init"): _method(_SIGNATURE) for name in SIGNATURES},
    **{
        (VERSIONED, f"Init_1_{minor}"): _method(
            " ".join(f"Desc_1_{minor}.{field}" for field in _SIGNATURE.split()), Version=minor + 1
        )
        for minor in range(3)
    },
    **{
        (name, method): _method(fields, ParameterType=kind)
        for name in PARAMETERS
        for method, fields, kind in (
            ("InitAsDescriptorTable", _TABLE, 0),
            ("InitAsConstants", _CONSTANTS, 1),
            ("InitAsConstantBufferView", _DESCRIPTOR1 if name[-1] == "1" else _DESCRIPTOR, 2),
            ("InitAsShaderResourceView", _DESCRIPTOR1 if name[-1] == "1" else _DESCRIPTOR, 3),
            ("InitAsUnorderedAccessView", _DESCRIPTOR1 if name[-1] == "1" else _DESCRIPTOR, 4),
        )
    },
    (MINIENGINE_PARAMETER, "InitAsConstants"): _method(_SELF, ParameterType=1),
    (MINIENGINE_PARAMETER, "InitAsConstantBuffer"): _method(_SELF_DESCRIPTOR, ParameterType=2),
    (MINIENGINE_PARAMETER, "InitAsBufferSRV"): _method(_SELF_DESCRIPTOR, ParameterType=3),
    (MINIENGINE_PARAMETER, "InitAsBufferUAV"): _method(_SELF_DESCRIPTOR, ParameterType=4),
}
"""By structure and method, with the defaults of DirectX-Headers' d3dx12_root_signature.h and of MiniEngine."""

_PREFIXED = (
    ("D3D12_ROOT_SIGNATURE_FLAG_", names.ROOT_FLAGS),
    ("D3D12_ROOT_DESCRIPTOR_FLAG_", names.DESCRIPTOR_FLAGS),
    ("D3D12_DESCRIPTOR_RANGE_FLAG_", names.RANGE_FLAGS),
    ("D3D12_", names.VISIBILITIES),
    ("D3D12_", names.FILTERS),
    ("D3D12_", names.BORDER_COLORS),
)
CONSTANTS: dict[str, int | float] = {
    prefix + name: value for prefix, table in _PREFIXED for name, value in table.items()
}
CONSTANTS |= {
    name.replace("TEXTURE_ADDRESS_", "D3D12_TEXTURE_ADDRESS_MODE_"): value
    for name, value in names.ADDRESS_MODES.items()
}
CONSTANTS |= {name.replace("COMPARISON_", "D3D12_COMPARISON_FUNC_"): value for name, value in names.COMPARISONS.items()}
CONSTANTS |= {
    f"D3D12_DESCRIPTOR_RANGE_TYPE_{name}": value for value, name in enumerate(("SRV", "UAV", "CBV", "SAMPLER"))
}
CONSTANTS |= {
    f"D3D12_ROOT_PARAMETER_TYPE_{name}": value
    for value, name in enumerate(("DESCRIPTOR_TABLE", "32BIT_CONSTANTS", "CBV", "SRV", "UAV"))
}
CONSTANTS |= {
    "D3D12_ROOT_SIGNATURE_FLAG_NONE": 0,
    "D3D12_ROOT_DESCRIPTOR_FLAG_NONE": 0,
    "D3D12_DESCRIPTOR_RANGE_FLAG_NONE": 0,
    "D3D12_SAMPLER_FLAG_NONE": 0,
    "D3D12_SAMPLER_FLAG_UINT_BORDER_COLOR": 1,
    "D3D12_SAMPLER_FLAG_NON_NORMALIZED_COORDINATES": 2,
    "D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND": APPEND,
    "D3D12_FLOAT32_MAX": FLOAT_MAX,
    "D3D12_MAX_MAXANISOTROPY": 16,
    "D3D12_DEFAULT_MAX_ANISOTROPY": 16,
    "D3D12_REQ_MAXANISOTROPY": 16,
    "D3D12_COMMONSHADER_CONSTANT_BUFFER_API_SLOT_COUNT": 14,
    "D3D12_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT": 128,
    "D3D12_COMMONSHADER_SAMPLER_SLOT_COUNT": 16,
    "D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT": 8,
    "D3D_ROOT_SIGNATURE_VERSION_1": 1,
    "D3D_ROOT_SIGNATURE_VERSION_1_0": 1,
    "D3D_ROOT_SIGNATURE_VERSION_1_1": 2,
    "D3D_ROOT_SIGNATURE_VERSION_1_2": 3,
    "FLT_MAX": FLOAT_MAX,
    "UINT_MAX": 0xFFFFFFFF,
    "UINT32_MAX": 0xFFFFFFFF,
    "MAXUINT": 0xFFFFFFFF,
    "MAXUINT32": 0xFFFFFFFF,
    "ULONG_MAX": 0xFFFFFFFF,
    "MAXDWORD": 0xFFFFFFFF,
    "INT_MAX": 0x7FFFFFFF,
    "TRUE": 1,
    "FALSE": 0,
    "NULL": 0,
}
"""Names of d3d12.h and the Windows headers that stand in root signatures."""

_VALUES = tuple(name for name in CONSTANTS if name.startswith(("D3D12_", "D3D_")))
_TYPES = tuple(name for name in TYPES if name.startswith(("D3D12_", "CD3DX12_")))

for _more in (device_api, descriptions):
    RECORDS |= _more.RECORDS
    FIELD_TYPES |= _more.FIELD_TYPES
    TYPES |= _more.TYPES
    CONSTANTS |= _more.CONSTANTS
METHODS[descriptions.BYTECODE, "Init"] = _method("pShaderBytecode BytecodeLength=0")


@cache
def nearest(name: str, of_types: bool = False) -> str:
    """The right name that a value's, or a type's, of d3d12.h or d3dx12.h comes nearest to; "" where it is no slip."""
    known_names = _TYPES if of_types else _VALUES
    if not name.startswith(("D3D12_", "CD3DX12_", "D3DX12_", "D3D_ROOT")) or name in known_names:
        return ""
    longer = [known for known in known_names if _is_shortened(name, known)]
    if longer:
        return min(longer, key=len)
    return next(iter(difflib.get_close_matches(name, known_names, 1, 0.9)), "")


def _is_shortened(name: str, known: str) -> bool:
    """Whether `name` is `known` with one or two words left out."""
    words, right = name.split("_"), known.split("_")
    if len(words) < 3 or not 0 < len(right) - len(words) <= 2 or words[:2] != right[:2]:
        return False
    rest = iter(right)
    return all(word in rest for word in words)
