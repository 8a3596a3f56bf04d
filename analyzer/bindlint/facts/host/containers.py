"""Methods of the vectors and arrays of host code."""

from __future__ import annotations

from tree_sitter import Node

from bindlint.facts.host.initializers import Initializers
from bindlint.facts.host.machine import MAX_ELEMENTS
from bindlint.facts.host.places import Target
from bindlint.facts.host.syntax import text_of
from bindlint.facts.host.values import Array, Cell, Pointer, Record, Unknown, Value


class Containers(Initializers):
    """Growing and asking containers."""

    def incomplete(self, array: Array, node: Node) -> Unknown:
        return self.unknown(f"the number of elements of `{array.name or text_of(node)[:40]}` is not known", node)

    def container(self, node: Node, array: Array, name: str, nodes: list[Node]) -> Target | Value:
        """Methods of vectors and arrays."""
        cells, complete = array.state
        if name in ("push_back", "emplace_back", "Add", "push", "append", "PushBack", "add") and array.grows:
            if len(cells) >= MAX_ELEMENTS:
                self.journal.write(array, (cells, False))
                return self.unknown("is too long to be read", node)
            if name == "emplace_back" and len(nodes) != 1:
                made = self.construct(array.element, [self.argument(n) for n in nodes], node)
            elif nodes:
                made = self.initialise(array.element, [], nodes[0])
                if name == "emplace_back" and not isinstance(made, Record) and self.canonical(array.element):
                    made = self.construct(array.element, [made], node)
            else:
                made = self.default(array.element, [], 0, node)
            cell = Cell(made, self.place(node))
            self.tick(1 + len(cells) // 8)
            self.journal.write(array, ((*cells, cell), complete))
            return Target([cell])
        if name in ("size", "length", "Size", "Num", "count") and not nodes:
            return len(cells) if complete else self.incomplete(array, node)
        if name in ("data", "begin", "cbegin", "Data", "get", "GetData"):
            return Pointer(array)
        if name in ("end", "cend") and complete:
            return Pointer(array, len(cells))
        if name in ("back", "front"):
            if cells and (complete or name == "front"):
                return Target([cells[-1 if name == "back" else 0]])
            return self.unknown(f"the elements of `{array.name}` are not known", node)
        if name == "at" and nodes:
            found, sure = self.element(array, self.evaluate(nodes[0]), node)
            return Target(found, sure)
        if name in ("resize", "assign") and nodes and array.grows:
            values = [self.evaluate(n) for n in nodes]
            if name == "assign":
                self.journal.write(array, ((), True))
            self.resize(array, values[0], node, values[1] if len(values) > 1 else None)
            return 0
        if name == "clear":
            self.journal.write(array, ((), True))
            return 0
        if name == "pop_back" and complete:
            self.journal.write(array, (cells[:-1], True))
            return 0
        if name == "empty":
            return int(not cells) if complete else self.incomplete(array, node)
        if name in ("reserve", "capacity", "shrink_to_fit"):
            return 0
        for n in nodes:
            self.argument(n)
        if array.grows:
            self.journal.write(array, (cells, False))
        for cell in cells:
            self.spoil(cell, self.unknown(f"`{name}` may change it", node), node)
        return self.unknown(f"`{name}` of a container is not read", node, unread=True)
