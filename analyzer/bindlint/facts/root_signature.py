"""Root signatures from text: the string of an attribute, macro or subobject to the model, with each clause's place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from bindlint_grammars.root_signature.clauses import Clause
from bindlint_grammars.root_signature.parser import parse

from bindlint.model.registers import RegisterClass
from bindlint.model.root_signature import (
    APPEND,
    LOCAL_ROOT_SIGNATURE,
    UNBOUNDED,
    VISIBILITIES,
    DescriptorRange,
    ParameterKind,
    RootParameter,
    RootSignature,
    StaticSampler,
    SyntaxFault,
)
from bindlint.model.source import NOWHERE, Span

Locate = Callable[[int, int], Span]

_PARAMETER_KINDS: dict[str, ParameterKind] = {
    "descriptortable": "table",
    "rootconstants": "constants",
    "cbv": "cbv",
    "srv": "srv",
    "uav": "uav",
}
_RANGE_CLASSES: dict[str, RegisterClass] = {"cbv": "b", "srv": "t", "uav": "u", "sampler": "s"}
_SAMPLER_FIELDS = {
    "filter": "filter",
    "addressu": "address_u",
    "addressv": "address_v",
    "addressw": "address_w",
    "miplodbias": "mip_lod_bias",
    "maxanisotropy": "max_anisotropy",
    "comparisonfunc": "comparison",
    "bordercolor": "border_color",
    "minlod": "min_lod",
    "maxlod": "max_lod",
    "flags": "flags",
}


def read_root_signature(
    text: str, locate: Locate, *, version: str = "1.1", origin: str = "attribute", name: str = ""
) -> RootSignature:
    """Read a root-signature string.

    `locate` leads from characters of `text` (start, exclusive end) to the place where they are written. `version`,
    `origin` and `name` are those of the model. With a syntax fault the clauses before it are kept. What has a fault of
    its own is left out, since nobody knows what it binds.
    """
    parsed = parse(text)
    parameters: list[RootParameter] = []
    samplers: list[StaticSampler] = []
    flags, flags_span = 0, NOWHERE
    faults = [SyntaxFault(fault.message, locate(fault.start, fault.end)) for fault in parsed.faults]
    index = 0
    for clause in parsed.clauses:
        span = locate(clause.start, clause.end)
        if clause.kind == "rootflags":
            flags, flags_span = flags | clause.values["flags"], span
        elif clause.kind == "staticsampler":
            samplers += [] if clause.faults else [_sampler(clause.values, version, span)]
        else:
            parameters += _parameter(index, clause, span, locate)
            index += 1
        faults += _flags_of_later_versions(clause, version, locate)
    if origin == "local-subobject":
        flags |= LOCAL_ROOT_SIGNATURE
    return RootSignature(
        version=version,
        flags=flags,
        parameters=tuple(parameters),
        static_samplers=tuple(samplers),
        origin=origin,
        name=name,
        span=locate(0, len(text)),
        flags_span=flags_span,
        faults=tuple(faults),
    )


def _parameter(index: int, clause: Clause, span: Span, locate: Locate) -> Iterator[RootParameter]:
    values = clause.values
    ranges = tuple(_range(part, locate(part.start, part.end)) for part in clause.ranges if not part.faults)
    if clause.faults and not ranges:
        return
    yield RootParameter(
        index=index,
        kind=_PARAMETER_KINDS[clause.kind],
        register=values.get("register", 0),
        space=values.get("space", 0),
        count=values.get("num32bitconstants", 0),
        flags=values.get("flags", 0),
        visibility=VISIBILITIES[values.get("visibility", 0)],
        ranges=ranges,
        span=span,
    )


def _range(clause: Clause, span: Span) -> DescriptorRange:
    values = clause.values
    count, offset = values.get("numdescriptors", 1), values.get("offset", APPEND)
    return DescriptorRange(
        cls=_RANGE_CLASSES[clause.kind],
        register=values.get("register", 0),
        space=values.get("space", 0),
        count=None if count == UNBOUNDED else count,
        offset=None if offset == APPEND else offset,
        flags=values.get("flags", 0),
        span=span,
    )


def _sampler(values: dict[str, Any], version: str, span: Span) -> StaticSampler:
    """A static sampler; versions before 1.2 have no place for flags."""
    given = {_SAMPLER_FIELDS[name]: value for name, value in values.items() if name in _SAMPLER_FIELDS}
    if version != "1.2":
        given.pop("flags", None)
    return StaticSampler(
        register=values.get("register", 0),
        space=values.get("space", 0),
        visibility=VISIBILITIES[values.get("visibility", 0)],
        span=span,
        **given,
    )


def _flags_of_later_versions(clause: Clause, version: str, locate: Locate) -> list[SyntaxFault]:
    """Version 1.0 has no flags on parameters and ranges, of which DXC refuses even `flags = 0`; samplers need 1.2."""
    if version == "1.2" or clause.kind == "rootflags":
        return []
    message = f"root signature version {version} has no flags here"
    if clause.kind == "staticsampler":
        message += "; static samplers have them from version 1.2 on (`-force-rootsig-ver rootsig_1_2`)"
    elif version != "1.0":
        return []
    return [
        SyntaxFault(message, locate(argument.start, argument.end))
        for part in (clause, *clause.ranges)
        for argument in part.arguments
        if argument.name == "flags"
    ]


_LITERAL = re.compile(rb'\s*"([^"\\\n]*(?:\\.[^"\\\n]*)*)"\s*', re.DOTALL)
_PIECE = re.compile(rb"\\(?:[0-7]{1,3}|x[0-9A-Fa-f]+|\r?\n|.)|[\x00-\x5b\x5d-\x7f]+|[\x80-\xff]+", re.DOTALL)
_ESCAPES = {b"n": "\n", b"t": "\t", b"r": "\r", b"a": "\a", b"b": "\b", b"f": "\f", b"v": "\v"}
_MACRO_PIECE = re.compile(rb'(?<!\w)L?"([^"\\\n]*(?:\\.[^"\\\n]*)*)"\s*|\s+|[^\s"L]+|.', re.DOTALL)

Text = tuple[str, tuple[int, ...]]
"""A text, and the byte offset at which each of its characters is written, with one more for the end."""


def joined_literals(expanded: bytes) -> Text | None:
    """The string that adjacent literals `"..." "..."` make, None where anything else stands in `expanded`."""
    text = _TextWithOffsets()
    place = end = 0
    while place < len(expanded):
        literal = _LITERAL.match(expanded, place)
        if literal is None:
            return None
        for piece in _PIECE.finditer(expanded, *literal.span(1)):
            if piece[0].startswith(b"\\"):
                text.add(_unescaped(piece[0][1:]), piece.start())
            else:
                text.add_bytes(piece[0], piece.start())
        place, end = literal.end(), literal.end(1)
    return text.until(end) if end else None


def macro_text(expanded: bytes) -> Text:
    """The text of a macro that an option or a `rootsig` profile names.

    DXC joins its tokens as they are spelled: literals without their quotes and the space after them, no escape read.
    So the macro may hold a bare `CBV(b0)` as well as `"CBV(b0)"`.
    """
    text = _TextWithOffsets()
    expanded = expanded.strip()
    for piece in _MACRO_PIECE.finditer(expanded):
        if piece[1] is not None:
            text.add_bytes(piece[1], piece.start(1))
        elif piece[0].isspace():
            text.add(" ", piece.start())
        else:
            text.add_bytes(piece[0], piece.start())
    return text.until(len(expanded))


class _TextWithOffsets:
    def __init__(self) -> None:
        self.characters: list[str] = []
        self.offsets: list[int] = []

    def add(self, character: str, offset: int) -> None:
        self.characters.append(character)
        self.offsets += [offset] * len(character)

    def add_bytes(self, data: bytes, offset: int) -> None:
        if data.isascii():
            self.characters += data.decode("ascii")
            self.offsets += range(offset, offset + len(data))
            return
        for character in data.decode("utf-8", "surrogateescape"):
            broken = "\udc80" <= character <= "\udcff"
            self.add("\ufffd" if broken else character, offset)
            offset += 1 if broken else len(character.encode())

    def until(self, end: int) -> Text:
        return "".join(self.characters), (*self.offsets, end)


def _unescaped(escape: bytes) -> str:
    if escape in (b"\n", b"\r\n"):
        return ""
    if escape[0] in b"01234567":
        return chr(int(escape, 8))
    if escape[:1] == b"x" and len(escape) > 1:
        return chr(int(escape[1:], 16) & 0xFF)
    return _ESCAPES.get(escape, escape.decode("utf-8", "replace"))
