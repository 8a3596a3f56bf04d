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


NOWHERE = Span("", 1, 1, 1, 1)
