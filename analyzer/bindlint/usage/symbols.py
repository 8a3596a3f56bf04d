"""Names of one shader: what every unit declares, merged in order, and what a name means where it is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bindlint.facts.module import ReadUnit
from bindlint.model.declarations import (
    Alias,
    Attribute,
    ConstantBufferBlock,
    Enum,
    Function,
    Struct,
    TypeName,
    UsingNamespace,
    Variable,
)
from bindlint.model.source import Span
from bindlint.usage.bodies.body import parse_body, parse_initializer
from bindlint.usage.bodies.operators import METHODS
from bindlint.usage.bodies.syntax import Body, Local
from bindlint.usage.templates import template_name

LINKAGE = frozenset(("export", "static"))
"""Modifiers that a function takes over from its prototypes, as it does attributes."""

Scope = tuple[str, ...]
"""Names of the namespaces and structs around something, outermost first."""


class Symbol:
    """A declaration in a unit. Identity is that of the declaration, so that what is known of it can be kept."""

    __slots__ = ("unit",)

    def __init__(self, unit: ReadUnit) -> None:
        self.unit = unit


class FunctionSymbol(Symbol):
    __slots__ = ("_body", "_defaults", "_operated", "function", "required", "scope", "type_names")

    def __init__(self, unit: ReadUnit, function: Function) -> None:
        super().__init__(unit)
        self.function = function
        self.scope = (*function.scope, *function.owner.split("::")) if function.owner else function.scope
        self.required = sum(p.default is None for p in function.parameters)
        self.type_names = tuple(_names_in(p.type for p in function.parameters))
        self._body: Body | None = None
        self._operated: Body | None = None
        self._defaults: dict[int, Body] = {}

    @property
    def body(self) -> Body:
        """The parsed body; empty for a prototype."""
        if self._body is None:
            self._body = self._parsed(False)
        return self._body

    @property
    def operated(self) -> Body:
        """The same body, its operators as calls of the methods that structs may have for them."""
        if self._operated is None:
            self._operated = self._parsed(True)
        return self._operated

    def _parsed(self, operators: bool) -> Body:
        place = self.function.body
        parameters = tuple(Local(p.name, str(p.type), dimensions=len(p.dimensions)) for p in self.function.parameters)
        return parse_body(self.unit.slice(place) if place else "{}", parameters, operators)

    def declares(self, other: FunctionSymbol) -> bool:
        """Whether both declare one function: same scope, same types of parameters."""
        types = [[p.type for p in each.function.parameters] for each in (self, other)]
        return self.scope == other.scope and types[0] == types[1]

    def default(self, number: int) -> Body | None:
        """The default argument of a parameter."""
        place = self.function.parameters[number].default
        if place is None:
            return None
        if number not in self._defaults:
            self._defaults[number] = parse_initializer(self.unit.slice(place))
        return self._defaults[number]

    @property
    def span(self) -> Span:
        return self.unit.span(self.function.start, self.function.end)


class AttributeSymbol(Symbol):
    """An attribute of a function, or of a prototype before it."""

    __slots__ = ("attribute", "name")

    def __init__(self, unit: ReadUnit, attribute: Attribute) -> None:
        super().__init__(unit)
        self.attribute = attribute
        self.name = attribute.name.lower()

    @property
    def text(self) -> str:
        """The first argument without quotes; "" where there is none."""
        arguments = self.attribute.arguments
        return self.unit.slice(arguments[0]).strip().strip('"') if arguments else ""

    @property
    def span(self) -> Span:
        return self.unit.span(self.attribute.start, self.attribute.end)


class VariableSymbol(Symbol):
    """A global variable, or a member of a cbuffer (`block`)."""

    __slots__ = ("_initializer", "block", "shared", "static", "variable")

    def __init__(self, unit: ReadUnit, variable: Variable, block: BlockSymbol | None = None) -> None:
        super().__init__(unit)
        self.variable = variable
        self.block = block
        self.static = "static" in variable.storage
        self.shared = "groupshared" in variable.storage
        self._initializer: Body | None = None

    @property
    def scope(self) -> Scope:
        return self.variable.scope

    @property
    def initializer(self) -> Body | None:
        place = self.variable.initializer
        if place is None:
            return None
        if self._initializer is None:
            self._initializer = parse_initializer(self.unit.slice(place))
        return self._initializer

    @property
    def operated(self) -> Body | None:
        """The same initializer, its operators as calls of the methods that structs may have for them."""
        place = self.variable.initializer
        return None if place is None else parse_initializer(self.unit.slice(place), True)

    @property
    def span(self) -> Span:
        return self.unit.span(self.variable.start, self.variable.end)


class BlockSymbol(Symbol):
    """A cbuffer or tbuffer block."""

    __slots__ = ("block",)

    def __init__(self, unit: ReadUnit, block: ConstantBufferBlock) -> None:
        super().__init__(unit)
        self.block = block

    @property
    def span(self) -> Span:
        return self.unit.span(self.block.start, self.block.end)


class StructSymbol(Symbol):
    """A struct; of a template also with its parameters replaced, then `written` is the template's own declaration.

    `given` are the texts that stand for the parameters.
    """

    __slots__ = ("given", "methods", "scope", "struct", "written")

    def __init__(self, unit: ReadUnit, struct: Struct) -> None:
        super().__init__(unit)
        self.struct = self.written = struct
        self.scope = (*struct.scope, struct.name)
        self.methods = tuple(FunctionSymbol(unit, m) for m in struct.methods)
        self.given: Mapping[str, str] = {}

    def instance(self, struct: Struct, given: Mapping[str, str]) -> StructSymbol:
        """This template as the struct that `given` makes of it; it shares the methods."""
        made = StructSymbol.__new__(StructSymbol)
        made.unit, made.struct, made.written, made.given = self.unit, struct, self.written, given
        made.scope, made.methods = self.scope, self.methods
        return made


class AliasSymbol(Symbol):
    __slots__ = ("alias",)

    def __init__(self, unit: ReadUnit, alias: Alias) -> None:
        super().__init__(unit)
        self.alias = alias


class EnumSymbol(Symbol):
    """An enum's own name."""

    __slots__ = ("scoped",)

    def __init__(self, unit: ReadUnit, enum: Enum) -> None:
        super().__init__(unit)
        self.scoped = enum.scoped


