"""Ranges, static samplers and single numbers out of the values of host code, and why they are not known."""

from __future__ import annotations

from bindlint.facts.host import api
from bindlint.facts.host.machine import MAX_ELEMENTS
from bindlint.facts.host.values import Cell, Place, Record, Unknown, Unset, Value
from bindlint.model.host import HostProblem, UnknownKind, UnknownPart
from bindlint.model.registers import RegisterClass
from bindlint.model.root_signature import (
    STATIC_SAMPLER_MEMBERS,
    VISIBILITIES,
    DescriptorRange,
    StaticSampler,
    Visibility,
)
from bindlint.model.source import NOWHERE, Span

MASK = 0xFFFFFFFF
_RANGES: tuple[RegisterClass, ...] = ("t", "u", "b", "s")
_FLOATS = ("mip_lod_bias", "min_lod", "max_lod")


class MissingError(Exception):
    """A value that a part of a signature needs is not known; caught where the part is read."""

    def __init__(self, value: Value, field: str) -> None:
        super().__init__(field)
        self.value = value.fill if isinstance(value, Record) and isinstance(value.fill, Unknown) else value
        self.field = field


class Parts:
    """Reads parts of a signature. `unknown` collects what is not known; `where` is the place of all that has none."""

    def __init__(self, where: Place | None) -> None:
        self.unknown: list[UnknownPart] = []
        self.problems: list[HostProblem] = []
        self.where = where
        self.arguments = False

    def holder(self, record: Record, name: str) -> Record:
        """The member of a parameter's union; nothing is said of it where only another member was written."""
        cell = record.fields.get(name)
        if cell is None or not isinstance(cell.value, Record):
            others = [n for n in ("DescriptorTable", "Constants", "Descriptor") if n != name and n in record.fields]
            if others or not isinstance(record.fill, int):
                value = record.fill if not others else Unknown(f"is written as `{others[0]}` of its union")
                raise MissingError(value, name)
            return Record("D3D12_ROOT_DESCRIPTOR", 0)
        return cell.value

    def visibility(self, record: Record) -> int:
        number = self.number(record, "ShaderVisibility")
        if not 0 <= number < len(VISIBILITIES):
            raise MissingError(Unknown(f"{number} is no shader visibility"), "ShaderVisibility")
        return number

    def range(self, what: str, cell: Cell) -> DescriptorRange | None:
        record = cell.value
        if not isinstance(record, Record) or not record.type.startswith("D3D12_DESCRIPTOR_RANGE"):
            self.missing(what, MissingError(record, ""), cell.place)
            return None
        return self.range_of(record, what, cell.place)

    def range_of(self, record: Record, what: str, place: Place | None) -> DescriptorRange | None:
        written = [c for c in record.fields.values() if c.place is not None]
        if not written and not isinstance(record.fill, Unknown):
            self.part(what, "is never set", "unset", record.place)
            return None
        place = place_of(record, "RangeType") or place or record.place
        try:
            kind = self.number(record, "RangeType")
            if not 0 <= kind < len(_RANGES):
                raise MissingError(Unknown(f"{kind} is no type of range"), "RangeType")
        except MissingError as missing:
            self.missing(what, missing, place)
            return None
        fields = Fields(self, what, place)
        count = fields.number(record, "NumDescriptors", "count", 1)
        register = fields.number(record, "BaseShaderRegister", "register")
        space = fields.number(record, "RegisterSpace", "space")
        offset = fields.number(record, "OffsetInDescriptorsFromTableStart", "offset", api.APPEND)
        flags = fields.number(record, "Flags", "flags") if record.type.endswith("1") else 0
        return DescriptorRange(
            _RANGES[kind],
            register,
            space,
            None if count == api.UNBOUNDED else count,
            None if offset == api.APPEND else offset,
            flags,
            self.span(place),
            tuple(fields.unknown),
        )

    def sampler(self, what: str, cell: Cell) -> StaticSampler | None:
        record = cell.value
        if not isinstance(record, Record) or not record.type.startswith("D3D12_STATIC_SAMPLER_DESC"):
            self.missing(what, MissingError(record, ""), cell.place)
            return None
        written = [c for c in record.fields.values() if c.place is not None]
        if not written and not isinstance(record.fill, Unknown):
            self.part(what, "is never set", "unset", record.place)
            return None
        place = place_of(record, "ShaderRegister") or cell.place or record.place
        fields = Fields(self, what, place)
        register = fields.number(record, "ShaderRegister", "register")
        space = fields.number(record, "RegisterSpace", "space")
        visibility = fields.visibility(record)
        state = {
            name: fields.float(record, field, name) if name in _FLOATS else fields.number(record, field, name)
            for name, field in STATIC_SAMPLER_MEMBERS.items()
        }
        flags = fields.number(record, "Flags", "flags") if record.type.endswith("1") else 0
        return StaticSampler(
            register,
            space,
            visibility=visibility,
            flags=flags,
            span=self.span(place),
            unknown=tuple(fields.unknown),
            **state,  # type: ignore[arg-type]
        )

    def number(self, record: Record, name: str) -> int:
        value = value_of(record, name)
        if isinstance(value, float) and abs(value) <= MASK and value == int(value):
            return int(value)
        if not isinstance(value, int):
            raise MissingError(value, name)
        return value

    def float(self, record: Record, name: str) -> float:
        value = value_of(record, name)
        if not isinstance(value, int | float):
            raise MissingError(value, name)
        return float(value)

    def missing(self, what: str, missing: MissingError, place: Place | None) -> None:
        value = missing.value
        field = f"its {missing.field}: " if missing.field else ""
        if isinstance(value, Unset):
            self.part(what, f"{field}it is never set", "unset", place)
        elif isinstance(value, Unknown):
            self.arguments = self.arguments or "is an argument of" in value.why
            self.part(what, field + value.why, "not-read" if value.unread else "run-time", value.place or place)
        else:
            self.part(what, f"{field}it is not read", "not-read", place)

    def too_many(self, what: str, number: Value, place: Place | None) -> None:
        """There are more of something than are read, or a number that none can have."""
        why = f"are said to be {number:{'d' if isinstance(number, int) else 'g'}}; from 0 to {MAX_ELEMENTS} are read"
        self.part(what, why, "run-time", place)
        self.problems.append(HostProblem(f"the {what} {why}", self.span(place or self.where)))

    def part(self, what: str, why: str, kind: UnknownKind, place: Place | None) -> None:
        self.unknown.append(UnknownPart(self.span(place or self.where), what, why, kind))

    def span(self, place: Place | None) -> Span:
        return NOWHERE if place is None else place[0].span(place[1], place[2])


