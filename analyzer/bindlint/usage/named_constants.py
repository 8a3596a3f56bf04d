"""Constants that have names, and the expressions that use them, under the names of one shader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from bindlint_grammars.hlsl.tokens import NAME

from bindlint.facts.type_names import read_type, split_list
from bindlint.model.declarations import TypeName
from bindlint.usage.constants import ARGUMENTS, evaluate_number, names_in
from bindlint.usage.numbers import ENUM, INT, KINDS, SCOPED, Kind, Number, combined, converted
from bindlint.usage.symbols import EnumeratorSymbol, Scope, StructSymbol, Symbol, VariableSymbol, scope_of
from bindlint.usage.templates import may_match, replaced

if TYPE_CHECKING:
    from bindlint.usage.names import SymbolTable

_INSTANCE = re.compile(rf"((?:{NAME}\s*::\s*)*{NAME})\s*({ARGUMENTS})")
_SPELLINGS = {kind: name for name, kind in KINDS.items()}
_MAX_NESTING = 20
_NOT_GIVEN: Mapping[str, str] = {}


class Definition(NamedTuple):
    """A constant's text, its type, where the text stands, and what is added to its value.

    `listed`: it is an enumerator, in whose text those of a scoped enum are still numbers.
    """

    text: str
    kind: Kind = INT
    scope: Scope = ()
    added: int = 0
    listed: bool = False


_NO_CONSTANT = Definition("")
_CONSTANTS = EnumeratorSymbol | VariableSymbol
_Key = tuple[str, Scope]


class Meanings:
    """What the names of types in constant expressions mean inside a scope."""

    __slots__ = ("scope", "table")

    def __init__(self, table: SymbolTable, scope: Scope) -> None:
        self.table = table
        self.scope = scope

    @property
    def running(self) -> bool:
        return False

    def kind(self, name: str) -> Kind | None:
        """The scalar type that a name stands for; enums hold int, scoped ones as a type of its own."""
        found = KINDS.get(name)
        if found is not None or name.rpartition("::")[2] not in self.table.names:
            return found
        resolved = self.table.resolve_type(TypeName(name), self.scope)
        if resolved.struct is not None or resolved.resource is not None or resolved.dimensions:
            return None
        enum = self.table.enum(resolved.name)
        return KINDS.get(resolved.name) or (None if enum is None else SCOPED if enum.scoped else ENUM)

    def size(self, operand: str) -> int | None:
        """Of a type with or without array sizes, or of a variable with members and subscripts."""
        return None if self.table.size_of is None else self.table.size_of(operand, self.scope)

    def call(self, name: str, arguments: Sequence[Number | None]) -> Number | None:
        """Constant expressions call no functions."""
        return None


class NamedConstants:
    """The static constants and enumerators of one shader. A name means what it means inside a scope."""

    def __init__(self, table: SymbolTable) -> None:
        self.table = table
        self._known: dict[_Key, Number | None] = {}
        self._running: set[_Key] = set()
        """What is being read while arguments of a template or a `sizeof` in it ask for another."""

    def evaluate(self, text: str, scope: Scope, given: Mapping[str, Number] | None = None) -> Number | None:
        """The value of an expression with its type; `given` are names with values of their own."""
        text = self._instantiated(text, scope)
        if not given:
            return evaluate_number(text, lambda name: self.number(name, scope), Meanings(self.table, scope))
        return evaluate_number(
            text, lambda name: given[name] if name in given else self.number(name, scope), Meanings(self.table, scope)
        )

    def number(self, name: str, scope: Scope = ()) -> Number | None:
        """The value of a constant with its type, None where it cannot be told."""
        if name not in self.table.names and name.isidentifier():
            return None
        key = self._key(name, scope)
        if key in self._known:
            return self._known[key]
        if key in self._running or len(self._running) > _MAX_NESTING:
            return None
        if name.isidentifier() and not any(isinstance(s, _CONSTANTS) for s in self.table.names[name]):
            self._known[key] = None
            return None
        self._running.add(key)
        self._read(key)
        self._running.remove(key)
        return self._known[key]

    def _read(self, key: _Key) -> None:
        """However long a chain of constants is, those that one names are read before it."""
        waiting, begun = [key], set()
        while waiting:
            current = waiting[-1]
            definition = self._definition(*current)
            named = [self._key(n, definition.scope) for n in names_in(definition.text)] if definition.text else []
            unknown = [n for n in named if n not in self._known and n not in begun]
            if unknown and current not in begun:
                begun.add(current)
                waiting += unknown
                continue
            self._known[waiting.pop()] = self._value(definition)

    def _key(self, name: str, scope: Scope) -> _Key:
        """What there is only one of by that name is the same everywhere."""
        return name, () if len(self.table.names.get(name, ())) < 2 and name.isidentifier() else scope

    def _value(self, definition: Definition) -> Number | None:
        if not definition.text:
            return None
        text, kind, scope, added, listed = definition

        def lookup(name: str) -> Number | None:
            found = self._known.get(self._key(name, scope))
            return found._replace(kind=INT) if listed and found is not None and found.kind in (ENUM, SCOPED) else found

        number = evaluate_number(self._instantiated(text, scope), lookup, Meanings(self.table, scope))
        if number is not None and added:
            number = combined("+", number, Number(added, INT))
        if number is None or (number.kind.scoped and not kind.scoped):
            return None
        return converted(number, kind)

    def _instantiated(self, text: str, scope: Scope) -> str:
        """A text with values in the places of variable templates that are given arguments."""
        if "<" not in text:
            return text
        return _INSTANCE.sub(lambda match: self._instance(match[1], match[2][1:-1], scope) or match[0], text)

    def _instance(self, name: str, arguments: str, scope: Scope) -> str:
        """The value of a variable template, "" where the name is none or the value cannot be told."""
        for symbol, _ in self._candidates("".join(name.split()), scope):
            if not isinstance(symbol, VariableSymbol) or not symbol.variable.template:
                continue
            given: dict[str, str] = {}
            encoded = arguments.encode()
            texts = [str(read_type(encoded[a:b])) for a, b in split_list(encoded, 0, len(encoded), angles=True)]
            for parameter, text in zip_longest(symbol.variable.template, texts):
                if parameter is None or not (text or parameter.default):
                    return ""
                given[parameter.name] = text or parameter.default
                if parameter.kind != "typename":
                    value = self.evaluate(given[parameter.name], scope)
                    if value is None or value.kind.scoped:
                        return ""
                    given[parameter.name] = f"(({parameter.kind})({int(value.value)}))"
            variable = self._specialised(symbol, texts)
            definition = None if variable is None else self._constant(variable, given)
            key = (f"{name}<{given}>", scope)
            if definition is None or key in self._running or len(self._running) > _MAX_NESTING:
                return ""
            self._running.add(key)
            found = self._value(definition)
            self._running.remove(key)
            spelled = None if found is None else _SPELLINGS.get(found.kind)
            return "" if found is None or spelled is None else f"(({spelled})({int(found.value)}))"
        return ""

    def _specialised(self, template: VariableSymbol, texts: Sequence[str]) -> VariableSymbol | None:
        """The variable that a template is for arguments; None where it may be several."""
        for special in self.table.specialised(template.variable.name, template.scope):
            if isinstance(special, VariableSymbol):
                own = [str(argument) for argument in read_type(special.variable.name.encode()).arguments]
                if own == texts:
                    return special
                if may_match(special.variable.name, texts):
                    return None
        return template

    def _definition(self, name: str, scope: Scope) -> Definition:
        """What a constant is defined by; without a text where it is no constant."""
        symbols = list(self._candidates(name, scope))
        for symbol, given in reversed(symbols):
            if isinstance(symbol, EnumeratorSymbol):
                text, added = _enumerator(symbol)
                return Definition(text, SCOPED if symbol.scoped else ENUM, symbol.scope, added, listed=True)
            if isinstance(symbol, VariableSymbol) and symbol.block is None and symbol.static:
                variable = symbol.variable
                if not self._is_fixed(symbol) or (variable.initializer is None and len(symbols) > 1):
                    continue
                if variable.template:
                    break
                return self._constant(symbol, given) or _NO_CONSTANT
        return _NO_CONSTANT

    def _is_fixed(self, symbol: VariableSymbol) -> bool:
        return "const" in symbol.variable.storage

    def _constant(self, symbol: VariableSymbol, given: Mapping[str, str], reals: bool = False) -> Definition | None:
        """A static constant of a whole type, with `reals` of any scalar type.

        `given` are the texts that stand for template parameters in it.
        """
        variable, place = symbol.variable, symbol.variable.initializer
        kind = Meanings(self.table, variable.scope).kind(str(variable.type))
        if place is None or variable.dimensions or kind is None or (kind.real and not reals):
            return None
        text = symbol.unit.slice(place).lstrip("= \t\r\n").strip()
        text = text[1:-1] if text.startswith("{") and text.endswith("}") else text
        return Definition(replaced(text, given), kind, variable.scope)

    def _candidates(self, name: str, scope: Scope) -> Iterator[tuple[Symbol, Mapping[str, str]]]:
        """What a name may mean, and the texts that stand for template parameters in it."""
        head, last = _split(name)
        if last not in self.table.names:
            return
        if not head:
            yield from ((symbol, _NOT_GIVEN) for symbol in self.table.visible(last, scope))
            return
        yield from ((symbol, _NOT_GIVEN) for symbol in self._qualified(last, head))
        owner = self._owner(head, scope)
        for struct in () if owner is None else self.table.with_bases(owner):
            yield from ((s, struct.given) for s in self.table.names[last] if scope_of(s) == struct.scope)

    def _owner(self, head: str, scope: Scope) -> StructSymbol | None:
        """The struct before `::name`, or of the variable before `.name`."""
        if not head.endswith("."):
            return self.table.resolve_written_type(head, scope).struct
        variables = (s for s in self.table.visible(head[:-1], scope) if isinstance(s, VariableSymbol))
        variable = next(variables, None) if "." not in head[:-1] else None
        return None if variable is None else self.table.resolve_type(variable.variable.type, variable.scope).struct

    def _qualified(self, last: str, head: str) -> Iterable[Symbol]:
        wanted = tuple(head.split("::"))
        for symbol in self.table.names[last]:
            scopes = [scope_of(symbol)]
            if isinstance(symbol, EnumeratorSymbol):
                scopes.append((*symbol.scope, symbol.enum))
            if any(scope[-len(wanted) :] == wanted for scope in scopes):
                yield symbol


def _split(name: str) -> tuple[str, str]:
    """What stands before the last `.` (with it), else before the last `::`, and the name behind it."""
    before, dot, last = name.rpartition(".")
    if dot:
        return before + dot, last
    head, _, last = name.rpartition("::")
    return head, last


def _enumerator(symbol: EnumeratorSymbol) -> tuple[str, int]:
    """The text before an enumerator that has one, and how far behind it stands."""
    steps = 0
    while not symbol.text and symbol.before is not None:
        symbol = symbol.before
        steps += 1
    return symbol.text or "0", steps
