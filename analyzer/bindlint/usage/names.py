"""What names mean in one shader: types, constants, functions and variables over all of its units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from bindlint.facts.module import ReadUnit
from bindlint.model.declarations import TypeName, Variable
from bindlint.model.resource_types import RESOURCE_TYPES, ResourceType
from bindlint.usage.folding import Called, Folding
from bindlint.usage.named_constants import Meanings, NamedConstants
from bindlint.usage.numbers import LITERAL, Number, converted
from bindlint.usage.symbols import (
    LINKAGE,
    AliasSymbol,
    AttributeSymbol,
    BlockSymbol,
    EnumSymbol,
    FunctionSymbol,
    Scope,
    StructSymbol,
    Symbol,
    UnitIndex,
    VariableSymbol,
    scope_of,
)
from bindlint.usage.templates import (
    arguments_of,
    instantiated,
    may_match,
    parameters,
    replaced,
    replaced_type,
    template_name,
)

_MAX_GENERIC_ALIASES = 32
_MAX_BASES = 200
_MAX_PLAIN = 16
_NONE_GIVEN: Mapping[str, Number] = {}
_MAX_ARGUMENTS = 64
"""Templates in the arguments of one."""
_MAX_INSTANCES = 256
"""Of one template; the compiler nests no more."""


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
        self.marked: set[FunctionSymbol] = set()
        for unit in self.units:
            entry = index.get(id(unit))
            if entry is None:
                entry = index[id(unit)] = UnitIndex(unit)
            self.indices.append(entry)
            usings += entry.usings
            self.marked.update(entry.marked)
            for name, symbols in entry.by_name.items():
                present = names.get(name)
                names[name] = symbols if present is None else present + symbols
        self.names = names
        self.operators = any(entry.operators for entry in self.indices)
        self.usings = [tuple(u.split("::")) for u in dict.fromkeys(usings)]
        self._types: dict[tuple[TypeName | str, Scope], ResolvedType] = {}
        self.constants = NamedConstants(self)
        self.folding = Folding(self)
        self._instances: dict[StructSymbol, dict[tuple[str, ...], StructSymbol]] = {}
        self.endless: dict[StructSymbol, None] = {}
        """Templates of which there are too many instances."""
        self.size_of: Callable[[str, Scope], int | None] | None = None
        """What `sizeof` gives for what stands behind it; it hangs on the shader's options."""
        self._inherited: dict[Scope, tuple[Scope, ...]] = {}
        self._visible: dict[tuple[str, Scope], tuple[Symbol, ...]] = {}

    def close(self) -> None:
        """The last thing to be asked: what leads back here is let go of, so that all of it is freed at once."""
        del self.constants, self.folding, self.size_of

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
            arguments = arguments_of(rest.rsplit(">", 1)[0]) if rest else ()
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
                if struct.struct.template:
                    struct = self._instance(struct, name.arguments, scope)
                return ResolvedType(base, None, struct, dimensions, name.arguments)
            if alias is None or followed.count(alias) > (_MAX_GENERIC_ALIASES if alias.alias.template else 0):
                return ResolvedType(base, RESOURCE_TYPES.get(base), None, dimensions, name.arguments)
            followed.append(alias)
            given = parameters(alias.alias.template, name.arguments)
            dimensions = tuple(replaced(text, given) for text in alias.alias.dimensions) + dimensions
            name = replaced_type(alias.alias.type, given)

    def _instance(self, struct: StructSymbol, arguments: tuple[TypeName, ...], scope: Scope) -> StructSymbol:
        """A template with its parameters replaced, or the specialisation for the arguments."""
        texts, told = [], True
        for number, parameter in enumerate(struct.struct.template):
            text = str(arguments[number]) if number < len(arguments) else parameter.default
            if not text:
                return struct
            if parameter.kind != "typename":
                value = self.evaluate(text, None, scope)
                told = told and value is not None
                text = f"({text})" if value is None else str(value) if value >= 0 else f"({value})"
            texts.append(text)
        known = self._instances.setdefault(struct, {})
        key = tuple(texts)
        if key in known:
            return known[key]
        if len(known) == _MAX_INSTANCES or sum(text.count("<") for text in texts) > _MAX_ARGUMENTS:
            if told:
                self.endless[struct] = None
            return struct
        special = self.names.get(f"{struct.struct.name}<{', '.join(texts)}>", ())
        found = next((s for s in special if isinstance(s, StructSymbol)), None)
        if found is None:
            given = {p.name: text for p, text in zip(struct.struct.template, texts, strict=True)}
            name = f"{'::'.join(struct.scope)}<{', '.join(texts)}>"
            constants = (f.name for f in struct.struct.fields if {"static", "const"} <= f.storage)
            given |= {constant: f"{name}::{constant}" for constant in constants}
            found = struct.instance(instantiated(struct.struct, given), given)
        known[key] = found
        return found

    def instances(self) -> Iterator[StructSymbol]:
        """The templates' instances that were asked for."""
        for known in self._instances.values():
            yield from known.values()

    def bases(self, struct: StructSymbol) -> Iterator[StructSymbol]:
        for base in struct.struct.bases:
            resolved = self.resolve_type(base, struct.struct.scope).struct
            if resolved is not None and resolved is not struct:
                yield resolved

    def with_bases(self, struct: StructSymbol) -> list[StructSymbol]:
        """A struct and all that it inherits from, nearest first."""
        found = [struct]
        for current in found:
            found += [base for base in self.bases(current) if base not in found and len(found) < _MAX_BASES]
        return found

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

    def enum(self, name: str) -> EnumSymbol | None:
        return next((s for s in self.names.get(name, ()) if isinstance(s, EnumSymbol)), None)

    # -- constants

    def constant(self, name: str, scope: Scope = ()) -> int | None:
        """The whole value of a static constant or an enumerator, None where it cannot be told."""
        number = self.constants.number(name, scope)
        return None if number is None else int(number.value)

    def evaluate(
        self, text: str, given: Mapping[str, Number] | None = None, scope: Scope = (), counts: bool = False
    ) -> int | None:
        """The value of a whole constant expression inside `scope`; `given` are names with values of their own.

        With `counts` it must be one that an array's size may be, and so no enumerator of a scoped enum.
        """
        if text.isdecimal() and text[0] != "0" and len(text) < _MAX_PLAIN:
            return int(text)
        number = self.constants.evaluate(text, scope, given)
        unfit = number is None or number.kind.real or (counts and number.kind.scoped)
        return None if number is None or unfit else int(number.value)

    def value(
        self, text: str, scope: Scope, given: Mapping[str, Number] = _NONE_GIVEN, called: Called | None = None
    ) -> Number | None:
        """The value with its type that an expression has where it runs inside `scope`, None where it is not known.

        `given` are names with values of their own; `called` says what functions return.
        """
        if text.isdecimal() and text[0] != "0" and len(text) < _MAX_PLAIN:
            return Number(int(text), LITERAL)
        return self.folding.value(text, scope, given, called)

    def taken(self, number: Number, type_name: str, scope: Scope) -> Number | None:
        """What a variable of a scalar type holds that takes a number, None where that is not known."""
        kind = Meanings(self, scope).kind(type_name)
        return None if kind is None or kind.scoped is not number.kind.scoped else converted(number, kind)

    # -- functions and variables

    def owner(self, function: FunctionSymbol) -> StructSymbol | None:
        """The struct that a method belongs to."""
        if not function.function.owner:
            return None
        symbols = self.visible("::".join(function.scope), ())
        return next((s for s in symbols if isinstance(s, StructSymbol)), None)

    def declarations(self, function: FunctionSymbol) -> Iterator[FunctionSymbol]:
        """A function and all that declare the same one."""
        yield function
        for symbol in self.names.get(function.function.name, ()):
            if isinstance(symbol, FunctionSymbol) and symbol is not function and symbol.declares(function):
                yield symbol

    def attributes(self, function: FunctionSymbol) -> list[AttributeSymbol]:
        """Those of a function; before them those of its prototypes (Sema::mergeDeclAttributes)."""
        declared = (*self._prototypes(function), function) if self.marked else (function,)
        return [AttributeSymbol(each.unit, a) for each in declared for a in each.function.attributes]

    def attribute(self, function: FunctionSymbol, name: str) -> AttributeSymbol | None:
        """The one of that name (lower case) that counts, which is the last."""
        return next((a for a in reversed(self.attributes(function)) if a.name == name), None)

    def modifiers(self, function: FunctionSymbol) -> frozenset[str]:
        """Those of a function, with the linkage that its prototypes give it."""
        own = function.function.modifiers
        return own.union(*(p.function.modifiers & LINKAGE for p in self._prototypes(function))) if self.marked else own

    def _prototypes(self, function: FunctionSymbol) -> Iterator[FunctionSymbol]:
        """The prototypes before a function that say more than how it is called."""
        for symbol in self.names.get(function.function.name, ()):
            if symbol is function:
                return
            if symbol in self.marked and isinstance(symbol, FunctionSymbol) and symbol.declares(function):
                yield symbol

    def visible(self, name: str, scope: tuple[str, ...]) -> tuple[Symbol, ...]:
        """The symbols that `name` may mean inside `scope`: those of the innermost scope that has the name."""
        head, _, last = name.rpartition("::")
        symbols = self.names.get(last, ())
        if len(symbols) < 2 and not head:
            return symbols
        found = self._visible.get((name, scope))
        if found is None:
            qualified = name != last
            found = self._visible[name, scope] = (
                self._qualified(symbols, head, scope) if qualified else self._unqualified(symbols, scope)
            )
        return found

    def _unqualified(self, symbols: tuple[Symbol, ...], scope: Scope) -> tuple[Symbol, ...]:
        for length in range(len(scope), -1, -1):
            prefix = scope[:length]
            for place in (prefix, *self._bases_of(prefix)):
                chosen = tuple(
                    s for s in symbols if scope_of(s) == place or (not length and scope_of(s) in self.usings)
                )
                if chosen:
                    return chosen
        return symbols

    def _qualified(self, symbols: tuple[Symbol, ...], head: str, scope: Scope) -> tuple[Symbol, ...]:
        """Those behind `head::`, which is looked for from the innermost scope outwards; "" is the outermost one."""
        outermost = head[:2] == "::" or not head
        wanted = tuple(part for part in head.split("::") if part)
        for length in range(0 if outermost else len(scope), -1, -1):
            prefix = (*scope[:length], *wanted)
            for place in (prefix, *self._bases_of(prefix)):
                chosen = tuple(s for s in symbols if scope_of(s) == place)
                if chosen:
                    return chosen
        return tuple(s for s in symbols if scope_of(s)[-len(wanted) :] == wanted) or symbols

    def _bases_of(self, scope: Scope) -> tuple[Scope, ...]:
        """The scopes of what the struct of that name inherits from; none where it is no struct."""
        if not scope:
            return ()
        found = self._inherited.get(scope)
        if found is None:
            self._inherited[scope] = ()
            named = (s for s in self.names.get(scope[-1], ()) if isinstance(s, StructSymbol) and s.scope == scope)
            bases = [base.scope for struct in named for base in self.with_bases(struct)[1:]]
            found = self._inherited[scope] = tuple(bases)
        return found

    def methods(self, struct: StructSymbol, name: str, depth: int = 0) -> list[FunctionSymbol]:
        """The methods of that name of a struct or of its bases, and of the specialisations that a template may be.

        Declarations come before what is defined outside.
        """
        found = [m for m in struct.methods if m.function.name == name]
        named = self.names.get(name, ())
        if len(named) > len(found):
            scopes = [struct.scope]
            if found and "<" in struct.scope[-1] and not any(m.function.body for m in found):
                scopes.append((*struct.scope[:-1], template_name(struct.scope[-1])))
            defined = (s for s in named if isinstance(s, FunctionSymbol) and s.function.owner and s.function.body)
            found += [s for s in defined if s.scope in scopes and s not in found]
        if not found and depth < _MAX_BASES:
            for base in self.bases(struct):
                found += self.methods(base, name, depth + 1)
        for special in self._specialisations(struct):
            found += self.methods(special, name, depth + 1)
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
            for special in self._specialisations(struct):
                found = self.field(special, name, depth + 1)
                if found is not None:
                    return found
        return None

    def _specialisations(self, struct: StructSymbol) -> Iterator[StructSymbol]:
        """Those of a template that may be meant where its arguments hang on parameters of another."""
        if struct.struct.template:
            given = [struct.given.get(parameter.name, "") for parameter in struct.struct.template]
            for symbol in self.specialised(struct.struct.name, struct.struct.scope):
                if isinstance(symbol, StructSymbol) and may_match(symbol.struct.name, given):
                    yield symbol

    def specialised(self, name: str, scope: Scope) -> Iterator[Symbol]:
        """The specialisations of a template of that name and scope."""
        return (symbol for symbol in self.names.get(f"{name}<", ()) if scope_of(symbol) == scope)

    def member_type(self, owner: ResolvedType, written: TypeName) -> ResolvedType:
        """A type as it is written inside a struct, the struct's template parameters replaced by their arguments."""
        if owner.struct is None:
            return self.resolve_type(written)
        given = parameters(owner.struct.struct.template, owner.arguments)
        return self.resolve_type(replaced_type(written, given), owner.struct.scope)
