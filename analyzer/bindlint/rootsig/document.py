"""Root signatures as TOML and JSON, in the schema that is read, and that schema for editors."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from bindlint_grammars.root_signature import names

from bindlint.facts.root_signature_document import (
    KEY,
    SAMPLER_NAMES,
    Document,
    Flags,
    Number,
    ParameterEntry,
    RangeEntry,
    SamplerEntry,
    SignatureEntry,
    single_text,
)
from bindlint.model.registers import MAX_REGISTER, RegisterRange
from bindlint.model.root_signature import DescriptorRange, RootParameter, RootSignature, StaticSampler
from bindlint.rootsig.words import flag_names, name_of

_UNSEEN = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Controls that TOML does not take, and marks that hide or reorder text."""

_WIDTH = 110
"""Columns within which a value stays on one line."""


def entry_of(signature: RootSignature, name: str = "") -> SignatureEntry:
    """The signature as a document has it."""
    return SignatureEntry(
        name or signature.name,
        signature.version,  # type: ignore[arg-type]
        _flags(signature.flags, names.ROOT_FLAGS),
        tuple(_parameter(parameter) for parameter in signature.parameters),
        tuple(sampler_entry(sampler) for sampler in signature.static_samplers),
    )


def to_json(signature: RootSignature, name: str = "") -> str:
    """A stand-alone document with one signature."""
    values = {KEY: [_values(entry_of(signature, name))]}
    return msgspec.json.format(msgspec.json.encode(values), indent=2).decode() + "\n"


def to_toml(signature: RootSignature, name: str = "", comments: Mapping[int, str] | None = None) -> str:
    """The same in TOML, as it may also stand in `bindlint.toml`; `comments` by root parameter stand before it."""
    lines = [f"# {index}: {comment}" for index, comment in (comments or {}).items()]
    lines.append(f"[[{KEY}]]")
    values = _values(entry_of(signature, name))
    lines += [f"{key} = {_toml(value, len(key) + 3)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def schema() -> str:
    """The JSON Schema of a document."""
    made = msgspec.json.schema(Document)
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    made["title"] = "Root signatures for bindlint"
    kinds = ("table", "constants", "cbv", "srv", "uav")
    made["$defs"]["ParameterEntry"]["oneOf"] = [{"required": [kind]} for kind in kinds]
    return json.dumps(made, indent=2) + "\n"


def _values(entry: Any) -> Any:
    """An entry as plain values, without what is the default; the version is told always."""
    if isinstance(entry, tuple):
        return [_values(item) for item in entry]
    if not isinstance(entry, msgspec.Struct):
        return entry
    fields = ((field, getattr(entry, field.name)) for field in msgspec.structs.fields(entry))
    return {
        field.encode_name: _values(value)
        for field, value in fields
        if str(value) != str(field.default) or field.name == "version"
    }


def _parameter(parameter: RootParameter) -> ParameterEntry:
    if parameter.kind == "table":
        table = tuple(_range(part) for part in parameter.ranges)
        return ParameterEntry(table=table, visibility=parameter.visibility)
    register = str(parameter.registers[0])
    return ParameterEntry(
        **{parameter.kind: register},  # type: ignore[arg-type]
        count=parameter.count if parameter.kind == "constants" else None,
        flags=_flags(parameter.flags, names.DESCRIPTOR_FLAGS),
        visibility=parameter.visibility,
    )


def _range(part: DescriptorRange) -> str | RangeEntry:
    tellable = part.count is None or 0 < part.count <= MAX_REGISTER - part.register + 1
    first = RegisterRange(part.cls, part.space, part.register, part.register)
    registers = str(part.registers if tellable else first)
    entry = RangeEntry(registers, None if tellable else part.count, part.offset, _flags(part.flags, names.RANGE_FLAGS))
    return registers if entry == RangeEntry(registers) else entry


def sampler_entry(sampler: StaticSampler) -> SamplerEntry:
    """A static sampler as a document has it."""
    usual = StaticSampler(sampler.register)
    named: dict[str, str | int] = {}
    for field, (prefix, known) in SAMPLER_NAMES.items():
        value = getattr(sampler, field)
        name = name_of(value, known)
        named[field] = value if name is None else name.removeprefix(prefix)
    return SamplerEntry(
        str(sampler.registers),
        **named,
        mip_lod_bias=_number(sampler.mip_lod_bias),
        max_anisotropy=sampler.max_anisotropy,
        min_lod=_number(sampler.min_lod),
        max_lod=None if sampler.max_lod == usual.max_lod else _number(sampler.max_lod),
        visibility=sampler.visibility,
        flags=_flags(sampler.flags, names.SAMPLER_FLAGS),
    )


def _flags(value: int, known: Mapping[str, int]) -> Flags:
    found, rest = flag_names(value, known)
    return (*found, rest) if rest else tuple(found)


def _number(value: float) -> Number:
    """A number that both forms can hold: JSON has no infinity."""
    return float(single_text(value)) if math.isfinite(value) else str(value)  # type: ignore[return-value]


def _toml(value: Any, column: int) -> str:
    """A value in TOML, over several lines only where it is a list that one line cannot hold."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(inner, 0)}" for key, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        items = [_toml(inner, 0) for inner in value]
        line = "[" + ", ".join(items) + "]"
        if column and (len(line) + column > _WIDTH or any(isinstance(inner, dict) for inner in value)):
            return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
        return line
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))
