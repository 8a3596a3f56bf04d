"""Macro definitions, interned so that equal definitions at one place are one object."""

from __future__ import annotations

import random
from typing import Literal

from bindlint_grammars.hlsl.tokens import IDENTIFIER, Token, tokenize

_RANDOM = random.SystemRandom()

Builtin = Literal["", "line", "file", "base-file", "level", "counter", "pragma"]


class Macro:
    """One definition. `parameters` is None for an object macro; a variadic macro's last parameter takes the rest.

    `identity` is a random number of 128 bits; the identity of a whole environment is the exclusive or of those of its
    macros. It is drawn, not computed, so that no source can be written to make two environments look alike.
    """

    __slots__ = ("body", "builtin", "identity", "name", "parameters", "pasting", "value", "variadic")

    def __init__(
        self,
        name: bytes,
        body: list[Token],
        parameters: tuple[bytes, ...] | None = None,
        variadic: bool = False,
        builtin: Builtin = "",
        value: int = 0,
    ) -> None:
        self.name = name
        self.body = body
        self.parameters = parameters
        self.variadic = variadic
        self.builtin = builtin
        self.value = value
        self.pasting = any(token.text == b"##" for token in body)
        self.identity = _RANDOM.getrandbits(128)


class DefinitionError(Exception):
    """A `#define` that is none, with the offset of what is wrong."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def parse_definition(text: bytes, start: int, end: int, file: str) -> Macro:
    """The macro that the text after `#define` defines. Raises DefinitionError, for the caller to report."""
    head = tokenize(text, start, end, file)
    if not head:
        raise DefinitionError("a macro name is missing", start)
    if head[0].kind != IDENTIFIER:
        raise DefinitionError("a macro name must be an identifier", head[0].offset)
    name = head[0].text
    if name == b"defined":
        raise DefinitionError("`defined` cannot be used as a macro name", head[0].offset)
    parameters, variadic, at = None, False, 1
    if len(head) > 1 and head[1].text == b"(" and not head[1].space:
        parameters, variadic, at = _parameters(head)
    body = tokenize(text, head[at].offset, end, file, name.decode("utf-8", "replace")) if at < len(head) else []
    _check_operators(body, parameters)
    return Macro(name, body, parameters, variadic)


def _parameters(head: list[Token]) -> tuple[tuple[bytes, ...], bool, int]:
    """Parameter names, whether the last is variadic, and the index of the first token of the body."""
    names: list[bytes] = []
    at = 2
    if len(head) > 2 and head[2].text == b")":
        return (), False, 3
    while at < len(head):
        token = head[at]
        following = head[at + 1].text if at + 1 < len(head) else b""
        if token.text == b"...":
            names.append(b"__VA_ARGS__")
            if following != b")":
                raise DefinitionError("`)` is missing after `...` in the macro's parameters", token.offset)
            return tuple(names), True, at + 2
        if token.kind != IDENTIFIER:
            raise DefinitionError("a macro parameter must be an identifier", token.offset)
        if token.text in names:
            name = token.text.decode("utf-8", "replace")
            raise DefinitionError(f"the macro parameter {name} is there twice", token.offset)
        names.append(token.text)
        if following == b")":
            return tuple(names), False, at + 2
        if following == b"..." and at + 2 < len(head) and head[at + 2].text == b")":
            return tuple(names), True, at + 3
        if following != b",":
            raise DefinitionError("a comma is missing in the macro's parameters", token.offset)
        at += 2
    raise DefinitionError("`)` is missing in the macro's parameters", head[-1].offset)


def _check_operators(body: list[Token], parameters: tuple[bytes, ...] | None) -> None:
    if body and (body[0].text == b"##" or body[-1].text == b"##"):
        raise DefinitionError("`##` cannot stand at an end of a macro's body", body[0].offset)
    if parameters is None:
        return
    following = [*(token.text for token in body[1:]), b""]
    for token, operand in zip(body, following, strict=False):
        if token.text == b"#" and operand not in parameters:
            raise DefinitionError("`#` is not followed by a macro parameter", token.offset)
