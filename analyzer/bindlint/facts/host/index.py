"""What a C++ text declares: enumerations, constants, structures, functions and variables, by qualified name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Generic, TypeVar

from bindlint_grammars.cpp.parser import parse
from bindlint_grammars.hlsl.source_files import SourceStore
from bindlint_grammars.hlsl.units import Unit
from tree_sitter import Node

from bindlint.facts.host.syntax import (
    Declared,
    Parameter,
    Path,
    packs_of,
    parameters_of,
    path_of,
    renamed_namespace,
    text_of,
    type_text,
)
from bindlint.facts.module import span_of
from bindlint.model.source import Span

T = TypeVar("T")

_DECLSPEC = re.compile(rb"\b__?declspec\s*\((?:[^()]|\([^()]*\))*\)")
_ACCESS = re.compile(rb"\b(?:public|private|protected)\s*:(?!:)")
_BLANK = re.compile(rb"[^\n]")
_MAX_RENAMED = 8
_MACRO = re.compile(r"[A-Z][A-Z0-9_]+")


class Source:
    """One parsed unit of expanded text."""

    def __init__(self, unit: Unit, store: SourceStore) -> None:
        self.unit = unit
        self._store = store
        self._spans: dict[tuple[int, int], Span] = {}

    @cached_property
    def root(self) -> Node:
        """The tree, without what the grammar stumbles over: `__declspec`, `public:` in a class behind a macro."""
        text = self.unit.text
        for word in (_DECLSPEC, _ACCESS):
            text = word.sub(lambda match: _BLANK.sub(b" ", match[0]), text)
        return parse(text).root_node

    def span(self, start: int, end: int) -> Span:
        found = self._spans.get((start, end))
        if found is None:
            found = self._spans[start, end] = span_of(self.unit, start, max(end, start + 1), self._store)
        return found

    def file(self, offset: int) -> str:
        origin = self.unit.origin(offset)
        return origin.use_file or origin.file


class Function:
    """A function with a body. `path` is its qualified name, its class included."""

    def __init__(self, path: Path, node: Node, source: Source, declarator: Node) -> None:
        self.path = path
        self.node = node
        self.source = source
        self.body = node.child_by_field_name("body")
        self.initializers = next((c for c in node.named_children if c.type == "field_initializer_list"), None)
        self._parameters = declarator.child_by_field_name("parameters")
        self.reference = Declared(node.child_by_field_name("declarator")).reference

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return parameters_of(self._parameters)

    @cached_property
    def file(self) -> str:
        return self.source.file(self.node.start_byte)

    @cached_property
    def text(self) -> str:
        """What its body says."""
        return text_of(self.body)

    def takes(self, count: int) -> bool:
        """Whether it can be called with that many arguments."""
        required = sum(1 for p in self.parameters if p.default is None)
        return required <= count <= len(self.parameters)


class Member:
    """A data member; `inline` is its structure where that is declared with it and has no name."""

    __slots__ = ("bits", "declared", "default", "inline", "node", "type")

    def __init__(self, node: Node, declarator: Node, inline: Struct | None = None) -> None:
        self.node = declarator
        self.inline = inline
        self.type = "" if inline is not None else type_text(node.child_by_field_name("type"))
        self.declared = Declared(declarator)
        self.default = node.child_by_field_name("default_value")
        self.bits = any(c.type == "bitfield_clause" for c in node.named_children)


class Struct:
    """A structure or class; `pack` is the value of `#pragma pack` where it stands, 0 for none."""

    def __init__(self, path: Path, node: Node, source: Source, pack: int = 0) -> None:
        self.path = path
        self.node = node
        self.source = source
        self.pack = pack
        self.is_union = node.type == "union_specifier"
        self.members: list[Member] = []
        self.bases: list[Path] = []
        self.is_virtual = False

    @property
    def name(self) -> str:
        return "::".join(self.path)


class Constant:
    """A name with a constant value: an enumerator (`value` None: one more than `before`) or a constant variable."""

    def __init__(self, path: Path, source: Source, value: Node | None, before: Constant | None = None) -> None:
        self.path = path
        self.source = source
        self.value = value
        self.before = before
        self.scope = path[:-1]


class Variable:
    """A variable at namespace or class level; `constant` where it cannot change."""

    def __init__(self, path: Path, node: Node, declarator: Node, source: Source, constant: bool) -> None:
        self.path = path
        self.node = node
        self.declarator = declarator
        self.source = source
        self.constant = constant


class Table(Generic[T]):
    """Things by qualified name; `namespaces` are those that a `using` may have opened, `renamed` their other names."""

    def __init__(self, namespaces: set[Path], renamed: dict[Path, Path]) -> None:
        self.namespaces = namespaces
        self.renamed = renamed
        self.by_name: dict[str, list[tuple[Path, T]]] = {}
        self._found: dict[tuple[Path, Path], list[T]] = {}

    def add(self, path: Path, thing: T) -> None:
        self._found.clear()
        if path:
            self.by_name.setdefault(path[-1], []).append((path, thing))

    def update(self, other: Table[T]) -> None:
        self._found.clear()
        for name, entries in other.by_name.items():
            self.by_name.setdefault(name, []).extend(entries)

    def find(self, path: Path, scope: Path, depth: int = 0) -> list[T]:
        """What the name means where it is used: in the nearest enclosing scope, else wherever the name ends so.

        A bare name of a class or an enumeration elsewhere is not seen.
        """
        entries = self.by_name.get(path[-1]) if path else None
        if not entries:
            return []
        if depth:
            return self._find(entries, path, scope, depth)
        found = self._found.get((path, scope))
        if found is None:
            found = self._found[path, scope] = self._find(entries, path, scope, 0)
        return found

    def _find(self, entries: list[tuple[Path, T]], path: Path, scope: Path, depth: int) -> list[T]:
        for end in range(len(scope), -1, -1):
            found = [thing for known, thing in entries if known == scope[:end] + path]
            if found:
                return found
            target = self.renamed.get(scope[:end] + path[:1]) if len(path) > 1 and depth < _MAX_RENAMED else None
            if target is not None:
                return self.find(target + path[1:], scope[:end], depth + 1)
        elsewhere = [(known, thing) for known, thing in entries if known[-len(path) :] == path]
        return [thing for known, thing in elsewhere if len(path) > 1 or known[:-1] in self.namespaces]


class Index:
    """Everything that one or several units declare."""

    def __init__(self) -> None:
        self.namespaces: set[Path] = {()}
        self.renamed: dict[Path, Path] = {}
        self.structs: Table[Struct] = Table(self.namespaces, self.renamed)
        self.constants: Table[Constant] = Table(self.namespaces, self.renamed)
        self.functions: Table[Function] = Table(self.namespaces, self.renamed)
        self.variables: Table[Variable] = Table(self.namespaces, self.renamed)
        self.aliases: Table[str] = Table(self.namespaces, self.renamed)
        self.enums: Table[str] = Table(self.namespaces, self.renamed)
        self.loose: list[tuple[Source, Node]] = []
        self.local: set[Path] = set()

    def update(self, other: Index) -> None:
        self.namespaces |= other.namespaces
        self.renamed |= other.renamed
        self.structs.update(other.structs)
        self.constants.update(other.constants)
        self.functions.update(other.functions)
        self.variables.update(other.variables)
        self.aliases.update(other.aliases)
        self.enums.update(other.enums)
        self.loose += other.loose

    @property
    def all_functions(self) -> Iterator[Function]:
        for entries in self.functions.by_name.values():
            for _, function in entries:
                yield function


def read_index(source: Source) -> Index:
    """The declarations of one unit; function bodies are not looked into."""
    index = Index()
    _read([(source.root, (), None)], source, index, packs_of(source.unit.pragmas))
    return index


def add_local(node: Node, scope: Path, source: Source, index: Index) -> bool:
    """A type that a function declares, under a `scope` of its own; it is added once. Whether it is new."""
    if scope in index.local:
        return False
    index.local.add(scope)
    packs = packs_of(source.unit.pragmas)
    _read(_declaration(node, scope, None, source, index, packs), source, index, packs)
    return True


def _read(
    stack: list[tuple[Node, Path, Struct | None]], source: Source, index: Index, packs: list[tuple[int, int]]
) -> None:
    while stack:
        node, scope, owner = stack.pop()
        pushed: list[tuple[Node, Path, Struct | None]] = []
        for child in node.named_children:
            pushed += _declaration(child, scope, owner, source, index, packs)
        stack.extend(reversed(pushed))


def _declaration(
    node: Node, scope: Path, owner: Struct | None, source: Source, index: Index, packs: list[tuple[int, int]]
) -> list[tuple[Node, Path, Struct | None]]:
    kind = node.type
    if kind in ("linkage_specification", "declaration_list", "ERROR", "template_declaration"):
        return [(node, scope, owner)]
    if kind == "namespace_definition":
        name, body = path_of(node.child_by_field_name("name")), node.child_by_field_name("body")
        name = tuple(part for whole in name for part in whole.split("::"))
        index.namespaces.add(scope + name)
        return [(body, scope + name, None)] if body is not None else []
    if kind == "namespace_alias_definition":
        name, target = renamed_namespace(node)
        index.renamed[scope + name] = target
    elif kind == "function_definition":
        held = _macro_class(node, scope, source) if owner is None else None
        if held is not None:
            return [(node.child_by_field_name("body") or node, held.path, held)]
        _function(node, scope, owner, source, index)
    elif kind in ("struct_specifier", "class_specifier", "union_specifier"):
        return _struct(node, scope, owner, source, index, packs, name=None)
    elif kind == "enum_specifier":
        _enum(node, scope, source, index)
    elif kind in ("declaration", "field_declaration", "type_definition"):
        return _variables(node, scope, owner, source, index, packs)
    elif kind == "alias_declaration":
        index.aliases.add(
            (*scope, text_of(node.child_by_field_name("name"))), type_text(node.child_by_field_name("type"))
        )
    elif kind.endswith("statement") and owner is None:
        index.loose.append((source, node))
    return []


def _function(node: Node, scope: Path, owner: Struct | None, source: Source, index: Index) -> None:
    declared = Declared(node.child_by_field_name("declarator"))
    if declared.function is not None and node.child_by_field_name("body") is not None:
        in_macro_class = owner is not None and owner.node.type == "function_definition"
        path = scope + ((in_macro_class and _named_by_macro(node)) or declared.path)
        index.functions.add(path, Function(path, node, source, declared.function))


def _named_by_macro(node: Node) -> Path:
    """`Name` of `MACRO(Name) { ... }`, which the grammar reads as a function; () where it may be one."""
    declared = Declared(node.child_by_field_name("declarator"))
    is_macro = node.child_by_field_name("type") is None and len(declared.path) == 1 and _MACRO.fullmatch(declared.name)
    if not is_macro or declared.function is None:
        return ()
    given = parameters_of(declared.function.child_by_field_name("parameters"))
    return (given[0].type,) if len(given) == 1 and not given[0].declared.name else ()


def _macro_class(node: Node, scope: Path, source: Source) -> Struct | None:
    """The class whose head is a macro, as `TEST_CLASS(Name)`: it defines functions and executes nothing."""
    name, body = _named_by_macro(node), node.child_by_field_name("body")
    if not name or body is None or all(child.type != "function_definition" for child in body.named_children):
        return None
    statements = [text_of(child) for child in body.named_children if child.type.endswith("statement")]
    if any(text != ";" and not _MACRO.match(text) for text in statements):
        return None
    return Struct(scope + name, node, source)


def _struct(
    node: Node, scope: Path, owner: Struct | None, source: Source, index: Index, packs: list[tuple[int, int]],
    name: Path | None,
) -> list[tuple[Node, Path, Struct | None]]:  # fmt: skip
    body = node.child_by_field_name("body")
    if body is None:
        return []
    path = scope + (path_of(node.child_by_field_name("name")) or name or ())
    pack = next((value for offset, value in reversed(packs) if offset <= node.start_byte), 0)
    struct = Struct(path, node, source, pack)
    bases = next((c for c in node.named_children if c.type == "base_class_clause"), None)
    if bases is not None:
        kinds = ("type_identifier", "qualified_identifier", "template_type")
        struct.bases = [path_of(c) for c in bases.named_children if c.type in kinds]
    if path != scope:
        index.structs.add(path, struct)
    elif owner is not None and name is None:
        owner.members.append(Member(node, node, struct))
        return [(body, (*scope, f"@{node.start_byte}"), struct)]
    return [(body, path, struct)]


def _enum(node: Node, scope: Path, source: Source, index: Index, alias: Path = ()) -> None:
    body = node.child_by_field_name("body")
    own = path_of(node.child_by_field_name("name")) or alias
    base = node.child_by_field_name("base")
    if own:
        index.enums.add(scope + own, text_of(base) or "int")
    before: Constant | None = None
    scoped = any(not c.is_named and c.type in ("class", "struct") for c in node.children)
    for child in body.named_children if body is not None else ():
        if child.type == "enumerator":
            name = text_of(child.child_by_field_name("name"))
            before = Constant((*scope, *own, name), source, child.child_by_field_name("value"), before)
            index.constants.add(before.path, before)
            if not scoped and own:
                index.constants.add((*scope, name), before)


def _variables(
    node: Node, scope: Path, owner: Struct | None, source: Source, index: Index, packs: list[tuple[int, int]]
) -> list[tuple[Node, Path, Struct | None]]:
    type_node = node.child_by_field_name("type")
    declarators = node.children_by_field_name("declarator")
    pushed: list[tuple[Node, Path, Struct | None]] = []
    if (
        type_node is not None
        and type_node.type.endswith("_specifier")
        and type_node.type != "placeholder_type_specifier"
    ):
        alias = Declared(declarators[0]).path if declarators and node.type == "type_definition" else ()
        if type_node.type == "enum_specifier":
            _enum(type_node, scope, source, index, alias)
        else:
            anonymous = (f"@{type_node.start_byte}",)
            name = alias or (anonymous if declarators else None)
            pushed = _struct(type_node, scope, owner, source, index, packs, name)
    qualifiers = {text_of(c) for c in node.named_children if c.type in ("type_qualifier", "storage_class_specifier")}
    constant = bool(qualifiers & {"const", "constexpr", "constinit"})
    for declarator in declarators:
        declared = Declared(declarator)
        if not declared.name or (declared.function is not None and declarator.type != "init_declarator"):
            continue
        path = scope + declared.path
        if node.type == "type_definition":
            if type_node is not None and type_text(type_node) != declared.name:
                index.aliases.add(path, type_text(type_node) if "_specifier" not in type_node.type else declared.name)
            continue
        if node.type == "field_declaration" and owner is not None and "static" not in qualifiers:
            inline = pushed[0][2] if pushed else None
            owner.members.append(Member(node, declarator, inline))
            continue
        value = declarator.child_by_field_name("value") or node.child_by_field_name("default_value")
        if constant and value is not None and not declared.sizes and not declared.pointers:
            index.constants.add(path, Constant(path, source, value))
        index.variables.add(path, Variable(path, node, declarator, source, constant))
        if owner is None and node.type == "declaration" and node.parent is not None:
            index.loose.append((source, node))
    return pushed
