"""Root signatures written in TOML or JSON: their schema, and reading them with the place of each part."""

from __future__ import annotations

import math
import re
import struct
from bisect import bisect_right
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from bindlint_grammars.root_signature import names

from bindlint.errors import BindlintError, did_you_mean
from bindlint.facts.document_places import Path, Place, places
from bindlint.model.policy import read_registers
from bindlint.model.registers import MAX_REGISTER, RegisterClass, RegisterRange
from bindlint.model.root_signature import (
    VISIBILITIES,
    DescriptorRange,
    ParameterKind,
    RootParameter,
    RootSignature,
    StaticSampler,
    Visibility,
)
from bindlint.model.source import Span

KEY = "root_signature"
"""The list of signatures in a document, and in `bindlint.toml`."""

Word = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFFFF)]
Flags = tuple[str | Word, ...]
Number = float | Literal["inf", "-inf", "nan"]


class DocumentError(BindlintError):
    """A document that holds no root signatures as the schema has them; the text names file, line and key."""

    def __init__(self, path: str, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}")
        self.line, self.reason = line, reason


class RangeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A descriptor range that needs more said than its registers."""

    registers: Annotated[str, msgspec.Meta(description="Registers, such as `t2-t7, space1` or `t0-unbounded`.")]
    count: Annotated[Word | None, msgspec.Meta(description="Descriptors, where the registers cannot say it.")] = None
    offset: Annotated[Word | None, msgspec.Meta(description="Descriptors from the table's start; else appended.")] = (
        None
    )
    flags: Annotated[Flags, msgspec.Meta(description="As HLSL names them, such as `DATA_STATIC`, or numbers.")] = ()


class ParameterEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One root parameter: just one of `table`, `constants`, `cbv`, `srv` and `uav` says what it is."""

    table: Annotated[
        tuple[str | RangeEntry, ...] | None, msgspec.Meta(description="Descriptor ranges, each by its registers.")
    ] = None
    constants: Annotated[str | None, msgspec.Meta(description="Root constants at a register, such as `b0`.")] = None
    cbv: Annotated[str | None, msgspec.Meta(description="A root CBV at a register, such as `b1, space2`.")] = None
    srv: Annotated[str | None, msgspec.Meta(description="A root SRV at a register.")] = None
    uav: Annotated[str | None, msgspec.Meta(description="A root UAV at a register.")] = None
    count: Annotated[Word | None, msgspec.Meta(description="How many root constants, in 32-bit values.")] = None
    flags: Annotated[Flags, msgspec.Meta(description="Of a root descriptor, such as `DATA_STATIC`.")] = ()
    visibility: Visibility = "ALL"


class SamplerEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A static sampler; names are HLSL's without their prefix, such as `MIN_MAG_MIP_LINEAR` and `CLAMP`."""

    sampler: Annotated[str, msgspec.Meta(description="Its register, such as `s0, space1`.")]
    filter: str | Word = "ANISOTROPIC"
    address_u: str | Word = "WRAP"
    address_v: str | Word = "WRAP"
    address_w: str | Word = "WRAP"
    mip_lod_bias: Number = 0.0
    max_anisotropy: Word = 16
    comparison: str | Word = "LESS_EQUAL"
    border_color: str | Word = "OPAQUE_WHITE"
    min_lod: Number = 0.0
    max_lod: Number | None = None
    visibility: Visibility = "ALL"
    flags: Flags = ()


class SignatureEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One root signature."""

    name: Annotated[str, msgspec.Meta(description="By which a source names it: `file.toml#name`.")] = ""
    version: Literal["1.0", "1.1", "1.2"] = "1.1"
    flags: Annotated[Flags, msgspec.Meta(description="Root flags as HLSL names them, or numbers.")] = ()
    parameters: tuple[ParameterEntry, ...] = ()
    static_samplers: tuple[SamplerEntry, ...] = ()


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A stand-alone document of root signatures."""

    schema: Annotated[str, msgspec.Meta(description="For editors.")] = msgspec.field(name="$schema", default="")
    root_signature: tuple[SignatureEntry, ...] = ()


PARAMETER_KINDS: dict[str, RegisterClass] = {"constants": "b", "cbv": "b", "srv": "t", "uav": "u"}
SAMPLER_NAMES: dict[str, tuple[str, Mapping[str, int]]] = {
    "filter": ("FILTER_", names.FILTERS),
    "address_u": ("TEXTURE_ADDRESS_", names.ADDRESS_MODES),
    "address_v": ("TEXTURE_ADDRESS_", names.ADDRESS_MODES),
    "address_w": ("TEXTURE_ADDRESS_", names.ADDRESS_MODES),
    "comparison": ("COMPARISON_", names.COMPARISONS),
    "border_color": ("STATIC_BORDER_COLOR_", names.BORDER_COLORS),
}
"""Each enumerated field of a static sampler: the prefix of its names in HLSL, and their numbers."""

