"""`sizeof` as the compiler folds it: types laid out as in a structured buffer; resources and enums have no size."""

from __future__ import annotations

import re
from math import prod

from bindlint_grammars.hlsl.tokens import NAME

from bindlint.facts.type_names import read_type, split_list
from bindlint.model.declarations import TypeName, Variable
from bindlint.usage.layout import MINIMUM_PRECISION, Layouts
from bindlint.usage.names import ResolvedType, SymbolTable
from bindlint.usage.symbols import Scope, VariableSymbol

_MAX_NESTING = 20
_OPERAND = re.compile(r"([^][]+?)\s*(?:\(.*\)|((?:\[[^][]*\]\s*)*))\Z")
"""A type with array sizes, or a value made of it."""
_STEP = re.compile(rf"\s*(?:\[([^][]*)\]|\.\s*({NAME}))")
_SWIZZLE = re.compile(r"[xyzw]{1,4}\Z|[rgba]{1,4}\Z")
_NAME = re.compile(rf"{NAME}(?:::{NAME})*")
_NUMERIC = re.compile(r"(\w+?)([1-4])(?:x([1-4]))?\Z")


class SizeOf:
    """Answers for one shader; None for what has no size and what cannot be told."""

    def __init__(self, table: SymbolTable, layouts: Layouts) -> None:
        self.table = table
        self.layouts = layouts
        self._running: set[tuple[str, Scope]] = set()

    def __call__(self, operand: str, scope: Scope) -> int | None:
        key = (operand, scope)
        if key in self._running or len(self._running) > _MAX_NESTING:
            # The size of an array may name its own.
            return None
        self._running.add(key)
        size = self._size(operand, scope)
        self._running.remove(key)
        return size

    def _size(self, operand: str, scope: Scope) -> int | None:
        name = _NAME.match(operand)
        if name is not None:
            for symbol in self.table.visible(name[0], scope):
                if isinstance(symbol, VariableSymbol):
                    return self._variable(symbol, operand[name.end() :])
        match = _OPERAND.match(operand)
        if match is None:
            return None
        dimensions = tuple(text.strip(" []") for text in (match[2] or "").split("]") if text.strip())
        return self._sized(read_type(match[1].encode()), dimensions, scope)

    def _sized(self, written: TypeName, dimensions: tuple[str, ...], scope: Scope) -> int | None:
        """Of a type with array sizes."""
        resolved = self.table.resolve_type(written, scope)
        counts = [self.table.evaluate(text, None, scope) for text in dimensions + resolved.dimensions]
        if any(count is None or count < 0 for count in counts) or not self._is_numeric(resolved):
            return None
        if not counts and resolved.name in MINIMUM_PRECISION:
            # Alone it counts as 16 bits, everywhere else as it is stored.
            return 2
        size = self.layouts.element_size(written, scope)
        return None if size is None else size * prod(count or 0 for count in counts)

    def _is_numeric(self, resolved: ResolvedType) -> bool:
        parts = [] if resolved.struct is None else self.table.inner_first(resolved.struct)
        fields = [self.table.resolve_type(f.type, s.scope) for s in parts for f in s.struct.fields]
        return not any(r.resource is not None or self.table.enum(r.name) for r in (resolved, *fields))

    def _variable(self, symbol: VariableSymbol, steps: str) -> int | None:
        """Of a variable, and of what members and subscripts lead to from it."""
        written, scope = symbol.variable.type, symbol.scope
        dimensions = _counted(symbol)
        while steps.strip():
            step = _STEP.match(steps)
            if step is None:
                return None
            steps = steps[step.end() :]
            resolved = self.table.resolve_type(written, scope)
            dimensions += resolved.dimensions
            if step[2] is None and dimensions:
                dimensions = dimensions[1:]
                written = TypeName(resolved.name, resolved.arguments)
            elif resolved.struct is not None and step[2] and not dimensions:
                field: Variable | None = self.table.field(resolved.struct, step[2])
                if field is None:
                    return None
                written, scope, dimensions = field.type, resolved.struct.scope, field.dimensions
            else:
                part = None if dimensions or resolved.arguments else _NUMERIC.match(resolved.name)
                if part is None or (step[2] and not _SWIZZLE.match(step[2])):
                    return None
                count = len(step[2]) if step[2] else int(part[3] or 1)
                written = TypeName(f"{part[1]}{count if count > 1 else ''}")
        return self._sized(written, dimensions, scope)


def _counted(symbol: VariableSymbol) -> tuple[str, ...]:
    """The array sizes of a variable; an open one is that of its list of values."""
    variable = symbol.variable
    if variable.dimensions[:1] != ("",) or variable.initializer is None:
        return variable.dimensions
    text = symbol.unit.text
    opening, closing = text.find(b"{", *variable.initializer), text.rfind(b"}", *variable.initializer)
    count = sum(1 for _ in split_list(text, opening + 1, closing)) if 0 <= opening < closing else 0
    return (str(count) if count else "", *variable.dimensions[1:])
