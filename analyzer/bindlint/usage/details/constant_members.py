"""Where the members of chosen constant buffers lie, and whether the entry points read and index them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from bindlint.facts.module import ReadUnit
from bindlint.model.binding import ConstantMember
from bindlint.model.declarations import Variable
from bindlint.model.shader import Shader
from bindlint.usage.layout import ROW, Layouts
from bindlint.usage.link import Program
from bindlint.usage.liveness.needs import Use
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import BlockSymbol, Scope, StructSymbol, VariableSymbol

_Paths = dict[str, list[tuple[str, ...]]]
"""By member the paths that are read below it, subscripts as numbers or `*`."""


def constant_members(program: Program, shader: Shader, buffers: Collection[str]) -> tuple[ConstantMember, ...]:
    """The members of the named cbuffers and `ConstantBuffer`s; nothing is told of `$Globals` and of derived structs."""
    if not buffers:
        return ()
    layouts = Layouts(program.table, shader)
    found: list[ConstantMember] = []
    for symbol in program.table.globals():
        if isinstance(symbol, BlockSymbol) and symbol.block.name in buffers:
            places = layouts.member_places(symbol.unit, symbol.block.members, symbol.block.scope)
            paths = _paths_in_block(program, symbol)
            found += _members(program, symbol.block.name, symbol.unit, symbol.block.scope, places, paths)
        elif isinstance(symbol, VariableSymbol) and symbol.variable.name in buffers:
            struct = _element(program, symbol)
            if struct is not None and not struct.struct.bases:
                fields = [field for field in struct.struct.fields if "static" not in field.storage]
                places = layouts.member_places(struct.unit, fields, struct.scope)
                paths = _paths_in_view(program, symbol, [field.name for field in fields])
                found += _members(program, symbol.variable.name, struct.unit, struct.scope, places, paths)
    return tuple(found)


def _element(program: Program, symbol: VariableSymbol) -> StructSymbol | None:
    argument = program.table.resolve_type(symbol.variable.type, symbol.scope).argument
    return program.table.resolve_type(argument, symbol.scope).struct if argument is not None else None


def _paths_in_block(program: Program, block: BlockSymbol) -> _Paths:
    paths: _Paths = defaultdict(list)
    for need in program.needs:
        if isinstance(need, Use) and isinstance(need.symbol, VariableSymbol) and need.symbol.block is block:
            paths[need.symbol.variable.name].append(need.path)
    for access in program.accesses:
        if access.buffer == block.block.name and access.name in paths:
            paths[access.name].append(("*",) if access.value is None else (str(access.value),))
    return paths


def _paths_in_view(program: Program, symbol: VariableSymbol, names: list[str]) -> _Paths:
    """A use of the whole buffer reads every member."""
    paths: _Paths = defaultdict(list)
    for need in program.needs:
        if isinstance(need, Use) and need.symbol is symbol:
            path = need.path
            while path and (path[0] == "*" or path[0].isdecimal()):
                path = path[1:]
            for name in path[:1] or names:
                paths[name].append(path[1:])
    return paths


def _indexes(table: SymbolTable, variable: Variable, scope: Scope, path: tuple[str, ...]) -> bool:
    """Whether a path puts a subscript that is no constant on an array; those on vectors and matrices do not count."""
    open_dimensions = len(variable.dimensions)
    for part in path:
        if part == "*" or part.isdecimal():
            if part == "*" or not open_dimensions:
                return open_dimensions > 0
            open_dimensions -= 1
        else:
            struct = table.resolve_type(variable.type, scope).struct
            field = next((f for f in struct.struct.fields if f.name == part), None) if struct is not None else None
            if struct is None or field is None:
                return False
            variable, scope, open_dimensions = field, struct.scope, len(field.dimensions)
    return False


def _members(
    program: Program,
    buffer: str,
    unit: ReadUnit,
    scope: Scope,
    places: Iterator[tuple[Variable, int, int]],
    paths: _Paths,
) -> Iterator[ConstantMember]:
    for variable, offset, size in places:
        stride, read = 0, paths.get(variable.name, [])
        if variable.dimensions:
            count = program.table.evaluate(variable.dimensions[0]) or 1
            # All elements but the last fill whole rows, so that the mean size leads to the distance of two.
            stride = -(-size // (count * ROW)) * ROW
        indexed = any(_indexes(program.table, variable, scope, path) for path in read)
        span = unit.span(variable.start, variable.end)
        yield ConstantMember(buffer, variable.name, span, offset, size, stride, bool(read), indexed)
