"""Root signatures as C++: a function that serializes them, with the d3dx12 helpers or with plain structures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from bindlint_grammars.root_signature import names

from bindlint.facts.root_signature_document import SAMPLER_NAMES, single_text
from bindlint.model.root_signature import (
    MAX_COST,
    STATIC_SAMPLER_MEMBERS,
    DescriptorRange,
    RootParameter,
    RootSignature,
    StaticSampler,
)
from bindlint.rootsig.words import flag_names, name_of

_RANGE_TYPES = {"b": "CBV", "t": "SRV", "u": "UAV", "s": "SAMPLER"}
_HELPERS = {"cbv": "ConstantBufferView", "srv": "ShaderResourceView", "uav": "UnorderedAccessView"}
_MODES = {
    "filter": "FILTER",
    "address_u": "TEXTURE_ADDRESS_MODE",
    "address_v": "TEXTURE_ADDRESS_MODE",
    "address_w": "TEXTURE_ADDRESS_MODE",
    "comparison": "COMPARISON_FUNC",
    "border_color": "STATIC_BORDER_COLOR",
}
_FLOAT_MAX = StaticSampler(0).max_lod
_NO_RANGE_FLAGS = "D3D12_DESCRIPTOR_RANGE_FLAG_NONE"
_APPEND = "D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND"
_ALL = "D3D12_SHADER_VISIBILITY_ALL"


def to_cpp(signature: RootSignature, name: str, raw: bool = False, comments: Mapping[int, str] | None = None) -> str:
    """A function `Serialize<name>`; `raw` does without d3dx12.h. `comments` by root parameter stand before each."""
    newer = "" if signature.version == "1.0" else "1"
    body = [*_ranges(signature, newer, raw), *_parameters(signature, newer, raw, comments or {})]
    body += _samplers(signature, raw)
    body += _description(signature, raw)
    limit = "" if signature.is_local else f" of {MAX_COST}"
    head = [
        f"// Root signature {signature.version}, {signature.cost}{limit} DWORDs.",
        f"inline HRESULT Serialize{name}(ID3DBlob** blob, ID3DBlob** errors)",
        "{",
    ]
    return "\n".join([*head, *(f"    {line}" if line else "" for line in body), "}", ""])


def _flags(value: int, known: Mapping[str, int], prefix: str) -> str:
    """An expression for flags; the type that `prefix` belongs to has a plural of its own name."""
    found, rest = flag_names(value, known)
    parts = [f"{prefix}_FLAG_{name}" for name in found]
    if rest:
        parts.append(f"static_cast<{prefix}_FLAGS>({rest:#x}u)")
    return " | ".join(parts) or f"{prefix}_FLAG_NONE"


def _visibility(visibility: str) -> str:
    return f"D3D12_SHADER_VISIBILITY_{visibility}"


def _call(function: str, arguments: Sequence[str], defaults: Sequence[str]) -> str:
    """A call without the last arguments where they are the defaults, which belong to the last parameters."""
    given = list(arguments)
    usual = list(defaults)
    while usual and given[-1] == usual[-1]:
        given.pop()
        usual.pop()
    return f"{function}({', '.join(given)});"


def _ranges(signature: RootSignature, newer: str, raw: bool) -> Iterator[str]:
    for parameter in signature.parameters:
        count = len(parameter.ranges)
        if not count:
            continue
        name = f"ranges{parameter.index}"
        if raw:
            yield f"const D3D12_DESCRIPTOR_RANGE{newer} {name}[] ="
            yield "{"
            yield from (f"    {{ {', '.join(_range(part, newer))} }}," for part in parameter.ranges)
            yield "};"
        else:
            yield f"CD3DX12_DESCRIPTOR_RANGE{newer} {name}[{count}];"
            usual = ("0", _NO_RANGE_FLAGS, _APPEND) if newer else ("0", _APPEND)
            for index, part in enumerate(parameter.ranges):
                yield _call(f"{name}[{index}].Init", _range(part, newer), usual)
        yield ""


def _range(part: DescriptorRange, newer: str) -> list[str]:
    flags = [_flags(part.flags, names.RANGE_FLAGS, "D3D12_DESCRIPTOR_RANGE")] if newer else []
    return [
        f"D3D12_DESCRIPTOR_RANGE_TYPE_{_RANGE_TYPES[part.cls]}",
        "UINT_MAX" if part.count is None else _uint(part.count),
        _uint(part.register),
        _uint(part.space),
        *flags,
        _APPEND if part.offset is None else _uint(part.offset),
    ]


def _uint(value: int) -> str:
    return f"{value}u" if value > 0x7FFFFFFF else str(value)


def _parameters(signature: RootSignature, newer: str, raw: bool, comments: Mapping[int, str]) -> Iterator[str]:
    if not signature.parameters:
        return
    kind, end = ("D3D12_ROOT_PARAMETER", " = {}") if raw else ("CD3DX12_ROOT_PARAMETER", "")
    yield f"{kind}{newer} parameters[{len(signature.parameters)}]{end};"
    for parameter in signature.parameters:
        if parameter.index in comments:
            yield f"// {comments[parameter.index]}"
        yield from _raw_parameter(parameter, newer) if raw else [_parameter(parameter, newer)]
    yield ""


def _parameter(parameter: RootParameter, newer: str) -> str:
    place = f"parameters[{parameter.index}]"
    visibility = _visibility(parameter.visibility)
    if parameter.kind == "table":
        ranges = f"ranges{parameter.index}" if parameter.ranges else "nullptr"
        return _call(f"{place}.InitAsDescriptorTable", [str(len(parameter.ranges)), ranges, visibility], [_ALL])
    register = [_uint(parameter.register), _uint(parameter.space)]
    if parameter.kind == "constants":
        return _call(f"{place}.InitAsConstants", [_uint(parameter.count), *register, visibility], ["0", _ALL])
    flags = [_flags(parameter.flags, names.DESCRIPTOR_FLAGS, "D3D12_ROOT_DESCRIPTOR")] if newer else []
    usual = ["0", *(["D3D12_ROOT_DESCRIPTOR_FLAG_NONE"] if newer else []), _ALL]
    return _call(f"{place}.InitAs{_HELPERS[parameter.kind]}", [*register, *flags, visibility], usual)


def _raw_parameter(parameter: RootParameter, newer: str) -> Iterator[str]:
    place = f"parameters[{parameter.index}]"
    kinds = {"table": "DESCRIPTOR_TABLE", "constants": "32BIT_CONSTANTS"}
    yield f"{place}.ParameterType = D3D12_ROOT_PARAMETER_TYPE_{kinds.get(parameter.kind, parameter.kind.upper())};"
    if parameter.kind == "table":
        yield f"{place}.DescriptorTable.NumDescriptorRanges = {len(parameter.ranges)};"
        if parameter.ranges:
            yield f"{place}.DescriptorTable.pDescriptorRanges = ranges{parameter.index};"
    else:
        member = "Constants" if parameter.kind == "constants" else "Descriptor"
        yield f"{place}.{member}.ShaderRegister = {_uint(parameter.register)};"
        yield f"{place}.{member}.RegisterSpace = {_uint(parameter.space)};"
        if parameter.kind == "constants":
            yield f"{place}.Constants.Num32BitValues = {_uint(parameter.count)};"
        elif newer:
            flags = _flags(parameter.flags, names.DESCRIPTOR_FLAGS, "D3D12_ROOT_DESCRIPTOR")
            yield f"{place}.Descriptor.Flags = {flags};"
    yield f"{place}.ShaderVisibility = {_visibility(parameter.visibility)};"


def _samplers(signature: RootSignature, raw: bool) -> Iterator[str]:
    if not signature.static_samplers:
        return
    flagged = signature.version == "1.2"
    newer = "1" if flagged else ""
    kind, end = (f"D3D12_STATIC_SAMPLER_DESC{newer}", " = {}") if raw else (f"CD3DX12_STATIC_SAMPLER_DESC{newer}", "")
    yield f"{kind} samplers[{len(signature.static_samplers)}]{end};"
    usual = list(_sampler_values(StaticSampler(0)).values())
    for index, sampler in enumerate(signature.static_samplers):
        place = f"samplers[{index}]"
        values = _sampler_values(sampler)
        visibility, space = _visibility(sampler.visibility), _uint(sampler.space)
        flags = [_flags(sampler.flags, names.SAMPLER_FLAGS, "D3D12_SAMPLER")] if flagged else []
        if not raw:
            arguments = [_uint(sampler.register), *values.values(), visibility, space, *flags]
            none = ["D3D12_SAMPLER_FLAG_NONE"] if flagged else []
            yield _call(f"{place}.Init", arguments, [*usual, _ALL, "0", *none])
            continue
        yield from (f"{place}.{STATIC_SAMPLER_MEMBERS[field]} = {value};" for field, value in values.items())
        yield f"{place}.ShaderRegister = {_uint(sampler.register)};"
        yield f"{place}.RegisterSpace = {space};"
        yield f"{place}.ShaderVisibility = {visibility};"
        yield from (f"{place}.Flags = {flag};" for flag in flags)
    yield ""


def _sampler_values(sampler: StaticSampler) -> dict[str, str]:
    return {field: _sampler_value(field, getattr(sampler, field)) for field in STATIC_SAMPLER_MEMBERS}


def _sampler_value(field: str, value: float) -> str:
    if field in _MODES:
        prefix, known = SAMPLER_NAMES[field]
        name = name_of(int(value), known)
        kind = f"D3D12_{_MODES[field]}"
        return f"static_cast<{kind}>({value:#x})" if name is None else f"{kind}_{name.removeprefix(prefix)}"
    if field == "max_anisotropy":
        return _uint(int(value))
    if value == _FLOAT_MAX:
        return "D3D12_FLOAT32_MAX"
    if math.isnan(value):
        return "std::numeric_limits<float>::quiet_NaN()"
    if math.isinf(value):
        return f"{'-' * (value < 0)}std::numeric_limits<float>::infinity()"
    text = single_text(value)
    return f"{text}f" if "." in text or "e" in text else f"{text}.0f"


def _description(signature: RootSignature, raw: bool) -> Iterator[str]:
    version = signature.version.replace(".", "_")
    arrays = [
        (str(len(items)), name if items else "nullptr")
        for items, name in ((signature.parameters, "parameters"), (signature.static_samplers, "samplers"))
    ]
    flags = _flags(signature.flags, names.ROOT_FLAGS, "D3D12_ROOT_SIGNATURE")
    if not raw:
        yield "CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC description;"
        arguments = ", ".join([*(word for array in arrays for word in array), flags])
        yield f"description.Init_{version}({arguments});"
        yield (
            f"return D3DX12SerializeVersionedRootSignature(&description, D3D_ROOT_SIGNATURE_VERSION_{version}, "
            "blob, errors);"
        )
        return
    yield "D3D12_VERSIONED_ROOT_SIGNATURE_DESC description = {};"
    yield f"description.Version = D3D_ROOT_SIGNATURE_VERSION_{version};"
    place = f"description.Desc_{version}"
    for (count, name), what in zip(arrays, ("Parameters", "StaticSamplers"), strict=True):
        yield f"{place}.Num{what} = {count};"
        yield f"{place}.p{what} = {name};"
    yield f"{place}.Flags = {flags};"
    yield "return D3D12SerializeVersionedRootSignature(&description, blob, errors);"
