"""Expressions of host code that name variables, elements and fields; reading and writing these."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.arithmetic import Arithmetic
from bindlint.facts.host.machine import pointer_to
from bindlint.facts.host.syntax import Path, text_of
from bindlint.facts.host.values import (
    Array,
    Cell,
    Closure,
    Pointer,
    Record,
    Unknown,
    Unset,
    Value,
    merged,
)
from bindlint.nesting import MAX_NESTING


class Target:
    """What stands left of an assignment: one cell, or several of which it is not known which one is meant."""

    __slots__ = ("cells", "certain")

    def __init__(self, cells: list[Cell], certain: bool = True) -> None:
        self.cells = cells
        self.certain = certain and len(cells) == 1


def held_cells(target: Target) -> list[Cell]:
    """The cells that hold an object, where they or their addresses are given."""
    pointed = [(cell, cell.value.cell if isinstance(cell.value, Pointer) else None) for cell in target.cells]
    return [cell if held is None else held for cell, held in pointed]


class Places(Arithmetic):
    """Finding, reading and writing cells."""

    def call(self, node: Node) -> Value:
        raise NotImplementedError

    def call_target(self, node: Node) -> Target | None:
        raise NotImplementedError

    def device_method(
        self, node: Node, argument: Node, receiver: Target, name: str, nodes: list[Node]
    ) -> Target | Value | None:
        """A method of an object of the API; None for every other."""
        return None

    def device_function(self, node: Node, path: Path, nodes: list[Node]) -> Value | None:
        """A function of the API's libraries; None for every other."""
        return None

    def locate(self, node: Node) -> Target:
        """The cells that an expression names; the value of any other expression in a cell of its own."""
        self.tick()
        if self.depth > MAX_NESTING:
            self.too_deep(node)
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
            if isinstance(value, Array) and not (
                isinstance(old, Array) and (old.grows or value.grows or not old.grows)
            ):
                value = pointer_to(value)
            copied = self.copy(value)
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
        if isinstance(value, Array):
            self.tick(1 + len(value.cells))
            for each in value.cells:
                self.spoil(each, why, node)
            if value.grows:
                self.journal.write(value, (value.cells, False))
        elif isinstance(value, Record):
            if value.fields or not isinstance(value.fill, Unknown):
                self.write(cell, Record(value.type, why, value.place, value.name), node)
        elif not isinstance(value, Closure | Unknown):
            self.write(cell, why, node)

    def _locate_name(self, node: Node) -> Target:
        return Target([self.look_up(self.path(node), node)])

    def _locate_inside(self, node: Node) -> Target:
        inner = next((c for c in node.named_children if c.type != "comment"), None)
        return self.locate(inner) if inner is not None else Target([], False)

    def _locate_field(self, node: Node) -> Target:
        argument, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
        if argument is None or field is None:
            return Target([], False)
        base = self.locate(argument)
        self.tick(len(base.cells))
        cells: list[Cell] = []
        name = self.path(field)[-1:]
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
        self.tick(len(base.cells))
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
            offset = value.index
            value = value.array
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
                type_name = (
                    value.type if isinstance(value, Record) else value.element if isinstance(value, Array) else ""
                )
                if isinstance(value, Array):
                    made: Value = self.initialise(
                        f"vector<{type_name}>" if value.grows else type_name, [] if value.grows else [None], right
                    )
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


_LOCATORS: dict[str, Callable[[Places, Node], Target]] = {
    "identifier": Places._locate_name,
    "field_identifier": Places._locate_name,
    "type_identifier": Places._locate_name,
    "qualified_identifier": Places._locate_name,
    "template_function": Places._locate_name,
    "parenthesized_expression": Places._locate_inside,
    "field_expression": Places._locate_field,
    "subscript_expression": Places._locate_element,
    "pointer_expression": Places._locate_pointed,
    "call_expression": Places._locate_call,
    "assignment_expression": Places._locate_assignment,
    "update_expression": Places._locate_update,
}
