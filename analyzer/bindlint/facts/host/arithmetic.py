"""Operators and conversions of host code, on values that may not be known."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from tree_sitter import Node

from bindlint.facts.host.machine import pointer_to
from bindlint.facts.host.names import Names
from bindlint.facts.host.syntax import text_of
from bindlint.facts.host.values import Pointer, Record, Unknown, Value

_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_BITS: dict[str, Callable[[int, int], int]] = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
_NARROW = {"uint8_t": 0xFF, "UINT8": 0xFF, "BYTE": 0xFF, "uint16_t": 0xFFFF, "UINT16": 0xFFFF, "WORD": 0xFFFF}
_INTEGERS = re.compile(r"^(?:unsigned|int|long|short|char|size_t|u?int\d*(?:_t)?|UINT\w*|INT\w*|DWORD|[us]\d+|uint)\b")

MAX_CONDITION = 60


class Arithmetic(Names):
    """Combining values."""

    def combine(self, symbol: str, left: Value, right: Value, node: Node) -> Value:
        """The value of an operator between two values."""
        left, right = pointer_to(left), pointer_to(right)
        if isinstance(left, int | float) and isinstance(right, int | float):
            return self._compute(symbol, left, right, node)
        if isinstance(left, Pointer) and isinstance(right, int) and symbol in "+-":
            return Pointer(left.array, left.index + (right if symbol == "+" else -right))
        if isinstance(left, Pointer) and isinstance(right, Pointer) and left.array is right.array and symbol == "-":
            return left.index - right.index
        if symbol in ("==", "!=") and right == 0 and self.truth(left):
            return int(symbol == "!=")
        return self.unknown_of(left, right, node)

    def _compute(self, symbol: str, left: int | float, right: int | float, node: Node) -> Value:
        whole = isinstance(left, int) and isinstance(right, int)
        if symbol in _ARITHMETIC:
            result = _ARITHMETIC[symbol](left, right)
            result = int(result) if isinstance(result, bool) else result
            return result if abs(result) < 1 << 70 else self.unknown("is too large a number", node)
        if symbol in ("/", "%"):
            if not right:
                return self.unknown("divides by zero", node)
            if not whole:
                return left / right if symbol == "/" else self.unknown("is not read", node)
            quotient = abs(int(left)) // abs(int(right)) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if symbol == "/" else int(left) - quotient * int(right)
        if whole and symbol in _BITS:
            return _BITS[symbol](int(left), int(right))
        if whole and symbol in ("<<", ">>") and 0 <= right < 64 and abs(left) < 1 << 64:
            return int(left) << int(right) if symbol == "<<" else int(left) >> int(right)
        return self.unknown(f"`{text_of(node)[:60]}` is not read", node, unread=True)

    def unknown_of(self, left: Value, right: Value, node: Node) -> Unknown:
        for value in (left, right):
            if isinstance(value, Unknown):
                return value
            if isinstance(value, Record) and isinstance(value.fill, Unknown):
                return value.fill
        return self.unknown(f"`{text_of(node)[:60]}` is not a constant", node)

    def decided(self, condition: Node, value: Value) -> bool | None:
        """Whether a condition holds, by its value or else by what is assumed of it; None where that is open."""
        truth = self.truth(value)
        return truth if truth is not None else self.assumptions.get(condition_text(condition))

    def depends(self, condition: Node | None) -> Unknown:
        """The value of what is different in the branches of an open condition."""
        return self.unknown(f"depends on the condition `{condition_text(condition)}`", condition)

    @staticmethod
    def truth(value: Value) -> bool | None:
        if isinstance(value, int | float):
            return bool(value)
        # What is behind an argument is not known: it may point to nothing.
        return True if isinstance(value, Pointer) and value.array.complete else None

    @staticmethod
    def convert(value: Value, type_name: str) -> Value:
        if isinstance(value, float) and _INTEGERS.match(type_name) and abs(value) < 1 << 63:
            value = int(value)
        if isinstance(value, int) and type_name in _NARROW:
            value &= _NARROW[type_name]
        return value


def condition_text(node: Node | None) -> str:
    """A condition without the parentheses around it, cut to what a message can hold."""
    while node is not None and node.type in ("parenthesized_expression", "condition_clause"):
        inner = node.child_by_field_name("value") or next(iter(node.named_children), None)
        node = inner
    return " ".join(text_of(node).split())[:MAX_CONDITION]