class Fields:
    """Reads the numbers of one part, and says once of each reason why some are not known; `unknown` names these."""

    def __init__(self, parts: Parts, what: str, place: Place | None) -> None:
        self.unknown: list[str] = []
        self._parts = parts
        self._what = what
        self.place = place
        self._said: set[str] = set()

    def number(self, record: Record, name: str, field: str, otherwise: int = 0) -> int:
        try:
            return self._parts.number(record, name) & MASK
        except MissingError as missing:
            self.missing(missing, field)
            return otherwise

    def float(self, record: Record, name: str, field: str) -> float:
        try:
            return self._parts.float(record, name)
        except MissingError as missing:
            self.missing(missing, field)
            return 0.0

    def visibility(self, record: Record) -> Visibility:
        try:
            return VISIBILITIES[self._parts.visibility(record)]
        except MissingError as missing:
            self.missing(missing, "visibility")
            return "ALL"

    def missing(self, missing: MissingError, *fields: str) -> None:
        """These fields of the model are not known, for that reason."""
        self.unknown += fields
        why = missing.value.why if isinstance(missing.value, Unknown) else missing.field
        if why not in self._said:
            self._said.add(why)
            self._parts.missing(self._what, missing, self.place)


def value_of(record: Record, name: str) -> Value:
    cell = record.fields.get(name)
    return record.fill if cell is None else cell.value


def place_of(record: Record, name: str) -> Place | None:
    cell = record.fields.get(name)
    return None if cell is None else cell.place