class EnumeratorSymbol(Symbol):
    """An enumerator: its own text, or the one before plus one. `scope` is the enum's, `enum` the enum's name."""

    __slots__ = ("before", "enum", "scope", "scoped", "text")

    def __init__(self, unit: ReadUnit, enum: Enum, text: str, before: EnumeratorSymbol | None) -> None:
        super().__init__(unit)
        self.text = text
        self.before = before
        self.scope = enum.scope
        self.enum = enum.name
        self.scoped = enum.scoped


class UnitIndex:
    """One unit's symbols: by name, and the global variables and blocks in order."""

    __slots__ = ("by_name", "functions", "globals", "marked", "operators", "structs", "usings")

    def __init__(self, unit: ReadUnit) -> None:
        names: dict[str, list[Symbol]] = {}
        self.globals: list[VariableSymbol | BlockSymbol] = []
        self.functions: list[FunctionSymbol] = []
        self.marked: list[FunctionSymbol] = []
        """Prototypes that say more of a function than how it is called."""
        self.structs: list[tuple[StructSymbol, frozenset[str]]] = []
        """With the names of what they are made of."""
        self.usings: list[str] = []

        def add(name: str, symbol: Symbol) -> None:
            names.setdefault(name, []).append(symbol)
            if name.endswith(">"):
                # A specialisation, also to be found by its template.
                names.setdefault(f"{template_name(name)}<", []).append(symbol)

        for item in unit.declarations.items:
            if isinstance(item, Function):
                function = FunctionSymbol(unit, item)
                self.functions.append(function)
                add(item.name, function)
                if item.body is None and (item.attributes or item.modifiers & LINKAGE):
                    self.marked.append(function)
            elif isinstance(item, Variable):
                variable = VariableSymbol(unit, item)
                self.globals.append(variable)
                add(item.name, variable)
            elif isinstance(item, Struct):
                struct = StructSymbol(unit, item)
                add(item.name, struct)
                parts = (*item.bases, *(field.type for field in item.fields))
                self.structs.append((struct, frozenset(_names_in(parts))))
                for method in struct.methods:
                    self.functions.append(method)
                    add(method.function.name, method)
                for field in item.fields:
                    if {"static", "const"} <= field.storage:
                        add(field.name, VariableSymbol(unit, field))
            elif isinstance(item, ConstantBufferBlock):
                block = BlockSymbol(unit, item)
                self.globals.append(block)
                for member in item.members:
                    add(member.name, VariableSymbol(unit, member, block))
            elif isinstance(item, Alias):
                add(item.name, AliasSymbol(unit, item))
            elif isinstance(item, Enum):
                add(item.name, EnumSymbol(unit, item))
                before: EnumeratorSymbol | None = None
                for name, text in item.enumerators:
                    before = EnumeratorSymbol(unit, item, text, before)
                    add(name, before)
            elif isinstance(item, UsingNamespace):
                self.usings.append(item.name)
        self.operators = not METHODS.isdisjoint(names)
        """Whether a struct has operators as methods."""
        self.by_name: dict[str, tuple[Symbol, ...]] = {name: tuple(symbols) for name, symbols in names.items()}


def by_count(functions: Iterable[FunctionSymbol], count: int) -> list[FunctionSymbol]:
    """Those that take so many arguments; definitions where there are any, else prototypes.

    A prototype may hold the default arguments of a definition.
    """
    everything = list(functions)
    fitting = dict.fromkeys(f for f in everything if f.required <= count <= len(f.function.parameters))
    lengths = {len(f.function.parameters) for f in fitting if f.function.body is None}
    defined = [
        f for f in everything if f.function.body is not None and (f in fitting or len(f.function.parameters) in lengths)
    ]
    return defined or list(fitting)


def scope_of(symbol: Symbol) -> Scope:
    """Where a symbol is declared."""
    if isinstance(symbol, FunctionSymbol):
        return symbol.scope
    if isinstance(symbol, VariableSymbol):
        return symbol.scope
    if isinstance(symbol, StructSymbol):
        return symbol.struct.scope
    if isinstance(symbol, AliasSymbol):
        return symbol.alias.scope
    if isinstance(symbol, EnumeratorSymbol):
        return symbol.scope
    return ()


def _names_in(types: Iterable[TypeName]) -> Iterator[str]:
    """The names in types, without their qualifiers."""
    for written in types:
        yield written.name.rsplit("::", 1)[-1]
        yield from _names_in(written.arguments)
