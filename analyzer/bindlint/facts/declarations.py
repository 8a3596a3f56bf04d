"""From expanded shader text to its declarations: masks, parses, and reads what the declaration query captures."""

from __future__ import annotations

from functools import cache

import msgspec
from bindlint_grammars.hlsl.masking import Head, Masked, mask
from bindlint_grammars.hlsl.parser import load_query, parse
from tree_sitter import Node, Query, QueryCursor

from bindlint.facts.declarators import DeclaratorReader
from bindlint.facts.type_names import read_type
from bindlint.model.declarations import (
    SPECIALIZED,
    Alias,
    ConstantBufferBlock,
    Declarations,
    Enum,
    Function,
    Item,
    Place,
    Struct,
    Subobject,
    TypeName,
    UsingNamespace,
    Variable,
)

SUBOBJECTS = frozenset(
    {
        "GlobalRootSignature",
        "LocalRootSignature",
        "ProceduralPrimitiveHitGroup",
        "RaytracingPipelineConfig",
        "RaytracingPipelineConfig1",
        "RaytracingShaderConfig",
        "StateObjectConfig",
        "SubobjectToEntrypointAssociation",
        "SubobjectToExportsAssociation",
        "TriangleHitGroup",
    }
)


def read_declarations(text: bytes) -> Declarations:
    """Everything that preprocessed HLSL (no directives, no comments) declares outside function bodies.

    Nothing raises: what cannot be read is in `unread`, and everything around it is there.
    """
    masked = mask(text)
    captures = QueryCursor(_query()).captures(parse(masked.text).root_node)
    builder = _Builder(text, masked)
    events: list[_Event] = [
        (node.start_byte, -node.end_byte, kind, node, None)
        for kind in ("namespace", "struct", "enum", "alias", "using", "error")
        for node in captures.get(kind, ())
    ]
    for declaration in captures.get("declaration", ()):
        shared = builder.shared(declaration)
        for declarator in declaration.children_by_field_name("declarator"):
            events.append((declarator.start_byte, -declarator.end_byte, "declarator", declarator, shared))
    events.sort(key=lambda event: event[:3])
    for start, _, kind, node, shared_or_none in events:
        builder.close_until(start)
        builder.take(kind, node, shared_or_none)
    builder.close_until(len(text) + 1)
    return Declarations(tuple(builder.items), tuple(sorted({*builder.unread, *masked.unread})))


@cache
def _query() -> Query:
    return load_query("declarations")


class _Shared(msgspec.Struct, frozen=True):
    """What all declarators of one declaration have in common."""

    node_type: str
    type: TypeName
    type_place: Place
    head: Head
    body: Place | None


_Event = tuple[int, int, str, Node, _Shared | None]
_NO_HEAD = Head()


class _Block(msgspec.Struct):
    """A struct, buffer or namespace that is open while what stands in it is read."""

    node: Node
    kind: str
    end: int
    scope: tuple[str, ...]
    name: str = ""
    fields: list[Variable] = msgspec.field(default_factory=list)
    methods: list[Function] = msgspec.field(default_factory=list)


