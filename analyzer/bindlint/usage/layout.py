"""Sizes of constant buffers and structured elements as HLSL lays them out.

Constant buffers have rows of 16 bytes: a vector does not cross a row, arrays, matrices and structs start one, array
elements take whole rows but for the last (win32 documentation, "Packing rules for constant variables"; sizes checked
against DXC 1.8). Structured buffers are laid out tightly, each scalar aligned to its own size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from bindlint.facts.module import ReadUnit
from bindlint.model.declarations import TypeName, Variable
from bindlint.model.shader import Shader
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import Scope, StructSymbol

ROW = 16
_NUMERIC = re.compile(r"(\w+?)([1-4])?(?:x([1-4]))?\Z")
_SIZES = {
    "double": 8, "int64_t": 8, "uint64_t": 8, "float64_t": 8, "half": 4, "int16_t": 2, "uint16_t": 2, "float16_t": 2,
}  # fmt: skip
MINIMUM_PRECISION = ("min16float", "min16int", "min16uint", "min10float", "min12int")
_FOUR_BYTES = (
    "float",
    "int",
    "uint",
    "bool",
    "dword",
    "int32_t",
    "uint32_t",
    "float32_t",
    "int8_t4_packed",
    "uint8_t4_packed",
)


class Layout(msgspec.Struct, frozen=True):
    """Size and alignment in bytes; `row` says that it starts a row of a constant buffer.

    `minimum` marks minimum-precision types, which share no row with others.
    """

    size: int
    alignment: int
    row: bool = False
    minimum: bool = False


_NO_ROOM = Layout(0, 1)
"""Of a resource."""


class _Cursor:
    """Where the next thing goes; `rows` tells a constant buffer from a structured element."""

    def __init__(self, rows: bool, end: int = 0) -> None:
        self.rows = rows
        self.end = end
        self.alignment = 1
        self.minimum = False
        self.unit = 0
        self.bits_left = 0

    def put_bits(self, layout: Layout, width: int) -> None:
        """A bit-field: in the unit of the one before it, where that has the same size and room."""
        if layout.size == self.unit and width <= self.bits_left:
            self.bits_left -= width
            return
        self.put(layout)
        self.unit, self.bits_left = layout.size, layout.size * 8 - width

    def put(self, layout: Layout, start: int | None = None) -> None:
        self.bits_left = 0
        if start is None:
            start = self._start(layout)
        self.end = start + layout.size
        self.alignment = max(self.alignment, layout.alignment)
        self.minimum = layout.minimum

    def _start(self, layout: Layout) -> int:
        if not self.rows:
            return _align(self.end, layout.alignment)
        start = _align(self.end, ROW if layout.row or layout.minimum != self.minimum else layout.alignment)
        return _align(start, ROW) if start % ROW + layout.size > ROW else start


class Layouts:
    """Sizes under one shader's names and options. A size of 0 means that it could not be told."""

    def __init__(self, table: SymbolTable, shader: Shader) -> None:
        self.table = table
        self.shader = shader
        self._row_major = _pack_states(table.units, shader.row_major)
        self._structs: dict[tuple[StructSymbol, bool], Layout | None] = {}
        self._numerics: dict[tuple[str, tuple[TypeName, ...], bool, bool], Layout | None] = {}

    def buffer_size(self, unit: ReadUnit, members: Iterable[Variable], scope: Scope = ()) -> int:
        """Bytes of a cbuffer with these members; `packoffset` places a member, the size ends with the last byte."""
        end = 0
        for place in self._places(unit, members, scope):
            if place is None:
                return 0
            end = max(end, place[1] + place[2])
        return end

    def member_places(
        self, unit: ReadUnit, members: Iterable[Variable], scope: Scope = ()
    ) -> Iterator[tuple[Variable, int, int]]:
        """Each member of a cbuffer with its first byte and its size in bytes.

        Those that take no room are left out, and so are those whose place hangs on a size that cannot be told.
        """
        return (place for place in self._places(unit, members, scope) if place is not None)

    def _places(
        self, unit: ReadUnit, members: Iterable[Variable], scope: Scope
    ) -> Iterator[tuple[Variable, int, int] | None]:
        """None stands for a member whose size or place cannot be told."""
        cursor, lost = _Cursor(True), False
        for member in _stored(members):
            layout = self._field(unit, member, scope, True)
            lost = layout is None or (lost and not member.packoffset)
            if layout is None or lost:
                yield None
            elif layout is not _NO_ROOM:
                self._put(cursor, member, layout, _packoffset(member.packoffset) if member.packoffset else None, scope)
                yield member, cursor.end - layout.size, layout.size

    def globals_size(self, members: Iterable[tuple[ReadUnit, Variable]]) -> int:
        """Bytes of `$Globals`: a `register(c#)` places a member, the others follow the furthest of those (GLB-04)."""
        placed: list[tuple[int, Layout]] = []
        loose: list[Layout] = []
        for unit, member in members:
            layout = self._field(unit, member, member.scope, True)
            numbers = [
                r.number for r in member.registers if r.letter.lower() in ("c", "b", "i") and r.number is not None
            ]
            if layout is None:
                return 0
            if layout is _NO_ROOM:
                continue
            if numbers:
                placed.append((numbers[-1] * ROW, layout))
            else:
                loose.append(layout)
        cursor = _Cursor(True, max((start + layout.size for start, layout in placed), default=0))
        for layout in loose:
            cursor.put(layout)
        return cursor.end

    def type_size(self, written: TypeName, scope: Scope, rows: bool) -> int:
        """Bytes of a type: with `rows` in a constant buffer, else as an element of a structured buffer."""
        layout = self._type(written, scope, False, rows)
        if layout is None:
            return 0
        return layout.size if rows else _align(layout.size, layout.alignment)

    def element_size(self, written: TypeName, scope: Scope) -> int | None:
        """Bytes of an element of a structured buffer; None where they cannot be told."""
        layout = self._type(written, scope, False, False)
        return None if layout is None else _align(layout.size, layout.alignment)

    # -- parts

    def _put(self, cursor: _Cursor, field: Variable, layout: Layout, start: int | None, scope: Scope) -> None:
        width = self.table.evaluate(field.bits, None, scope) if field.bits else None
        if width is None:
            cursor.put(layout, start)
        else:
            cursor.put_bits(layout, width)

    def _field(self, unit: ReadUnit, field: Variable, scope: Scope, rows: bool) -> Layout | None:
        """A field or member with its array sizes; None where they cannot be told."""
        resolved = self.table.resolve_type(field.type, scope)
        if resolved.resource is not None:
            return _NO_ROOM
        sizes = [self.table.evaluate(d, None, scope) for d in (*field.dimensions, *resolved.dimensions)]
        if any(s is None or s < 0 for s in sizes):
            return None
        major = "row_major" in field.storage or (
            "column_major" not in field.storage and self._major_at(unit, field.start)
        )
        layout = self._type(field.type, scope, major, rows)
        if layout is None:
            return None
        for count in reversed(sizes):
            stride = _align(layout.size, ROW if rows else layout.alignment)
            last = layout.size if rows else stride
            layout = Layout(stride * (count - 1) + last if count else 0, layout.alignment, True)
        return layout

    def _type(self, written: TypeName, scope: Scope, row_major: bool, rows: bool) -> Layout | None:
        resolved = self.table.resolve_type(written, scope)
        if resolved.struct is not None:
            return self._struct(resolved.struct, rows)
        key = resolved.name, resolved.arguments, row_major, rows
        if key not in self._numerics:
            self._numerics[key] = self._numeric(*key)
        return self._numerics[key]

    def _struct(self, struct: StructSymbol, rows: bool) -> Layout | None:
        if (struct, rows) not in self._structs:
            for inner in self.table.inner_first(struct):
                if (inner, rows) not in self._structs:
                    # What holds itself has no size.
                    self._structs[inner, rows] = None
                    self._structs[inner, rows] = self._struct_layout(inner, rows)
        return self._structs[struct, rows]

    def _struct_layout(self, struct: StructSymbol, rows: bool) -> Layout | None:
        cursor = _Cursor(rows)
        for base in self.table.bases(struct):
            inherited = self._struct(base, rows)
            if inherited is None:
                return None
            cursor.put(inherited)
        for field in _stored(struct.struct.fields):
            layout = self._field(struct.unit, field, struct.scope, rows)
            if layout is None:
                return None
            if layout is not _NO_ROOM:
                self._put(cursor, field, layout, None, struct.scope)
        return Layout(cursor.end if rows else _align(cursor.end, cursor.alignment), cursor.alignment, True)

    def _numeric(self, name: str, arguments: tuple[TypeName, ...], row_major: bool, rows: bool) -> Layout | None:
        columns = 0
        if name in ("vector", "matrix"):
            scalar = arguments[0].name if arguments else "float"
            numbers = [self.table.evaluate(a.name) or 0 for a in arguments[1:]]
            if not all(numbers):
                return None
            first = numbers[0] if numbers else 4
            columns = (numbers[1] if len(numbers) > 1 else 4) if name == "matrix" else 0
        else:
            match = _NUMERIC.match(name)
            if match is None:
                return None
            scalar = match[1]
            first, columns = int(match[2] or 1), int(match[3] or 0)
        size = self._scalar(scalar)
        if not size:
            return Layout(4, 4) if self.table.enum(name) else None
        minimum = scalar in MINIMUM_PRECISION and not self.shader.enable_16bit_types
        if not columns:
            return Layout(size * first, size, minimum=minimum)
        if not rows:
            return Layout(size * first * columns, size)
        vectors, width = (first, columns) if row_major else (columns, first)
        stride = _align(size * width, ROW)
        return Layout(stride * (vectors - 1) + size * width, size, True, minimum)

    def _scalar(self, name: str) -> int:
        if name in MINIMUM_PRECISION:
            return 2 if self.shader.enable_16bit_types else 4
        if name == "half":
            return 2 if self.shader.enable_16bit_types else 4
        return 4 if name in _FOUR_BYTES else _SIZES.get(name, 0)

    def _major_at(self, unit: ReadUnit, offset: int) -> bool:
        states = self._row_major.get(id(unit))
        if not states:
            return self.shader.row_major
        return next((state for place, state in reversed(states) if place <= offset), states[0][1])


