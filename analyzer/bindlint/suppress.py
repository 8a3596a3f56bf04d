"""Suppression comments: `// bindlint: allow(rule, ...) reason` for a line, `allow-file(...)` for a whole file."""

from __future__ import annotations

import re
from typing import Protocol

import msgspec

from bindlint.model.source import Span

_MARK = b"bindlint:"
_COMMENT = re.compile(rb"(?://|/\*)[ \t]*bindlint:[ \t]*([A-Za-z][\w-]*)[ \t]*\(([^)\r\n]*)(\)?)")
_BARE = re.compile(rb"(?://|/\*)[ \t]*bindlint:[ \t]*(allow(?:-file)?)(?![\w-]|[ \t]*\()")
_NAME = re.compile(rb"[^,\s]+")
_COMMENT_LINE = re.compile(rb"[ \t]*(?://[^\n]*|/\*[^\n]*\*/[ \t]*)\r?(?:\n|\Z)")


class SourceText(Protocol):
    """A source file as read: its text in UTF-8, and the 1-based line and column of an offset into it."""

    @property
    def text(self) -> bytes: ...

    def position(self, offset: int, /) -> tuple[int, int]: ...


class Suppression(msgspec.Struct, frozen=True):
    """One rule named in one comment. `line` is the line that it holds for, 0 for the whole file.

    `fault` says why the comment means nothing, "" where it is in order.
    """

    rule: str
    span: Span
    line: int = 0
    fault: str = ""


def read_suppressions(file: str, source: SourceText) -> tuple[Suppression, ...]:
    """Every rule named in a suppression comment of the file, in order."""
    text = source.text
    if _MARK not in text:
        return ()
    found: list[Suppression] = []
    held = _Held(text)
    for comment in _COMMENT.finditer(text):
        verb = comment[1].decode()
        line = source.position(comment.start())[0]
        fault = ""
        if verb not in ("allow", "allow-file"):
            fault = f"`{verb}` is no suppression; write `allow(...)` or `allow-file(...)`"
        elif not comment[3]:
            fault = f"`{verb}(` is not closed on its line"
        target = 0 if verb == "allow-file" else held.line(comment.start(), line)
        named: dict[bytes, int] = {}
        for word in _NAME.finditer(comment[2]):
            named.setdefault(word[0], word.start() + comment.start(2))
        names = [(start, name) for name, start in named.items()]
        if fault or not names:
            fault = fault or f"`{verb}()` names no rule"
            names = [(comment.start(1), comment[1])]
        for start, name in names:
            span = _span(file, source, start, start + len(name))
            found.append(Suppression(name.decode("utf-8", "replace"), span, target, fault))
    for comment in _BARE.finditer(text):
        verb = comment[1].decode()
        fault = f"`{verb}` names no rule; write `{verb}(RULE)`"
        found.append(Suppression(verb, _span(file, source, *comment.span(1)), 0, fault))
    return tuple(found)


class _Held:
    """The lines that comments of a text hold for, asked in order."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._end = self._line = 0

    def line(self, comment: int, line: int) -> int:
        """The comment's own line, or where it stands alone the next line that is no comment."""
        text = self._text
        start = text.rfind(b"\n", 0, comment) + 1
        if text[start:comment].strip():
            return line
        if start >= self._end:
            while (match := _COMMENT_LINE.match(text, start)) and match.end() > start:
                start = match.end()
                line += 1
            self._end, self._line = start, line
            return line
        return self._line


def _span(file: str, source: SourceText, start: int, end: int) -> Span:
    return Span(file, *source.position(start), *source.position(end), start, end)