class _Builder:
    def __init__(self, text: bytes, masked: Masked) -> None:
        self.text = text
        self.masked = masked
        self.read = DeclaratorReader(text, masked)
        self.items: list[Item] = []
        self.unread: list[Place] = []
        self.blocks: list[_Block] = []

    @property
    def scope(self) -> tuple[str, ...]:
        return self.blocks[-1].scope if self.blocks else ()

    def shared(self, declaration: Node) -> _Shared:
        type_node = declaration.child_by_field_name("type")
        body = declaration.child_by_field_name("body")
        type_name, type_place = TypeName(""), (declaration.start_byte, declaration.start_byte)
        if type_node:
            type_name, type_place = self.type_of(type_node)
        return _Shared(
            declaration.type,
            type_name,
            type_place,
            self.masked.heads.get(declaration.start_byte, _NO_HEAD),
            (body.start_byte, body.end_byte) if body else None,
        )

    def type_of(self, node: Node) -> tuple[TypeName, Place]:
        if node.type.endswith("_specifier") and node.child_by_field_name("body"):
            return TypeName(self.tag(node)[0]), (node.start_byte, node.end_byte)
        return self.read.type_at(node)

    def tag(self, node: Node) -> tuple[str, int, int]:
        """The name and its place of a struct or enum; one without gets a name that no other can have."""
        name = node.child_by_field_name("name")
        if not name:
            return f"<anonymous@{node.start_byte}>", node.start_byte, node.start_byte
        return str(read_type(self.text[name.start_byte : name.end_byte])), name.start_byte, name.end_byte

    def close_until(self, start: int) -> None:
        while self.blocks and self.blocks[-1].end <= start:
            self.close(self.blocks.pop())

    def take(self, kind: str, node: Node, shared: _Shared | None) -> None:
        if shared is not None:
            self.declarator(node, shared)
        elif kind == "namespace":
            self.open_namespace(node)
        elif kind == "struct":
            name = self.tag(node)[0]
            self.blocks.append(_Block(node, kind, node.end_byte, (*self.scope, name), name))
        elif kind == "enum":
            self.enum(node)
        elif kind == "alias":
            self.using_alias(node)
        elif kind == "using":
            self.using(node)
        elif not self.unread or self.unread[-1][1] <= node.start_byte:
            self.unread.append((node.start_byte, max(node.end_byte, node.start_byte + 1)))

    def open_namespace(self, node: Node) -> None:
        buffer = self.masked.buffers.get(node.start_byte)
        if buffer:
            self.blocks.append(_Block(node, "buffer", node.end_byte, self.scope))
            return
        name = node.child_by_field_name("name")
        written = self.slice(name) if name else ""
        inner = tuple(part.strip() for part in written.split("::") if part.strip())
        self.blocks.append(_Block(node, "namespace", node.end_byte, (*self.scope, *inner)))

    def close(self, block: _Block) -> None:
        start = block.node.start_byte
        if block.kind == "buffer":
            buffer = self.masked.buffers[start]
            tail = self.read.tail(buffer.name[1])
            behind = self.text[buffer.name[1] : buffer.name[1] + 8]
            if behind.lstrip()[:1] == b"[":
                # A cbuffer cannot be an array, and what follows the size is lost to the reader.
                self.unread.append((buffer.name[0], buffer.name[1] + 1))
            self.items.append(
                ConstantBufferBlock(
                    self.text[slice(*buffer.name)].decode("utf-8", "replace"),
                    "cbuffer" if buffer.keyword == b"cbuffer" else "tbuffer",
                    *buffer.name,
                    scope=block.scope,
                    registers=tail.registers,
                    unknown=tail.unknown,
                    members=tuple(block.fields),
                    packoffset=tail.packoffset,
                )
            )
        elif block.kind == "struct":
            name, name_start, name_end = self.tag(block.node)
            bases = next((child for child in block.node.named_children if child.type == "base_class_clause"), None)
            base_nodes = bases.named_children if bases else []
            head = self.masked.heads.get(start, _NO_HEAD)
            self.items.append(
                Struct(
                    name,
                    name_start,
                    name_end,
                    block.scope[:-1],
                    tuple(read_type(self.text[b.start_byte : b.end_byte]) for b in base_nodes),
                    tuple(block.fields),
                    tuple(block.methods),
                    self.read.template(head),
                    self.text[start : start + 9].split(None, 1)[0].decode("utf-8", "replace"),
                )
            )

    def declarator(self, node: Node, shared: _Shared) -> None:
        if node.type == "function_declarator":
            self.function(node, shared)
        elif shared.node_type == "type_definition":
            name, dimensions = self.read.name(node)
            self.items.append(
                Alias(
                    self.read.string(name), shared.type, *name, self.scope, dimensions, self.read.template(shared.head)
                )
            )
        else:
            self.variable(node, shared)

    def function(self, node: Node, shared: _Shared) -> None:
        block = self.blocks[-1] if self.blocks else None
        method = block is not None and block.kind == "struct"
        scope, owner = (self.scope[:-1], self.scope[-1]) if method else (self.scope, "")
        function = self.read.function(node, shared.type, shared.head, shared.body, scope, owner)
        if block is not None and method:
            block.methods.append(function)
        else:
            self.items.append(function)

    def variable(self, node: Node, shared: _Shared) -> None:
        name, dimensions = self.read.name(node)
        tail = self.read.tail(node.end_byte)
        written = self.read.string(name)
        if shared.type.name in SUBOBJECTS and tail.initializer:
            arguments = self.read.braced(tail.initializer)
            self.items.append(Subobject(shared.type.name, written, *name, arguments))
            return
        # `S::member` can only be a static one.
        *owners, last = written.split("::")
        variable = Variable(
            last.strip(),
            shared.type,
            name[1] - len(last.lstrip().encode()),
            name[1],
            (*self.scope, *(owner.strip() for owner in owners)),
            dimensions,
            tail.registers,
            tail.packoffset,
            tail.semantic,
            tail.unknown,
            self.read.modifiers(shared.head)
            | ({"static"} if owners else frozenset())
            | ({SPECIALIZED} if self.read.is_specialized(shared.head) else frozenset()),
            tail.initializer,
            shared.type_place,
            tail.bits,
            self.read.template(shared.head),
        )
        # The members of a namespace in a cbuffer are the cbuffer's.
        block = next((block for block in reversed(self.blocks) if block.kind != "namespace"), None)
        if block is not None:
            block.fields.append(variable)
        else:
            self.items.append(variable)

    def enum(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        if body is None:
            return
        enumerators = []
        for start, end in self.read.braced((body.start_byte, body.end_byte)):
            name, _, value = self.text[start:end].decode("utf-8", "replace").partition("=")
            enumerators.append((name.strip(), value.strip()))
        scoped = self.text[node.start_byte : node.start_byte + 32].split()[1:2] in ([b"class"], [b"struct"])
        self.items.append(Enum(*self.tag(node), self.scope, tuple(enumerators), scoped))

    def using_alias(self, node: Node) -> None:
        name, type_node = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None or type_node is None:
            return
        type_name = read_type(self.text[type_node.start_byte : type_node.end_byte].split(b"[")[0])
        dimensions = self.read.dimensions(type_node.start_byte, type_node.end_byte)
        template = self.read.template(self.masked.heads.get(node.start_byte, _NO_HEAD))
        self.items.append(
            Alias(self.slice(name), type_name, name.start_byte, name.end_byte, self.scope, dimensions, template)
        )

    def using(self, node: Node) -> None:
        name = node.named_children[-1] if node.named_children else None
        if name is not None and b"namespace" in self.text[node.start_byte : name.start_byte]:
            self.items.append(UsingNamespace(self.slice(name), name.start_byte, name.end_byte, self.scope))

    def slice(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")
