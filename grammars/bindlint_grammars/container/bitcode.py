"""LLVM bitcode of DXIL, read just far enough to learn the names of resources from the metadata `dx.resources`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

MAX_FIELDS = 60_000
"""How many fields are read before the search for names is given up; debug information would cost seconds."""

_MAGIC = b"BC\xc0\xde"
_END, _ENTER, _DEFINE, _UNABBREVIATED = range(4)
_FIXED, _VARIABLE, _ARRAY, _CHARACTER, _BLOB = range(1, 6)
_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
_BLOCK_INFO, _MODULE, _CONSTANTS, _METADATA = 0, 8, 11, 15
_SET_BLOCK = 1
_GLOBAL_VALUES = (7, 8, 9, 14)
_SET_TYPE, _NULL, _INTEGER = 1, 2, 4
_STRING, _VALUE, _NODE, _NAME, _KIND, _NAMED_NODE = 1, 2, 3, 4, 6, 10
_NAME_FIELD, _LOWER_FIELD, _SIZE_FIELD = 2, 4, 6
_CONSTANT_BUFFERS = 2

Record = tuple[int, list[int]]


class ResourceName(NamedTuple):
    """`cls` is SRV 0, UAV 1, CBV 2, sampler 3; `size` is a constant buffer's in bytes, else 0."""

    cls: int
    space: int
    lower: int
    name: str
    size: int = 0


class _Operand(NamedTuple):
    """One part of an abbreviation; `kind` 0 is a literal."""

    kind: int
    value: int = 0


class _EndError(Exception):
    """The bits ended, made no sense, or were more than may be read."""


