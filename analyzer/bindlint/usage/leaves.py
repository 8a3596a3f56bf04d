"""Resources inside structs: what an instance of a struct declares besides its data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

from bindlint.model.resource_types import BUFFER_VIEWS, ResourceType
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import StructSymbol

MAX_LEAVES = 4096
_MAX_NESTING = 32


class Leaf(msgspec.Struct, frozen=True):
    """One resource inside a struct instance: its path from the instance, subscripts as numbers.

    The compiler's name for it also names the base classes on the way.
    """

    path: tuple[str, ...]
    names: tuple[str, ...]
    type: ResourceType


class Leaves:
    """The leaves of the structs of one shader, each struct looked through once."""

    def __init__(self, table: SymbolTable) -> None:
        self.table = table
        self._known: dict[StructSymbol, tuple[Leaf, ...]] = {}

    def of(self, struct: StructSymbol, depth: int = 0) -> tuple[Leaf, ...]:
        """Resources inside a struct, bases first, arrays element by element."""
        found = self._known.get(struct)
        if found is None:
            if depth > _MAX_NESTING:
                return ()
            found = self._known[struct] = tuple(islice(self._leaves(struct, depth), MAX_LEAVES))
        return found

    def _leaves(self, struct: StructSymbol, depth: int) -> Iterator[Leaf]:
        for base in bases_of(self.table, struct):
            for leaf in self.of(base, depth + 1):
                yield Leaf(leaf.path, (base.struct.name, *leaf.names), leaf.type)
        for field in struct.struct.fields:
            resolved = self.table.resolve_type(field.type, struct.scope)
            inner: tuple[Leaf, ...] = ()
            if resolved.resource is not None and resolved.resource.name not in BUFFER_VIEWS:
                inner = (Leaf((), (), resolved.resource),)
            elif resolved.struct is not None:
                inner = self.of(resolved.struct, depth + 1)
            if inner and "static" not in field.storage:
                sizes = tuple(self.table.evaluate(d) or 1 for d in field.dimensions + resolved.dimensions)
                for subscript in subscripts(sizes):
                    here = (field.name, *subscript)
                    for leaf in inner:
                        yield Leaf((*here, *leaf.path), (*here, *leaf.names), leaf.type)


def bases_of(table: SymbolTable, struct: StructSymbol) -> Iterator[StructSymbol]:
    for base in struct.struct.bases:
        resolved = table.resolve_type(base, struct.struct.scope).struct
        if resolved is not None and resolved is not struct:
            yield resolved


def holds_data(table: SymbolTable, struct: StructSymbol, depth: int = 0) -> bool:
    """Whether a struct holds anything but resources; a buffer view inside a struct is plain data (STR-09)."""
    if depth > _MAX_NESTING:
        return True
    for field in struct.struct.fields:
        resolved = table.resolve_type(field.type, struct.scope)
        if resolved.resource is not None:
            if resolved.resource.name in BUFFER_VIEWS:
                return True
        elif resolved.struct is None or holds_data(table, resolved.struct, depth + 1):
            return True
    return any(holds_data(table, base, depth + 1) for base in bases_of(table, struct))


def subscripts(sizes: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """Every element of an array of arrays, row by row, as subscripts."""
    if not sizes:
        yield ()
        return
    for index in range(min(sizes[0], MAX_LEAVES)):
        for rest in subscripts(sizes[1:]):
            yield (str(index), *rest)
