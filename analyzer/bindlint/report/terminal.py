"""Text made safe and measurable for terminals: control characters shown, widths counted, colours where wanted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from bindlint.model.finding import Severity

_UNSAFE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""C0 and C1 controls, marks that hide or reorder text, lone surrogates. Tabs are the caller's matter."""

_TAB = "    "

_CODES = {"error": "1;31", "warning": "1;33", "info": "1;36", "bold": "1", "dim": "2", "blue": "1;34"}


def escape(text: str) -> str:
    """The text with everything that a terminal would act on shown as an escape, tabs as spaces."""
    return _UNSAFE.sub(lambda m: ascii(m[0])[1:-1], text).replace("\t", _TAB)


def width(text: str) -> int:
    """Columns that escaped text takes on a terminal."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text) if not text.isascii() else 0
    marks = sum(unicodedata.combining(c) != 0 for c in text) if not text.isascii() else 0
    return len(text) + wide - marks


class Paint:
    """Wraps text in colours, or leaves it alone."""

    def __init__(self, enabled: bool) -> None:
        self.enabled = enabled

    def __call__(self, style: str | Severity, text: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.enabled else text


def columns(rows: Sequence[Sequence[str]], gap: str = "  ") -> list[str]:
    """Rows of one table as aligned lines, without spaces at their ends."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = (cell + " " * (size - width(cell)) for cell, size in zip(row, widths, strict=True))
        lines.append(gap.join(cells).rstrip())
    return lines


def encode(text: str) -> bytes:
    """UTF-8; whatever cannot be encoded is shown as an escape."""
    return text.encode("utf-8", "backslashreplace")
