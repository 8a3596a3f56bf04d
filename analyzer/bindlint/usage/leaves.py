"""Resources inside structs: what an instance of a struct declares besides its data."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bindlint.model.registers import MAX_REGISTER
from bindlint.model.resource_types import BUFFER_VIEWS, ResourceType
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import Scope, StructSymbol

MAX_LEAVES = 4096
_MAX_PATH = 256
_MAX_PARTS = 1 << 15
"""Names and subscripts on the ways to all leaves of one struct."""


class Leaf(msgspec.Struct, frozen=True):
    """One resource inside a struct instance: its path from the instance, subscripts as numbers.

    The compiler's name for it also names the base classes on the way.
    """

    path: tuple[str, ...]
    names: tuple[str, ...]
    type: ResourceType
    untold_size: str = ""


class Leaves:
    """The leaves of the structs of one shader, each struct looked through once; `cut` are those that have too many."""

    def __init__(self, table: SymbolTable) -> None:
        self.table = table
        self.cut: set[StructSymbol] = set()
        self._known: dict[StructSymbol, tuple[Leaf, ...]] = {}

    def of(self, struct: StructSymbol) -> tuple[Leaf, ...]:
        """Resources inside a struct, bases first, arrays element by element."""
        if struct not in self._known:
            for inner in self.table.inner_first(struct):
                if inner not in self._known:
                    # What holds itself holds nothing.
                    self._known[inner] = ()
                    self._known[inner] = tuple(self._within_limits(inner))
        return self._known[struct]

    def _within_limits(self, struct: StructSymbol) -> Iterator[Leaf]:
        room = _MAX_PARTS
        for number, leaf in enumerate(self._leaves(struct)):
            room -= len(leaf.names)
            if number == MAX_LEAVES or len(leaf.names) > _MAX_PATH or room < 0:
                self.cut.add(struct)
                return
            yield leaf

    def _of_part(self, struct: StructSymbol, part: StructSymbol) -> tuple[Leaf, ...]:
        found = self.of(part)
        if part in self.cut:
            self.cut.add(struct)
        return found

    def _leaves(self, struct: StructSymbol) -> Iterator[Leaf]:
        for base in self.table.bases(struct):
            for leaf in self._of_part(struct, base):
                yield Leaf(leaf.path, (base.struct.name, *leaf.names), leaf.type, leaf.untold_size)
        for field in struct.struct.fields:
            resolved = self.table.resolve_type(field.type, struct.scope)
            inner: tuple[Leaf, ...] = ()
            if resolved.resource is not None and resolved.resource.name not in BUFFER_VIEWS:
                inner = (Leaf((), (), resolved.resource),)
            elif resolved.struct is not None:
                inner = self._of_part(struct, resolved.struct)
            if inner and "static" not in field.storage:
                sizes, untold = array_sizes(self.table, field.dimensions + resolved.dimensions, struct.scope)
                for subscript in subscripts(tuple(size or 1 for size in sizes)):
                    here = (field.name, *subscript)
                    for leaf in inner:
                        size = untold or leaf.untold_size
                        yield Leaf((*here, *leaf.path), (*here, *leaf.names), leaf.type, size)


def holds_data(table: SymbolTable, struct: StructSymbol) -> bool:
    """Whether a struct holds anything but resources; a buffer view inside a struct is plain data (STR-09)."""
    for inner in table.inner_first(struct):
        for field in inner.struct.fields:
            resolved = table.resolve_type(field.type, inner.scope)
            if resolved.resource is None and resolved.struct is None:
                return True
            if resolved.resource is not None and resolved.resource.name in BUFFER_VIEWS:
                return True
    return False


def array_sizes(table: SymbolTable, dimensions: tuple[str, ...], scope: Scope) -> tuple[tuple[int | None, ...], str]:
    """The sizes, and the text of one that is no number or cannot be told (taken as 1). "" and 4294967295: unbounded."""
    sizes: list[int | None] = []
    untold = ""
    for text in dimensions:
        value = table.evaluate(text, None, scope, counts=True) if text.strip() else MAX_REGISTER
        if value is None or value < 0:
            untold, value = untold or (text.strip() if value is None else str(value)), 1
        sizes.append(None if value == MAX_REGISTER else value)
    return tuple(sizes), untold


def subscripts(sizes: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """Every element of an array of arrays, row by row, as subscripts."""
    if not sizes:
        yield ()
        return
    for index in range(min(sizes[0], MAX_LEAVES + 1)):
        for rest in subscripts(sizes[1:]):
            yield (str(index), *rest)
