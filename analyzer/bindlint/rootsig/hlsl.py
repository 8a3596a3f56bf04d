"""Root signatures as HLSL writes them: the string, and a macro that holds it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bindlint_grammars.root_signature import names

from bindlint.facts.root_signature_document import SAMPLER_NAMES, single_text
from bindlint.model.root_signature import DescriptorRange, RootParameter, RootSignature, StaticSampler
from bindlint.rootsig.words import UnwritableError, flag_names, name_of

_KEYWORDS = {"constants": "RootConstants", "cbv": "CBV", "srv": "SRV", "uav": "UAV", "table": "DescriptorTable"}
_RANGES = {"b": "CBV", "t": "SRV", "u": "UAV", "s": "Sampler"}
_SAMPLER_WORDS = {
    "filter": "filter",
    "address_u": "addressU",
    "address_v": "addressV",
    "address_w": "addressW",
    "mip_lod_bias": "mipLODBias",
    "max_anisotropy": "maxAnisotropy",
    "comparison": "comparisonFunc",
    "border_color": "borderColor",
    "min_lod": "minLOD",
    "max_lod": "maxLOD",
}


def hlsl_clauses(signature: RootSignature) -> list[str]:
    """The clauses of the string, in an order that keeps every index. Raises `UnwritableError`."""
    flags = _flags(signature.flags, names.ROOT_FLAGS, "root flags")
    clauses = [f"RootFlags({flags})"] if flags else []
    clauses += [_parameter(parameter) for parameter in signature.parameters]
    return clauses + [_sampler(index, sampler) for index, sampler in enumerate(signature.static_samplers)]


def hlsl_text(signature: RootSignature) -> str:
    """The string of an attribute, with nothing that is the default."""
    return ", ".join(hlsl_clauses(signature))


def hlsl_macro(signature: RootSignature, name: str, comments: Mapping[int, str] | None = None) -> str:
    """A macro that holds the string, one clause a line; `comments` by root parameter stand before it."""
    lines = [f"// {index}: {comment}" for index, comment in (comments or {}).items()]
    clauses = hlsl_clauses(signature)
    body = [f'    "{clause}{", " if clause is not clauses[-1] else ""}"' for clause in clauses] or ['    ""']
    return "\n".join([*lines, f"#define {name} \\", " \\\n".join(body), ""])


def _flags(value: int, known: Mapping[str, int], what: str) -> str:
    found, rest = flag_names(value, known)
    if rest:
        raise UnwritableError(f"HLSL has no name for the {what} {rest:#x}")
    return " | ".join(found)


def _call(keyword: str, *arguments: str) -> str:
    return f"{keyword}({', '.join(argument for argument in arguments if argument)})"


def _space(space: int) -> str:
    return f"space = {space}" if space else ""


def _visibility(visibility: str) -> str:
    return f"visibility = SHADER_VISIBILITY_{visibility}" if visibility != "ALL" else ""


def _parameter(parameter: RootParameter) -> str:
    visibility = _visibility(parameter.visibility)
    keyword = _KEYWORDS[parameter.kind]
    if parameter.kind == "table":
        ranges = [_range(part) for part in parameter.ranges]
        # Without any range the language asks for the visibility at least.
        return _call(keyword, *ranges, visibility or ("" if ranges else "visibility = SHADER_VISIBILITY_ALL"))
    register = f"{parameter.cls}{parameter.register}"
    if parameter.kind == "constants":
        count = f"num32BitConstants = {parameter.count}"
        return _call(keyword, count, register, _space(parameter.space), visibility)
    flags = _flags(parameter.flags, names.DESCRIPTOR_FLAGS, f"flags of parameter {parameter.index}")
    return _call(keyword, register, _space(parameter.space), f"flags = {flags}" if flags else "", visibility)


def _range(part: DescriptorRange) -> str:
    count = "unbounded" if part.count is None else str(part.count)
    flags = _flags(part.flags, names.RANGE_FLAGS, "descriptor range flags")
    return _call(
        _RANGES[part.cls],
        f"{part.cls}{part.register}",
        f"numDescriptors = {count}" if part.count != 1 else "",
        _space(part.space),
        f"offset = {part.offset}" if part.offset is not None else "",
        f"flags = {flags}" if flags else "",
    )


def _sampler(index: int, sampler: StaticSampler) -> str:
    usual = StaticSampler(sampler.register)
    given = []
    for field, word in _SAMPLER_WORDS.items():
        value = getattr(sampler, field)
        # As text, since a zero may be negative.
        if str(value) == str(getattr(usual, field)):
            continue
        if field in SAMPLER_NAMES:
            name = name_of(value, SAMPLER_NAMES[field][1])
            if name is None:
                raise UnwritableError(f"HLSL has no name for the {field} {value:#x} of static sampler {index}")
            given.append(f"{word} = {name}")
        elif math.isfinite(value):
            given.append(f"{word} = {value if isinstance(value, int) else single_text(value)}")
        else:
            raise UnwritableError(f"HLSL cannot write {word} = {value} of static sampler {index}")
    flags = _flags(sampler.flags, names.SAMPLER_FLAGS, f"flags of static sampler {index}")
    return _call(
        "StaticSampler",
        f"s{sampler.register}",
        *given,
        f"flags = {flags}" if flags else "",
        _space(sampler.space),
        _visibility(sampler.visibility),
    )
