"""What names mean in one shader: types, constants, functions and variables over all of its units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bindlint.facts.module import ReadUnit
from bindlint.model.declarations import TemplateParameter, TypeName, Variable
from bindlint.model.resource_types import RESOURCE_TYPES, ResourceType
from bindlint.usage.constants import evaluate, names_in
from bindlint.usage.symbols import (
    AliasSymbol,
    BlockSymbol,
    EnumeratorSymbol,
    EnumSymbol,
    FunctionSymbol,
    Scope,
    StructSymbol,
    Symbol,
    UnitIndex,
    VariableSymbol,
)

_MAX_GENERIC_ALIASES = 32
_MAX_BASES = 200


class ResolvedType:
    """What a type name comes to: a resource type or a struct (or neither: numeric or unknown), and array sizes."""

    __slots__ = ("arguments", "dimensions", "name", "resource", "struct")

    def __init__(
        self,
        name: str,
        resource: ResourceType | None = None,
        struct: StructSymbol | None = None,
        dimensions: tuple[str, ...] = (),
        arguments: tuple[TypeName, ...] = (),
    ) -> None:
        self.name = name
        self.resource = resource
        self.struct = struct
        self.dimensions = dimensions
        self.arguments = arguments

    @property
    def argument(self) -> TypeName | None:
        """The first template argument."""
        return self.arguments[0] if self.arguments else None


class SymbolTable:
    """The names of one shader. `units` are in the order of the expanded text."""

    def __init__(self, units: Iterable[ReadUnit], index: dict[int, UnitIndex]) -> None:
        self.units = tuple(units)
        self.indices: list[UnitIndex] = []
        names: dict[str, tuple[Symbol, ...]] = {}
        usings: list[str] = []
        for unit in self.units:
            entry = index.get(id(unit))
            if entry is None:
                entry = index[id(unit)] = UnitIndex(unit)
            self.indices.append(entry)
            usings += entry.usings
            for name, symbols in entry.by_name.items():
                present = names.get(name)
                names[name] = symbols if present is None else present + symbols
        self.names = names
        self.usings = [tuple(u.split("::")) for u in dict.fromkeys(usings)]
        self._types: dict[tuple[TypeName | str, Scope], ResolvedType] = {}
        self._constants: dict[str, int | None] = {}
        self._visible: dict[tuple[str, Scope], tuple[Symbol, ...]] = {}

    def globals(self) -> Iterator[VariableSymbol | BlockSymbol]:
        for index in self.indices:
            yield from index.globals

    def functions(self) -> Iterator[FunctionSymbol]:
        for index in self.indices:
            yield from index.functions

    # -- types

    def resolve_type(self, name: TypeName, scope: Scope = ()) -> ResolvedType:
        """What a type means where it is written inside `scope`."""
        key = (name, scope)
        found = self._types.get(key)
        if found is None:
            found = self._types[key] = self._resolve(name, scope)
        return found

    def resolve_written_type(self, text: str, scope: Scope = ()) -> ResolvedType:
        """A type as text (`Texture2D<float4>`), as bodies keep it."""
        found = self._types.get((text, scope))
        if found is None:
            head, _, rest = text.partition("<")
            arguments = _arguments(rest.rsplit(">", 1)[0]) if rest else ()
            found = self._types[text, scope] = self._resolve(TypeName(head.strip(), arguments), scope)
        return found

    def _resolve(self, name: TypeName, scope: Scope) -> ResolvedType:
        dimensions: tuple[str, ...] = ()
        followed: list[AliasSymbol] = []
        while True:
            written = name.name.rsplit(" ", 1)[-1]
            base = written.rsplit("::", 1)[-1]
            symbols = self.visible(written, scope)
            alias = next((s for s in reversed(symbols) if isinstance(s, AliasSymbol)), None)
            struct = next((s for s in symbols if isinstance(s, StructSymbol)), None)
            if struct is not None:
                return ResolvedType(base, None, struct, dimensions, name.arguments)
            if alias is None or followed.count(alias) > (_MAX_GENERIC_ALIASES if alias.alias.template else 0):
                return ResolvedType(base, RESOURCE_TYPES.get(base), None, dimensions, name.arguments)
            followed.append(alias)
            dimensions = alias.alias.dimensions + dimensions
            name = _substituted(alias.alias.type, alias.alias.template, name.arguments)

    def bases(self, struct: StructSymbol) -> Iterator[StructSymbol]:
        for base in struct.struct.bases:
            resolved = self.resolve_type(base, struct.struct.scope).struct
            if resolved is not None and resolved is not struct:
                yield resolved

    def inner_first(self, struct: StructSymbol) -> list[StructSymbol]:
        """The structs that a struct is made of, bases and fields, each behind those that it is made of; itself last."""
        found: list[StructSymbol] = []
        seen: set[StructSymbol] = set()
        stack = [(struct, False)]
        while stack:
            current, complete = stack.pop()
            if complete:
                found.append(current)
            elif current not in seen:
                seen.add(current)
                fields = (self.resolve_type(field.type, current.scope).struct for field in current.struct.fields)
                stack.append((current, True))
                stack += [(inner, False) for inner in (*self.bases(current), *fields) if inner is not None]
        return found

    def is_enum(self, name: str) -> bool:
        return any(isinstance(s, EnumSymbol) for s in self.names.get(name, ()))

    # -- constants

    def constant(self, name: str) -> int | None:
        """The value of a static constant or an enumerator, None where it cannot be told."""
        if name not in self._constants:
            # However long a chain of constants is, those that one names are read before it.
            waiting, begun = [name], set()
            while waiting:
                current = waiting[-1]
                text, added = self._definition(current)
                unknown = [n for n in names_in(text) if n not in self._constants and n not in begun] if text else []
                if unknown and current not in begun:
                    begun.add(current)
                    waiting += unknown
                    continue
                value = evaluate(text, self._constants.get) if text else None
                self._constants[waiting.pop()] = None if value is None else value + added
        return self._constants[name]

    def _definition(self, name: str) -> tuple[str, int]:
        """The text of a constant's value, and what is to be added to it; "" where it is no constant."""
        for symbol in reversed(self.names.get(name.rsplit("::", 1)[-1], ())):
            if isinstance(symbol, EnumeratorSymbol):
                return _enumerator(symbol)
            if isinstance(symbol, VariableSymbol) and symbol.block is None and symbol.static:
                variable, place = symbol.variable, symbol.variable.initializer
                if "const" not in variable.storage:
                    continue
                if place is None or variable.dimensions or not _is_integer(variable.type.name):
                    break
                return symbol.unit.slice(place).lstrip("= \t\n"), 0
        return "", 0

    def evaluate(self, text: str, given: Mapping[str, int] | None = None) -> int | None:
        """The value of an integer constant expression; `given` are names with values of their own."""
        if not given:
            return evaluate(text, self.constant)
        return evaluate(text, lambda name: given[name] if name in given else self.constant(name))

    # -- functions and variables

    def owner(self, function: FunctionSymbol) -> StructSymbol | None:
        """The struct that a method belongs to."""
        if not function.function.owner:
            return None
        symbols = self.visible("::".join(function.scope), ())
        return next((s for s in symbols if isinstance(s, StructSymbol)), None)

    def visible(self, name: str, scope: tuple[str, ...]) -> tuple[Symbol, ...]:
        """The symbols that `name` may mean inside `scope`: those of the innermost scope that has the name."""
        head, _, last = name.rpartition("::")
        symbols = self.names.get(last, ())
        if len(symbols) < 2 and not head:
            return symbols
        found = self._visible.get((name, scope))
        if found is None:
            found = self._visible[name, scope] = self._chosen(symbols, head, scope)
        return found

    def _chosen(self, symbols: tuple[Symbol, ...], head: str, scope: Scope) -> tuple[Symbol, ...]:
        if head:
            wanted = tuple(head.split("::"))
            chosen = tuple(s for s in symbols if _scope(s)[-len(wanted) :] == wanted)
            return chosen or symbols
        for length in range(len(scope), -1, -1):
            prefix = scope[:length]
            chosen = tuple(s for s in symbols if _scope(s) == prefix or (length == 0 and _scope(s) in self.usings))
            if chosen:
                return chosen
        return symbols

    def methods(self, struct: StructSymbol, name: str, depth: int = 0) -> list[FunctionSymbol]:
        """The methods of that name of a struct or of its bases, with bodies first."""
        found = [m for m in struct.methods if m.function.name == name]
        if not any(m.function.body for m in found):
            found = [
                s
                for s in self.names.get(name, ())
                if isinstance(s, FunctionSymbol) and s.function.owner and s.scope == struct.scope and s.function.body
            ] or found
        if not found and depth < _MAX_BASES:
            for base in self.bases(struct):
                found += self.methods(base, name, depth + 1)
        return found

    def field(self, struct: StructSymbol, name: str, depth: int = 0) -> Variable | None:
        """The field of that name of a struct or of its bases."""
        for variable in struct.struct.fields:
            if variable.name == name:
                return variable
        if depth < _MAX_BASES:
            for base in self.bases(struct):
                found = self.field(base, name, depth + 1)
                if found is not None:
                    return found
        return None

    def member_type(self, owner: ResolvedType, written: TypeName) -> ResolvedType:
        """A type as it is written inside a struct, the struct's template parameters replaced by their arguments."""
        if owner.struct is None:
            return self.resolve_type(written)
        template = owner.struct.struct.template
        return self.resolve_type(_substituted(written, template, owner.arguments), owner.struct.scope)


