"""What readers of sources share: the limit of size, places of lines, words of a command line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bindlint.model.source import Span

LARGEST = 64 << 20
"""Bytes of a source that is read at once."""

_WORD = re.compile(r"""(?:\\[\s"']|[^\s"']|"(?:\\"|[^"])*"|'[^']*')+""")
_PART = re.compile(r"""\\([\s"'])|"((?:\\"|[^"])*)"|'([^']*)'|([^"'\\]+|.)""", re.DOTALL)


def at_line(path: str, line: int) -> Span:
    return Span(path, line, 1, line, 1)


def split_words(command: str) -> Iterator[str]:
    """The words of a command line. A backslash stands for itself, as on Windows, but before quotes and spaces."""
    for word in _WORD.findall(command):
        yield "".join(
            escaped or double.replace('\\"', '"') or single or plain
            for escaped, double, single, plain in _PART.findall(word)
        )
