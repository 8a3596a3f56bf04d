"""The state of the host-code interpreter: what names mean where, and what types are made of."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from bindlint.facts import host_api as api
from bindlint.facts.host_index import Constant, Declared, Function, Index, Path, Source, Struct, Variable, text_of, type_text
from bindlint.facts.host_layout import Layout
from bindlint.facts.host_values import UNSET, Array, Cell, Journal, Place, Pointer, Record, Unknown, Value
from bindlint.model.host import HostRemark, WrapperDescription

MAX_ELEMENTS = 4096
_VECTOR = re.compile(r"(?:^|:: ?)(?:\w*[vV]ector|\w*Array|InplaceArray|deque|list)\w* ?< ?([\w: <>]+?) ?[,>]")
_FIXED = re.compile(r"(?:^|:: ?)(?:array|Array|StaticArray) ?< ?([\w: ]+?) ?, ?(.+?) ?>$")
_INITIALIZER_LIST = re.compile(r"(?:^|:: ?)(?:initializer_list|span) ?< ?([\w: ]+?) ?>$")


class Exhausted(Exception):
    """The work allowed for one function is done; ends its interpretation, and is caught there."""


class Frame:
    """One function on its way: its variables, where its names are looked up, what it returns."""

    def __init__(self, source: Source, path: Path, this: Record | None, body: str) -> None:
        self.source = source
        self.path = path
        self.this = this
        self.body = body
        self.scopes: list[dict[str, Cell]] = [{}]
        self.outer: tuple[dict[str, Cell], ...] = ()
        self.opened: list[Path] = []
        self.returns: list[Value] = []
        self.reference = False
        self.base = 0
        self.suspects: list[Cell] = []
        self.broken = False


class Machine:
    """What the parts of the interpreter share. `wrappers` are by function name."""

    def __init__(self, index: Index, wrappers: dict[str, WrapperDescription], steps: int) -> None:
        self.index = index
        self.wrappers = wrappers
        self.layout = Layout(index, self.constant_number, bool(index.aliases.by_name.get("SimpleMath")))
        self.journal = Journal()
        self.allowed = steps
        self.left = steps
        self.depth = 0
        self.remarks: list[HostRemark] = []
        self.frames: list[Frame] = []
        self.shared: dict[Path, Cell] = {}
        self.inlined: set[int] = set()
        self._constants: dict[int, Value] = {}

    # Implemented by the parts above this one.
    def evaluate(self, node: Node) -> Value:
        raise NotImplementedError

    def initialise(self, type_name: str, sizes: list[Node | None], node: Node, fill: Value = 0) -> Value:
        raise NotImplementedError

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def tick(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise Exhausted

    def place(self, node: Node) -> Place:
        base = self.frame.base
        return self.frame.source, node.start_byte + base, node.end_byte + base

    def unknown(self, why: str, node: Node | None = None, name: str = "", unread: bool = False) -> Unknown:
        return Unknown(why, None if node is None else self.place(node), name, unread)

    def remark(self, node: Node, kind: str, message: str, nearest: str = "") -> None:
        source, start, end = self.place(node)
        remark = HostRemark(source.span(start, end), kind, message, nearest)  # type: ignore[arg-type]
        if remark not in self.remarks:
            self.remarks.append(remark)

    def write(self, cell: Cell, value: Value, node: Node) -> None:
        self.journal.write(cell, (value, self.place(node)))

    # Types.

    def canonical(self, type_name: str, depth: int = 0) -> str:
        """The structure of d3d12.h that a type is or derives from; "" for every other type."""
        path = _type_path(type_name)
        if not path or depth > 8:
            return ""
        structs = self.index.structs.find(path, self.frame.path)
        known = api.TYPES.get(path[-1], "")
        if known and (known == path[-1] or "CD3DX12" in path[-1]):
            if known not in (api.MINIENGINE, api.MINIENGINE_PARAMETER):
                return known
            if known == api.MINIENGINE and (not structs or self._has_method(structs[0], "InitStaticSampler")):
                return known
            if known == api.MINIENGINE_PARAMETER and (not structs or self._has_method(structs[0], "InitAsBufferSRV")):
                return known
            return ""
        for alias in self.index.aliases.find(path, self.frame.path):
            if alias != path[-1]:
                return self.canonical(alias, depth + 1)
        for struct in structs:
            for base in struct.bases:
                found = self.canonical("::".join(base), depth + 1)
                if found:
                    return found
        return ""

    def _has_method(self, struct: Struct, name: str) -> bool:
        return name.encode() in (struct.node.text or b"")

    def struct_named(self, type_name: str) -> Struct | None:
        found = self.index.structs.find(_type_path(type_name), self.frame.path)
        return found[0] if len(found) == 1 else None

    def default(self, type_name: str, sizes: list[Node | None], fill: Value, node: Node) -> Value:
        """What a declaration without initializer makes."""
        if sizes:
            count = self.number(self.evaluate(sizes[0])) if sizes[0] is not None else None
            if count is None or not 0 <= count <= MAX_ELEMENTS:
                why = self.unknown(f"the size of `{text_of(node)[:60]}` is not a constant", node)
                return Array(type_name, (), False, self.place(node), complete=False) if sizes[0] is not None else why
            cells = [Cell(self.default(type_name, sizes[1:], fill, node)) for _ in range(count)]
            self.tick(count)
            return Array(type_name, cells, False, self.place(node))
        known = self.canonical(type_name)
        if known:
            return Record(known, fill, self.place(node))
        fixed = _FIXED.search(type_name)
        if fixed is not None:
            count = self.integer_text(fixed[2])
            if count is not None and 0 <= count <= MAX_ELEMENTS:
                cells = [Cell(self.default(fixed[1], [], fill, node)) for _ in range(count)]
                return Array(fixed[1], cells, False, self.place(node))
            return Array(fixed[1], (), False, self.place(node), complete=False)
        vector = _VECTOR.search(type_name)
        if vector is not None:
            return Array(vector[1], (), True, self.place(node))
        if self.struct_named(type_name) is not None:
            return Record("::".join(_type_path(type_name)), fill, self.place(node))
        if type_name == "auto" or self.layout.extent(type_name, self.frame.path) is not None:
            return fill
        return Record("", self.unknown(f"`{type_name}` is declared elsewhere", node, unread=True), self.place(node))

    def element_type(self, type_name: str) -> str:
        """The type of the elements of a vector, an array or a list of initializers; "" for other types."""
        for pattern in (_FIXED, _INITIALIZER_LIST, _VECTOR):
            match = pattern.search(type_name)
            if match is not None:
                return match[1]
        return ""

    def field(self, record: Record, name: str, node: Node | None = None) -> Cell:
        """A field of a record, made on demand."""
        cell = record.fields.get(name)
        if cell is None:
            nested = api.FIELD_TYPES.get((record.type, name))
            fill = record.fill
            if nested is not None:
                value: Value = Record(nested, fill, record.place)
            elif record.type in api.RECORDS:
                value = fill
            else:
                value = self._member(record, name, node)
            cell = record.fields[name] = Cell(value)
        return cell

    def _member(self, record: Record, name: str, node: Node | None) -> Value:
        struct = self.struct_named(record.type) if record.type else None
        if record.type and struct is not None:
            for member in struct.members:
                if member.declared.name == name and member.inline is None:
                    self.frames.append(Frame(struct.source, struct.path, None, ""))
                    try:
                        if member.declared.pointers:
                            return record.fill
                        if member.default is not None and not isinstance(record.fill, Unknown):
                            return self.initialise(member.type, member.declared.sizes, member.default)
                        return self.default(member.type, member.declared.sizes, record.fill, member.node)
                    finally:
                        self.frames.pop()
            for base in struct.bases:
                known = self.canonical("::".join(base))
                if known:
                    return self.field(Record(known, record.fill), name).value
        return Record("", record.fill) if isinstance(record.fill, Unknown) else record.fill

    # Names.

    def local(self, name: str) -> Cell | None:
        for scope in reversed(self.frame.scopes):
            if name in scope:
                return scope[name]
        for scope in reversed(self.frame.outer):
            if name in scope:
                return scope[name]
        return None

    def look_up(self, path: Path, node: Node) -> Cell:
        """The variable or constant that a name means; an unknown one keeps what is done to it in this function."""
        name = path[-1]
        if len(path) == 1:
            cell = self.local(name)
            if cell is not None:
                return cell
            if self.frame.this is not None:
                return self.field(self.frame.this, name) if name in self.frame.this.fields else self._outside(path, node)
        return self._outside(path, node)

    def _outside(self, path: Path, node: Node) -> Cell:
        scope = self.frame.path
        member = self._member_of_class(path) if len(path) == 1 else None
        if member is not None:
            return member
        constants = next((c for s in self.search_scopes() if (c := self.index.constants.find(path, s))), [])
        if constants:
            return Cell(self._constant_value(constants, path, node), constant=True)
        variables = self.index.variables.find(path, scope)
        if len(variables) == 1:
            return self._variable(variables[0])
        known = api.CONSTANTS.get(path[-1])
        if known is not None:
            return Cell(known, constant=True)
        nearest = api.nearest(path[-1]) if len(path) == 1 else ""
        if nearest:
            self.remark(node, "unknown-name", f"d3d12.h has no `{path[-1]}`", nearest)
            return Cell(api.CONSTANTS[nearest], constant=True)
        return self._latent(path, node)

    def search_scopes(self) -> list[Path]:
        """Where a name is looked for: in opened namespaces, around the function, in the bases of its class."""
        path = self.frame.path
        opened = [path[:end] + used for used in self.frame.opened for end in range(len(path), -1, -1)]
        return [*(scope for scope in opened if scope in self.index.namespaces), path, *self._base_scopes()]

    def _base_scopes(self) -> list[Path]:
        """The classes that the class of the running function derives from."""
        pending = [s for end in range(len(self.frame.path), 0, -1) for s in self.index.structs.find(self.frame.path[:end], ())]
        found: list[Path] = []
        while pending and len(found) < 32:
            struct = pending.pop(0)
            for base in struct.bases:
                for known in self.index.structs.find(base, struct.path[:-1]):
                    if known.path not in found:
                        found.append(known.path)
                        pending.append(known)
        return found

    def _constant_value(self, constants: list[Constant], path: Path, node: Node) -> Value:
        values = [self.constant(c) for c in constants]
        if all(isinstance(v, int | float) and v == values[0] for v in values):
            return values[0]
        if len(values) == 1:
            return values[0]
        return self.unknown(f"`{'::'.join(path)}` has several values", node)

    def _member_of_class(self, path: Path) -> Cell | None:
        for end in range(len(self.frame.path), 0, -1):
            scope = self.frame.path[:end]
            for struct in self.index.structs.find(scope, ()):
                for member in struct.members:
                    if member.declared.name == path[0]:
                        key = (*scope, path[0])
                        if key not in self.shared:
                            why = self.unknown(f"`{path[0]}` is a member of `{scope[-1]}`, set elsewhere", None, path[0])
                            self.shared[key] = self._set_elsewhere(member.type, member.declared, struct.source, why, member.node)
                        return self.shared[key]
        return None

    def _set_elsewhere(self, type_name: str, declared: Declared, source: Source, why: Unknown, node: Node) -> Cell:
        self.frames.append(Frame(source, self.frame.path, None, self.frame.body))
        try:
            if declared.pointers:
                return Cell(Record("", why, None, declared.name))
            value = self.default(type_name, declared.sizes, why, node)
        finally:
            self.frames.pop()
        if isinstance(value, Array) and value.grows:
            value.state = value.cells, False
        if isinstance(value, Record | Array):
            value.name = declared.name
            return Cell(value, value.place)
        return Cell(why)

    def _variable(self, variable: Variable) -> Cell:
        cell = self.shared.get(variable.path)
        if cell is None:
            self.shared[variable.path] = cell = Cell(self.unknown(f"`{variable.path[-1]}` depends on itself"))
            declared = Declared(variable.declarator)
            type_name = type_text(variable.node.child_by_field_name("type"))
            value = variable.declarator.child_by_field_name("value") or variable.node.child_by_field_name("default_value")
            where = "is defined elsewhere" if variable.constant and value is None else "is a variable that may change"
            why = self.unknown(f"`{variable.path[-1]}` {where}", None, variable.path[-1])
            if variable.constant and value is not None and not declared.pointers:
                self.frames.append(Frame(variable.source, variable.path[:-1], None, ""))
                try:
                    made = self.initialise(type_name, declared.sizes, value)
                    if isinstance(made, Record | Array):
                        made.name = variable.path[-1]
                    cell.state = made, self.place(variable.declarator)
                finally:
                    self.frames.pop()
            else:
                cell.state = self._set_elsewhere(type_name, declared, variable.source, why, variable.node).state
        return cell

    def _latent(self, path: Path, node: Node) -> Cell:
        """A variable that nothing here declares."""
        cell = self.shared.get(("", *path))
        if cell is None:
            name = "::".join(path)
            used = re.search(rf"\b{re.escape(path[-1])}\s*(?:\.|->)\s*(?:Finalize|InitStaticSampler)\s*\(", self.frame.body)
            kind = api.MINIENGINE if used else ""
            why = self.unknown(f"`{name}` is not declared here", node, name, unread=True)
            cell = self.shared[("", *path)] = Cell(Record(kind, why, self.place(node), name))
        return cell

    # Constants.

    def constant(self, constant: Constant) -> Value:
        """The value of an enumerator or a constant variable."""
        pending: list[Constant] = []
        current: Constant | None = constant
        while current is not None and id(current) not in self._constants:
            pending.append(current)
            current = current.before if current.value is None else None
        for item in reversed(pending):
            self._constants[id(item)] = self.unknown(f"`{item.path[-1]}` depends on itself")
            self._constants[id(item)] = self._evaluate_constant(item)
        return self._constants[id(constant)]

    def _evaluate_constant(self, item: Constant) -> Value:
        if item.value is None:
            before = 0 if item.before is None else self._constants[id(item.before)]
            return (before + (item.before is not None)) if isinstance(before, int) else before
        self.frames.append(Frame(item.source, item.scope, None, ""))
        try:
            if item.value.type == "initializer_list":
                children = item.value.named_children
                return self.evaluate(children[0]) if len(children) == 1 else self.unknown("is not one number")
            return self.evaluate(item.value)
        finally:
            self.frames.pop()

    def constant_number(self, node: Node, source: Source, scope: Path) -> int | None:
        """The value of a constant expression of a declaration, for layouts."""
        self.frames.append(Frame(source, scope, None, ""))
        try:
            return self.number(self.evaluate(node))
        except Exhausted:
            return None
        finally:
            self.frames.pop()

    def integer_text(self, text: str) -> int | None:
        """A template argument: a number or the name of a constant."""
        if text.isdigit():
            return int(text)
        constants = self.index.constants.find(_type_path(text), self.frame.path)
        values = {v for c in constants if isinstance(v := self.constant(c), int)}
        return values.pop() if len(values) == 1 else None

    @staticmethod
    def number(value: Value) -> int | None:
        return int(value) if isinstance(value, int) else None


def _type_path(type_name: str) -> Path:
    plain = type_name.partition("<")[0].strip(" *&")
    return tuple(part.strip() for part in plain.split("::") if part.strip())


def pointer_to(value: Value) -> Value:
    """An array as the address of its first element; every other value as it is."""
    return Pointer(value) if isinstance(value, Array) else value


Run = Callable[[], str | None]
__all__ = ["MAX_ELEMENTS", "UNSET", "Exhausted", "Frame", "Function", "Machine", "Run", "pointer_to"]
