"""The resources that a shader declares: globals, constant buffers, `$Globals`, and the leaves of struct instances."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import prod

import msgspec

from bindlint.facts.module import ReadUnit
from bindlint.model.binding import NumericGlobal, RegisterClause, Resource, UnknownClause
from bindlint.model.declarations import RegisterAnnotation, UnknownAnnotation, Variable
from bindlint.model.finding import Problem
from bindlint.model.registers import MAX_REGISTER, RegisterClass
from bindlint.model.resource_types import BUFFER_VIEWS, RESOURCE_TYPES
from bindlint.model.source import Span
from bindlint.usage.endless import endless_structs
from bindlint.usage.layout import Layouts
from bindlint.usage.leaves import MAX_LEAVES, Leaves, array_sizes, holds_data, subscripts
from bindlint.usage.liveness.intrinsics import is_numeric
from bindlint.usage.names import ResolvedType, SymbolTable
from bindlint.usage.symbols import BlockSymbol, StructSymbol, Symbol, VariableSymbol


class Declared(msgspec.Struct, frozen=True):
    """A resource with the symbol that declares it and, for leaves, its path in that symbol."""

    resource: Resource
    symbol: Symbol | None
    path: tuple[str, ...] = ()


class Resources(msgspec.Struct, frozen=True):
    """All resources in the compiler's list order, `$Globals` members, and loose numerics for register rules."""

    declared: tuple[Declared, ...]
    global_constants: tuple[VariableSymbol, ...]
    numerics: tuple[NumericGlobal, ...]
    problems: tuple[Problem, ...] = ()


def collect(table: SymbolTable, layouts: Layouts) -> Resources:
    """The resources of a shader in the order of the compiler's lists.

    Cbuffers come first, `$Globals` foremost; then samplers, SRVs with tbuffers after them, and UAVs; leaves of struct
    instances after the ordinary ones of their class. Source: CGHLSLMS.cpp, DxilCondenseResources.cpp.
    """
    collector = _Collector(table, layouts)
    for symbol in table.globals():
        if isinstance(symbol, BlockSymbol):
            collector.block(symbol)
        elif not (symbol.static or symbol.shared):
            collector.variable(symbol)
    return collector.resources()


