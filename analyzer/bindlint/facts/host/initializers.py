"""Objects of host code as their initializers make them: constructors, aggregates, designated fields, arrays."""

from __future__ import annotations

from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.expressions import Expressions
from bindlint.facts.host.index import Function
from bindlint.facts.host.machine import MAX_ELEMENTS, MAX_INLINED, pointer_to, type_path
from bindlint.facts.host.syntax import text_of
from bindlint.facts.host.values import UNSET, Array, Cell, Pointer, Record, Unknown, Value
from bindlint.nesting import MAX_NESTING

_LIST = "initializer_list"


class _Items:
    """The elements of a braced list, taken one by one; those of a list that leaves out inner braces are shared."""

    def __init__(self, node: Node) -> None:
        self.nodes = [c for c in node.named_children if c.type != "comment"]
        self.next = 0

    def peek(self) -> Node | None:
        return self.nodes[self.next] if self.next < len(self.nodes) else None

    def take(self) -> Node | None:
        node = self.peek()
        self.next += 1
        return node


class Initializers(Expressions):
    """Making objects."""

    def argument(self, node: Node) -> Value:
        return self.initialise("", [], node) if node.type == "initializer_list" else self.evaluate(node)

    def reset(self, record: Record, arguments: list[Value], node: Node) -> None:
        raise NotImplementedError

    def inline(
        self, function: Function, arguments: list[Node], values: list[Value] | None, this: Record | None
    ) -> Value:
        raise NotImplementedError

    def construct(self, type_name: str, arguments: list[Value], node: Node, braces: Node | None = None) -> Value:
        """An object of a type from constructor arguments or from a braced list."""
        known = self.canonical(type_name)
        if braces is not None:
            items = [c for c in braces.named_children if c.type != "comment"]
            designated = bool(items) and items[0].type == "initializer_pair"
            user = bool(items) and not designated and known and self._is_user(type_name)
            helper = items and not designated and "CD3DX12" in type_name
            if not (helper or user) or any(i.type == _LIST for i in items):
                return self.initialise(type_name, [], braces)
            arguments = [self.evaluate(i) for i in items]
        if not known:
            return self._construct_other(type_name, arguments, node)
        if len(arguments) == 1 and isinstance(arguments[0], Record):
            return self._converted(known, arguments[0], node)
        record = Record(known, 0 if not arguments else UNSET, self.place(node))
        if arguments and self._is_user(type_name):
            self._user_constructor(type_name, record, arguments, node)
        elif known == api.MINIENGINE:
            self.reset(record, arguments, node)
        elif arguments and not self.invoke(record, self._constructor(known, arguments), arguments, node):
            record.fill = self.unknown(f"`{text_of(node)[:60]}` is not read", node, unread=True)
        return record

    def _is_user(self, type_name: str) -> bool:
        struct = self.struct_named(type_name)
        return struct is not None and bool(struct.bases)

    def constructed(self, type_name: str, known: str, node: Node) -> Value:
        """What a constructor without arguments makes."""
        record = Record(known or "::".join(type_path(type_name)), UNSET, self.place(node))
        self._user_constructor(type_name, record, [], node)
        return record

    def _user_constructor(self, type_name: str, record: Record, arguments: list[Value], node: Node) -> None:
        struct = self.struct_named(type_name)
        assert struct is not None
        found = [f for f in self.index.functions.find((*struct.path, struct.path[-1]), ()) if f.takes(len(arguments))]
        if len(found) == 1 and len(self.frames) <= MAX_INLINED:
            self.inline(found[0], [], arguments, record)
            return
        record.fill = self.unknown(f"the constructor of `{type_name}` is not known", node, unread=True)

    def _constructor(self, known: str, arguments: list[Value]) -> str:
        """The Init method that a constructor calls; that of a versioned description goes by its arguments' types."""
        if known != api.VERSIONED:
            return "Init"
        pointer = pointer_to(arguments[1]) if len(arguments) > 1 else None
        element = ""
        if isinstance(pointer, Pointer):
            cell = pointer.cell
            element = cell.value.type if cell is not None and isinstance(cell.value, Record) else ""
            element = element or self.canonical(pointer.array.element)
        return "Init_1_0" if element == api.PARAMETERS[0] else "Init_1_1"

    def _converted(self, known: str, value: Record, node: Node) -> Value:
        if known == api.VERSIONED and value.type in api.SIGNATURES:
            record = Record(known, 0, self.place(node))
            minor = api.SIGNATURES.index(value.type)
            self.write(self.field(record, "Version"), minor + 1, node)
            self.write(self.field(record, f"Desc_1_{minor}"), self.copy(value), node)
            return record
        copied = self.copy(value)
        assert isinstance(copied, Record)
        if not copied.type or copied.type not in api.RECORDS:
            copied.type = known
        return copied

    def _construct_other(self, type_name: str, arguments: list[Value], node: Node) -> Value:
        element = self.element_type(type_name)
        if element:
            if len(arguments) == 1 and isinstance(arguments[0], Array):
                return self.copy(arguments[0])
            made = self.default(type_name, [], 0, node)
            if isinstance(made, Array) and arguments and made.grows:
                self.resize(made, arguments[0], node, arguments[1] if len(arguments) > 1 else None, element)
            return made
        if len(arguments) == 1 and self.struct_named(type_name) is None:
            return self.convert(arguments[0], type_name)
        if arguments:
            return Record("", self.unknown(f"`{text_of(node)[:60]}` is not read", node, unread=True), self.place(node))
        return self.default(type_name, [], 0, node)

    def resize(self, array: Array, count: Value, node: Node, value: Value | None = None, element: str = "") -> None:
        """Make a vector that long."""
        if isinstance(count, Pointer) or not isinstance(count, int) or not 0 <= count <= MAX_ELEMENTS:
            self.journal.write(array, (array.cells, False))
            return
        if not self.is_followed_far(element or array.element, count):
            self.journal.write(array, ((), False))
            return
        self.tick(count)
        cells = [*array.cells[:count]]
        for _ in range(count - len(cells)):
            made = self.default(element or array.element, [], 0, node) if value is None else self.copy(value)
            cells.append(Cell(made, None if value is None else self.place(node)))
        self.journal.write(array, (tuple(cells), array.complete))

    def invoke(self, record: Record, method: str, arguments: list[Value], node: Node) -> bool:
        """A method of d3dx12 as the assignments that it makes; False where there is none that takes the arguments."""
        known = api.METHODS.get((record.type, method))
        if known is None or not known.required <= len(arguments) <= len(known.fields):
            return False
        for name, number in known.sets.items():
            self.write(self.field(record, name), number, node)
        for i, path in enumerate(known.fields):
            value = arguments[i] if i < len(arguments) else known.defaults[path]
            owner, _, name = path.rpartition(".")
            holder = self.field(record, owner).value if owner else record
            if isinstance(holder, Record):
                self.write(self.field(holder, name), pointer_to(value), node)
        return True

    def initialise(self, type_name: str, sizes: list[Node | None], node: Node, fill: Value = 0) -> Value:
        """The object that `T x = node`, `T x{...}` or an element of a braced list makes; `sizes` are array bounds."""
        self.tick()
        if self.depth > MAX_NESTING:
            return self.too_deep(node)
        self.depth += 1
        try:
            return self._initialised(type_name, sizes, node)
        finally:
            self.depth -= 1

    def _initialised(self, type_name: str, sizes: list[Node | None], node: Node) -> Value:
        if node.type != _LIST:
            value = self.evaluate(node)
            if isinstance(value, Record) and type_name:
                known = self.canonical(type_name)
                return self._converted(known, value, node) if known else self.copy(value)
            return self.copy(value) if isinstance(value, Array) and (value.grows or not sizes) else value
        if sizes:
            return self._array(type_name, sizes, node)
        element = self.element_type(type_name)
        if element:
            return self._list_of(type_name, element, node)
        items = _Items(node)
        known = self.canonical(type_name)
        if known and known in api.RECORDS:
            first = items.peek()
            if first is not None and "CD3DX12" in type_name and first.type not in (_LIST, "initializer_pair"):
                return self.construct(type_name, [], node, node)
            return self._aggregate(known, items, node)
        if not items.nodes:
            return self.default(type_name, [], 0, node) if type_name else 0
        if self.struct_named(type_name) is not None:
            return self._user_aggregate(type_name, items, node)
        if len(items.nodes) == 1 and items.nodes[0].type != "initializer_pair":
            return self.initialise(type_name, [], items.nodes[0])
        return self._untyped(items, node)

    def _untyped(self, items: _Items, node: Node) -> Value:
        """A list whose type is not known: an array of what stands in it."""
        if any(item.type == "initializer_pair" for item in items.nodes):
            return Record("", self.unknown(f"the type of `{text_of(node)[:60]}` is not known", node, unread=True))
        return Array(
            "", [Cell(self.initialise("", [], i), self.place(i)) for i in items.nodes], False, self.place(node)
        )

    def _array(self, type_name: str, sizes: list[Node | None], node: Node) -> Value:
        items = _Items(node)
        bound = self.evaluate(sizes[0]) if sizes[0] is not None else None
        cells: list[Cell] = []
        while items.peek() is not None and len(cells) < MAX_ELEMENTS:
            item = items.peek()
            assert item is not None
            if item.type == "initializer_pair":
                items.take()
                place, value = self._element_pair(item)
                if place is None or value is None:
                    return Array(type_name, (), False, self.place(node), complete=False)
                while len(cells) <= place:
                    cells.append(Cell(self.default(type_name, sizes[1:], 0, node)))
                cells[place] = Cell(self.initialise(type_name, sizes[1:], value), self.place(value))
                continue
            made = self._next(type_name, sizes[1:], items)
            cells.append(Cell(made, self.place(item)))
        if isinstance(bound, int) and 0 <= bound <= MAX_ELEMENTS:
            self.tick(bound)
            cells += [Cell(self.default(type_name, sizes[1:], 0, node)) for _ in range(bound - len(cells))]
        whole = isinstance(bound, int) and len(cells) >= bound
        complete = whole or (sizes[0] is None and items.peek() is None)
        return Array(type_name, cells, False, self.place(node), complete=complete)

    def _element_pair(self, item: Node) -> tuple[int | None, Node | None]:
        designator = item.child_by_field_name("designator")
        index = (
            self.evaluate(designator.named_children[0])
            if designator is not None and designator.named_children
            else None
        )
        small = isinstance(index, int) and 0 <= index < MAX_ELEMENTS
        return index if small and isinstance(index, int) else None, item.child_by_field_name("value")

    def _next(self, type_name: str, sizes: list[Node | None], items: _Items) -> Value:
        """The next element of a list for something of that type, whose own braces may be left out."""
        item = items.peek()
        assert item is not None
        known = self.canonical(type_name) if not sizes else ""
        if item.type == _LIST or sizes or not known:
            items.take()
            return self.initialise(type_name, sizes, item)
        value = self.evaluate(item)
        if isinstance(value, Record | Unknown) or known not in api.RECORDS:
            items.take()
            return self._converted(known, value, item) if isinstance(value, Record) else value
        return self._aggregate(known, items, item)

    def _list_of(self, type_name: str, element: str, node: Node) -> Value:
        items = _Items(node)
        inner = items.peek()
        made = self.default(type_name, [], 0, node)
        if not isinstance(made, Array):
            return made
        fixed = not made.grows
        if fixed and inner is not None and inner.type == _LIST and len(items.nodes) == 1:
            items = _Items(inner) if self.canonical(element) != "" and _has_list(inner) else items
        cells: list[Cell] = []
        while (item := items.peek()) is not None and len(cells) < MAX_ELEMENTS:
            cells.append(Cell(self._next(element, [], items), self.place(item)))
        cells += made.cells[len(cells) :]
        return Array(element, cells, made.grows, self.place(node), made.complete and items.peek() is None)

    def _aggregate(self, known: str, items: _Items, node: Node) -> Record:
        record = Record(known, 0, self.place(node))
        for field in api.RECORDS[known]:
            item = items.peek()
            if item is None:
                break
            if item.type == "initializer_pair":
                items.take()
                self._pair(record, item)
                while (more := items.peek()) is not None and more.type == "initializer_pair":
                    items.take()
                    self._pair(record, more)
                break
            self._positional(record, field.split("|"), items)
        return record

    def _positional(self, record: Record, names: list[str], items: _Items) -> None:
        item = items.peek()
        assert item is not None
        nested = api.FIELD_TYPES.get((record.type, names[0]))
        if nested is None:
            items.take()
            self.write(self.field(record, names[0]), pointer_to(self.initialise("", [], item)), item)
            return
        if item.type == _LIST and len(names) > 1:
            inner = [c for c in item.named_children if c.type != "comment"]
            if inner and inner[0].type == "initializer_pair" and _designated(inner[0]) in names:
                items.take()
                for pair in inner:
                    self._pair(record, pair)
                return
            if len(inner) == 1 and inner[0].type == _LIST:
                items.take()
                self.write(self.field(record, names[0]), self.initialise(nested, [], inner[0]), item)
                return
        self.write(self.field(record, names[0]), self._next(nested, [], items), item)

    def _pair(self, record: Record, pair: Node) -> None:
        name, value = _designated(pair), pair.child_by_field_name("value")
        if value is None:
            return
        holder: Record = record
        for part in name.split(".")[:-1]:
            inner = self.field(holder, part).value
            if not isinstance(inner, Record):
                return
            holder = inner
        last = name.rpartition(".")[2]
        nested = api.FIELD_TYPES.get((holder.type, last), "")
        self.write(self.field(holder, last), pointer_to(self.initialise(nested, [], value)), pair)

    def _user_aggregate(self, type_name: str, items: _Items, node: Node) -> Value:
        struct = self.struct_named(type_name)
        assert struct is not None
        record = Record(struct.name, 0, self.place(node))
        if struct.bases or any(m.inline is not None for m in struct.members):
            record.fill = self.unknown(f"the initializer of `{struct.path[-1]}` is not read", node, unread=True)
            return record
        constructor = self.index.functions.find((*struct.path, struct.path[-1]), ())
        if constructor:
            record.fill = self.unknown(f"the constructor of `{struct.path[-1]}` is not read", node, unread=True)
            return record
        for item, member in zip(items.nodes, struct.members, strict=False):
            if item.type == "initializer_pair":
                self._pair(record, item)
            elif member.declared.pointers:
                self.write(self.field(record, member.declared.name), pointer_to(self.evaluate(item)), item)
            else:
                self.write(
                    self.field(record, member.declared.name),
                    self.initialise(member.type, member.declared.sizes, item),
                    item,
                )
        return record


def _designated(pair: Node) -> str:
    return ".".join(text_of(d).lstrip(".") for d in pair.children_by_field_name("designator"))


def _has_list(node: Node) -> bool:
    return any(
        c.type == _LIST or c.type in ("call_expression", "compound_literal_expression", "identifier")
        for c in node.named_children
    )
