"""Preprocessing tokens: their spelling, where they were written, and how text is cut into them."""

from __future__ import annotations

import re

IDENTIFIER, NUMBER, LITERAL, PUNCTUATOR = 1, 2, 3, 4

# Said by what is no part of names: sets of thousands of characters take `re` long to make.
_NO_NAME = r"\x00-#%-/:-@\[-^`{-\x7f"
NAME = rf"[^0-9{_NO_NAME}][^{_NO_NAME}]*"
"""An identifier in decoded text (clang, Lexer.cpp: `$` and letters of other scripts belong to names)."""
_WORD = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
_TAIL = rb"(?:[eEpP][+-]|[\w$#\x80-\xff])*"
# DXC takes `#` into a number (for `1.#INF`), and ends one before a swizzle (`1.x`, `1.rrr`) and at a second dot.
_NUMBER = rb"\.\d" + _TAIL + rb"|\d" + _TAIL + rb"(?:\.(?![xr])" + _TAIL + rb")?"
# A literal that its line does not close reaches to the end of the line.
_LITERAL = rb'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*(?:"|\\?)|' + rb"'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*(?:'|\\?)"
_PUNCTUATOR = rb"\.\.\.|->\*?|\.\*|<<=|>>=|\+\+|--|<<|>>|&&|\|\||::|##|[-+*/%&|^!=<>]=|\S"

TOKEN = re.compile(rb"(%b)|(%b)|(%b)|(%b)" % (_WORD, _NUMBER, _LITERAL, _PUNCTUATOR))
WORD = re.compile(_WORD)
WORD_OR_OTHER = re.compile(rb"(%b)|%b|%b" % (_WORD, _NUMBER, _LITERAL))
SPACE = re.compile(rb"\s*")
STRING = re.compile(_LITERAL)


class Token:
    """One preprocessing token.

    `space` says that white space stood before it. `file` and `offset` are where it was written, `macro` is the name of
    the macro in whose body that is ("" in plain sight). `frozen` names are no longer expanded. `width` is the length
    of what stands at `offset` where that is not the token itself (a pasted or stringized one), else -1.
    """

    __slots__ = ("file", "frozen", "kind", "macro", "offset", "space", "text", "width")

    def __init__(
        self,
        text: bytes,
        kind: int,
        space: bool,
        file: str,
        offset: int,
        macro: str = "",
        frozen: bool = False,
        width: int = -1,
    ) -> None:
        self.text = text
        self.kind = kind
        self.space = space
        self.file = file
        self.offset = offset
        self.macro = macro
        self.frozen = frozen
        self.width = width

    def spaced(self, space: bool) -> Token:
        """The same token with or without white space before it."""
        if space == self.space:
            return self
        return Token(self.text, self.kind, space, self.file, self.offset, self.macro, self.frozen, self.width)

    def freeze(self) -> Token:
        """The same token, no longer open to expansion."""
        return Token(self.text, self.kind, self.space, self.file, self.offset, self.macro, True, self.width)

    def reshaped(self, text: bytes, kind: int, space: bool) -> Token:
        """A token made out of this one by `#` or `##`; it leads back to the place of this one."""
        width = len(self.text) if self.width < 0 else self.width
        return Token(text, kind, space, self.file, self.offset, self.macro, False, width)


def tokenize(text: bytes, start: int, end: int, file: str, macro: str = "") -> list[Token]:
    """The tokens of text[start:end], which holds neither comments nor line splices."""
    tokens = []
    last = start
    for match in TOKEN.finditer(text, start, end):
        begin = match.start()
        tokens.append(Token(match.group(), match.lastindex or PUNCTUATOR, begin != last, file, begin, macro))
        last = match.end()
    return tokens
