"""The objects of the API in host code: what they are called, which variables hold them, and what is seen of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.activations import as_within, local_scope
from bindlint.facts.host.covers import ADDRESSES, HOLDERS, Covers
from bindlint.facts.host.index import Function, Index
from bindlint.facts.host.machine import Frame
from bindlint.facts.host.places import Target, held_cells
from bindlint.facts.host.syntax import Declared, Parameter, Path, text_of
from bindlint.facts.host.values import IDENTITY, Array, Cell, Outcome, Pointer, Record, Unknown, Value
from bindlint.model.device import (
    HostCall,
    HostCommandSignature,
    HostHeap,
    HostPipeline,
    HostRef,
    HostStateObject,
    ShaderSignature,
)
from bindlint.model.host import WrapperDescription
from bindlint.model.source import Span

_SIGHTED = 5
"""Steps that telling of a call or an object takes."""
MADE = "@made"
"""The field of an object that is created in the code at hand: by which call."""
OF, BLOB = "@of", "@blob"
"""The fields of a root signature and of its serialized form: the call that takes its description."""

_TEXT = 80

Made = HostHeap | HostPipeline | HostCommandSignature | HostStateObject | ShaderSignature
Sighting = tuple[HostCall | Made, bool]
"""What is seen, and whether it is in a function that runs on its own, with arguments that are not known."""


class Objects(Covers):
    """Naming objects. `same` leads from the name of a variable to that of another one that holds the same object."""

    def __init__(self, index: Index, wrappers: dict[str, WrapperDescription], steps: int, same: dict[str, str]) -> None:
        super().__init__(index, wrappers, steps, lambda *_: None)
        self.same = same
        self.sightings: list[Sighting] = []
        self.signature_keys: list[tuple[Span, str, str, str]] = []
        """The call that takes a description, the function that is run, the key of the signature, what creates it."""
        self.other_keys: dict[str, set[str]] = {}
        """The keys of the variables to which what a call has made (`MADE`) is handed on."""
        self._origins: dict[str, Span] = {}
        self._completed: Node | None = None
        self._outermost = ""
        self._names: dict[Cell, str] = {}
        self._held: dict[int, tuple[Record | Array, str]] = {}
        self._of_class: dict[Cell, str] = {}
        self._declared: dict[str, list[int]] = {}
        self._activations: Counter[str] = Counter()

    @property
    def function(self) -> str:
        """The function whose text runs."""
        return next((f.function for f in reversed(self.frames) if f.function), self._outermost)

    @property
    def scope(self) -> str:
        """What stands before the names of its locals."""
        frame = next((f for f in reversed(self.frames) if f.function), None)
        return local_scope(frame.function, frame.number) if frame is not None else local_scope(self._outermost, 0)

    def sight(self, value: HostCall | Made) -> None:
        self.left -= _SIGHTED
        if not self.silent:
            alone = not any(frame.function for frame in self.frames)
            self.sightings.append((value if alone else as_within(value, self.scope), alone))

    def span(self, node: Node) -> Span:
        source, start, end = self.place(node)
        return source.span(start, end)

    def origin(self, node: Node) -> str:
        """What stands for a call that takes the description of a root signature."""
        span = self.span(node)
        origin = f"{span.file}:{span.start}"
        self._origins[origin] = span
        return origin

    def completed(self, record: Record, node: Node) -> None:
        self._completed = node
        if record.type == api.MINIENGINE:
            key = self._key_held(record)
            self._made_from(self.origin(node), key, key)

    def _made_from(self, origin: str, key: str, made: str) -> None:
        if key and not self.silent:
            self.signature_keys.append((self._origins[origin], self._outermost, key, made))

    # The state of a run.

    def _prepare(self) -> None:
        super()._prepare()
        self.undecided = 0
        self._names.clear()
        self._of_class.clear()
        self._held.clear()
        self._declared.clear()
        self._activations.clear()

    def run_function(self, function: Function) -> None:
        self._outermost = "::".join(function.path)
        super().run_function(function)

    def _run(
        self, frame: Frame, parameters: tuple[Parameter, ...], nodes: list[Node], values: list[Value] | None,
        body: Node, function: Function | None = None,
    ) -> Value:  # fmt: skip
        frame.function = self.function if function is None else "::".join(function.path)
        self._activations[frame.function] += 1
        frame.number = self._activations[frame.function]
        return super()._run(frame, parameters, nodes, values, body, function)

    def settle(self, outcomes: list[Outcome], why: Unknown) -> str | None:
        before = self.journal.merged
        try:
            return super().settle(outcomes, why)
        finally:
            self.left -= (self.journal.merged - before) // 4

    def _unbounded(self, node: Node, body: Node | None, advance: Callable[[], None]) -> str | None:
        self.undecided += 1
        try:
            return super()._unbounded(node, body, advance)
        finally:
            self.undecided -= 1

    # Names.

    def _name(self, cell: Cell, key: str) -> None:
        owner, colons, name = key.rpartition("::")
        known = self.same.get(name)
        key = owner + colons + known if known is not None else key
        self._names[cell] = key
        self._hold(cell.value, key)

    def _hold(self, value: Value, key: str) -> None:
        if isinstance(value, Pointer):
            pointed = value.cell
            if pointed is not None and pointed not in self._names:
                owner = self._key_held(value.array)
                self._name(pointed, f"{owner}[{value.index}]" if owner else key)
        elif isinstance(value, Record) and not value.type:
            if IDENTITY not in value.fields:
                value.fields[IDENTITY] = Cell(key)
        elif isinstance(value, Record | Array):
            self._held.setdefault(id(value), (value, key))

    def _key_held(self, value: Value) -> str:
        if isinstance(value, Record):
            identity = value.fields.get(IDENTITY)
            if identity is not None:
                return identity.value if isinstance(identity.value, str) else ""
        held = self._held.get(id(value))
        return held[1] if held is not None else ""

    def look_up(self, path: Path, node: Node) -> Cell:
        cell = super().look_up(path, node)
        if cell not in self._names and not cell.constant:
            key = self._spelled(path, cell)
            if key:
                self._name(cell, key)
        return cell

    def _spelled(self, path: Path, cell: Cell) -> str:
        name = path[-1]
        if len(path) == 1:
            if self.local(name) is cell:
                return f"{self.scope}::{name}"
            this = self.frame.this
            if this is not None and this.fields.get(name) is cell:
                self._note_class(cell, this, name)
                owner = self._key_held(this)
                return f"{owner}.{name}" if owner else "::".join((*self.frame.path, name))
        known = next((key for key, value in reversed(self.shared.items()) if value is cell), None)
        if known is None:
            return ""
        if known[0]:
            return "::".join(known)
        return "::".join((*self.frame.path, *path) if len(path) == 1 else path)

    def _note_class(self, cell: Cell, record: Record, name: str) -> None:
        struct = self.struct_named(record.type) if record.type else None
        if struct is not None:
            self._of_class[cell] = f"{struct.name}::{name}"

    def _declare(self, node: Node, declarator: Node, type_name: str, static: bool, constant: bool) -> None:
        super()._declare(node, declarator, type_name, static, constant)
        name = self.declared(declarator).name
        cell = self.frame.scopes[-1].get(name)
        if cell is None or cell in self._names:
            return
        key = f"{self.function}()::{name}" if static else f"{self.scope}::{name}"
        places = self._declared.setdefault(key, [])
        if node.start_byte not in places:
            places.append(node.start_byte)
        number = places.index(node.start_byte)
        self._name(cell, f"{key}#{number + 1}" if number else key)

    def _variable_cell(
        self, declared: Declared, declarator: Node, value: Node | None, type_name: str, static: bool
    ) -> Cell:
        if declared.pointers and declared.sizes and value is not None and value.type == "initializer_list":
            return Cell(self.initialise(type_name, declared.sizes, value), self.place(declarator))
        return super()._variable_cell(declared, declarator, value, type_name, static)

    def field(self, record: Record, name: str, node: Node | None = None) -> Cell:
        if node is not None and record.name == "this" and not record.type and record.place is None:
            return self.look_up((name,), node)
        cell = super().field(record, name, node)
        if node is not None and cell not in self._names and record.type not in api.RECORDS:
            owner = self._key_held(record)
            if owner:
                self._name(cell, f"{owner}.{name}")
            self._note_class(cell, record, name)
        return cell

    def element(self, value: Value, index: Value, node: Node) -> tuple[list[Cell], bool]:
        if isinstance(value, Record) and not value.type:
            key = f"[{index}]" if isinstance(index, int | str) else "[*]"
            cell = self.field(value, key)
            if cell not in self._names and (owner := self._key_held(value)):
                self._name(cell, owner + key)
            return [cell], key != "[*]"
        cells, sure = super().element(value, index, node)
        array = value.array if isinstance(value, Pointer) else value
        owner = self._key_held(array)
        if sure and isinstance(array, Array) and cells[0] not in self._names and owner:
            self._name(cells[0], f"{owner}[{array.cells.index(cells[0])}]")
        return cells, sure

    def write(self, cell: Cell, value: Value, node: Node) -> None:
        super().write(cell, value, node)
        key = self._names.get(cell, "")
        if key and isinstance(cell.value, Record):
            self._hold(cell.value, key)
        made = value.fields.get(MADE) if isinstance(value, Record) else None
        origin = value.fields.get(OF) if isinstance(value, Record) else None
        for name in (key, self._of_class.get(cell, "")):
            if made is not None and isinstance(made.value, str) and name and name != self._key_held(value):
                self.other_keys.setdefault(made.value, set()).add(name)
            if origin is not None and isinstance(origin.value, str):
                self._made_from(origin.value, name, str(made.value) if made is not None else name)

    def spoil(self, cell: Cell, why: Unknown, node: Node) -> None:
        """An object whose content may have changed is the same object still."""
        held = self._held.get(id(cell.value))
        super().spoil(cell, why, node)
        if held is not None and isinstance(cell.value, Record) and cell.value.type:
            self._held[id(cell.value)] = cell.value, held[1]

    # Uses.

    def ref(self, node: Node) -> HostRef:
        """The object that an expression is, or is the address of."""
        node = self.uncovered(node)
        return self.ref_to(self.locate(node), node)

    def ref_or_null(self, node: Node) -> HostRef | None:
        """As `ref`, None where the expression is a null pointer."""
        inner = self.uncovered(node)
        target = self.locate(inner)
        if target.certain and target.cells[0].value == 0 and isinstance(target.cells[0].value, int):
            return None
        return self.ref_to(target, inner)

    def ref_to(self, target: Target, node: Node) -> HostRef:
        return HostRef(self.key_of(target, node), " ".join(text_of(node).split())[:_TEXT], self.span(node))

    def key_of(self, target: Target, node: Node) -> str:
        if not target.certain:
            named = self._names.get(target.cells[0], "") if len(target.cells) == 1 else ""
            if named or node.type != "subscript_expression":
                return named
            argument = node.child_by_field_name("argument")
            owner = self.ref(argument).key if argument is not None else ""
            return f"{owner}[*]" if owner else ""
        key = self.key_of_cell(target.cells[0])
        if not key and node.type == "call_expression":
            return self.by_text(node)
        return key

    def key_of_cell(self, cell: Cell) -> str:
        """The key of the object that a variable is, holds or points to."""
        for _ in range(4):
            key = self._key_held(cell.value) if isinstance(cell.value, Record) else ""
            key = key or self._names.get(cell, "")
            pointed = cell.value.cell if isinstance(cell.value, Pointer) else None
            if pointed is None:
                break
            inner = self._key_held(pointed.value) or self._names.get(pointed, "")
            if not inner and not isinstance(pointed.value, Pointer):
                break
            key, cell = inner, pointed
        return key

    def by_text(self, node: Node) -> str:
        """The key of what a call returns that is not followed: the same for the same text."""
        return f"{self.function}()::{' '.join(text_of(node).split())}"

    def holder_method(self, argument: Node, receiver: Target, name: str) -> Target | Value | None:
        """`x.Get()` and the like: the object that a smart pointer holds, or where it holds it."""
        if name not in HOLDERS or not receiver.certain or self.is_followed(receiver, name):
            return None
        cell = receiver.cells[0]
        if (isinstance(cell.value, Record) and cell.value.type) or isinstance(cell.value, Array | Pointer):
            return None
        if name in ADDRESSES:
            return self.address_of(cell)
        if isinstance(cell.value, Record):
            return receiver
        key = self.key_of(receiver, argument)
        return self.object(key, self.unknown(f"`{text_of(argument)[:60]}` is set elsewhere", argument)) if key else None

    # Objects that are made.

    @staticmethod
    def object(key: str, fill: Value, **fields: Value) -> Record:
        record = Record("", fill)
        record.fields[IDENTITY] = Cell(key)
        for name, value in fields.items():
            record.fields[f"@{name}"] = Cell(value)
        return record

    def create(self, out: Node, node: Node, **fields: Value) -> str:
        """What a call makes is in the variable whose address it is given; its key."""
        inner = self.uncovered(out)
        target = self.locate(inner)
        key = self.key_of_variable(target, inner)
        made = f"{self.span(node).start}:{self.function}:{key}"
        record = self.object(key, self.unknown("is an object", node), made=made, **fields)
        origin = fields.get(OF[1:])
        if isinstance(origin, str):
            self._made_from(origin, key, made)
        for cell in held_cells(target):
            if target.certain:
                self.write(cell, record, node)
            else:
                self.spoil(cell, self.unknown("it is not known which element is made", node), node)
        return key

    def key_of_variable(self, target: Target, node: Node) -> str:
        """The key of a variable that is written, whatever it holds before."""
        cells = held_cells(target)
        if target.certain and cells and cells[0] in self._names:
            return self._names[cells[0]]
        return self.key_of(target, node)
