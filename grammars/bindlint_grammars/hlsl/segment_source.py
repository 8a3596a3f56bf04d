"""The tokens of a file from a place on, for the arguments of a macro call that begins there."""

from __future__ import annotations

from collections.abc import Callable

from bindlint_grammars.hlsl.scan import Scan
from bindlint_grammars.hlsl.tokens import PUNCTUATOR, SPACE, TOKEN, Token


class SegmentSource:
    """Reads on from `cursor` in segment `index` of a scan.

    Where the segment ends, `cross` carries out the directives that follow and gives the next segment with its start and
    its end; an end of 0 says that the file is at its end.
    """

    __slots__ = ("_cross", "_path", "_text", "cursor", "end", "index")

    def __init__(self, scan: Scan, index: int, cursor: int, cross: Callable[[int], tuple[int, int, int]]) -> None:
        segment = scan.segments[index]
        self._text = scan.text
        self._path = scan.path
        self._cross = cross
        self.index = index
        self.cursor = cursor
        self.end = segment.end if segment is not None else 0

    def next(self) -> Token | None:
        """The next token, None at the end of the file."""
        at = _after_space(self._text, self.cursor, self.end)
        space = at > self.cursor
        if at >= self.end:
            if self.end:
                self.index, self.cursor, self.end = self._cross(self.index)
            if not self.end:
                return None
            at, space = self.cursor, True
        match = TOKEN.match(self._text, at, self.end)
        if match is None:
            return None
        self.cursor = match.end()
        return Token(match.group(), match.lastindex or PUNCTUATOR, space, self._path, at)

    def paren_follows(self) -> bool:
        """Whether the next token of this segment is `(`."""
        at = _after_space(self._text, self.cursor, self.end)
        return at < self.end and self._text[at] == 0x28


def _after_space(text: bytes, start: int, end: int) -> int:
    match = SPACE.match(text, start, end)
    return match.end() if match else start
