"""What the optimizer knows of values where a shader runs: more than may be in a constant expression.

DXC takes neither reals nor vectors, arrays, fields and calls in an array's size, but removes what they decide, with -Od
as well (tried: each with -O3, -Od and -O0).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from bindlint_grammars.hlsl.tokens import NAME

from bindlint.facts.type_names import split_list
from bindlint.usage.bodies.syntax import Assign, Call, Expr, Ref, atoms
from bindlint.usage.constants import evaluate_number
from bindlint.usage.named_constants import Definition, Meanings, NamedConstants
from bindlint.usage.numbers import KINDS, Kind, Number, common, converted
from bindlint.usage.symbols import Scope, Symbol, VariableSymbol

if TYPE_CHECKING:
    from bindlint.usage.names import ResolvedType, SymbolTable

Called = Callable[[str, Sequence[Number | None]], Number | None]
"""What a function of the shader returns for arguments, None where that is not known."""

_NUMERIC = re.compile(r"(\w+?)([1-4])(?:x([1-4]))?\Z")
_CONSTRUCTED = re.compile(r"(\w+)\s*\((.*)\)\Z", re.DOTALL)
_CAST = re.compile(rf"\(\s*({NAME})\s*\)(.*)\Z", re.DOTALL)
_STEP = re.compile(rf"\[(\d+)\]|\.({NAME})")
_SWIZZLES = {name: number for letters in ("xyzw", "rgba") for number, name in enumerate(letters)}
_LITERAL = re.compile(r"[-+]?(?:true|false|\.?\d[\w.]*(?:(?<=[eE])[-+]\d+\w?)?)\Z")
_MAX_PARTS = 256
_INTRINSICS = frozenset(("min", "max", "clamp", "saturate", "abs"))


class _Shape(NamedTuple):
    """A type whose values have parts, each of which has a shape of its own; a scalar has a kind and no parts."""

    kind: Kind | None
    parts: tuple[_Shape, ...] = ()
    names: tuple[str, ...] = ()
    splat: bool = False
    """A vector or matrix, which one scalar fills."""

    def scalars(self) -> Iterator[Kind]:
        if self.kind is not None:
            yield self.kind
        for part in self.parts:
            yield from part.scalars()


class Running(Meanings):
    """Meanings where the code runs: its functions may be called."""

    __slots__ = ("called",)

    def __init__(self, table: SymbolTable, scope: Scope, called: Called | None) -> None:
        super().__init__(table, scope)
        self.called = called

    @property
    def running(self) -> bool:
        return True

    def call(self, name: str, arguments: Sequence[Number | None]) -> Number | None:
        if self.called is not None and name.rpartition("::")[2] in self.table.names:
            return self.called(name, arguments)
        known = [argument for argument in arguments if argument is not None]
        if name not in _INTRINSICS or len(known) != len(arguments) or any(n.kind.scoped for n in known):
            return None
        return _intrinsic(name, known)


class Folding(NamedConstants):
    """The values of names where the code of one shader runs."""

    def __init__(self, table: SymbolTable) -> None:
        super().__init__(table)
        self._parts: dict[VariableSymbol, tuple[_Shape, tuple[Number, ...]] | None] = {}
        self._fixed: dict[VariableSymbol, bool] = {}
        self._fingerprints: dict[tuple[str, Scope], object] = {}

    def value(self, text: str, scope: Scope, given: Mapping[str, Number], called: Called | None) -> Number | None:
        """The value of an expression inside `scope`; `given` are names with values of their own."""
        text = self._instantiated(text, scope)
        return evaluate_number(
            text, lambda name: given.get(name) or self.number(name, scope), Running(self.table, scope, called)
        )

    def fingerprint(self, name: str, scope: Scope) -> object:
        """All that is known of a name: where it is the same, so are values that are made of it."""
        key = name, scope
        if key not in self._fingerprints:
            number = self.number(name, scope)
            symbol = None if number is not None else self._variable(name, scope)
            self._fingerprints[key] = number if symbol is None else self._values(symbol)
        return self._fingerprints[key]

    def number(self, name: str, scope: Scope = ()) -> Number | None:
        found = super().number(name, scope)
        if found is not None or name.isidentifier():
            return found
        step = _STEP.search(name)
        symbol = None if step is None else self._variable(name[: step.start()], scope)
        if step is None or symbol is None:
            return None
        known = self._values(symbol)
        return None if known is None else _part(*known, name[step.start() :])

    def _constant(self, symbol: VariableSymbol, given: Mapping[str, str], reals: bool = True) -> Definition | None:
        return super()._constant(symbol, given, reals)

    def _is_fixed(self, symbol: VariableSymbol) -> bool:
        """Also a static variable is a constant that nothing in the shader gives a value."""
        if "const" in symbol.variable.storage:
            return True
        found = self._fixed.get(symbol)
        if found is None:
            found = self._fixed[symbol] = not self._is_written(symbol.variable.name)
        return found

    def _is_written(self, name: str) -> bool:
        """Whether a function may give a value to what has that name."""
        spelled = name.encode()
        for function in self.table.functions():
            place = function.function.body
            if place is None or function.unit.text.find(spelled, *place) < 0:
                continue
            if function.body.cut or any(_gives(name, step.value) for step in function.body.steps):
                return True
        return False

    def _variable(self, name: str, scope: Scope) -> VariableSymbol | None:
        """The static variable that a name means whose values are known."""
        symbols: list[Symbol] = [symbol for symbol, _ in self._candidates(name, scope)]
        symbol = symbols[-1] if symbols else None
        if not isinstance(symbol, VariableSymbol) or symbol.block is not None or not symbol.static:
            return None
        return None if symbol.variable.template or not self._is_fixed(symbol) else symbol

    def _values(self, symbol: VariableSymbol) -> tuple[_Shape, tuple[Number, ...]] | None:
        if symbol not in self._parts:
            self._parts[symbol] = None
            self._parts[symbol] = self._read_parts(symbol)
        return self._parts[symbol]

    def _read_parts(self, symbol: VariableSymbol) -> tuple[_Shape, tuple[Number, ...]] | None:
        variable, place = symbol.variable, symbol.variable.initializer
        resolved = self.table.resolve_type(variable.type, variable.scope)
        shape = self._shape(resolved, (*variable.dimensions, *resolved.dimensions), variable.scope, 0)
        if shape is None or not shape.parts or place is None:
            return None
        kinds = list(shape.scalars())
        text = symbol.unit.slice(place).lstrip("= \t\r\n").strip()
        cast = _CAST.match(text)
        splat = shape.splat
        if cast is not None and cast[1] == str(variable.type):
            text, splat = cast[2].strip(), not variable.dimensions
        numbers = self._flat(text, variable.scope)
        if numbers is not None and splat and len(numbers) == 1 and not text.startswith("{"):
            numbers *= len(kinds)
        if numbers is None or len(numbers) != len(kinds):
            return None
        taken = [
            converted(n, kind) if n.kind.scoped is kind.scoped else None for n, kind in zip(numbers, kinds, strict=True)
        ]
        known = tuple(n for n in taken if n is not None)
        return (shape, known) if len(known) == len(kinds) else None

    def _flat(self, text: str, scope: Scope) -> list[Number] | None:
        """The scalars of an initializer in order; None where one of them is no literal.

        With -Od those of others are no constants of DXC's, even where they are made of constants (tried).
        """
        text = text.strip()
        constructed = _CONSTRUCTED.match(text)
        numeric = None if constructed is None else _NUMERIC.match(constructed[1])
        if text.startswith("{") and text.endswith("}"):
            inside, kind = text[1:-1], None
        elif constructed is not None and numeric is not None and numeric[1] in KINDS and _balanced(constructed[2]):
            inside, kind = constructed[2], KINDS[numeric[1]]
        else:
            number = self.value(text, scope, {}, None) if _LITERAL.match(text) else None
            return None if number is None else [number]
        found: list[Number] = []
        for start, end in split_list(inside.encode(), 0, len(inside.encode()), angles=True):
            part = inside.encode()[start:end].decode()
            numbers = self._flat(part, scope) if part.strip() else []
            if numbers is None or len(found) + len(numbers) > _MAX_PARTS:
                return None
            for number in numbers:
                taken = number if kind is None else converted(number, kind)
                if taken is None:
                    return None
                found.append(taken)
        if kind is not None and numeric is not None and len(found) != int(numeric[2]) * int(numeric[3] or 1):
            return None
        return found

    def _shape(self, resolved: ResolvedType, dimensions: Sequence[str], scope: Scope, depth: int) -> _Shape | None:
        if depth > 8 or resolved.resource is not None:
            return None
        if dimensions:
            count = self.table.evaluate(dimensions[0], None, scope)
            part = self._shape(resolved, dimensions[1:], scope, depth + 1)
            if part is None or count is None or not 0 < count * len(list(part.scalars())) <= _MAX_PARTS:
                return None
            return _Shape(None, (part,) * count)
        if resolved.struct is not None:
            if resolved.struct.struct.bases or resolved.struct.struct.template:
                return None
            fields = [f for f in resolved.struct.struct.fields if "static" not in f.storage]
            parts = []
            for field in fields:
                inner = self.table.member_type(resolved, field.type)
                sizes = (*field.dimensions, *inner.dimensions)
                part = None if field.bits else self._shape(inner, sizes, resolved.struct.scope, depth + 1)
                if part is None:
                    return None
                parts.append(part)
            return _Shape(None, tuple(parts), tuple(field.name for field in fields))
        numeric = _NUMERIC.match(resolved.name)
        if numeric is None or numeric[1] not in KINDS:
            kind = Meanings(self.table, scope).kind(resolved.name)
            return None if kind is None else _Shape(kind)
        vector = _Shape(None, (_Shape(KINDS[numeric[1]]),) * int(numeric[3] or numeric[2]), splat=True)
        return vector if numeric[3] is None else _Shape(None, (vector,) * int(numeric[2]), splat=True)


def _part(shape: _Shape, values: tuple[Number, ...], path: str) -> Number | None:
    """The scalar that members and subscripts lead to."""
    at = position = 0
    while position < len(path):
        step = _STEP.match(path, position)
        if step is None:
            return None
        position = step.end()
        if step[1] is not None:
            number = int(step[1]) if not shape.names else -1
        elif shape.names:
            number = shape.names.index(step[2]) if step[2] in shape.names else -1
        else:
            vector = shape.splat and shape.parts[0].kind is not None
            number = _SWIZZLES.get(step[2], -1) if vector else -1
        if not 0 <= number < len(shape.parts):
            return None
        at += sum(len(list(part.scalars())) for part in shape.parts[:number])
        shape = shape.parts[number]
    return values[at] if shape.kind is not None else None


def _balanced(inside: str) -> bool:
    """Whether no parenthesis in a text closes one before it."""
    return min(accumulate((c == "(") - (c == ")") for c in inside), default=0) >= 0


def _gives(name: str, value: Expr) -> bool:
    """Whether an expression may give something of that name a value: assigns it, hands it on, calls its methods."""
    for atom in atoms(value):
        if isinstance(atom, Assign):
            held: tuple[Expr, ...] = (atom.target,)
        elif isinstance(atom, Call):
            held = (*atom.arguments, atom.receiver or ())
        else:
            continue
        for expression in held:
            if any(isinstance(a, Ref) and a.name.rpartition("::")[2] == name for a in atoms(expression)):
                return True
    return False


def _intrinsic(name: str, known: list[Number]) -> Number | None:
    if len(known) != {"clamp": 3, "min": 2, "max": 2}.get(name, 1):
        return None
    kind = known[0].kind
    for number in known[1:]:
        kind = common(kind, number.kind)
    if name == "saturate":
        kind = kind if kind.real else KINDS["float"]
    taken = [converted(number, kind) for number in known]
    values = [number.value for number in taken if number is not None]
    if len(values) != len(known):
        return None
    if name in ("min", "max"):
        return Number(min(values) if name == "min" else max(values), kind)
    if name == "abs":
        return converted(Number(abs(values[0]), kind), kind)
    low, high = (0, 1) if name == "saturate" else values[1:]
    return converted(Number(min(max(values[0], low), high), kind), kind) if low <= high else None
