"""Declarators, parameters and what stands around them, read from the original text at the places that masking kept."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec
from bindlint_grammars.hlsl.masking import Head, Masked
from tree_sitter import Node

from bindlint.facts.register_clause import parse_register
from bindlint.facts.type_names import read_type, split_list
from bindlint.model.declarations import (
    SPECIALIZED,
    Attribute,
    Function,
    Parameter,
    Place,
    RegisterAnnotation,
    TemplateParameter,
    TypeName,
    UnknownAnnotation,
)

_NAME = re.compile(rb"[&*\s]*((?:::)?\s*[^\s:\[]+(?:\s*::\s*[^\s:\[]+)*)")
_ATTRIBUTE_NAME = re.compile(rb"[\w:]+")
_WORD = re.compile(rb"\w+")


class TailFacts(msgspec.Struct, frozen=True):
    """What follows a declarator."""

    registers: tuple[RegisterAnnotation, ...] = ()
    packoffset: str = ""
    semantic: str = ""
    bits: str = ""
    unknown: tuple[UnknownAnnotation, ...] = ()
    initializer: Place | None = None


_NOTHING = TailFacts()


class DeclaratorReader:
    """Reads the pieces of declarations of one text."""

    def __init__(self, text: bytes, masked: Masked) -> None:
        self.text = text
        self.masked = masked

    def string(self, place: Place) -> str:
        return self.text[place[0] : place[1]].decode("utf-8", "replace")

    def type_at(self, node: Node) -> tuple[TypeName, Place]:
        """The type that a node of the masked tree stands for, as written, and its place."""
        end = node.end_byte + (self.text[node.end_byte : node.end_byte + 1] == b">")
        return read_type(self.text[node.start_byte : end]), (node.start_byte, end)

    def modifiers(self, head: Head) -> frozenset[str]:
        return _words(tuple(head.modifiers))

    def name(self, declarator: Node) -> tuple[Place, tuple[str, ...]]:
        """The place of the declared name, and the array sizes behind it."""
        start, end = declarator.start_byte, declarator.end_byte
        if declarator.type in ("identifier", "field_identifier", "type_identifier"):
            return (start, end), ()
        found = _NAME.match(self.text, start, end)
        place = found.span(1) if found else (start, end)
        return place, self.dimensions(place[1], end)

    def dimensions(self, start: int, end: int) -> tuple[str, ...]:
        """The texts in the brackets between two places, outermost first."""
        sizes = []
        depth = 0
        for at in range(start, end):
            if self.text[at] == 0x5B:
                depth += 1
                if depth == 1:
                    start = at + 1
            elif self.text[at] == 0x5D:
                depth -= 1
                if depth == 0:
                    sizes.append(self.text[start:at].strip().decode("utf-8", "replace"))
        return tuple(sizes)

    def tail(self, end: int) -> TailFacts:
        """What masking kept of the stretch behind `end`."""
        tail = self.masked.tails.get(end)
        if tail is None:
            return _NOTHING
        registers: list[RegisterAnnotation] = []
        unknown: list[UnknownAnnotation] = []
        packoffset = semantic = bits = ""
        for clause in tail.clauses:
            if clause.kind == "semantic":
                semantic = semantic or self.string((clause.start, clause.end))
            elif clause.kind == "register":
                registers.append(parse_register(self.text, clause.start, clause.end))
            elif clause.kind == "packoffset":
                packoffset = self.string((clause.start, clause.end)).partition("(")[2].rpartition(")")[0].strip()
            elif clause.kind == "bits":
                bits = self.string((clause.start, clause.end)).strip()
            elif clause.kind == "other":
                word = _WORD.match(self.text, clause.start)
                unknown.append(UnknownAnnotation(word.group().decode() if word else "", clause.start, clause.end))
        return TailFacts(tuple(registers), packoffset, semantic, bits, tuple(unknown), tail.initializer)

    def braced(self, place: Place) -> tuple[Place, ...]:
        """The items of the list between the outermost braces of a stretch."""
        opening = self.text.find(b"{", *place)
        closing = self.text.rfind(b"}", *place)
        return tuple(split_list(self.text, opening + 1, closing)) if 0 <= opening < closing else ()

    def template(self, head: Head) -> tuple[TemplateParameter, ...]:
        if head.template is None:
            return ()
        parameters = []
        for start, end in split_list(self.text, *head.template, angles=True):
            declared, _, default = self.string((start, end)).partition("=")
            kind, _, name = declared.strip().rpartition(" ")
            kind, name = (kind.strip(), name) if kind else (name, "")
            kind = "typename" if kind == "class" else kind
            parameters.append(TemplateParameter(name, kind, default.strip()))
        return tuple(parameters)

    def is_specialized(self, head: Head) -> bool:
        """Whether Vulkan may set the constant when a pipeline is made."""
        return bool(head.attributes) and any(each.name == SPECIALIZED for each in self.attributes(head))

    def attributes(self, head: Head) -> tuple[Attribute, ...]:
        found = []
        for start, end in head.attributes:
            inner = 2 if self.text[start : start + 2] == b"[[" else 1
            for item_start, item_end in split_list(self.text, start + inner, end - inner):
                name = _ATTRIBUTE_NAME.match(self.text, item_start, item_end)
                if not name:
                    continue
                opening = self.text.find(b"(", name.end(), item_end)
                closing = self.text.rfind(b")", name.end(), item_end)
                arguments = tuple(split_list(self.text, opening + 1, closing)) if 0 <= opening < closing else ()
                found.append(Attribute(name.group().decode(), start, end, arguments))
        return tuple(found)

    def function(
        self, node: Node, return_type: TypeName, head: Head, body: Place | None, scope: tuple[str, ...], owner: str
    ) -> Function:
        """The function that a function declarator declares; `S::f` is owned by `S`."""
        parameters = node.child_by_field_name("parameters")
        stop = parameters.start_byte if parameters else node.end_byte
        written = self.text[node.start_byte : stop].rstrip()
        if b"operator" not in written:
            # A specialisation `f<int>` is one more function of that name.
            written = written[: _arguments_at(written)].rstrip()
        cut = written.rfind(b"::", 0, written.find(b"operator") if b"operator" in written else len(written))
        last = written[cut + 2 :].lstrip() if cut >= 0 else written
        if cut > 0:
            owner = read_type(written[:cut]).name
        start = node.start_byte + len(written) - len(last)
        name = last.decode("utf-8", "replace")
        if name.startswith("operator"):
            rest = name[len("operator") :].strip()
            name = f"operator {rest}" if rest[:1].isalpha() else "operator" + "".join(rest.split())
        return Function(
            name,
            start,
            start + len(last),
            scope,
            owner,
            self.parameters(parameters) if parameters else (),
            return_type,
            self.tail(node.end_byte).semantic,
            self.attributes(head),
            self.modifiers(head),
            self.template(head),
            body,
        )

    def parameters(self, node: Node) -> tuple[Parameter, ...]:
        read = [self.parameter(child) for child in node.named_children if child.type == "parameter_declaration"]
        if len(read) == 1 and not read[0].name and read[0].type == TypeName("void"):
            return ()
        return tuple(read)

    def parameter(self, node: Node) -> Parameter:
        type_node = node.child_by_field_name("type")
        declarator = node.child_by_field_name("declarator")
        head = self.masked.heads.get(node.start_byte)
        name, dimensions = self.name(declarator) if declarator else ((node.end_byte, node.end_byte), ())
        tail = self.tail(node.end_byte)
        return Parameter(
            self.string(name),
            self.type_at(type_node)[0] if type_node else TypeName(""),
            *name,
            dimensions,
            self.modifiers(head) if head else frozenset(),
            tail.semantic,
            tail.initializer,
        )


@lru_cache(maxsize=1024)
def _words(words: tuple[bytes, ...]) -> frozenset[str]:
    return frozenset(word.decode() for word in words)


def _arguments_at(written: bytes) -> int:
    """Where the template arguments of the last name begin; the length where it has none."""
    if not written.endswith(b">"):
        return len(written)
    depth = 0
    for at in range(len(written) - 1, -1, -1):
        depth += (written[at] == 0x3E) - (written[at] == 0x3C)
        if not depth:
            return at
    return len(written)