class _Collector:
    def __init__(self, table: SymbolTable, layouts: Layouts) -> None:
        self.table = table
        self.layouts = layouts
        self.ordinary: list[Declared] = []
        self.leaves: list[Declared] = []
        self.inside = Leaves(table)
        self.constants: list[VariableSymbol] = []
        self.numerics: list[NumericGlobal] = []
        self.problems: list[Problem] = []

    def resources(self) -> Resources:
        ordinary = list(self.ordinary)
        if self.constants:
            size = self.layouts.globals_size((s.unit, s.variable) for s in self.constants)
            kind, span = RESOURCE_TYPES["cbuffer"], self.constants[0].span
            ordinary.insert(
                0, Declared(Resource("$Globals", kind, span, "$Globals", "cbuffer", space=0, size=size), None)
            )
        moved = [d for d in ordinary if d.resource.type.name in ("tbuffer", "TextureBuffer")]
        kept = [d for d in ordinary if d.resource.type.name not in ("tbuffer", "TextureBuffer")]
        views = [d for d in self.leaves if d.resource.cls == "t"]
        others = [d for d in self.leaves if d.resource.cls != "t"]
        everything = [*kept, *views, *moved, *others]
        ordered = tuple(d for cls in "bstu" for d in everything if d.resource.cls == cls)
        self.problems += endless_structs(self.table)
        return Resources(ordered, tuple(self.constants), tuple(self.numerics), tuple(self.problems))

    def block(self, symbol: BlockSymbol) -> None:
        block, unit = symbol.block, symbol.unit
        lower, space, clauses = _registers(unit, block.registers)
        resource = Resource(
            block.name,
            RESOURCE_TYPES[block.kind],
            symbol.span,
            "cbuffer",
            block.kind,
            lower=lower,
            space=space,
            clauses=clauses,
            unknown=_unknown(unit, block.unknown),
            size=self.layouts.buffer_size(unit, block.members, block.scope),
        )
        self.ordinary.append(Declared(resource, symbol))
        for member in block.members:
            resolved = self.table.resolve_type(member.type, member.scope)
            owners = (s for s in self.table.names.get(member.name, ()) if isinstance(s, VariableSymbol))
            owner = next((s for s in owners if s.variable is member), None)
            if resolved.resource is not None:
                self._hoist(unit, member, resolved, owner)
                continue
            if resolved.struct is not None and owner is not None:
                self.leaves += self._leaves_of(owner, resolved.struct, {}, member.dimensions + resolved.dimensions)
            if member.registers or member.unknown:
                self.numerics.append(_numeric(unit, member, block.name, resolved.struct is not None))

    def _hoist(self, unit: ReadUnit, member: Variable, resolved: ResolvedType, owner: VariableSymbol | None) -> None:
        """A resource that is declared inside a cbuffer: one of its own, an array element by element; never explicit."""
        whole = self._resource(unit, member, resolved, unit.span(member.start, member.end), "hoisted")
        sizes = tuple(1 if size is None else size for size in whole.dimensions)
        if prod(sizes) > MAX_LEAVES:
            self._too_many(member.name, whole.span)
        for path in islice(subscripts(sizes), MAX_LEAVES):
            name = ".".join((member.name, *path))
            element = msgspec.structs.replace(whole, name=name, count=1, dimensions=(), lower=None, space=0)
            self.leaves.append(Declared(element, owner, path))

    def _resource(
        self, unit: ReadUnit, variable: Variable, resolved: ResolvedType, span: Span, origin: str
    ) -> Resource:
        assert resolved.resource is not None
        dimensions, untold = array_sizes(self.table, variable.dimensions + resolved.dimensions, variable.scope)
        bounded = [size for size in dimensions if size is not None]
        lower, space, clauses = _registers(unit, variable.registers)
        element = resolved.argument
        view = resolved.resource.name in BUFFER_VIEWS
        structured = resolved.resource.view == "structured"
        return Resource(
            variable.name,
            resolved.resource,
            span,
            origin,
            str(variable.type),
            prod(bounded) if len(bounded) == len(dimensions) else None,
            dimensions,
            lower,
            space,
            clauses,
            _unknown(unit, variable.unknown),
            size=self.layouts.type_size(element, variable.scope, rows=True) if view and element else 0,
            stride=self.layouts.type_size(element, variable.scope, rows=False) if structured and element else 0,
            untold_size=untold,
        )

    def variable(self, symbol: VariableSymbol) -> None:
        variable = symbol.variable
        resolved = self.table.resolve_type(variable.type, variable.scope)
        if resolved.resource is not None:
            self.ordinary.append(
                Declared(self._resource(symbol.unit, variable, resolved, symbol.span, "global"), symbol)
            )
            if resolved.resource.name in BUFFER_VIEWS and resolved.argument is not None:
                inner = self.table.resolve_type(resolved.argument, variable.scope).struct
                if inner is not None:
                    self.leaves += self._leaves_of(symbol, inner, {}, ())
            return
        if resolved.struct is None and not is_numeric(resolved.name) and not self.table.names.get(resolved.name):
            # Legacy effect types and names that nothing declares: the compiler ignores the former, rejects the latter.
            return
        if variable.registers or variable.unknown:
            self.numerics.append(_numeric(symbol.unit, variable, "", resolved.struct is not None))
        if resolved.struct is not None:
            _, _, clauses = _registers(symbol.unit, variable.registers)
            bases = {
                c.letter: c.number
                for c in clauses
                if c.letter in ("t", "u", "s") and c.number is not None and not c.fault
            }
            dimensions = variable.dimensions + resolved.dimensions
            self.leaves += self._leaves_of(symbol, resolved.struct, bases, dimensions)
            if not holds_data(self.table, resolved.struct):
                return
        self.constants.append(symbol)

    def _leaves_of(
        self, symbol: VariableSymbol, struct: StructSymbol, bases: dict[str, int], dimensions: tuple[str, ...]
    ) -> Iterator[Declared]:
        """The leaves of an instance; an explicit base per class counts up over them in declaration order (STR-02)."""
        inner = self.inside.of(struct)
        if struct in self.inside.cut:
            self._too_many(symbol.variable.name, symbol.span)
        if not inner:
            return
        written, untold = array_sizes(self.table, dimensions, symbol.scope)
        sizes = tuple(size or 1 for size in written)
        instances = MAX_LEAVES // len(inner)
        if prod(sizes) > instances and struct not in self.inside.cut:
            self._too_many(symbol.variable.name, symbol.span)
        taken: dict[RegisterClass, int] = {}
        lost: dict[RegisterClass, str] = {}
        for prefix in islice(subscripts(sizes), instances):
            for leaf in inner:
                index = taken.get(leaf.type.cls, 0)
                taken[leaf.type.cls] = index + 1
                base = bases.get(leaf.type.cls)
                name = ".".join((symbol.variable.name, *prefix, *leaf.names))
                # Where an array ends that cannot be told what follows it begins.
                size = lost.setdefault(leaf.type.cls, untold or leaf.untold_size) or untold or leaf.untold_size
                lost[leaf.type.cls] = size
                resource = Resource(
                    name,
                    leaf.type,
                    symbol.span,
                    "leaf",
                    leaf.type.name,
                    lower=None if base is None else base + index,
                    space=0,
                    untold_size=size,
                )
                yield Declared(resource, symbol, (*prefix, *leaf.path))

    def _too_many(self, name: str, span: Span) -> None:
        text = f"`{name}` holds more resources, or holds them deeper, than are followed; the rest of them is unknown"
        self.problems.append(Problem("analysis-limit", text, span))


def _registers(
    unit: ReadUnit, annotations: tuple[RegisterAnnotation, ...]
) -> tuple[int | None, int | None, tuple[RegisterClause, ...]]:
    """The explicit register and space that the compiler takes: the last readable annotation wins (REG-14, REG-15)."""
    clauses = tuple(
        RegisterClause(
            unit.span(a.start, a.end),
            a.letter,
            a.number,
            a.space,
            a.subscript,
            a.profile,
            a.fault.message if a.fault else "",
            unit.span(a.fault.start, a.fault.end) if a.fault else unit.span(a.start, a.end),
        )
        for a in annotations
    )
    lower: int | None = None
    space: int | None = None
    for clause in clauses:
        if clause.fault:
            continue
        if clause.number is not None:
            lower = clause.number
        space = clause.space
    if lower == MAX_REGISTER:
        lower = None
    if space == MAX_REGISTER and lower is None:
        space = None
    if lower is not None and space is None:
        space = 0
    return lower, space, clauses


def _unknown(unit: ReadUnit, annotations: tuple[UnknownAnnotation, ...]) -> tuple[UnknownClause, ...]:
    return tuple(UnknownClause(a.name, unit.span(a.start, a.end)) for a in annotations)


def _numeric(unit: ReadUnit, variable: Variable, buffer: str, is_struct: bool) -> NumericGlobal:
    _, _, clauses = _registers(unit, variable.registers)
    span = unit.span(variable.start, variable.end)
    return NumericGlobal(
        variable.name, str(variable.type), span, clauses, _unknown(unit, variable.unknown), buffer, is_struct
    )
