"""The state of the host-code interpreter: what names mean where, and what types are made of."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeGuard

from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.index import Constant, Function, Index, Member, Source, Struct
from bindlint.facts.host.layout import Layout
from bindlint.facts.host.syntax import Declared, Path, path_of, text_of
from bindlint.facts.host.values import Array, Cell, Journal, Place, Pointer, Record, Unknown, Value, clone, weight
from bindlint.model.host import HostProblem, HostRemark, WrapperDescription
from bindlint.model.source import Span
from bindlint.nesting import MAX_NESTING

MAX_ELEMENTS = 4096
_MAX_OTHERS = 256
"""More elements in a row that d3d12.h does not declare are data, which tell nothing of bindings."""
MAX_INLINED = 6
_COPIED = 4
"""How many values are copied in one step."""
_VECTOR = re.compile(r"(?:^|:: ?)(?:\w*[vV]ector|\w*Array|InplaceArray|deque|list)\w* ?< ?([\w: <>]+?) ?[,>]")
_FIXED = re.compile(r"(?:^|:: ?)(?:array|Array|StaticArray) ?< ?([\w: ]+?) ?, ?(.+?) ?>$")
_INITIALIZER_LIST = re.compile(r"(?:^|:: ?)(?:initializer_list|span) ?< ?([\w: ]+?) ?>$")


TOO_DEEP = f"nests more than {MAX_NESTING} deep; what is inside is not seen"
GIVEN_UP = "the file takes too long to follow; what is here or below may not be seen"


class ExhaustedError(Exception):
    """The work allowed for one function is done; ends its interpretation, and is caught there."""


def cut_off(error: Exception, span: Span) -> HostProblem:
    """What to tell of a function that was not followed to its end."""
    why = TOO_DEEP if isinstance(error, RecursionError) else "takes too long to follow; the rest of it is not seen"
    return HostProblem(f"the function {why}", span)


class Frame:
    """One function on its way: its variables, where its names are looked up, what it returns."""

    def __init__(self, source: Source, path: Path, this: Record | None, body: str) -> None:
        self.source = source
        self.path = path
        self.types = path
        self.this = this
        self.body = body
        self.function = ""
        self.number = 0
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
        self.problems: dict[str, HostProblem] = {}
        """What is not followed, by the text of the function that runs."""
        self.frames: list[Frame] = []
        self.frame: Frame
        """The last of the frames."""
        self.shared: dict[Path, Cell] = {}
        self.assumptions: dict[str, bool] = {}
        self._constants: dict[int, Value] = {}
        self._constructors: dict[int, bool] = {}
        self._paths: dict[Node, Path] = {}
        self._declarators: dict[Node, Declared] = {}
        self._canonicals: dict[tuple[str, Path], str] = {}
        self._fields: dict[tuple[str, Path], tuple[Struct, Member, Path] | None] = {}
        self._own_methods: dict[tuple[str, Path], bool] = {}
        self._bases: dict[Path, list[Path]] = {}

    # Implemented by the parts above this one.
    def evaluate(self, node: Node) -> Value:
        raise NotImplementedError

    def initialise(self, type_name: str, sizes: list[Node | None], node: Node, fill: Value = 0) -> Value:
        raise NotImplementedError

    def constant(self, constant: Constant) -> Value:
        raise NotImplementedError

    def constructed(self, type_name: str, known: str, node: Node) -> Value:
        raise NotImplementedError

    def enter(self, frame: Frame) -> None:
        self.frames.append(frame)
        self.frame = frame

    def leave(self) -> None:
        self.frames.pop()
        if self.frames:
            self.frame = self.frames[-1]

    def tick(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise ExhaustedError

    def too_deep(self, node: Node) -> Unknown:
        """What stands for an expression or a statement that nests too deeply to be followed; the first one is told."""
        source, start, end = self.place(node)
        told = HostProblem(f"this {TOO_DEEP}", source.span(start, end))
        self.problems.setdefault(self.frames[0].body, told)
        return self.unknown("is nested too deeply to be read", node, unread=True)

    def path(self, node: Node) -> Path:
        known = self._paths.get(node)
        if known is None:
            known = self._paths[node] = path_of(node)
        return known

    def declared(self, declarator: Node) -> Declared:
        known = self._declarators.get(declarator)
        if known is None:
            known = self._declarators[declarator] = Declared(declarator)
        return known

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

    def copy(self, value: Value) -> Value:
        """A copy that shares nothing that can be written; a large one is work."""
        if isinstance(value, Record | Array):
            self.tick(weight(value, self.left * _COPIED) // _COPIED)
        return clone(value)

    def write(self, cell: Cell, value: Value, node: Node) -> None:
        if isinstance(value, Record) and not value.type and not value.fields:
            value = clone(value)  # What is not declared here keeps the place of this use.
        self.journal.write(cell, (value, self.place(node)))

    # Types.

    def canonical(self, type_name: str, depth: int = 0) -> str:
        """The structure of d3d12.h that a type is or derives from; "" for every other type."""
        if depth:
            return self._canonical(type_name, depth)
        key = type_name, self.frame.types
        known = self._canonicals.get(key)
        if known is None:
            known = self._canonicals[key] = self._canonical(type_name, 0)
        return known

    def _canonical(self, type_name: str, depth: int) -> str:
        path = type_path(type_name)
        if not path or depth > 8:
            return ""
        structs = self.index.structs.find(path, self.frame.types)
        known = api.TYPES.get(path[-1], "")
        if known and (known == path[-1] or "CD3DX12" in path[-1]):
            if known not in (api.MINIENGINE, api.MINIENGINE_PARAMETER):
                return known
            if known == api.MINIENGINE and (not structs or self._has_method(structs[0], "InitStaticSampler")):
                return known
            if known == api.MINIENGINE_PARAMETER and (not structs or self._has_method(structs[0], "InitAsBufferSRV")):
                return known
            return ""
        for alias in self.index.aliases.find(path, self.frame.types):
            if alias != path[-1]:
                return self.canonical(alias, depth + 1)
        for struct in structs:
            for base in struct.bases:
                found = self.canonical("::".join(base), depth + 1)
                if found:
                    return found
        return ""

    def forget_types(self) -> None:
        """A type was declared: what the names of types mean is to be looked up anew."""
        self._canonicals.clear()
        self._fields.clear()
        self._own_methods.clear()
        self.layout.forget()

    def scope_of(self, function: Function) -> Path:
        """Where types and constants are looked up: the class may be in a namespace that a `using` opened."""
        scope = function.path[:-1]
        classes = {struct.path for struct in self.index.structs.find(scope, ())}
        return classes.pop() if len(classes) == 1 else scope

    def _has_method(self, struct: Struct, name: str) -> bool:
        return name.encode() in (struct.node.text or b"")

    def _has_constructor(self, struct: Struct) -> bool:
        """Whether a structure says itself what its fields are at first."""
        if id(struct) not in self._constructors:
            pattern = rb"(?<![~\w:])" + re.escape(struct.path[-1].encode()) + rb"\s*\("
            self._constructors[id(struct)] = re.search(pattern, struct.node.text or b"") is not None
        return self._constructors[id(struct)]

    def struct_named(self, type_name: str) -> Struct | None:
        found = self.index.structs.find(type_path(type_name), self.frame.types)
        return found[0] if len(found) == 1 else None

    def default(self, type_name: str, sizes: list[Node | None], fill: Value, node: Node) -> Value:
        """What a declaration without initializer makes."""
        if sizes:
            count = self.number(self.evaluate(sizes[0])) if sizes[0] is not None else None
            if count is None or not 0 <= count <= MAX_ELEMENTS:
                why = self.unknown(f"the size of `{text_of(node)[:60]}` is not a constant", node)
                return Array(type_name, (), False, self.place(node), complete=False) if sizes[0] is not None else why
            if not sizes[1:] and not self.is_followed_far(type_name, count):
                return Array(type_name, (), False, self.place(node), complete=False)
            self.tick(count)
            cells = [Cell(self.default(type_name, sizes[1:], fill, node)) for _ in range(count)]
            return Array(type_name, cells, False, self.place(node))
        known = self.canonical(type_name)
        struct = self.struct_named(type_name)
        made_here = struct is not None and known != api.MINIENGINE and not isinstance(fill, Unknown)
        if made_here and struct is not None and self._has_constructor(struct):
            return self.constructed(type_name, known, node)
        if known:
            return Record(known, fill, self.place(node))
        fixed, _, vector = _shapes(type_name)
        if fixed is not None:
            count = self.integer_text(fixed[2])
            if count is not None and 0 <= count <= MAX_ELEMENTS and self.is_followed_far(fixed[1], count):
                self.tick(count)
                cells = [Cell(self.default(fixed[1], [], fill, node)) for _ in range(count)]
                return Array(fixed[1], cells, False, self.place(node))
            return Array(fixed[1], (), False, self.place(node), complete=False)
        if vector is not None:
            return Array(vector[1], (), True, self.place(node))
        if struct is not None:
            return Record("::".join(type_path(type_name)), fill, self.place(node))
        if type_name == "auto" or self.layout.extent(type_name, self.frame.types) is not None:
            return fill
        return Record("", self.unknown(f"`{type_name}` is declared elsewhere", node, unread=True), self.place(node))

    def is_followed_far(self, type_name: str, count: int) -> bool:
        """Whether so many elements of a type are followed one by one."""
        return count <= _MAX_OTHERS or bool(self.canonical(type_name))

    def element_type(self, type_name: str) -> str:
        """The type of the elements of a vector, an array or a list of initializers; "" for other types."""
        return next((match[1] for match in _shapes(type_name) if match is not None), "")

    def field(self, record: Record, name: str, node: Node | None = None) -> Cell:
        """A field of a record, made on demand."""
        cell = record.fields.get(name)
        if cell is None:
            nested = api.FIELD_TYPES.get((record.type, name))
            fill = record.fill
            if nested is not None:
                value: Value = Record(nested, fill, record.place, record.name)
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
                    self.enter(Frame(struct.source, struct.path, None, ""))
                    try:
                        if member.declared.pointers:
                            return record.fill
                        if member.default is not None and not isinstance(record.fill, Unknown):
                            return self.initialise(member.type, member.declared.sizes, member.default)
                        return self.default(member.type, member.declared.sizes, record.fill, member.node)
                    finally:
                        self.leave()
            for base in struct.bases:
                known = self.canonical("::".join(base))
                if known:
                    return self.field(Record(known, record.fill), name).value
        return Record("", record.fill) if isinstance(record.fill, Unknown) else record.fill

    def constant_number(self, node: Node, source: Source, scope: Path) -> int | None:
        """The value of a constant expression of a declaration, for layouts."""
        self.enter(Frame(source, scope, None, ""))
        try:
            return self.number(self.evaluate(node))
        except ExhaustedError:
            return None
        finally:
            self.leave()

    def integer_text(self, text: str) -> int | None:
        """A template argument: a number or the name of a constant."""
        if text.isdigit():
            return int(text)
        constants = self.index.constants.find(type_path(text), self.frame.types)
        values = {v for c in constants if isinstance(v := self.constant(c), int)}
        return values.pop() if len(values) == 1 else None

    @staticmethod
    def number(value: Value) -> int | None:
        return int(value) if isinstance(value, int) else None


@lru_cache(4096)
def _shapes(type_name: str) -> tuple[re.Match[str] | None, ...]:
    """A type as a fixed array, as a list of initializers, as a vector."""
    return tuple(pattern.search(type_name) for pattern in (_FIXED, _INITIALIZER_LIST, _VECTOR))


@lru_cache(4096)
def type_path(type_name: str) -> Path:
    plain = type_name.partition("<")[0].strip(" *&")
    return tuple(part.strip() for part in plain.split("::") if part.strip())


def is_description(value: Value) -> TypeGuard[Record]:
    """Whether a value describes a root signature as a whole."""
    return isinstance(value, Record) and (value.type in api.SIGNATURES or value.type == api.VERSIONED)


def pointer_to(value: Value) -> Value:
    """An array as the address of its first element; every other value as it is."""
    return Pointer(value) if isinstance(value, Array) else value