def resource_names(bitcode: bytes) -> tuple[ResourceName, ...]:
    """The names of the resources of a module; nothing where the bitcode is stripped, damaged or too large."""
    reader = _Reader(bitcode)
    try:
        reader.module()
    except _EndError:
        return ()
    return tuple(reader.resources())


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 32
        self.left = MAX_FIELDS
        self.abbreviations: dict[int, list[list[_Operand]]] = {}
        self.values: list[int | None] = []
        self.metadata: list[str | int | list[int] | None] = []
        self.named: dict[str, list[int]] = {}

    def fixed(self, width: int) -> int:
        self.left -= 1
        place, end = self.place, self.place + width
        if end > len(self.data) * 8 or self.left < 0:
            raise _EndError
        self.place = end
        bits = int.from_bytes(self.data[place >> 3 : end + 7 >> 3], "little")
        return bits >> (place & 7) & (1 << width) - 1

    def repeated(self, width: int, count: int) -> list[int]:
        """`count` fields of one width, several at a time: names are most of what there is to read."""
        mask, together = (1 << width) - 1, 48 // width
        found: list[int] = []
        for _ in range(count // together):
            bits = self.fixed(width * together)
            found += [bits >> shift & mask for shift in range(0, width * together, width)]
        return found + [self.fixed(width) for _ in range(count % together)]

    def variable(self, width: int) -> int:
        if width < 2:
            raise _EndError
        more = 1 << width - 1
        value = shift = 0
        while True:
            part = self.fixed(width)
            value |= (part & more - 1) << shift
            if not part & more:
                return value
            shift += width - 1
            if shift > 64:
                raise _EndError

    def variables(self, width: int, count: int) -> list[int]:
        """`count` variable fields: the operands of nodes, by far most of what there is to read beside names."""
        self.left -= count
        if not 2 <= width <= 32 or self.left < 0:
            raise _EndError
        data, place, more = self.data, self.place, 1 << width - 1
        end = len(data) * 8
        found: list[int] = []
        for _ in range(count):
            # Eight bytes hold at least 57 bits from any place on, which is enough for all but the largest.
            byte = place >> 3
            window = int.from_bytes(data[byte : byte + 8], "little") >> (place & 7)
            value = shift = 0
            used = width
            while window & more and used + width <= 57:
                value |= (window & more - 1) << shift
                window >>= width
                shift += width - 1
                used += width
            if window & more or place + used > end:
                self.place = place
                value = self.variable(width)
                place = self.place
            else:
                value |= (window & more - 1) << shift
                place += used
            found.append(value)
        self.place = place
        return found

    def align(self) -> None:
        self.place = self.place + 31 & ~31

    def module(self) -> None:
        if self.data[:4] != _MAGIC:
            raise _EndError
        while self.place + 64 <= len(self.data) * 8:
            if self.fixed(2) != _ENTER:
                raise _EndError
            block, width, end = self.enter()
            if block == _MODULE:
                self.block(block, width, end, 0)
                return
            if block == _BLOCK_INFO:
                self.block_info(width, end)
            self.place = end

    def enter(self) -> tuple[int, int, int]:
        block, width = self.variable(8), self.variable(4)
        self.align()
        size = self.fixed(32)
        return block, width, self.place + size * 32

    def block(self, block: int, width: int, end: int, depth: int) -> None:
        """Read a block that matters, and those in it that do."""
        own = list(self.abbreviations.get(block, ()))
        name = ""
        while self.place < end:
            identifier = self.fixed(width)
            if identifier == _END:
                self.align()
                return
            if identifier == _ENTER:
                inner, inner_width, inner_end = self.enter()
                if inner == _BLOCK_INFO:
                    self.block_info(inner_width, inner_end)
                elif depth == 0 and inner in (_CONSTANTS, _METADATA):
                    self.block(inner, inner_width, inner_end, 1)
                self.place = inner_end
            elif identifier == _DEFINE:
                own.append(self.abbreviation())
            else:
                code, operands = self.record(identifier, own)
                if block == _METADATA and code == _NAME:
                    name = _text(operands)
                elif block == _METADATA and code == _NAMED_NODE:
                    self.named[name] = operands
                else:
                    self.keep(block, code, operands)

    def keep(self, block: int, code: int, operands: list[int]) -> None:
        """Number values and metadata as LLVM does: in the order of their records."""
        if block == _MODULE and code in _GLOBAL_VALUES:
            self.values.append(None)
        elif block == _CONSTANTS and code != _SET_TYPE:
            number = 0 if code == _NULL else operands[0] if code == _INTEGER and operands else None
            self.values.append(None if number is None else -(number >> 1) if number & 1 else number >> 1)
        elif block == _METADATA and code == _STRING:
            self.metadata.append(_text(operands))
        elif block == _METADATA and code == _VALUE and len(operands) == 2:
            known = operands[1] < len(self.values)
            self.metadata.append(self.values[operands[1]] if known else None)
        elif block == _METADATA and code == _NODE:
            self.metadata.append([operand - 1 for operand in operands])
        elif block == _METADATA and code != _KIND:
            self.metadata.append(None)

    def block_info(self, width: int, end: int) -> None:
        current: list[list[_Operand]] = []
        while self.place < end:
            identifier = self.fixed(width)
            if identifier == _END:
                self.align()
                return
            if identifier == _DEFINE:
                current.append(self.abbreviation())
            elif identifier == _ENTER:
                raise _EndError
            else:
                code, operands = self.record(identifier, [])
                if code == _SET_BLOCK and operands:
                    current = self.abbreviations.setdefault(operands[0], [])

    def abbreviation(self) -> list[_Operand]:
        operands: list[_Operand] = []
        for _ in range(self.variable(5)):
            if self.fixed(1):
                operands.append(_Operand(0, self.variable(8)))
            else:
                kind = self.fixed(3)
                operands.append(_Operand(kind, self.variable(5) if kind in (_FIXED, _VARIABLE) else 0))
        return operands

    def record(self, identifier: int, own: list[list[_Operand]]) -> Record:
        if identifier == _UNABBREVIATED:
            code, count = self.variable(6), self.variable(6)
            return code, self.variables(6, self.counted(count))
        if identifier - 4 >= len(own):
            raise _EndError
        fields: list[int] = []
        operands = iter(own[identifier - 4])
        for operand in operands:
            if operand.kind == _ARRAY:
                element = next(operands, None)
                if element is None:
                    raise _EndError
                fields += self.array(element, self.counted(self.variable(6)))
            elif operand.kind == _BLOB:
                size = self.counted(self.variable(6))
                self.align()
                self.place += size * 8
                self.align()
            else:
                fields.append(self.field(operand))
        if not fields:
            raise _EndError
        return fields[0], fields[1:]

    def array(self, element: _Operand, count: int) -> list[int]:
        if element.kind == _CHARACTER:
            return [ord(_CHARACTERS[code]) for code in self.repeated(6, count)]
        if element.kind == _FIXED and 0 < element.value <= 16:
            return self.repeated(element.value, count)
        if element.kind == _VARIABLE:
            return self.variables(element.value, count)
        return [self.field(element) for _ in range(count)]

    def counted(self, count: int) -> int:
        """A number of fields that are still to come, as far as there can be so many."""
        if count > len(self.data) * 8:
            raise _EndError
        return count

    def field(self, operand: _Operand) -> int:
        if operand.kind == 0:
            # A repeated literal takes no bits, but it takes time.
            self.left -= 1
            if self.left < 0:
                raise _EndError
            return operand.value
        if operand.kind == _FIXED:
            return self.fixed(operand.value) if operand.value <= 64 else self.fixed(0)
        if operand.kind == _VARIABLE:
            return self.variable(operand.value)
        if operand.kind == _CHARACTER:
            return ord(_CHARACTERS[self.fixed(6)])
        raise _EndError

    def node(self, index: int) -> list[int]:
        found = self.metadata[index] if 0 <= index < len(self.metadata) else None
        return found if isinstance(found, list) else []

    def resources(self) -> Iterator[ResourceName]:
        room = len(self.metadata)
        for root in self.named.get("dx.resources", [])[:1]:
            for cls, group in enumerate(self.node(root)[:4]):
                for row in self.node(group):
                    room -= 1
                    if room >= 0:
                        yield from self.resource(cls, self.node(row))

    def resource(self, cls: int, row: list[int]) -> Iterator[ResourceName]:
        known = [self.metadata[i] if 0 <= i < len(self.metadata) else None for i in row[: _SIZE_FIELD + 1]]
        match known[_NAME_FIELD : _LOWER_FIELD + 1]:
            case [str(name), int(space), int(lower)]:
                size = known[_SIZE_FIELD] if cls == _CONSTANT_BUFFERS and len(known) > _SIZE_FIELD else 0
                yield ResourceName(
                    cls, space & 0xFFFFFFFF, lower & 0xFFFFFFFF, name, size if isinstance(size, int) else 0
                )


def _text(codes: list[int]) -> str:
    return bytes(code & 0xFF for code in codes).decode("utf-8", "replace")
