"""Descriptor handles: which heap they point into, and how many descriptors after its start."""

from __future__ import annotations

import re

from tree_sitter import Node

from bindlint.facts.host import device_api
from bindlint.facts.host.machine import pointer_to
from bindlint.facts.host.objects import Objects
from bindlint.facts.host.places import Target
from bindlint.facts.host.values import Cell, Pointer, Record, Unknown, Value, clone, merged
from bindlint.model.device import HostHandle, HostRef

ADDRESS = "@address"
INCREMENT = "@increment"
_SIDES = {device_api.CPU_HANDLE: "cpu", device_api.GPU_HANDLE: "gpu"}
_LIST = "initializer_list"
_INCREMENT = re.compile(rb"(\w+)(?:\[[^\]]*\])?\s*=[^;={}]*GetDescriptorHandleIncrementSize\s*\(")
"""Variables that hold the size of a descriptor."""
_STATEMENT_END = re.compile(rb"[;{}]")


def increments_in(text: bytes) -> set[str]:
    """The names of variables that a text lets hold the size of a descriptor."""
    told = (part for part in _STATEMENT_END.split(text) if b"GetDescriptorHandleIncrementSize" in part)
    return {match[1].decode() for part in told for match in _INCREMENT.finditer(part)}


class Handles(Objects):
    """Values of handles. `increments` are the names of variables that hold the size of a descriptor."""

    increments: frozenset[str] = frozenset()

    def _name(self, cell: Cell, key: str) -> None:
        value = cell.value
        if isinstance(value, Unknown) or (isinstance(value, Record) and not value.type):
            name = re.split(r"[.:]", key.partition("[")[0])[-1]
            if name in self.increments:
                cell.state = self.increment(1), cell.place
        super()._name(cell, key)

    def increment(self, count: Value) -> Record:
        """So many times the size of a descriptor."""
        record = Record(INCREMENT, Unknown("is the size of a descriptor"))
        record.fields["count"] = Cell(count)
        return record

    def address(self, heap: HostRef, index: Value) -> Record:
        record = Record(ADDRESS, Unknown("is an address"))
        for name, value in (("heap", heap.key), ("text", heap.text), ("index", index)):
            record.fields[name] = Cell(value)
        return record

    def start_of(self, heap: HostRef, kind: str, node: Node) -> Record:
        """The handle at the start of a heap."""
        record = Record(kind, 0, self.place(node))
        record.fields["ptr"] = Cell(self.address(heap, 0), self.place(node))
        return record

    def spoil(self, cell: Cell, why: Unknown, node: Node) -> None:
        if isinstance(cell.value, Record) and cell.value.type in (ADDRESS, INCREMENT):
            self.write(cell, why, node)
        else:
            super().spoil(cell, why, node)

    def assign(self, target: Target, value: Value, node: Node) -> None:
        if not target.certain:
            self.tick(len(target.cells) // 8)
        super().assign(target, value, node)

    def vary(self, cell: Cell, after: Value, why: Unknown, node: Node) -> None:
        before = cell.value
        kinds = {value.type if isinstance(value, Record) else "" for value in (before, after)}
        if kinds == {ADDRESS} or (len(kinds) == 1 and kinds <= {*_SIDES}):
            self.write(cell, merged(before, after, why), node)
        else:
            super().vary(cell, after, why, node)

    def combine(self, symbol: str, left: Value, right: Value, node: Node) -> Value:
        kinds = [v.type if isinstance(v, Record) else "" for v in (left, right)]
        if ADDRESS in kinds and symbol in "+-":
            address, offset = (left, right) if kinds[0] == ADDRESS else (right, left)
            assert isinstance(address, Record)
            return self._moved(address, self._descriptors(offset, node), node, symbol)
        if INCREMENT in kinds and symbol in "+-*":
            one, other = (_count(value) for value in (left, right))
            if symbol == "*" or kinds == [INCREMENT, INCREMENT]:
                return self.increment(super().combine(symbol, one, other, node))
        return super().combine(symbol, left, right, node)

    def _descriptors(self, offset: Value, node: Node) -> Value:
        """How many descriptors so many bytes are."""
        if isinstance(offset, Record) and offset.type == INCREMENT:
            return offset.fields["count"].value
        return 0 if isinstance(offset, int) and offset == 0 else self.unknown("is no number of descriptors", node)

    def _moved(self, address: Record, count: Value, node: Node, symbol: str = "+") -> Record:
        moved = clone(address)
        assert isinstance(moved, Record)
        moved.fields["index"] = Cell(super().combine(symbol, address.fields["index"].value, count, node))
        return moved

    def construct(self, type_name: str, arguments: list[Value], node: Node, braces: Node | None = None) -> Value:
        known = self.canonical(type_name)
        if known in _SIDES:
            if braces is not None and "CD3DX12" in type_name:
                items = [c for c in braces.named_children if c.type != "comment"]
                if items and all(c.type not in (_LIST, "initializer_pair") for c in items):
                    arguments, braces = [self.evaluate(c) for c in items], None
            if braces is None and len(arguments) in (2, 3) and isinstance(arguments[0], Record):
                return self.offset(arguments[0], arguments[1:], node, known)
        return super().construct(type_name, arguments, node, braces)

    def offset(self, base: Record, by: list[Value], node: Node, kind: str = "") -> Record:
        """A handle so many descriptors, or bytes, after another one."""
        made = Record(kind or base.type, base.fill, self.place(node))
        start = self.field(base, "ptr").value
        if isinstance(start, Record) and start.type == ADDRESS:
            step = by[-1]
            unusual = isinstance(step, int) or (
                isinstance(step, Record) and step.type == INCREMENT and step.fields["count"].value != 1
            )
            if len(by) == 1:
                count = self._descriptors(step, node)
            else:
                count = self.unknown("is not counted in descriptors", node) if unusual and by[0] != 0 else by[0]
            start = self._moved(start, count, node)
        self.write(self.field(made, "ptr"), start, node)
        return made

    def handle(self, node: Node) -> HostHandle:
        """The handle that an expression is."""
        return self.handle_of(self.argument(node), node)

    def handle_of(self, value: Value, node: Node) -> HostHandle:
        if isinstance(value, Pointer) and value.cell is not None:
            value = value.cell.value
        span = self.span(node)
        if not isinstance(value, Record) or value.type not in _SIDES:
            return HostHandle(span=span)
        start = self.field(value, "ptr").value
        side = _SIDES[value.type]
        if not isinstance(start, Record) or start.type != ADDRESS:
            return HostHandle(side=side, span=span)  # type: ignore[arg-type]
        key, text, index = (start.fields[name].value for name in ("heap", "text", "index"))
        heap = HostRef(key if isinstance(key, str) else "", text if isinstance(text, str) else "", span)
        return HostHandle(heap, index if isinstance(index, int) else None, side, span)  # type: ignore[arg-type]

    def handles(self, node: Node, count: int | None) -> tuple[HostHandle, ...] | None:
        """So many handles from an address on; None where they are not all known to be there."""
        value = pointer_to(self.argument(node))
        if not isinstance(value, Pointer) or count is None or not 0 <= count <= 256:
            return None
        cells = value.array.cells[value.index : value.index + count]
        return tuple(self.handle_of(cell.value, node) for cell in cells) if len(cells) == count else None


def _count(value: Value) -> Value:
    return value.fields["count"].value if isinstance(value, Record) and value.type == INCREMENT else value
