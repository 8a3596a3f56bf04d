"""From the description that a program hands on to a root signature of the model, and to what is not known of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bindlint.facts.host import api
from bindlint.facts.host.machine import MAX_ELEMENTS, pointer_to
from bindlint.facts.host.parts import Fields, MissingError, Parts, place_of, value_of
from bindlint.facts.host.values import Array, Cell, Place, Pointer, Record, Unknown, Unset
from bindlint.model.host import HostConstruct, HostProblem, HostRemark, HostSignature
from bindlint.model.root_signature import (
    DescriptorRange,
    ParameterKind,
    RootParameter,
    RootSignature,
    StaticSampler,
)
from bindlint.model.source import NOWHERE

_KINDS: tuple[ParameterKind, ...] = ("table", "constants", "cbv", "srv", "uav")


class Result(msgspec.Struct, frozen=True):
    """A signature as read; the cells that its tables take, and what stands beside these in their arrays.

    `argument_dependent` says that a part is not known because it is an argument of the function.
    """

    signature: HostSignature
    used: frozenset[int]
    beside: tuple[tuple[int, DescriptorRange | HostRemark], ...]
    argument_dependent: bool
    problems: tuple[HostProblem, ...] = ()


def read_signature(record: Record, function: str, completed: Place | None) -> Result | None:
    """The signature that a description stands for; None where nothing at all is known of it."""
    return _Reader(record, function, completed).read()


class _Reader(Parts):
    def __init__(self, record: Record, function: str, completed: Place | None) -> None:
        self.record = record
        self.function = function
        self.completed = completed
        super().__init__(record.place or completed)
        self.counts = {"fully": 0, "partly": 0, "not_read": 0}
        self.arrays: dict[int, Array] = {}
        self.used: set[int] = set()
        self.total: int | None = None
        self.open: list[str] = []

    def read(self) -> Result | None:
        version, desc = self._description()
        if desc is None:
            return None
        wrapped = desc.type == api.MINIENGINE
        if not self._anything_known(desc):
            return None
        parameters = self._parameters(desc)
        samplers = self._samplers(desc)
        fields = Fields(self, "flags", desc.place)
        flags = fields.number(desc, "Flags", "flags")
        name = self.record.name or desc.name
        span = self.span(self.where)
        signature = RootSignature(
            version=version,
            flags=flags,
            parameters=tuple(parameters),
            static_samplers=tuple(samplers),
            origin="cpp",
            name=name or self.function,
            span=span,
            flags_span=NOWHERE if fields.unknown else self.span(place_of(desc, "Flags")),
            unknown=(*fields.unknown, *self.open),
        )
        construct: HostConstruct = "miniengine" if wrapped else "d3dx12"
        host = HostSignature(
            name=name,
            function=self.function,
            span=span,
            signature=signature,
            construct=construct,
            completed=self.span(self.completed),
            parameter_count=self.total,
            unknown=tuple(self.unknown),
            fully=self.counts["fully"],
            partly=self.counts["partly"],
            not_read=self.counts["not_read"],
        )
        return Result(host, frozenset(self.used), tuple(self._beside()), self.arguments, tuple(self.problems))

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
        values = [value_of(desc, name) for name in ("NumParameters", "pParameters", "NumStaticSamplers")]
        return any(isinstance(pointer_to(v), int | Pointer) for v in values)

    def _parameters(self, desc: Record) -> list[RootParameter]:
        cells = self._elements(desc, "NumParameters", "pParameters", "parameters", "root parameters")
        found: list[RootParameter] = []
        for index, cell in enumerate(cells):
            before = len(self.unknown)
            parameter = self._parameter(index, cell)
            if parameter is not None:
                found.append(parameter)
            complete = len(self.unknown) == before
            self.counts["not_read" if parameter is None else "fully" if complete else "partly"] += 1
        if len(found) != self.total:
            self.open.append("parameters")
        return found

    def _elements(self, desc: Record, count: str, pointer: str, wrapped: str, what: str) -> list[Cell]:
        if desc.type == api.MINIENGINE:
            array = value_of(desc, wrapped)
            if isinstance(array, Array) and array.complete:
                if what == "root parameters":
                    self.total = len(array.cells)
                return list(array.cells)
            self.part(f"the number of {what}", "is not known", "run-time", desc.place)
            return []
        said = value_of(desc, count)
        if isinstance(said, int | float) and not 0 <= said <= MAX_ELEMENTS:
            self.too_many(what, said, desc.place)
            return []
        try:
            number = self.number(desc, count)
        except MissingError as missing:
            value = value_of(desc, pointer)
            if isinstance(value, int) and value == 0 and isinstance(missing.value, Unset):
                self.total = 0 if what == "root parameters" else self.total
                return []
            self.missing(f"the number of {what}", missing, desc.place)
            return []
        if what == "root parameters":
            self.total = number
        if number == 0:
            return []
        value = pointer_to(value_of(desc, pointer))
        if not isinstance(value, Pointer):
            self.missing(what, MissingError(value, pointer), desc.place)
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
            self.part(f"{kind} {missing_index}", why, "run-time", desc.place)
            if what == "root parameters":
                self.counts["not_read"] += 1
        return list(cells)

    def _parameter(self, index: int, cell: Cell) -> RootParameter | None:
        what = f"parameter {index}"
        record = cell.value
        if not isinstance(record, Record) or record.type not in (*api.PARAMETERS, api.MINIENGINE_PARAMETER):
            self.missing(what, MissingError(record, ""), cell.place)
            return None
        kind_cell = record.fields.get("ParameterType")
        written = [c for c in record.fields.values() if c.place is not None]
        if not written and not isinstance(record.fill, Unknown):
            self.part(what, "is never set", "unset", record.place)
            return None
        place = (kind_cell.place if kind_cell is not None else None) or cell.place or record.place
        try:
            number = self.number(record, "ParameterType")
        except MissingError as missing:
            self.missing(what, missing, place)
            return None
        if not 0 <= number < len(_KINDS):
            self.part(what, f"is of type {number}, which there is not", "run-time", place)
            return None
        kind, span, fields = _KINDS[number], self.span(place), Fields(self, what, place)
        if kind == "table":
            ranges = self._ranges(record, what, fields)
            visibility = fields.visibility(record)
            return RootParameter(
                index, kind, visibility=visibility, ranges=ranges, span=span, unknown=tuple(fields.unknown)
            )
        register, space, count, flags = self._numbers(record, kind, fields)
        visibility = fields.visibility(record)
        return RootParameter(index, kind, register, space, count, flags, visibility, (), span, tuple(fields.unknown))

    def _numbers(self, record: Record, kind: ParameterKind, fields: Fields) -> tuple[int, int, int, int]:
        """Register, space, count and flags of constants or a root descriptor."""
        try:
            holder = self.holder(record, "Constants" if kind == "constants" else "Descriptor")
        except MissingError as missing:
            flagged = kind != "constants" and record.type == api.PARAMETERS[1]
            more = ("count",) if kind == "constants" else ("flags",) if flagged else ()
            fields.missing(missing, "register", "space", *more)
            return 0, 0, 0, 0
        register = fields.number(holder, "ShaderRegister", "register")
        space = fields.number(holder, "RegisterSpace", "space")
        count = fields.number(holder, "Num32BitValues", "count") if kind == "constants" else 0
        flags = fields.number(holder, "Flags", "flags") if holder.type == "D3D12_ROOT_DESCRIPTOR1" else 0
        return register, space, count, flags

    def _ranges(self, record: Record, what: str, fields: Fields) -> tuple[DescriptorRange, ...]:
        try:
            table = self.holder(record, "DescriptorTable")
            said = value_of(table, "NumDescriptorRanges")
            if isinstance(said, int | float) and not 0 <= said <= MAX_ELEMENTS:
                self.too_many(f"ranges of {what}", said, fields.place)
                fields.unknown.append("ranges")
                return ()
            count = self.number(table, "NumDescriptorRanges")
            if count == 0:
                return ()
            pointer = pointer_to(value_of(table, "pDescriptorRanges"))
            if not isinstance(pointer, Pointer):
                raise MissingError(pointer, "pDescriptorRanges")
        except MissingError as missing:
            fields.missing(missing, "ranges")
            return ()
        array = pointer.array
        self.arrays[id(array)] = array
        cells = array.cells[pointer.index : pointer.index + count]
        if len(cells) < count:
            end = f"lies beyond the end of `{array.name or 'the array'}`" if array.complete else "is not known"
            self.part(f"{what}, range {len(cells)}", end, "run-time", fields.place)
        self.used |= {id(cell) for cell in cells}
        read = [self.range(f"{what}, range {i}", cell) for i, cell in enumerate(cells)]
        # Those behind one that is not read are left out: a range is known by its place among them.
        known = read[: read.index(None)] if None in read else read
        found = [part for part in known if part is not None]
        if len(found) < count:
            fields.unknown.append("ranges")
        return tuple(found)

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
                if found is not None and not found.unknown:
                    yield id(cell), found
                elif self.unknown[0].kind == "unset" and self.unknown[0].why == "is never set":
                    yield id(cell), HostRemark(self.unknown[0].span, "unset", f"`{name}` is never set")
        self.unknown = before

    def _samplers(self, desc: Record) -> list[StaticSampler]:
        before = len(self.unknown)
        cells = self._elements(desc, "NumStaticSamplers", "pStaticSamplers", "samplers", "static samplers")
        if desc.type == api.MINIENGINE:
            asked = value_of(desc, "sampler_count")
            for index in range(len(cells), asked if isinstance(asked, int) else 0):
                self.part(f"static sampler {index}", "is never set", "unset", desc.place)
        missing = len(self.unknown) > before
        found = [self.sampler(f"static sampler {i}", cell) for i, cell in enumerate(cells)]
        if missing or None in found:
            self.open.append("static_samplers")
        return [sampler for sampler in found if sampler is not None]


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
