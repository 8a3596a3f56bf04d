"""From the description that a program hands on to a root signature of the model, and to what is not known of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bindlint.facts import host_api as api
from bindlint.facts.host_machine import pointer_to
from bindlint.facts.host_values import Array, Cell, Place, Pointer, Record, Unknown, Unset, Value
from bindlint.model.host import HostConstruct, HostRemark, HostSignature, UnknownKind, UnknownPart
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import (
    VISIBILITIES,
    DescriptorRange,
    ParameterKind,
    RootParameter,
    RootSignature,
    StaticSampler,
)
from bindlint.model.source import NOWHERE, Span

_KINDS: tuple[ParameterKind, ...] = ("table", "constants", "cbv", "srv", "uav")
_RANGES: tuple[RegisterClass, ...] = ("t", "u", "b", "s")
_CLASSES: dict[str, RegisterClass] = {"constants": "b", "cbv": "b", "srv": "t", "uav": "u"}
_MASK = 0xFFFFFFFF
_SAMPLER_FIELDS = {
    "filter": "Filter",
    "address_u": "AddressU",
    "address_v": "AddressV",
    "address_w": "AddressW",
    "mip_lod_bias": "MipLODBias",
    "max_anisotropy": "MaxAnisotropy",
    "comparison": "ComparisonFunc",
    "border_color": "BorderColor",
    "min_lod": "MinLOD",
    "max_lod": "MaxLOD",
}
_FLOATS = ("mip_lod_bias", "min_lod", "max_lod")


class MissingError(Exception):
    """A value that a part of a signature needs is not known; caught where the part is read."""

    def __init__(self, value: Value, field: str) -> None:
        super().__init__(field)
        self.value = value
        self.field = field


class Result(msgspec.Struct, frozen=True):
    """A signature as read; the cells that its tables take, and what stands beside these in their arrays.

    `argument_dependent` says that a part is not known because it is an argument of the function.
    """

    signature: HostSignature
    used: frozenset[int]
    beside: tuple[tuple[int, DescriptorRange | HostRemark], ...]
    argument_dependent: bool


def read_signature(record: Record, function: str, completed: Place | None) -> Result | None:
    """The signature that a description stands for; None where nothing at all is known of it."""
    return _Reader(record, function, completed).read()


class _Reader:
    def __init__(self, record: Record, function: str, completed: Place | None) -> None:
        self.record = record
        self.function = function
        self.completed = completed
        self.unknown: list[UnknownPart] = []
        self.where = record.place or completed
        self.counts = {"fully": 0, "partly": 0, "not_read": 0}
        self.arrays: dict[int, Array] = {}
        self.used: set[int] = set()
        self.arguments = False
        self.total: int | None = None

    def read(self) -> Result | None:
        version, desc = self._description()
        if desc is None:
            return None
        wrapped = desc.type == api.MINIENGINE
        if not self._anything_known(desc):
            return None
        parameters = self._parameters(desc)
        samplers = self._samplers(desc)
        flags, flags_place = 0, None
        try:
            flags = self._number(desc, "Flags") & _MASK
            flags_place = _field_place(desc, "Flags")
        except MissingError as missing:
            self._missing("flags", missing, desc.place)
        name = self.record.name or desc.name
        span = self._span(self.where)
        signature = RootSignature(
            version=version,
            flags=flags,
            parameters=tuple(parameters),
            static_samplers=tuple(samplers),
            origin="cpp",
            name=name or self.function,
            span=span,
            flags_span=self._span(flags_place),
        )
        construct: HostConstruct = "miniengine" if wrapped else "d3dx12"
        host = HostSignature(
            name=name,
            function=self.function,
            span=span,
            signature=signature,
            construct=construct,
            completed=self._span(self.completed),
            parameter_count=self.total,
            unknown=tuple(self.unknown),
            fully=self.counts["fully"],
            partly=self.counts["partly"],
            not_read=self.counts["not_read"],
        )
        return Result(host, frozenset(self.used), tuple(self._beside()), self.arguments)

    def _description(self) -> tuple[str, Record | None]:
        record = self.record
        if record.type != api.VERSIONED:
            return {api.SIGNATURES[1]: "1.1", api.SIGNATURES[2]: "1.2"}.get(record.type, "1.0"), record
        present = [minor for minor in range(3) if f"Desc_1_{minor}" in record.fields]
        version = record.fields.get("Version")
        chosen = version.value - 1 if version is not None and isinstance(version.value, int) else None
        if chosen is None and len(present) == 1:
            chosen = present[0]
        if chosen not in present:
            return "1.1", None
        inner = record.fields[f"Desc_1_{chosen}"].value
        return f"1.{chosen}", inner if isinstance(inner, Record) else None

    def _anything_known(self, desc: Record) -> bool:
        if desc.type == api.MINIENGINE:
            return "parameters" in desc.fields
        values = [_value(desc, name) for name in ("NumParameters", "pParameters", "NumStaticSamplers")]
        return any(isinstance(pointer_to(v), int | Pointer) for v in values)

    def _parameters(self, desc: Record) -> list[RootParameter]:
        cells = self._elements(desc, "NumParameters", "pParameters", "parameters", "root parameters")
        found: list[RootParameter] = []
        for index, cell in enumerate(cells):
            before = len(self.unknown)
            parameter = self._parameter(index, cell)
            if parameter is not None:
                found.append(parameter)
            complete = parameter is not None and len(self.unknown) == before
            known = parameter is not None or _known_kind(cell)
            self.counts["fully" if complete else "partly" if known else "not_read"] += 1
        return found

    def _elements(self, desc: Record, count: str, pointer: str, wrapped: str, what: str) -> list[Cell]:
        if desc.type == api.MINIENGINE:
            array = _value(desc, wrapped)
            if isinstance(array, Array) and array.complete:
                if what == "root parameters":
                    self.total = len(array.cells)
                return list(array.cells)
            self._part(f"the number of {what}", "is not known", "run-time", desc.place)
            return []
        try:
            number = self._number(desc, count) & _MASK
        except MissingError as missing:
            value = _value(desc, pointer)
            if isinstance(value, int) and value == 0 and isinstance(missing.value, Unset):
                return []
            self._missing(f"the number of {what}", missing, desc.place)
            return []
        if what == "root parameters":
            self.total = number
        if number == 0:
            return []
        if number > 4096:
            self._part(what, f"are {number}, more than there can be", "run-time", desc.place)
            return []
        value = pointer_to(_value(desc, pointer))
        if not isinstance(value, Pointer):
            self._missing(what, MissingError(value, pointer), desc.place)
            if what == "root parameters":
                self.counts["not_read"] += number
            return []
        cells = value.array.cells[value.index : value.index + number]
        for missing_index in range(len(cells), number):
            kind = "parameter" if what == "root parameters" else "static sampler"
            name = value.array.name or "the array"
            why = (
                f"lies beyond the end of `{name}`"
                if value.array.complete
                else f"is not known: nor are all elements of `{name}`"
            )
            self._part(f"{kind} {missing_index}", why, "run-time", desc.place)
            if what == "root parameters":
                self.counts["not_read"] += 1
        return list(cells)

    def _parameter(self, index: int, cell: Cell) -> RootParameter | None:
        what = f"parameter {index}"
        record = cell.value
        if not isinstance(record, Record) or record.type not in (*api.PARAMETERS, api.MINIENGINE_PARAMETER):
            self._missing(what, MissingError(record, ""), cell.place)
            return None
        kind_cell = record.fields.get("ParameterType")
        written = [c for c in record.fields.values() if c.place is not None]
        if not written and not isinstance(record.fill, Unknown):
            self._part(what, "is never set", "unset", record.place)
            return None
        place = (kind_cell.place if kind_cell is not None else None) or cell.place or record.place
        registers: RegisterRange | None = None
        try:
            number = self._number(record, "ParameterType")
            if not 0 <= number < len(_KINDS):
                self._part(what, f"is of type {number}, which there is not", "run-time", place)
                return None
            kind = _KINDS[number]
            span = self._span(place)
            if kind == "table":
                visibility = VISIBILITIES[self._visibility(record)]
                ranges = self._ranges(record, what, place)
                return (
                    None
                    if ranges is None
                    else RootParameter(index, kind, visibility=visibility, ranges=ranges, span=span)
                )
            holder = self._holder(record, "Constants" if kind == "constants" else "Descriptor")
            register, space = (
                self._number(holder, "ShaderRegister") & _MASK,
                self._number(holder, "RegisterSpace") & _MASK,
            )
            registers = RegisterRange(_CLASSES[kind], space, register, register)
            count = self._number(holder, "Num32BitValues") & _MASK if kind == "constants" else 0
            flags = self._number(holder, "Flags") & _MASK if holder.type == "D3D12_ROOT_DESCRIPTOR1" else 0
            visibility = VISIBILITIES[self._visibility(record)]
            return RootParameter(index, kind, register, space, count, flags, visibility, (), span)
        except MissingError as missing:
            self._missing(what, missing, place, registers)
            return None

    def _holder(self, record: Record, name: str) -> Record:
        """The member of a parameter's union; nothing is said of it where only another member was written."""
        cell = record.fields.get(name)
        if cell is None or not isinstance(cell.value, Record):
            others = [n for n in ("DescriptorTable", "Constants", "Descriptor") if n != name and n in record.fields]
            if others or not isinstance(record.fill, int):
                value = record.fill if not others else Unknown(f"is written as `{others[0]}` of its union")
                raise MissingError(value, name)
            return Record("D3D12_ROOT_DESCRIPTOR", 0)
        return cell.value

    def _visibility(self, record: Record) -> int:
        number = self._number(record, "ShaderVisibility")
        if not 0 <= number < len(VISIBILITIES):
            raise MissingError(Unknown(f"{number} is no shader visibility"), "ShaderVisibility")
        return number

    def _ranges(self, record: Record, what: str, place: Place | None) -> tuple[DescriptorRange, ...] | None:
        table = self._holder(record, "DescriptorTable")
        count = self._number(table, "NumDescriptorRanges") & _MASK
        if count == 0:
            return ()
        pointer = pointer_to(_value(table, "pDescriptorRanges"))
        if not isinstance(pointer, Pointer):
            raise MissingError(pointer, "pDescriptorRanges")
        array = pointer.array
        self.arrays[id(array)] = array
        cells = array.cells[pointer.index : pointer.index + min(count, 4096)]
        if len(cells) < count:
            end = f"lies beyond the end of `{array.name or 'the array'}`" if array.complete else "is not known"
            self._part(f"{what}, range {len(cells)}", end, "run-time", place)
        found = []
        for i, cell in enumerate(cells):
            self.used.add(id(cell))
            part = self._range(f"{what}, range {i}", cell)
            if part is not None:
                found.append(part)
        return tuple(found)

    def _range(self, what: str, cell: Cell) -> DescriptorRange | None:
        record = cell.value
        if not isinstance(record, Record) or not record.type.startswith("D3D12_DESCRIPTOR_RANGE"):
            self._missing(what, MissingError(record, ""), cell.place)
            return None
        return self.range_of(record, what, cell.place)

    def range_of(self, record: Record, what: str, place: Place | None) -> DescriptorRange | None:
        written = [c for c in record.fields.values() if c.place is not None]
        if not written and not isinstance(record.fill, Unknown):
            self._part(what, "is never set", "unset", record.place)
            return None
        place = _field_place(record, "RangeType") or place or record.place
        registers: RegisterRange | None = None
        try:
            kind = self._number(record, "RangeType")
            if not 0 <= kind < len(_RANGES):
                raise MissingError(Unknown(f"{kind} is no type of range"), "RangeType")
            count = self._number(record, "NumDescriptors") & _MASK
            register, space = (
                self._number(record, "BaseShaderRegister") & _MASK,
                self._number(record, "RegisterSpace") & _MASK,
            )
            bounded = None if count == api.UNBOUNDED else count
            registers = RegisterRange(
                _RANGES[kind], space, register, None if bounded is None else register + max(bounded, 1) - 1
            )
            offset = self._number(record, "OffsetInDescriptorsFromTableStart") & _MASK
            flags = self._number(record, "Flags") & _MASK if record.type.endswith("1") else 0
            return DescriptorRange(
                _RANGES[kind],
                register,
                space,
                bounded,
                None if offset == api.APPEND else offset,
                flags,
                self._span(place),
            )
        except MissingError as missing:
            self._missing(what, missing, place, registers)
            return None

    def _beside(self) -> Iterator[tuple[int, DescriptorRange | HostRemark]]:
        """The elements of the arrays that tables point into which this signature does not take."""
        before = self.unknown
        for array in self.arrays.values():
            for i, cell in enumerate(array.cells):
                if id(cell) in self.used or not isinstance(cell.value, Record) or len(array.cells) == 1:
                    continue
                name = f"{array.name or 'range'}[{i}]"
                self.unknown = []
                found = self.range_of(cell.value, name, cell.place)
                if found is not None:
                    yield id(cell), found
                elif self.unknown[0].kind == "unset" and self.unknown[0].why == "is never set":
                    yield id(cell), HostRemark(self.unknown[0].span, "unset", f"`{name}` is never set")
        self.unknown = before

    def _samplers(self, desc: Record) -> list[StaticSampler]:
        cells = self._elements(desc, "NumStaticSamplers", "pStaticSamplers", "samplers", "static samplers")
        if desc.type == api.MINIENGINE:
            asked = _value(desc, "sampler_count")
            for index in range(len(cells), asked if isinstance(asked, int) else 0):
                self._part(f"static sampler {index}", "is never set", "unset", desc.place)
        found = [self._sampler(f"static sampler {i}", cell) for i, cell in enumerate(cells)]
        return [sampler for sampler in found if sampler is not None]

    def _sampler(self, what: str, cell: Cell) -> StaticSampler | None:
        record = cell.value
        if not isinstance(record, Record) or not record.type.startswith("D3D12_STATIC_SAMPLER_DESC"):
            self._missing(what, MissingError(record, ""), cell.place)
            return None
        written = [c for c in record.fields.values() if c.place is not None]
        if not written and not isinstance(record.fill, Unknown):
            self._part(what, "is never set", "unset", record.place)
            return None
        place = _field_place(record, "ShaderRegister") or cell.place or record.place
        registers: RegisterRange | None = None
        try:
            register, space = (
                self._number(record, "ShaderRegister") & _MASK,
                self._number(record, "RegisterSpace") & _MASK,
            )
            registers = RegisterRange("s", space, register, register)
            visibility = VISIBILITIES[self._visibility(record)]
            state = {
                name: self._float(record, field) if name in _FLOATS else self._number(record, field) & _MASK
                for name, field in _SAMPLER_FIELDS.items()
            }
            flags = self._number(record, "Flags") & _MASK if record.type.endswith("1") else 0
            return StaticSampler(register, space, visibility=visibility, flags=flags, span=self._span(place), **state)  # type: ignore[arg-type]
        except MissingError as missing:
            self._missing(what, missing, place, registers)
            return None

    def _number(self, record: Record, name: str) -> int:
        value = _value(record, name)
        if isinstance(value, float) and value == int(value):
            return int(value)
        if not isinstance(value, int):
            raise MissingError(value, name)
        return value

    def _float(self, record: Record, name: str) -> float:
        value = _value(record, name)
        if not isinstance(value, int | float):
            raise MissingError(value, name)
        return float(value)

    def _missing(
        self, what: str, missing: MissingError, place: Place | None, registers: RegisterRange | None = None
    ) -> None:
        value = missing.value
        if isinstance(value, Record) and isinstance(value.fill, Unknown):
            value = value.fill
        field = f"its {missing.field}: " if missing.field else ""
        if isinstance(value, Unset):
            self._part(what, f"{field}it is never set", "unset", place, registers)
        elif isinstance(value, Unknown):
            self.arguments = self.arguments or "is an argument of" in value.why
            self._part(
                what, field + value.why, "not-read" if value.unread else "run-time", value.place or place, registers
            )
        else:
            self._part(what, f"{field}it is not read", "not-read", place, registers)

    def _part(
        self, what: str, why: str, kind: UnknownKind, place: Place | None, registers: RegisterRange | None = None
    ) -> None:
        self.unknown.append(UnknownPart(self._span(place or self.where), what, why, kind, registers))

    def _span(self, place: Place | None) -> Span:
        return NOWHERE if place is None else place[0].span(place[1], place[2])


def with_loose_ranges(results: list[Result]) -> list[HostSignature]:
    """The signatures of one function, each with the ranges of its arrays that no table of any of them takes."""
    used = frozenset(cell for result in results for cell in result.used)
    signatures = []
    for result in results:
        beside = [part for cell, part in result.beside if cell not in used]
        signatures.append(
            msgspec.structs.replace(
                result.signature,
                loose_ranges=tuple(p for p in beside if isinstance(p, DescriptorRange)),
                remarks=(*result.signature.remarks, *(p for p in beside if isinstance(p, HostRemark))),
            )
        )
    return signatures


def _value(record: Record, name: str) -> Value:
    cell = record.fields.get(name)
    return record.fill if cell is None else cell.value


def _field_place(record: Record, name: str) -> Place | None:
    cell = record.fields.get(name)
    return None if cell is None else cell.place


def _known_kind(cell: Cell) -> bool:
    return (
        isinstance(cell.value, Record)
        and isinstance(_value(cell.value, "ParameterType"), int)
        and any(c.place is not None for c in cell.value.fields.values())
    )