_KEYS = [
    field.encode_name
    for kind in (Document, SignatureEntry, ParameterEntry, SamplerEntry, RangeEntry)
    for field in msgspec.structs.fields(kind)
]
_LARGEST = 3.4028234663852886e38
_STEP = re.compile(r"\.?([^.\[\]`]+)|\[(\d+)\]")
_WRONG_VALUE = re.compile(r"enum value '(.*)'")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")


class _FaultError(Exception):
    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


def read_document(text: str, path: str, alone: bool = True) -> tuple[RootSignature, ...]:
    """The root signatures of a TOML or, by the suffix of `path`, JSON text.

    With `alone` False other keys may stand beside the list, as in `bindlint.toml`. Raises `DocumentError`.
    """
    values = _values(text, path)
    if not alone:
        values = {KEY: values[KEY]} if KEY in values else {}
    return _Reading(text, path, values).signatures()


def _values(text: str, path: str) -> dict[str, Any]:
    try:
        if path.lower().endswith(".json"):
            values = msgspec.json.decode(text)
        else:
            import tomllib

            values = tomllib.loads(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        told = re.search(r"line (\d+)", str(error))
        raise DocumentError(path, int(told[1]) if told else 1, str(error)) from error
    if not isinstance(values, dict):
        raise DocumentError(path, 1, f"expected an object with the key `{KEY}`")
    return values


class _Reading:
    """The reading of one document."""

    def __init__(self, text: str, path: str, values: dict[str, Any]) -> None:
        self.text, self.path, self.values = text, path, values
        self.places: dict[Path, Place] | None = None
        self.lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def span(self, *path: str | int) -> Span:
        """Where a part stands: its key with its value, or the nearest around it that is known."""
        if self.places is None:
            self.places = places(self.text, self.values)
        while path and path not in self.places:
            path = path[:-1]
        start, end = self.places.get(path, (0, 0))
        ends = [self._position(offset) for offset in (start, end)]
        return Span(self.path, *ends[0], *ends[1], self._bytes(start), self._bytes(end))

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def _bytes(self, offset: int) -> int:
        return offset if self.text.isascii() else len(self.text[:offset].encode())

    def signatures(self) -> tuple[RootSignature, ...]:
        try:
            document = msgspec.convert(self.values, Document)
            entries = enumerate(document.root_signature)
            return tuple(self._signature(entry, (KEY, index)) for index, entry in entries)
        except _FaultError as fault:
            raise self._error(fault.path, str(fault)) from fault
        except msgspec.ValidationError as error:
            message, _, steps = str(error).partition(" - at `$")
            path = tuple(int(index) if index else key for key, index in _STEP.findall(steps))
            unknown = _UNKNOWN.fullmatch(message)
            if unknown is not None:
                path = (*path, unknown[1])
                message = f"unknown key `{unknown[1]}`{did_you_mean(unknown[1], _KEYS)}"
            else:
                key = next((step for step in reversed(path) if isinstance(step, str)), KEY)
                value = _WRONG_VALUE.search(message)
                near = did_you_mean(value[1], VISIBILITIES) if value and key == "visibility" else ""
                message = f"`{key}`: {message[:1].lower()}{message[1:]}{near}"
            raise self._error(path, message) from error

    def _error(self, path: Path, message: str) -> DocumentError:
        return DocumentError(self.path, self.span(*path).line, message)

    def _signature(self, entry: SignatureEntry, path: Path) -> RootSignature:
        return RootSignature(
            version=entry.version,
            flags=_flags(entry.flags, names.ROOT_FLAGS, (*path, "flags")),
            parameters=tuple(
                self._parameter(parameter, index, (*path, "parameters", index))
                for index, parameter in enumerate(entry.parameters)
            ),
            static_samplers=tuple(
                self._sampler(sampler, (*path, "static_samplers", index))
                for index, sampler in enumerate(entry.static_samplers)
            ),
            origin="document",
            name=entry.name,
            span=self.span(*path),
            flags_span=self.span(*path, "flags"),
        )

    def _parameter(self, entry: ParameterEntry, index: int, path: Path) -> RootParameter:
        kinds: list[ParameterKind] = [
            kind for kind in ("table", "constants", "cbv", "srv", "uav") if getattr(entry, kind) is not None
        ]
        if len(kinds) != 1:
            raise _FaultError(path, "a parameter has just one of `table`, `constants`, `cbv`, `srv` and `uav`")
        kind = kinds[0]
        if (entry.count is None) == (kind == "constants"):
            wrong = "needs" if kind == "constants" else "has no"
            raise _FaultError(path, f"`{kind}` {wrong} `count`, the number of root constants")
        if entry.flags and kind in ("table", "constants"):
            raise _FaultError((*path, "flags"), f"`{kind}` has no flags of its own")
        ranges: tuple[DescriptorRange, ...] = ()
        register = RegisterRange("b", 0, 0, 0)
        if kind == "table":
            ranges = tuple(self._range(part, (*path, "table", place)) for place, part in enumerate(entry.table or ()))
        else:
            register = _register(getattr(entry, kind), PARAMETER_KINDS[kind], (*path, kind))
        return RootParameter(
            index,
            kind,
            register.lower,
            register.space,
            entry.count or 0,
            _flags(entry.flags, names.DESCRIPTOR_FLAGS, (*path, "flags")),
            entry.visibility,
            ranges,
            self.span(*path),
        )

    def _range(self, entry: str | RangeEntry, path: Path) -> DescriptorRange:
        entry = RangeEntry(entry) if isinstance(entry, str) else entry
        registers = read_registers(entry.registers)
        if registers is None:
            raise _FaultError(
                path, f"`{entry.registers}` are no registers; write `t3`, `t0-t15, space1`, `t0-unbounded`"
            )
        count = registers.count if entry.count is None else entry.count
        if entry.count is not None and registers.count != 1:
            raise _FaultError(path, f"`count` goes with the first register only, not with `{entry.registers}`")
        return DescriptorRange(
            registers.cls,
            registers.lower,
            registers.space,
            None if count == MAX_REGISTER else count,
            None if entry.offset == MAX_REGISTER else entry.offset,
            _flags(entry.flags, names.RANGE_FLAGS, (*path, "flags")),
            self.span(*path),
        )

    def _sampler(self, entry: SamplerEntry, path: Path) -> StaticSampler:
        register = _register(entry.sampler, "s", (*path, "sampler"))
        chosen = {field: _value(getattr(entry, field), field, (*path, field)) for field in SAMPLER_NAMES}
        numbers = {
            field: _single(getattr(entry, field), (*path, field))
            for field in ("mip_lod_bias", "min_lod", "max_lod")
            if getattr(entry, field) is not None
        }
        return StaticSampler(
            register.lower,
            register.space,
            max_anisotropy=entry.max_anisotropy,
            visibility=entry.visibility,
            flags=_flags(entry.flags, names.SAMPLER_FLAGS, (*path, "flags")),
            span=self.span(*path),
            **chosen,  # type: ignore[arg-type]
            **numbers,  # type: ignore[arg-type]
        )


def _register(text: str, cls: RegisterClass, path: Path) -> RegisterRange:
    registers = read_registers(text)
    if registers is None or registers.count != 1 or registers.cls != cls:
        raise _FaultError(path, f"`{text}` is no {cls} register; write `{cls}0` or `{cls}3, space2`")
    return registers


def _flags(given: Flags, known: Mapping[str, int], path: Path) -> int:
    value = 0
    for flag in given:
        value |= flag if isinstance(flag, int) else _named(flag, known, path)
    return value


def _named(name: str, known: Mapping[str, int], path: Path, prefix: str = "") -> int:
    value = known.get(name.upper(), known.get(prefix + name.upper()))
    if value is None:
        short = [word.removeprefix(prefix) for word in known]
        raise _FaultError(path, f"there is no `{name}`{did_you_mean(name, short) or '; known are ' + ', '.join(short)}")
    return value


def _value(given: str | int, field: str, path: Path) -> int:
    prefix, known = SAMPLER_NAMES[field]
    return given if isinstance(given, int) else _named(given, known, path, prefix)


def _single(given: float | str, path: Path) -> float:
    """A number in single precision, as D3D12 has it."""
    value = float(given)
    if math.isfinite(value) and not math.isfinite(single(value)):
        raise _FaultError(path, f"{value} is beyond single precision; write `{'-' * (value < 0)}inf`")
    return single(value)


def single(value: float) -> float:
    """The nearest number of single precision, infinite beyond it."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def single_text(value: float) -> str:
    """The shortest decimal, itself within single precision, that reads back as the same number there."""
    if math.isfinite(value) and value:
        for digits in range(1, 18):
            text = f"{value:.{digits}g}"
            if abs(float(text)) <= _LARGEST and struct.pack("<f", float(text)) == struct.pack("<f", value):
                return text
    return str(value)
