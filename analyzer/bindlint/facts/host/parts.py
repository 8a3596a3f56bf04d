"""Ranges, static samplers and single numbers out of the values of host code, and why they are not known."""

from __future__ import annotations

from bindlint.facts.host import api
from bindlint.facts.host.values import Cell, Place, Record, Unknown, Unset, Value
from bindlint.model.host import UnknownKind, UnknownPart
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import VISIBILITIES, DescriptorRange, StaticSampler
from bindlint.model.source import NOWHERE, Span

MASK = 0xFFFFFFFF
_RANGES: tuple[RegisterClass, ...] = ("t", "u", "b", "s")
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


class Parts:
    """Reads parts of a signature. `unknown` collects what is not known; `where` is the place of all that has none."""

    def __init__(self, where: Place | None) -> None:
        self.unknown: list[UnknownPart] = []
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
        registers: RegisterRange | None = None
        try:
            kind = self.number(record, "RangeType")
            if not 0 <= kind < len(_RANGES):
                raise MissingError(Unknown(f"{kind} is no type of range"), "RangeType")
            count = self.number(record, "NumDescriptors") & MASK
            register, space = (
                self.number(record, "BaseShaderRegister") & MASK,
                self.number(record, "RegisterSpace") & MASK,
            )
            bounded = None if count == api.UNBOUNDED else count
            registers = RegisterRange(
                _RANGES[kind], space, register, None if bounded is None else register + max(bounded, 1) - 1
            )
            offset = self.number(record, "OffsetInDescriptorsFromTableStart") & MASK
            flags = self.number(record, "Flags") & MASK if record.type.endswith("1") else 0
            return DescriptorRange(
                _RANGES[kind],
                register,
                space,
                bounded,
                None if offset == api.APPEND else offset,
                flags,
                self.span(place),
            )
        except MissingError as missing:
            self.missing(what, missing, place, registers)
            return None

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
        registers: RegisterRange | None = None
        try:
            register, space = (
                self.number(record, "ShaderRegister") & MASK,
                self.number(record, "RegisterSpace") & MASK,
            )
            registers = RegisterRange("s", space, register, register)
            visibility = VISIBILITIES[self.visibility(record)]
            state = {
                name: self._float(record, field) if name in _FLOATS else self.number(record, field) & MASK
                for name, field in _SAMPLER_FIELDS.items()
            }
            flags = self.number(record, "Flags") & MASK if record.type.endswith("1") else 0
            return StaticSampler(register, space, visibility=visibility, flags=flags, span=self.span(place), **state)  # type: ignore[arg-type]
        except MissingError as missing:
            self.missing(what, missing, place, registers)
            return None

    def number(self, record: Record, name: str) -> int:
        value = value_of(record, name)
        if isinstance(value, float) and value == int(value):
            return int(value)
        if not isinstance(value, int):
            raise MissingError(value, name)
        return value

    def _float(self, record: Record, name: str) -> float:
        value = value_of(record, name)
        if not isinstance(value, int | float):
            raise MissingError(value, name)
        return float(value)

    def missing(
        self, what: str, missing: MissingError, place: Place | None, registers: RegisterRange | None = None
    ) -> None:
        value = missing.value
        if isinstance(value, Record) and isinstance(value.fill, Unknown):
            value = value.fill
        field = f"its {missing.field}: " if missing.field else ""
        if isinstance(value, Unset):
            self.part(what, f"{field}it is never set", "unset", place, registers)
        elif isinstance(value, Unknown):
            self.arguments = self.arguments or "is an argument of" in value.why
            self.part(
                what, field + value.why, "not-read" if value.unread else "run-time", value.place or place, registers
            )
        else:
            self.part(what, f"{field}it is not read", "not-read", place, registers)

    def part(
        self, what: str, why: str, kind: UnknownKind, place: Place | None, registers: RegisterRange | None = None
    ) -> None:
        self.unknown.append(UnknownPart(self.span(place or self.where), what, why, kind, registers))

    def span(self, place: Place | None) -> Span:
        return NOWHERE if place is None else place[0].span(place[1], place[2])


def value_of(record: Record, name: str) -> Value:
    cell = record.fields.get(name)
    return record.fill if cell is None else cell.value


def place_of(record: Record, name: str) -> Place | None:
    cell = record.fields.get(name)
    return None if cell is None else cell.place