def _substituted(
    written: TypeName, template: tuple[TemplateParameter, ...], arguments: tuple[TypeName, ...]
) -> TypeName:
    """A type with template parameters replaced by the arguments given for them."""
    if not template or not arguments:
        return written
    given = {p.name: a for p, a in zip(template, arguments, strict=False)}

    def replace(name: TypeName) -> TypeName:
        if not name.arguments:
            return given.get(name.name, name)
        return TypeName(name.name, tuple(replace(a) for a in name.arguments))

    return replace(written)


def _arguments(text: str) -> tuple[TypeName, ...]:
    """Template arguments as text, split at the commas that are theirs."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(text):
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    found = []
    for part in (*parts, text[start:]):
        head, _, rest = part.partition("<")
        found.append(TypeName(head.strip(), _arguments(rest.rsplit(">", 1)[0]) if rest else ()))
    return tuple(found)


def _enumerator(symbol: EnumeratorSymbol) -> tuple[str, int]:
    """The text before an enumerator that has one, and how far behind it stands."""
    steps = 0
    while not symbol.text and symbol.before is not None:
        symbol = symbol.before
        steps += 1
    return symbol.text or "0", steps


def _is_integer(name: str) -> bool:
    return name in (
        "int",
        "uint",
        "bool",
        "dword",
        "unsigned int",
        "int32_t",
        "uint32_t",
        "int16_t",
        "uint16_t",
        "int64_t",
        "uint64_t",
    )


def _scope(symbol: Symbol) -> tuple[str, ...]:
    if isinstance(symbol, FunctionSymbol):
        return symbol.scope
    if isinstance(symbol, VariableSymbol):
        return symbol.scope
    if isinstance(symbol, StructSymbol):
        return symbol.struct.scope
    if isinstance(symbol, AliasSymbol):
        return symbol.alias.scope
    return ()
