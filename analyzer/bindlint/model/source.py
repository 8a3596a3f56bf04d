"""Places in source files: where something is written, and through which macro it came."""

from __future__ import annotations

import msgspec


class Span(msgspec.Struct, frozen=True):
    """A stretch of one unexpanded source file.

    `line`, `column`, `end_line` and `end_column` are 1-based and count Unicode code points; the end is exclusive.
    `start` and `end` are byte offsets into the file's text after decoding to UTF-8.
    `macro` names the macro whose body holds the text ("" where it stands in plain sight), and `use` is then the place
    where the outermost macro was used.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    start: int = 0
    end: int = 0
    macro: str = ""
    use: Span | None = None

    @property
    def editable(self) -> bool:
        """Whether replacing the stretch in place changes this one thing only."""
        return not self.macro

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def first_of(span: Span, count: int) -> Span:
    """The first `count` ASCII characters of a span; 0: the place before it."""
    return msgspec.structs.replace(span, end_line=span.line, end_column=span.column + count, end=span.start + count)


def last_of(span: Span, count: int) -> Span:
    """The last `count` ASCII characters of a span, which stand on its last line."""
    return msgspec.structs.replace(span, line=span.end_line, column=span.end_column - count, start=span.end - count)


NOWHERE = Span("", 1, 1, 1, 1)
