"""Masking: overwrites, at equal length, what the grammar cannot read or declarations do not need, and remembers it.

The text that comes out holds bare declarations: `Texture2D<float4> t[N] : register(t0);` has become
`Texture2D_float4_ t[ ]                ;`. Attributes, modifiers, template heads, clauses behind a `:`, initializers and
bodies of functions are blank, template arguments are part of the name before them, and a cbuffer is a namespace. So no
body is parsed, and no construct inside one can spoil what stands around it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from bindlint_grammars.hlsl.masking_tokens import (
    ASSERTION,
    BLOCKS,
    BUFFERS,
    CLAUSES,
    DEEPEST_BLOCK,
    EFFECT,
    MARK,
    MODIFIER,
    NEXT_IS_WORD,
    PLAIN,
    STRUCTS,
    STRUCTURE,
    TAKEN,
    TOKEN,
    TOUCHING_WORD,
    WORD,
    WORD_AHEAD,
    WORD_CLASS,
    close_angle,
    close_brace,
    close_bracket,
    end_of_value,
    end_of_words,
)

Place = tuple[int, int]


class Clause(msgspec.Struct, frozen=True):
    """What followed a `:` behind a declarator; `start` is after the colon. `other` has brackets but no known name."""

    kind: Literal["semantic", "register", "packoffset", "access", "bits", "other"]
    start: int
    end: int


class Head(msgspec.Struct):
    """What was blanked before and inside a declaration or parameter."""

    modifiers: list[bytes] = msgspec.field(default_factory=list)
    attributes: list[Place] = msgspec.field(default_factory=list)
    template: Place | None = None


class Tail(msgspec.Struct):
    """What was blanked behind a declarator."""

    clauses: list[Clause] = msgspec.field(default_factory=list)
    initializer: Place | None = None


class Buffer(msgspec.Struct, frozen=True):
    """The head of a cbuffer or tbuffer; its clauses are the tail at the end of its name."""

    keyword: bytes
    name: Place


class Masked(msgspec.Struct, frozen=True):
    """A masked text of the original's length, and what was masked.

    `heads` go by where the declaration now begins, `tails` by where the declarator now ends, `buffers` by their
    keyword. `unread` are stretches that make no sense and were blanked.
    """

    text: bytes
    heads: dict[int, Head]
    tails: dict[int, Tail]
    buffers: dict[int, Buffer]
    unread: tuple[Place, ...]


class _Open(msgspec.Struct):
    """A declaration that has begun: where, its head, its leading keyword, how many words since, what came last."""

    start: int = -1
    head: Head | None = None
    keyword: bytes = b""
    keyword_at: int = -1
    words: int = 0
    name: Place = (0, 0)
    last: int = -1
    function: bool = False


def mask(text: bytes) -> Masked:
    """Mask preprocessed HLSL (no directives, no comments). Any bytes are taken; the length never changes."""
    return _Masker(text).run()


class _Masker:
    def __init__(self, text: bytes) -> None:
        self.text = text
        self.out = bytearray(text)
        self.heads: dict[int, Head] = {}
        self.tails: dict[int, Tail] = {}
        self.buffers: dict[int, Buffer] = {}
        self.unread: list[Place] = []
        self.unclosed = 0

    def run(self) -> Masked:
        text = self.text
        blocks: list[_Open] = []
        now = _Open()
        at = 0
        while token := TOKEN.match(text, at):
            kind = token.lastindex
            start = token.start(kind or 0)
            at = token.end()
            if kind == WORD:
                at = self.word(now, start, at)
                continue
            mark = text[start] if kind == MARK else 0x22
            if mark == 0x3B:  # ;
                if now.start < 0:
                    # Behind a body the grammar would take the body for an initializer.
                    self.blank(start, at)
                self.finish(now)
                now = _Open()
            elif mark == 0x7B:  # {
                if now.keyword in BLOCKS and not now.function and len(blocks) < DEEPEST_BLOCK:
                    if now.keyword in BUFFERS:
                        self.open_buffer(now, at)
                    blocks.append(now)
                    now = _Open()
                else:
                    at = self.braces(now, start, at)
                    if now.function or now.start < 0:
                        self.finish(now)
                        now = _Open()
            elif mark == 0x7D:  # }
                self.finish(now)
                if not blocks:
                    self.refuse(start, at)
                    now = _Open()
                elif (opened := blocks.pop()).keyword in STRUCTS:
                    now = opened
                    now.words = 2
                    now.last = at
                else:
                    now = _Open()
            elif mark == 0x23:  # #
                end = text.find(b"\n", at)
                at = len(text) if end < 0 else end
                self.blank(start, at)
            else:
                at = self.mark(now, mark, start, at)
        self.finish(now)
        for opened in blocks:
            end = max(opened.last, opened.keyword_at + len(opened.keyword))
            self.unread.append((opened.keyword_at, end))
            self.blank(opened.keyword_at, text.find(b"{", end) + 1)
        return Masked(bytes(self.out), self.heads, self.tails, self.buffers, tuple(self.unread))

    def blank(self, start: int, end: int) -> None:
        self.out[start:end] = b" " * (end - start)

    def finish(self, now: _Open) -> None:
        if now.head is not None and now.start >= 0:
            self.heads[now.start] = now.head

    def word(self, now: _Open, start: int, end: int) -> int:
        text = self.text
        word = text[start:end]
        kind = WORD_CLASS.get(word, PLAIN)
        if kind != PLAIN:
            if kind == MODIFIER:
                if now.function or (NEXT_IS_WORD.match(text, end) and not (now.keyword and now.words == 0)):
                    self.head(now).modifiers.append(word)
                    self.blank(start, end)
                    return end
                kind = TAKEN
            if word in CLAUSES:
                return self.refuse(start, end)
            if kind == TAKEN:
                self.out[start:end] = word.upper()
            elif kind == STRUCTURE:
                return self.structure(now, word, start, end)
            elif kind == EFFECT and now.start < 0:
                return self.effect(start, end)
            elif kind == ASSERTION and now.start < 0:
                end = end_of_value(text, end)
                self.blank(start, end)
                return end
        if now.function:
            self.drop(now)
        if now.start < 0:
            now.start = start
        now.words += 1
        now.name = (start, end)
        now.last = end
        return end

    def drop(self, now: _Open) -> None:
        """Blank a declaration that breaks off before a new one begins, such as a macro that is defined nowhere."""
        self.refuse(now.start, now.last)
        now.start, now.words, now.keyword, now.function = -1, 0, b"", False

    def structure(self, now: _Open, word: bytes, start: int, end: int) -> int:
        text = self.text
        if word == b"template":
            if now.start >= 0:
                self.blank(start, end)
                return end
            token = TOKEN.match(text, end)
            closed = close_angle(text, token.end() - 1)[0] if token and token.group(MARK) == b"<" else -1
            if closed > 0 and token:
                self.head(now).template = (token.end(), closed - 1)
                end = closed
            self.blank(start, end)
            return end
        if now.function:
            self.drop(now)
        if now.start < 0:
            now.start = start
        now.last = end
        if word == b"operator":
            opening = text.find(b"(", end)
            if opening >= 0 and text[end:opening].isspace() | (opening == end):
                opening = text.find(b"(", close_bracket(text, opening)[0])
            end = len(text[:opening].rstrip()) if opening >= 0 else end
            self.out[start:end] = b"operator".ljust(end - start, b"_")
            now.name = (start, end)
            now.words += 1
            now.last = end
        elif word != b"typedef" and not (now.keyword == b"enum" and not now.words):
            if word == b"interface":
                self.out[start:end] = b"struct   "
            now.keyword, now.keyword_at, now.words = word, start, 0
        return end

    def effect(self, start: int, end: int) -> int:
        opening = self.text.find(b"{", end)
        end = close_brace(self.text, opening + 1)[0] if opening >= 0 else len(self.text)
        self.blank(start, end)
        return end

    def open_buffer(self, now: _Open, end: int) -> None:
        start = now.keyword_at
        if now.words:
            self.buffers[start] = Buffer(now.keyword, now.name)
            self.out[start:end] = b"namespace".ljust(end - start - 1) + b"{"
        else:
            self.unread.append((start, end))
            self.out[start:end] = b"{".rjust(end - start)

    def braces(self, now: _Open, start: int, at: int) -> int:
        """Blank what braces hold; of a state block (`SamplerState s { ... };`) and a stray block the braces as well."""
        end, closed = close_brace(self.text, at)
        if not closed or now.start < 0 or (now.keyword in BLOCKS and not now.function):
            self.unread.append((start, at))
        self.unclosed += not closed
        if self.unclosed > 16:
            end = len(self.text)
        if (now.function or now.keyword == b"enum") and end > at:
            self.blank(at, end)
            self.out[end - 1] = 0x7D
            now.last = end
        else:
            self.blank(start, end)
        return end

    def mark(self, now: _Open, mark: int, start: int, at: int, closing: bytes = b"") -> int:
        """One character inside a declaration; what stays in the text becomes the last thing seen."""
        text = self.text
        if mark == 0x5B:  # [
            end, closed = close_bracket(text, start)
            if now.start < 0 or text[at : at + 1] == b"[" or (now.keyword in STRUCTS and not now.words):
                self.head(now).attributes.append((start, end))
                self.blank(start, end)
                if not closed:
                    self.unread.append((start, end))
                return end
            if now.function:
                # The array size of what the function returns.
                self.blank(start, end)
            else:
                self.blank(at, end - 1 if closed else end)
                now.last = end
            return end
        if at - start == 2 and WORD_AHEAD.match(text, at):  # ::
            now.start = start if now.start < 0 else now.start
            return at
        if now.start < 0 or at - start > 1:
            return self.refuse(start, at)
        if mark == 0x3A:  # :
            if (now.keyword in STRUCTS and now.words == 1) or (now.keyword == b"enum" and now.words <= 1):
                return at
            return self.clause(now, start, at)
        if mark == 0x3D and now.keyword not in (b"using", b"namespace"):  # =
            end = end_of_value(text, at, closing)
            begin = end - len(text[at:end].lstrip())
            self.tail(now).initializer = (begin, begin + len(text[begin:end].rstrip()))
            self.blank(start, end)
            return end
        if mark == 0x3C:  # <
            return self.angle(now, start)
        if mark == 0x28 and not now.function and not text[now.last : start].strip():  # (
            now.function = True
            now.last = at = self.parameters(at)
            return at
        if mark in (0x2C, 0x3D):  # , =
            return at
        return self.refuse(start, at)

    def refuse(self, start: int, end: int) -> int:
        """Blank what has no place in a declaration."""
        self.blank(start, end)
        if self.unread and self.unread[-1][1] == start:
            start = self.unread.pop()[0]
        self.unread.append((start, end))
        return end

    def angle(self, now: _Open, start: int) -> int:
        text = self.text
        end, statements = close_angle(text, start)
        if end < 0:
            return self.refuse(start, start + 1)
        if statements or now.name[1] != now.last or text[now.last : start].strip():
            self.blank(start, end)
            return end
        self.out[now.last : end] = b"_" * (end - now.last)
        if TOUCHING_WORD.match(text, end):
            # `Buffer<float>b`: the closing bracket becomes the space between the two words.
            self.out[end - 1] = 0x20
        now.name = (now.name[0], end)
        now.last = end
        return end

    def clause(self, now: _Open, colon: int, at: int) -> int:
        text = self.text
        token = TOKEN.match(text, at)
        if not token or token.lastindex != WORD:
            end = end_of_value(text, at, b")")
            self.tail(now).clauses.append(Clause("bits", at, end))
            self.blank(colon, end)
            return end
        word, end = token.group(WORD), token.end()
        kind: Literal["semantic", "register", "packoffset", "access", "bits", "other"] = "semantic"
        opening = TOKEN.match(text, end)
        if opening and opening.group(MARK) == b"(":
            end = close_bracket(text, opening.start(MARK))[0]
            kind = "access" if word in (b"read", b"write") else "other"
        elif word in CLAUSES:
            end = end_of_words(text, end)
        if word in CLAUSES:
            kind = "register" if word == b"register" else "packoffset"
        self.tail(now).clauses.append(Clause(kind, token.start(WORD), end))
        self.blank(colon, end)
        return end

    def parameters(self, at: int) -> int:
        """Mask a parameter list from behind its `(`; the place behind its `)`, or where the list breaks off."""
        text = self.text
        now = _Open()
        while token := TOKEN.match(text, at):
            kind = token.lastindex
            start = token.start(kind or 0)
            at = token.end()
            if kind == WORD:
                at = self.word(now, start, at)
                continue
            mark = text[start] if kind == MARK else 0x22
            if mark in (0x2C, 0x29):  # , )
                self.finish(now)
                now = _Open()
                if mark == 0x29:
                    return at
            elif mark in (0x3B, 0x7B, 0x7D):  # ; { }
                return start
            elif mark == 0x28:  # (
                at = close_bracket(text, start)[0]
                self.blank(start, at)
            else:
                at = self.mark(now, mark, start, at, b")")
        return len(text)

    def head(self, now: _Open) -> Head:
        if now.head is None:
            now.head = Head()
        return now.head

    def tail(self, now: _Open) -> Tail:
        return self.tails.setdefault(now.last, Tail())
