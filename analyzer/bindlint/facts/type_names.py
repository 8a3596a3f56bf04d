"""Types as written: from their text to `TypeName`, and the splitting of lists that may hold brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from bindlint.model.declarations import Place, TypeName

_QUALIFIERS = re.compile(
    r"^(?:(?:const|volatile|snorm|unorm|row_major|column_major|precise|globallycoherent|reordercoherent|typename"
    r"|struct|class|enum|interface|uniform|static)\s+)+(?=[\w:])"
)
_TRAILING = re.compile(r"\s+const$")
_SPACE = re.compile(r"\s+")
_SEPARATORS = re.compile(rb"[][(){}<>,]" + rb"""|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'(?:[^'\\\n]|\\.)'""", re.DOTALL)
_SEPARATORS_NO_ANGLES = re.compile(rb"[][(){},]" + rb"""|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'(?:[^'\\\n]|\\.)'""", re.DOTALL)


def split_list(text: bytes, start: int, end: int, angles: bool = False) -> Iterator[Place]:
    """The places of the items of a comma list between `start` and `end`, without the white space around them.

    `angles` says whether `<` and `>` are brackets too. A comma at the very end is passed over.
    """
    depth = 0
    begin = start
    for token in (_SEPARATORS if angles else _SEPARATORS_NO_ANGLES).finditer(text, start, end):
        mark = token.group()
        if mark == b",":
            if depth == 0:
                yield _trim(text, begin, token.start())
                begin = token.end()
        elif mark in b"([{<":
            depth += 1
        elif mark in b")]}>":
            depth -= 1
    last = _trim(text, begin, end)
    if last[0] < last[1]:
        yield last


def _trim(text: bytes, start: int, end: int) -> Place:
    stripped = text[start:end].strip()
    if not stripped:
        return start, start
    begin = text.index(stripped, start)
    return begin, begin + len(stripped)


@lru_cache(maxsize=65536)
def read_type(text: bytes) -> TypeName:
    """The type that `text` spells: qualifiers and elaborations (`struct S`) are left out, white space is normalised."""
    written = _SPACE.sub(" ", text.decode("utf-8", "replace")).strip()
    written = _TRAILING.sub("", _QUALIFIERS.sub("", written))
    if not written.endswith(">"):
        return TypeName(_tidy(written))
    opening = _opening_angle(written)
    if opening <= 0:
        return TypeName(written)
    inner = written[opening + 1 : -1].encode()
    arguments = tuple(read_type(inner[start:end]) for start, end in split_list(inner, 0, len(inner), angles=True))
    return TypeName(_tidy(written[:opening]), arguments)


def _tidy(name: str) -> str:
    return re.sub(r"\s*(::|<|>|,)\s*", r"\1", name).strip().replace(",", ", ") if not name.isidentifier() else name


def _opening_angle(written: str) -> int:
    """Where the `<` stands that the last character closes; -1 where there is none."""
    depth = 0
    for at in range(len(written) - 1, -1, -1):
        if written[at] == ">":
            depth += 1
        elif written[at] == "<":
            depth -= 1
            if not depth:
                return at
    return -1
