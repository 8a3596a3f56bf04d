"""Expressions of host code: their values, and the variables that they name."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from tree_sitter import Node

from bindlint.facts.host.machine import pointer_to
from bindlint.facts.host.places import Places
from bindlint.facts.host.syntax import text_of, type_text
from bindlint.facts.host.values import (
    Array,
    Cell,
    Closure,
    Pointer,
    Record,
    Value,
    merged,
)
from bindlint.nesting import MAX_NESTING

_NUMBER = re.compile(r"(?i)^(0x[0-9a-f]+|0b[01]+|0[0-7]*|[1-9][0-9]*)(?:u|l|z|i64|ui64)*$")
_FLOAT = re.compile(r"(?i)^((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)[fl]?$")


@lru_cache(4096)
def _number(text: str) -> int | float | None:
    """The value of a literal; None where it is none, or too large."""
    match = _NUMBER.match(text)
    if match is not None:
        digits = match[1].lower()
        base = 16 if digits.startswith("0x") else 2 if digits.startswith("0b") else 8 if digits[0] == "0" else 10
        return int(digits, base) if len(digits) < 80 else None
    match = _FLOAT.match(text)
    return float(match[1]) if match is not None else None


class Expressions(Places):
    """The values of expressions."""

    def construct(self, type_name: str, arguments: list[Value], node: Node, braces: Node | None = None) -> Value:
        raise NotImplementedError

    def evaluate(self, node: Node) -> Value:
        """The value of an expression; structures and arrays are the very objects, not copies."""
        self.tick()
        if self.depth > MAX_NESTING:
            return self.too_deep(node)
        method = _EVALUATORS.get(node.type)
        if method is None:
            return self.unknown(f"`{text_of(node)[:60]}` is not read", node, unread=True)
        self.depth += 1
        try:
            return method(self, node)
        finally:
            self.depth -= 1

    def _value_of_target(self, node: Node) -> Value:
        return self.read(self.locate(node), node)

    def _number(self, node: Node) -> Value:
        text = text_of(node).replace("'", "")
        if text[:1] in "+-" and text:
            value = self._number_of(text[1:].strip(), node)
            return -value if text[0] == "-" and isinstance(value, int | float) else value
        return self._number_of(text, node)

    def _number_of(self, text: str, node: Node) -> Value:
        number = _number(text)
        if number is not None:
            return number
        return self.unknown("is too large a number" if _NUMBER.match(text) else f"`{text}` is not read", node)

    def _character(self, node: Node) -> Value:
        text = text_of(node)
        return ord(text[1]) if len(text) == 3 else self.unknown("a character is no register", node)

    def _string(self, node: Node) -> Value:
        return text_of(node)

    def _binary(self, node: Node) -> Value:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return self.unknown("is not read", node, unread=True)
        symbol = text_of(node.child_by_field_name("operator"))
        if left.type == "parenthesized_expression" and symbol in "+-&*":
            type_name = text_of(left)[1:-1].strip()
            value = self.evaluate(right) if self.layout.extent(type_name, self.frame.types) else None
            if symbol in "+-" and isinstance(value, int | float):
                return self.convert(-value if symbol == "-" else value, type_name)
        first = self.evaluate(left)
        if symbol in ("&&", "||"):
            if isinstance(first, int | float) and bool(first) == (symbol == "||"):
                return int(bool(first))
            second = self.evaluate(right)
            if isinstance(first, int | float) and isinstance(second, int | float):
                return int(bool(second))
            settled = isinstance(second, int | float) and bool(second) == (symbol == "||")
            return int(symbol == "||") if settled else self.unknown_of(first, second, node)
        return self.combine(symbol, first, self.evaluate(right), node)

    def _unary(self, node: Node) -> Value:
        argument = node.child_by_field_name("argument")
        if argument is None:
            return self.unknown("is not read", node, unread=True)
        value = self.evaluate(argument)
        symbol = text_of(node.child_by_field_name("operator"))
        if isinstance(value, int | float):
            if symbol == "-":
                return -value
            if symbol == "!":
                return int(not value)
            if symbol == "~" and isinstance(value, int):
                return ~value
            if symbol == "+":
                return value
        if symbol == "!" and self.truth(value):
            return 0
        return self.unknown_of(value, 0, node)

    def _address(self, node: Node) -> Value:
        argument = node.child_by_field_name("argument")
        if argument is None:
            return self.unknown("is not read", node, unread=True)
        if node.children[0].type != "&":
            return self._value_of_target(node)
        if argument.type == "subscript_expression":
            base, indices = argument.child_by_field_name("argument"), argument.child_by_field_name("indices")
            if base is not None and indices is not None and indices.named_children:
                index = self.evaluate(indices.named_children[0])
                value = pointer_to(self.evaluate(base))
                if isinstance(value, Pointer) and isinstance(index, int):
                    return Pointer(value.array, value.index + index)
                if isinstance(value, Pointer):
                    return self.unknown_of(index, 0, node)
        target = self.locate(argument)
        if not target.certain:
            return self.unknown(f"`{text_of(node)[:60]}` is not read", node, unread=True)
        return self.address_of(target.cells[0])

    @staticmethod
    def address_of(cell: Cell) -> Pointer:
        if isinstance(cell.value, Array) and not cell.value.grows:
            return Pointer(cell.value)
        if cell.box is None:
            cell.box = Array("", (cell,))
        return Pointer(cell.box)

    def _conditional(self, node: Node) -> Value:
        parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
        condition, yes, no = parts
        if condition is None or yes is None or no is None:
            return self.unknown("is not read", node, unread=True)
        chosen = self.decided(condition, self.evaluate(condition))
        if chosen is not None:
            return self.evaluate(yes if chosen else no)
        one, other = self.evaluate(yes), self.evaluate(no)
        why = self.depends(condition)
        return merged(pointer_to(one), pointer_to(other), why)

    def _cast(self, node: Node) -> Value:
        value, type_node = node.child_by_field_name("value"), node.child_by_field_name("type")
        if value is None:
            return self.unknown("is not read", node, unread=True)
        return self.convert(self.evaluate(value), type_text(type_node))

    def _sizeof(self, node: Node) -> Value:
        type_node = node.child_by_field_name("type")
        inner = node.child_by_field_name("value")
        while inner is not None and inner.type == "parenthesized_expression" and inner.named_children:
            inner = inner.named_children[0]
        size: int | None = None
        if inner is not None and inner.type == "subscript_expression":
            size = self._size_of_element(inner, node)
        if size is not None:
            return size
        if type_node is None and inner is not None:
            cell = self.local(text_of(inner)) if inner.type == "identifier" else None
            named = inner.type in ("identifier", "qualified_identifier", "template_function") and cell is None
            size = self.layout.size(text_of(inner), self.frame.types) if named else None
            if size is None:
                size = self._size_of_value(self.evaluate(inner), node)
        elif type_node is not None:
            size = self.layout.size(type_text(type_node), self.frame.types)
            if "*" in type_text(type_node) or type_node.child_by_field_name("declarator") is not None:
                size = 8 if "*" in text_of(type_node) else None
        return (
            size
            if size is not None
            else self.unknown(f"`{text_of(node)[:60]}`: the type's layout is not known", node, unread=True)
        )

    def _size_of_element(self, subscript: Node, node: Node) -> int | None:
        """The size of `a[0]`, which may be written `0[a]`, by the type of a's elements."""
        for child in (subscript.child_by_field_name("argument"), subscript.child_by_field_name("indices")):
            inner = child.named_children[0] if child is not None and child.type == "subscript_argument_list" else child
            value = self.evaluate(inner) if inner is not None and inner.type != "number_literal" else None
            if (
                isinstance(value, Array)
                and value.element
                and not (value.cells and isinstance(value.cells[0].value, Array))
            ):
                return self.layout.size(self.canonical(value.element) or value.element, self.frame.types)
        return None

    def _size_of_value(self, value: Value, node: Node) -> int | None:
        if isinstance(value, Array) and not value.grows and value.complete:
            cells = value.cells
            nested = cells[0].value if cells else None
            inner = self._size_of_value(nested, node) if isinstance(nested, Array) else None
            size = (
                inner
                if inner is not None
                else self.layout.size(self.canonical(value.element) or value.element, self.frame.types)
            )
            return None if size is None else size * len(cells)
        if isinstance(value, Record) and value.type:
            return self.layout.size(value.type, self.frame.types)
        return None

    def _lambda(self, node: Node) -> Value:
        body = node.child_by_field_name("body")
        declarator = node.child_by_field_name("declarator")
        parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
        if body is None:
            return self.unknown("is not read", node, unread=True)
        return Closure(parameters, body, (*self.frame.outer, *self.frame.scopes), self.frame.source)

    def _comma(self, node: Node) -> Value:
        value: Value = 0
        for child in node.named_children:
            value = self.evaluate(child)
        return value

    def _call(self, node: Node) -> Value:
        return self.call(node)

    def _compound(self, node: Node) -> Value:
        type_node, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if value is None:
            return self.unknown("is not read", node, unread=True)
        return self.construct(type_text(type_node), [], node, value)

    def _new(self, node: Node) -> Value:
        type_name = type_text(node.child_by_field_name("type"))
        declarator = node.child_by_field_name("declarator")
        arguments = node.child_by_field_name("arguments")
        if declarator is not None and declarator.child_by_field_name("length") is not None:
            return pointer_to(
                self.default(type_name, [declarator.child_by_field_name("length")], self.fresh(arguments), node)
            )
        values = [self.evaluate(c) for c in arguments.named_children] if arguments is not None else []
        return self.address_of(Cell(self.construct(type_name, values, node)))

    def fresh(self, arguments: Node | None) -> Value:
        """What `new T` leaves in T's fields: nothing without parentheses, zero with them."""
        from bindlint.facts.host.values import UNSET

        return UNSET if arguments is None else 0

    def _list(self, node: Node) -> Value:
        return self.initialise("", [], node)

    def _this(self, node: Node) -> Value:
        if self.frame.this is None:
            self.frame.this = Record("", self.unknown("is a member, set elsewhere", node), None, "this")
        return self.address_of(Cell(self.frame.this))

    def _true(self, node: Node) -> Value:
        return 1

    def _false(self, node: Node) -> Value:
        return 0


_EVALUATORS: dict[str, Callable[[Expressions, Node], Value]] = {
    "number_literal": Expressions._number,
    "char_literal": Expressions._character,
    "string_literal": Expressions._string,
    "concatenated_string": Expressions._string,
    "raw_string_literal": Expressions._string,
    "true": Expressions._true,
    "false": Expressions._false,
    "null": Expressions._false,
    "nullptr": Expressions._false,
    "binary_expression": Expressions._binary,
    "unary_expression": Expressions._unary,
    "pointer_expression": Expressions._address,
    "conditional_expression": Expressions._conditional,
    "cast_expression": Expressions._cast,
    "sizeof_expression": Expressions._sizeof,
    "lambda_expression": Expressions._lambda,
    "comma_expression": Expressions._comma,
    "call_expression": Expressions._call,
    "compound_literal_expression": Expressions._compound,
    "new_expression": Expressions._new,
    "initializer_list": Expressions._list,
    "this": Expressions._this,
    **dict.fromkeys(
        (
            "identifier", "qualified_identifier", "template_function", "field_identifier", "type_identifier",
            "parenthesized_expression", "field_expression", "subscript_expression", "assignment_expression",
            "update_expression",
        ),
        Expressions._value_of_target,
    ),
}  # fmt: skip
