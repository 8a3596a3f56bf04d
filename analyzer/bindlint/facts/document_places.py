"""Where the keys and values of a TOML or JSON text stand, which their parsers do not tell."""

from __future__ import annotations

import re
from typing import Any

Path = tuple[str | int, ...]
Place = tuple[int, int]
"""Start and exclusive end, in characters of the text."""

_AHEAD = 200
"""Tokens within which a key must come; one that is written with escapes is not found at all."""

_TOKEN = re.compile(
    r'''#[^\n]*|("""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^\s,=:\[\]{}#"']+)''', re.DOTALL
)


def places(text: str, values: Any) -> dict[Path, Place]:
    """The place of each key with its value, each item of a list and each value, by its path from the root.

    `values` are what the text parses to. What is written in an order of its own (a TOML table that is opened twice)
    has no place.
    """
    walk = _Walk(text)
    try:
        return walk.walk(values, ())
    except RecursionError:
        return {}


class _Walk:
    def __init__(self, text: str) -> None:
        self._tokens = [(match[1], match.span(1)) for match in _TOKEN.finditer(text) if match[1] is not None]
        self._next = 0
        self._found: dict[Path, Place] = {}

    def walk(self, values: Any, path: Path) -> dict[Path, Place]:
        self._visit(values, path)
        return self._found

    def _visit(self, value: Any, path: Path) -> Place | None:
        parts: list[Place | None] = []
        if isinstance(value, dict):
            for key, inner in value.items():
                own = self._key(str(key))
                whole = _joined([own, self._visit(inner, (*path, key))])
                if whole is not None:
                    self._found[(*path, key)] = whole
                parts.append(whole)
        elif isinstance(value, list):
            parts += [self._visit(inner, (*path, index)) for index, inner in enumerate(value)]
        else:
            parts.append(self._value())
        whole = _joined(parts)
        if whole is not None:
            self._found.setdefault(path, whole)
        return whole

    def _key(self, key: str) -> Place | None:
        for index in range(self._next, min(self._next + _AHEAD, len(self._tokens))):
            token, place = self._tokens[index]
            if token.strip("\"'") == key:
                self._next = index + 1
                return place
        return None

    def _value(self) -> Place | None:
        if self._next == len(self._tokens):
            return None
        self._next += 1
        return self._tokens[self._next - 1][1]


def _joined(parts: list[Place | None]) -> Place | None:
    known = [part for part in parts if part is not None]
    return (min(start for start, _ in known), max(end for _, end in known)) if known else None
