"""Subscripts that reachable functions put on resource arrays and on arrays in constant buffers, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bindlint.model.binding import IndexedAccess
from bindlint.usage.names import SymbolTable
from bindlint.usage.resources import Resources
from bindlint.usage.symbols import BlockSymbol, FunctionSymbol, VariableSymbol

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_MARKER = "NonUniformResourceIndex"
_UNIFORM_FUNCTIONS = frozenset((_MARKER, "WaveReadLaneFirst", "min", "max", "clamp", "uint", "int"))


def indexed_accesses(
    table: SymbolTable, resources: Resources, functions: Iterable[FunctionSymbol]
) -> tuple[IndexedAccess, ...]:
    """Every subscript on an array of resources, or on an array that is a member of a cbuffer or of `$Globals`."""
    arrays = {d.resource.name: "" for d in resources.declared if d.resource.count != 1 and not d.path}
    for declared in resources.declared:
        if isinstance(declared.symbol, BlockSymbol):
            for member in declared.symbol.block.members:
                if member.dimensions:
                    arrays[member.name] = declared.resource.name
    for symbol in resources.global_constants:
        if symbol.variable.dimensions:
            arrays[symbol.variable.name] = "$Globals"
    if not arrays:
        return ()
    return tuple(a for function in functions for a in _in_function(table, function, arrays))


def _in_function(table: SymbolTable, function: FunctionSymbol, arrays: dict[str, str]) -> Iterator[IndexedAccess]:
    place = function.function.body
    named = function.body.free & arrays.keys()
    if place is None or not named:
        return
    text = function.unit.text[place[0] : place[1]].decode("latin-1")
    pattern = re.compile(rf"(?<![\w.])({'|'.join(sorted(named))})\s*\[")
    for match in pattern.finditer(text):
        end = _closing(text, match.end())
        index = text[match.end() : end].strip()
        yield IndexedAccess(
            match[1],
            function.function.name,
            function.unit.span(place[0] + match.start(1), place[0] + end + 1),
            index,
            table.evaluate(index),
            arrays[match[1]],
            _MARKER in index,
            _is_uniform(table, index),
        )


def _closing(text: str, position: int) -> int:
    """The position of the bracket that closes the subscript which starts at `position`."""
    depth = 1
    for i in range(position, len(text)):
        depth += (text[i] in "[(") - (text[i] in ")]")
        if depth == 0:
            return i
    return len(text) - 1


def _is_uniform(table: SymbolTable, index: str) -> bool:
    """Whether every name in an index is a constant, a cbuffer's member or a constant buffer."""
    for name in _NAME.findall(index):
        if name in _UNIFORM_FUNCTIONS or table.constant(name) is not None:
            continue
        symbols = [s for s in table.names.get(name, ()) if isinstance(s, VariableSymbol)]
        if not symbols or any(s.static or s.shared for s in symbols):
            return False
        for symbol in symbols:
            resource = table.resolve_type(symbol.variable.type, symbol.scope).resource
            if resource is not None and resource.cls != "b":
                return False
    return True