def _stored(members: Iterable[Variable]) -> Iterator[Variable]:
    return (member for member in members if "static" not in member.storage)


def _pack_states(units: Iterable[ReadUnit], row_major: bool) -> dict[int, list[tuple[int, bool]]]:
    """For units from the first `#pragma pack_matrix` on: the offsets at which matrices change their order."""
    found: dict[int, list[tuple[int, bool]]] = {}
    state, seen = row_major, False
    for unit in units:
        pragmas = [(offset, text) for offset, text in unit.unit.pragmas if "pack_matrix" in text]
        seen = seen or bool(pragmas)
        if seen:
            states = [(0, state)]
            for offset, text in pragmas:
                state = "row_major" in text
                states.append((offset, state))
            found[id(unit)] = states
    return found


def _align(offset: int, alignment: int) -> int:
    return (offset + alignment - 1) // alignment * alignment


def _packoffset(text: str) -> int:
    """`c3.y` -> 52."""
    match = re.match(r"\s*c(\d+)(?:\s*\.\s*([xyzwrgba]))?", text)
    if match is None:
        return 0
    return (
        int(match[1]) * ROW
        + ("xyzw".find(match[2]) % 4 if match[2] and match[2] in "xyzw" else "rgba".find(match[2] or "r")) * 4
    )
