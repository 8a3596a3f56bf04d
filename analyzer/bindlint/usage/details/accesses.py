"""Subscripts that reachable functions put on resource arrays and on arrays in constant buffers, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bindlint_grammars.hlsl.tokens import NAME

from bindlint.model.binding import IndexedAccess
from bindlint.usage.details.live_text import live_text
from bindlint.usage.details.varying import Varying
from bindlint.usage.liveness.needs import Dead
from bindlint.usage.names import SymbolTable
from bindlint.usage.resources import Resources
from bindlint.usage.symbols import BlockSymbol, FunctionSymbol, VariableSymbol

_NAME = re.compile(r"(?<![\w$.])" + NAME)
_MARKER = "NonUniformResourceIndex"
_UNIFORM_FUNCTIONS = frozenset((_MARKER, "WaveReadLaneFirst", "min", "max", "clamp", "uint", "int"))
_HEAPS = ("ResourceDescriptorHeap", "SamplerDescriptorHeap")
_MEMBER = re.compile(r"\s*\.\s*(\w+)")
_OPENING = re.compile(r"\s*\[")

Paths = dict[str, list[tuple[str, ...]]]
"""Instances of structs -> the paths of the resources in them, subscripts as numbers."""


def indexed_accesses(
    table: SymbolTable, resources: Resources, functions: Mapping[FunctionSymbol, Dead]
) -> tuple[IndexedAccess, ...]:
    """Every subscript on an array of resources or of structs that hold some, on a descriptor heap, or on an array that
    is a member of a cbuffer or of `$Globals`."""
    arrays = {d.resource.name: ("", len(d.resource.dimensions)) for d in resources.declared if d.resource.dimensions}
    instances: Paths = {}
    for declared in resources.declared:
        if declared.path and isinstance(declared.symbol, VariableSymbol):
            instances.setdefault(declared.symbol.variable.name, []).append(declared.path)
        if isinstance(declared.symbol, BlockSymbol):
            for member in declared.symbol.block.members:
                if member.dimensions and member.name not in arrays:
                    arrays[member.name] = (declared.resource.name, 1)
    for symbol in resources.global_constants:
        if symbol.variable.dimensions and symbol.variable.name not in instances:
            arrays[symbol.variable.name] = ("$Globals", 1)
    instances = {name: paths for name, paths in instances.items() if any(p.isdecimal() for path in paths for p in path)}
    arrays |= dict.fromkeys(_HEAPS, ("", 1))
    return tuple(
        a for function, dead in functions.items() for a in _in_function(table, function, dead, arrays, instances)
    )


def _in_function(
    table: SymbolTable, function: FunctionSymbol, dead: Dead, arrays: dict[str, tuple[str, int]], instances: Paths
) -> Iterator[IndexedAccess]:
    place = function.function.body
    named = function.body.free & (arrays.keys() | instances.keys())
    if place is None or not named:
        return
    text = live_text(function, dead)
    varying = Varying(table, function, text)

    def access(name: str, buffer: str, start: int, begin: int, end: int, dimension: int) -> IndexedAccess:
        index = text[begin:end].strip()
        span = function.unit.span(place[0] + start, place[0] + end + 1)
        marked = _MARKER in index
        return IndexedAccess(
            name, function.function.name, span, index, table.evaluate(index, None, function.scope), buffer, marked,
            _is_uniform(table, index), dimension, not marked and not buffer and varying.shown(index),
        )  # fmt: skip

    for match in re.finditer(rf"(?<![\w.])({'|'.join(sorted(named))})\s*(?=[.\[])", text):
        name, at = match[1], match.end()
        if name in instances:
            for prefix, begin, end in _chain(text, at, instances[name]):
                yield access(".".join((name, *prefix)), "", match.start(), begin, end, 0)
            continue
        buffer, count = arrays[name]
        for dimension in range(count):
            opening = _OPENING.match(text, at)
            if opening is None:
                break
            end = _closing(text, opening.end())
            yield access(name, buffer, match.start(), opening.end(), end, dimension)
            at = end + 1


def _chain(text: str, at: int, paths: list[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """The subscripts in `.a[i].b[j]` that lie on the way to a resource, each with the members before it."""
    prefix: list[str] = []
    while paths:
        depth = len(prefix)
        member, opening = _MEMBER.match(text, at), _OPENING.match(text, at)
        if member is not None:
            prefix.append(member[1])
            paths = [path for path in paths if path[depth : depth + 1] == (member[1],)]
            at = member.end()
        elif opening is not None:
            end = _closing(text, opening.end())
            paths = [path for path in paths if len(path) > depth and path[depth].isdecimal()]
            if paths:
                yield tuple(prefix), opening.end(), end
            prefix.append("*")
            at = end + 1
        else:
            return


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
