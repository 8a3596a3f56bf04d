"""Conditions of MSBuild, as far as projects of shaders have them: comparisons, `and`, `or`, `!`, `Exists`."""

from __future__ import annotations

import re
from collections.abc import Callable

_TOKEN = re.compile(r"""\s*(?:'(?P<text>[^']*)'|(?P<sign>==|!=|<=|>=|<|>|!|\(|\))|(?P<word>[^\s'=!<>()]+))""")


class _UnreadError(Exception):
    """The condition is not one that is understood here."""


def holds(condition: str, exists: Callable[[str], bool]) -> bool | None:
    """Whether a condition, its properties put in, is true; None for one that is not understood."""
    try:
        return _Reader(condition, exists).whole()
    except (_UnreadError, RecursionError):
        return None


class _Reader:
    """Reads one condition by descent; all parts are evaluated, which changes nothing."""

    def __init__(self, condition: str, exists: Callable[[str], bool]) -> None:
        self._exists = exists
        self._tokens: list[tuple[str, str]] = []
        end = 0
        for match in _TOKEN.finditer(condition):
            if match.start() != end:
                raise _UnreadError
            end = match.end()
            kind = match.lastgroup or ""
            self._tokens.append((kind, match[kind]))
        if condition[end:].strip():
            raise _UnreadError
        self._tokens.reverse()

    def whole(self) -> bool:
        value = self._alternatives()
        if self._tokens:
            raise _UnreadError
        return value

    def _next(self) -> tuple[str, str]:
        if not self._tokens:
            raise _UnreadError
        return self._tokens.pop()

    def _takes(self, word: str) -> bool:
        if self._tokens and self._tokens[-1][0] != "text" and self._tokens[-1][1].lower() == word:
            self._tokens.pop()
            return True
        return False

    def _alternatives(self) -> bool:
        value = self._both()
        while self._takes("or"):
            value = self._both() or value
        return value

    def _both(self) -> bool:
        value = self._single()
        while self._takes("and"):
            value = self._single() and value
        return value

    def _single(self) -> bool:
        if self._takes("!"):
            return not self._single()
        if self._takes("("):
            value = self._alternatives()
            if not self._takes(")"):
                raise _UnreadError
            return value
        kind, left = self._next()
        if kind == "sign":
            raise _UnreadError
        if kind == "word" and self._takes("("):
            return self._function(left)
        for sign in ("==", "!="):
            if self._takes(sign):
                kind, right = self._next()
                if kind == "sign":
                    raise _UnreadError
                return (left.lower() == right.lower()) == (sign == "==")
        if left.lower() not in ("true", "false"):
            raise _UnreadError
        return left.lower() == "true"

    def _function(self, name: str) -> bool:
        argument = self._next()[1]
        if not self._takes(")"):
            raise _UnreadError
        match name.lower():
            case "exists":
                return self._exists(argument)
            case "hastrailingslash":
                return argument.endswith(("/", "\\"))
        raise _UnreadError
