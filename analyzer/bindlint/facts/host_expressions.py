"""Expressions of host code: their values, and the variables that they name."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from tree_sitter import Node

from bindlint.facts import host_api as api
from bindlint.facts.host_index import path_of, text_of, type_text
from bindlint.facts.host_machine import Machine, pointer_to
from bindlint.facts.host_values import Array, Cell, Closure, Pointer, Record, Unknown, Unset, Value, cells_within, clone, merged

_MAX_DEPTH = 120
_NUMBER = re.compile(r"(?i)^(0x[0-9a-f]+|0b[01]+|0[0-7]*|[1-9][0-9]*)(?:u|l|z|i64|ui64)*$")
_FLOAT = re.compile(r"(?i)^((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)[fl]?$")
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


class Target:
    """What stands left of an assignment: one cell, or several of which it is not known which one is meant."""

    __slots__ = ("cells", "certain")

    def __init__(self, cells: list[Cell], certain: bool = True) -> None:
        self.cells = cells
        self.certain = certain and len(cells) == 1


class Expressions(Machine):
    """Reading and writing values."""

    def call(self, node: Node) -> Value:
        raise NotImplementedError

    def call_target(self, node: Node) -> Target | None:
        raise NotImplementedError

    def construct(self, type_name: str, arguments: list[Value], node: Node, braces: Node | None = None) -> Value:
        raise NotImplementedError

    def evaluate(self, node: Node) -> Value:
        """The value of an expression; structures and arrays are the very objects, not copies."""
        self.tick()
        if self.depth > _MAX_DEPTH:
            return self.unknown("is nested too deeply to be read", node, unread=True)
        method = _EVALUATORS.get(node.type)
        if method is None:
            return self.unknown(f"`{text_of(node)[:60]}` is not read", node, unread=True)
        self.depth += 1
        try:
            return method(self, node)
        finally:
            self.depth -= 1

    def locate(self, node: Node) -> Target:
        """The cells that an expression names; the value of any other expression in a cell of its own."""
        self.tick()
        if self.depth > _MAX_DEPTH:
            return Target([], False)
        self.depth += 1
        try:
            method = _LOCATORS.get(node.type)
            return method(self, node) if method is not None else Target([Cell(self.evaluate(node))])
        finally:
            self.depth -= 1

    def read(self, target: Target, node: Node) -> Value:
        if target.certain:
            return target.cells[0].value
        if target.cells:
            value = target.cells[0].value
            why = self.unknown(f"it is not known which element `{text_of(node)[:60]}` is", node)
            for cell in target.cells[1:]:
                value = merged(value, cell.value, why)
            return value
        return self.unknown(f"`{text_of(node)[:60]}` is not read", node, unread=True)

    def assign(self, target: Target, value: Value, node: Node) -> None:
        """Write a copy of the value; where it is not known which of several cells is meant, all become unknown."""
        if target.certain:
            cell = target.cells[0]
            old = cell.value
            if isinstance(value, Array) and not (isinstance(old, Array) and (old.grows or value.grows or not old.grows)):
                value = pointer_to(value)
            copied = clone(value)
            if isinstance(copied, Record | Array) and isinstance(old, Record | Array):
                copied.name, copied.place = old.name or copied.name, old.place or copied.place
            self.write(cell, copied, node)
            return
        why = self.unknown(f"it is not known which element `{text_of(node)[:60]}` writes", node)
        for cell in target.cells:
            self.spoil(cell, why, node)

    def spoil(self, cell: Cell, why: Unknown, node: Node) -> None:
        """Make a cell and all that it holds unknown."""
        value = cell.value
        if isinstance(value, Record | Array):
            state = why, self.place(node)
            inner = [c for c in cells_within(value) if not isinstance(c.value, Record | Array | Unknown)]
            self.tick(1 + len(inner))
            for each in inner:
                self.journal.write(each, state)
            if isinstance(value, Array) and value.grows:
                self.journal.write(value, (value.cells, False))
            if isinstance(value, Record) and not isinstance(value.fill, Unknown):
                spoiled = Record(value.type, why, value.place, value.name)
                spoiled.fields = dict(value.fields)
                self.write(cell, spoiled, node)
        elif not isinstance(value, Closure | Unknown):
            self.write(cell, why, node)

    # Expressions that name variables.

    def _locate_name(self, node: Node) -> Target:
        return Target([self.look_up(path_of(node), node)])

    def _locate_inside(self, node: Node) -> Target:
        inner = next((c for c in node.named_children if c.type != "comment"), None)
        return self.locate(inner) if inner is not None else Target([], False)

    def _locate_field(self, node: Node) -> Target:
        argument, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
        if argument is None or field is None:
            return Target([], False)
        base = self.locate(argument)
        cells: list[Cell] = []
        name = path_of(field)[-1:]
        for cell in base.cells:
            value = cell.value
            if isinstance(value, Pointer):
                pointed = value.cell
                value = pointed.value if pointed is not None else self.unknown("points outside its array", node)
            elif isinstance(value, Array) and text_of(node)[len(text_of(argument)) :].startswith("->") and value.cells:
                value = value.cells[0].value
            if isinstance(value, Record) and name:
                cells.append(self.field(value, name[0], node))
            elif isinstance(value, Unknown | Unset) and name:
                record = Record("", value if isinstance(value, Unknown) else self.unknown("is never set", node))
                if not cell.constant:
                    self.write(cell, record, node)
                cells.append(self.field(record, name[0], node))
        return Target(cells, base.certain)

    def _locate_element(self, node: Node) -> Target:
        argument, indices = node.child_by_field_name("argument"), node.child_by_field_name("indices")
        if argument is None or indices is None or not indices.named_children:
            return Target([], False)
        index = self.evaluate(indices.named_children[0])
        base = self.locate(argument)
        if isinstance(index, Array | Pointer) and base.certain and isinstance(base.cells[0].value, int):
            found, sure = self.element(index, base.cells[0].value, node)
            return Target(found, sure)
        cells: list[Cell] = []
        certain = base.certain
        for cell in base.cells:
            found, sure = self.element(cell.value, index, node)
            cells += found
            certain = certain and sure
        return Target(cells, certain)

    def element(self, value: Value, index: Value, node: Node) -> tuple[list[Cell], bool]:
        """The element of an array, of what a pointer points into, or of a MiniEngine root signature."""
        if isinstance(value, Record) and value.type == api.MINIENGINE:
            value = self.field(value, "parameters").value
        offset = 0
        if isinstance(value, Pointer):
            value, offset = value.array, value.index
        if isinstance(value, Record):
            key = f"[{index}]" if isinstance(index, int) else "[]"
            return [self.field(value, key)], isinstance(index, int) and value.type == ""
        if not isinstance(value, Array):
            return [], False
        cells = value.cells
        if not isinstance(index, int):
            return list(cells), False
        place = index + offset
        if 0 <= place < len(cells):
            return [cells[place]], True
        if value.complete and not value.grows and not (self.frame.broken or isinstance(value, Pointer)):
            name = value.name or "the array"
            self.remark(node, "out-of-bounds", f"`{text_of(node)[:60]}`: {name} has {len(cells)} elements")
        return [], False

    def _locate_pointed(self, node: Node) -> Target:
        argument = node.child_by_field_name("argument")
        if argument is None or node.children[0].type != "*":
            return Target([Cell(self.evaluate(node))])
        value = pointer_to(self.evaluate(argument))
        cell = value.cell if isinstance(value, Pointer) else None
        return Target([cell]) if cell is not None else Target([], False)

    def _locate_call(self, node: Node) -> Target:
        target = self.call_target(node)
        return target if target is not None else Target([Cell(self.call(node))])

    def _locate_assignment(self, node: Node) -> Target:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = node.child_by_field_name("operator")
        if left is None or right is None:
            return Target([], False)
        symbol = text_of(sign)
        if symbol == "=" and right.type == "initializer_list":
            target = self.locate(left)
            for cell in target.cells[:1] if target.certain else ():
                value = cell.value
                type_name = value.type if isinstance(value, Record) else value.element if isinstance(value, Array) else ""
                if isinstance(value, Array):
                    made: Value = self.initialise(f"vector<{type_name}>" if value.grows else type_name, [] if value.grows else [None], right)
                else:
                    made = self.initialise(type_name or "int", [], right)
                self.assign(target, made, node)
            if not target.certain:
                self.assign(target, 0, node)
            return target
        value = self.evaluate(right)
        target = self.locate(left)
        if symbol != "=":
            value = self.combine(symbol[:-1], self.read(target, left), value, node)
        self.assign(target, value, node)
        return target

    def _locate_update(self, node: Node) -> Target:
        argument = node.child_by_field_name("argument")
        if argument is None:
            return Target([], False)
        target = self.locate(argument)
        before = self.read(target, argument)
        symbol = "+" if any(c.type == "++" for c in node.children) else "-"
        self.assign(target, self.combine(symbol, before, 1, node), node)
        return Target([Cell(before)]) if node.children[0].type not in ("++", "--") else target

    # Expressions that make values.

    def _value_of_target(self, node: Node) -> Value:
        return self.read(self.locate(node), node)

    def _number(self, node: Node) -> Value:
        text = text_of(node).replace("'", "")
        if text[:1] in "+-" and text:
            value = self._number_of(text[1:].strip(), node)
            return -value if text[0] == "-" and isinstance(value, int | float) else value
        return self._number_of(text, node)

    def _number_of(self, text: str, node: Node) -> Value:
        match = _NUMBER.match(text)
        if match is not None:
            digits = match[1].lower()
            base = 16 if digits.startswith("0x") else 2 if digits.startswith("0b") else 8 if digits[0] == "0" else 10
            return int(digits, base) if len(digits) < 80 else self.unknown("is too large a number", node)
        match = _FLOAT.match(text)
        return float(match[1]) if match is not None else self.unknown(f"`{text}` is not read", node)

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
        type_name = text_of(left)[1:-1].strip()
        if left.type == "parenthesized_expression" and symbol in "+-&*" and self.layout.extent(type_name, self.frame.path):
            value = self.evaluate(right)
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
            return int(symbol == "||") if settled else self._unknown_of(first, second, node)
        return self.combine(symbol, first, self.evaluate(right), node)

    def combine(self, symbol: str, left: Value, right: Value, node: Node) -> Value:
        """The value of an operator between two values."""
        left, right = pointer_to(left), pointer_to(right)
        if isinstance(left, int | float) and isinstance(right, int | float):
            return self._compute(symbol, left, right, node)
        if isinstance(left, Pointer) and isinstance(right, int) and symbol in "+-":
            return Pointer(left.array, left.index + (right if symbol == "+" else -right))
        if isinstance(left, Pointer) and isinstance(right, Pointer) and left.array is right.array and symbol == "-":
            return left.index - right.index
        if symbol in ("==", "!=") and isinstance(left, Pointer) and right == 0:
            return int(symbol == "!=")
        return self._unknown_of(left, right, node)

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

    def _unknown_of(self, left: Value, right: Value, node: Node) -> Unknown:
        for value in (left, right):
            if isinstance(value, Unknown):
                return value
            if isinstance(value, Record) and isinstance(value.fill, Unknown):
                return value.fill
        return self.unknown(f"`{text_of(node)[:60]}` is not a constant", node)

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
        if symbol == "!" and isinstance(value, Pointer):
            return 0
        return self._unknown_of(value, 0, node)

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
                    return self._unknown_of(index, 0, node)
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
        chosen = self.truth(self.evaluate(condition))
        if chosen is not None:
            return self.evaluate(yes if chosen else no)
        one, other = self.evaluate(yes), self.evaluate(no)
        why = self.unknown(f"depends on the condition `{text_of(condition)[:60]}`", condition)
        return merged(pointer_to(one), pointer_to(other), why)

    @staticmethod
    def truth(value: Value) -> bool | None:
        if isinstance(value, int | float):
            return bool(value)
        return True if isinstance(value, Pointer) else None

    def _cast(self, node: Node) -> Value:
        value, type_node = node.child_by_field_name("value"), node.child_by_field_name("type")
        if value is None:
            return self.unknown("is not read", node, unread=True)
        return self.convert(self.evaluate(value), type_text(type_node))

    @staticmethod
    def convert(value: Value, type_name: str) -> Value:
        if isinstance(value, float) and _INTEGERS.match(type_name) and abs(value) < 1 << 63:
            value = int(value)
        if isinstance(value, int) and type_name in _NARROW:
            value &= _NARROW[type_name]
        return value

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
            size = self.layout.size(text_of(inner), self.frame.path) if named else None
            if size is None:
                size = self._size_of_value(self.evaluate(inner), node)
        elif type_node is not None:
            size = self.layout.size(type_text(type_node), self.frame.path)
            if "*" in type_text(type_node) or type_node.child_by_field_name("declarator") is not None:
                size = 8 if "*" in text_of(type_node) else None
        return size if size is not None else self.unknown(f"`{text_of(node)[:60]}`: the type's layout is not known", node, unread=True)

    def _size_of_element(self, subscript: Node, node: Node) -> int | None:
        """The size of `a[0]`, which may be written `0[a]`, by the type of a's elements."""
        for child in (subscript.child_by_field_name("argument"), subscript.child_by_field_name("indices")):
            inner = child.named_children[0] if child is not None and child.type == "subscript_argument_list" else child
            value = self.evaluate(inner) if inner is not None and inner.type != "number_literal" else None
            if isinstance(value, Array) and value.element and not (value.cells and isinstance(value.cells[0].value, Array)):
                return self.layout.size(self.canonical(value.element) or value.element, self.frame.path)
        return None

    def _size_of_value(self, value: Value, node: Node) -> int | None:
        if isinstance(value, Array) and not value.grows and value.complete:
            cells = value.cells
            nested = cells[0].value if cells else None
            inner = self._size_of_value(nested, node) if isinstance(nested, Array) else None
            size = inner if inner is not None else self.layout.size(self.canonical(value.element) or value.element, self.frame.path)
            return None if size is None else size * len(cells)
        if isinstance(value, Record) and value.type:
            return self.layout.size(value.type, self.frame.path)
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
            return pointer_to(self.default(type_name, [declarator.child_by_field_name("length")], self.fresh(arguments), node))
        values = [self.evaluate(c) for c in arguments.named_children] if arguments is not None else []
        return self.address_of(Cell(self.construct(type_name, values, node)))

    def fresh(self, arguments: Node | None) -> Value:
        """What `new T` leaves in T's fields: nothing without parentheses, zero with them."""
        from bindlint.facts.host_values import UNSET

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

_LOCATORS: dict[str, Callable[[Expressions, Node], Target]] = {
    "identifier": Expressions._locate_name,
    "field_identifier": Expressions._locate_name,
    "type_identifier": Expressions._locate_name,
    "qualified_identifier": Expressions._locate_name,
    "template_function": Expressions._locate_name,
    "parenthesized_expression": Expressions._locate_inside,
    "field_expression": Expressions._locate_field,
    "subscript_expression": Expressions._locate_element,
    "pointer_expression": Expressions._locate_pointed,
    "call_expression": Expressions._locate_call,
    "assignment_expression": Expressions._locate_assignment,
    "update_expression": Expressions._locate_update,
}
