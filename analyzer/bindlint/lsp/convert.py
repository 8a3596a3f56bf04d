"""Places of the protocol, 0-based and in UTF-16 code units, and places in texts: nothing else knows both."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from functools import cached_property

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from bindlint.model.source import Span
from bindlint.suppress import SourceText

_LINE_END = re.compile(r"\r\n|\n|\r")
_MARK = "\ufeff"


class Text:
    """A text as an editor has it, with the way between its places and those of spans. Never changes."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def data(self) -> bytes:
        """The text as it would stand on disk; half a surrogate pair, which no file can hold, is one character still."""
        return self.text.encode("utf-8", "replace")

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def line_of(self, line: int) -> str:
        """A line, counted as spans count, without its end and without a byte order mark."""
        start, end = self._bounds(line - 1)
        return self.text[start + self._marked(line - 1) : end]

    def before(self, line: int, column: int) -> str:
        """All that stands before a place, counted as spans count."""
        return self.text[: self._offset_of(line, column)]

    def _bounds(self, number: int) -> tuple[int, int]:
        """Where a 0-based line begins, and where it ends before its line end."""
        start = self._starts[number]
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)
        if end > start and self.text[end - 1] == "\n":
            end -= 1
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, end

    def offset(self, position: types.Position) -> int:
        """The place of a position, in code points; past the end of its line, or of the text, that end."""
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._bounds(position.line)
        line = self.text[start:end]
        if line.isascii():
            return min(start + position.character, end)
        left = position.character
        for at, character in enumerate(line, start):
            left -= 2 if character > "\uffff" else 1
            if left < 0:
                return at
        return end

    def position(self, offset: int) -> types.Position:
        """The position of a place in code points."""
        line = bisect_right(self._starts, offset) - 1
        return types.Position(line, units(self.text[self._starts[line] : offset]))

    def range(self, start: int, end: int) -> types.Range:
        return types.Range(self.position(start), self.position(end))

    def place(self, position: types.Position) -> tuple[int, int]:
        """Line and column of a position as spans count them."""
        offset = self.offset(position)
        line = bisect_right(self._starts, offset) - 1
        column = offset - self._starts[line] + 1
        return line + 1, column - self._marked(line)

    def span_offsets(self, span: Span) -> tuple[int, int]:
        """Where a span begins and ends, in code points."""
        return self._offset_of(span.line, span.column), self._offset_of(span.end_line, span.end_column)

    def range_of(self, span: Span) -> types.Range:
        start, end = self.span_offsets(span)
        return self.range(start, max(start, end))

    def range_in_line(self, line: int, start: int, end: int) -> types.Range:
        """A range within a line, counted as spans count lines, from 0-based columns in code points."""
        return self.range(self._offset_of(line, start + 1), self._offset_of(line, end + 1))

    def changed(self, change: types.TextDocumentContentChangeEvent) -> Text:
        """The text after one change."""
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = self.offset(change.range.start), self.offset(change.range.end)
            return Text(self.text[:start] + change.text + self.text[max(start, end) :])
        return Text(change.text)

    def _offset_of(self, line: int, column: int) -> int:
        if line > len(self._starts):
            return len(self.text)
        start, end = self._bounds(line - 1)
        return min(start + column - 1 + self._marked(line - 1), end)

    def _marked(self, line: int) -> int:
        """The byte order mark is a character to the editor and none in a span."""
        return int(line == 0 and self.text[:1] == _MARK)


def units(text: str) -> int:
    """The length of a text in UTF-16 code units."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)


def text_of(source: SourceText) -> Text:
    """A file as read."""
    return Text(source.text.decode("utf-8", "replace"))


def holds(span: Span, line: int, column: int) -> bool:
    """Whether a place stands in a span, its end included, since a cursor stands between characters."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def spans_meet(span: Span, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Whether a span touches what lies between two places."""
    return (span.line, span.column) <= end and start <= (span.end_line, span.end_column)


def path_of(uri: str) -> str:
    """The path of a document; one that is no file goes by its URI."""
    path = to_fs_path(uri)
    return os.path.normpath(path) if path else uri


def uri_of(path: str) -> str:
    return from_fs_path(path) or path
