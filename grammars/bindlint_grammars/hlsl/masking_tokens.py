"""Words and brackets of HLSL as masking needs them: tokens, word classes, and where bracketed stretches end."""

from __future__ import annotations

import re

from bindlint_grammars.hlsl.parser import KEYWORDS

TOKEN = re.compile(
    rb"""\s*(?:
    ([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)
    | ("[^"\\\n]*(?:\\.[^"\\\n]*)*"? | '(?:[^'\\\n]|\\.)')
    | (::|[^\s])
    )""",
    re.VERBOSE | re.DOTALL,
)
"""One token after white space: group 1 a word, 2 a literal in quotes, 3 anything else by the character."""
WORD, QUOTED, MARK = 1, 2, 3

MODIFIERS = frozenset(
    b"""static const extern uniform groupshared shared volatile precise inline export globallycoherent reordercoherent
    row_major column_major snorm unorm in out inout nointerpolation linear centroid center noperspective sample triangle
    point line lineadj triangleadj indices vertices primitives payload constexpr mutable virtual explicit friend
    register __restrict__ __inline __forceinline public private protected typename""".split()
)
"""Words before a type that say how, not what. Some are names too: they are modifiers where another word follows."""

STRUCTS = frozenset([b"struct", b"class", b"interface", b"union"])
BUFFERS = frozenset([b"cbuffer", b"tbuffer"])
BLOCKS = STRUCTS | BUFFERS | {b"namespace"}
STRUCTURAL = BLOCKS | {b"enum", b"typedef", b"using", b"template", b"operator"}
CLAUSES = frozenset([b"register", b"packoffset"])
EFFECTS = frozenset(b"technique technique10 technique11 fxgroup".split())
ASSERTIONS = frozenset([b"static_assert", b"_Static_assert"])
GRAMMAR_TYPES = frozenset(b"unsigned signed long short".split())
RESERVED = KEYWORDS - STRUCTURAL - GRAMMAR_TYPES
"""Words that HLSL lets be names and the grammar does not."""

PLAIN, MODIFIER, STRUCTURE, EFFECT, ASSERTION, TAKEN = range(6)
WORD_CLASS: dict[bytes, int] = {
    **dict.fromkeys(RESERVED, TAKEN),
    **dict.fromkeys(MODIFIERS, MODIFIER),
    **dict.fromkeys(STRUCTURAL, STRUCTURE),
    **dict.fromkeys(EFFECTS, EFFECT),
    **dict.fromkeys(ASSERTIONS, ASSERTION),
}

WORD_AHEAD = re.compile(rb"\s*[A-Za-z_$\x80-\xff]")
TOUCHING_WORD = re.compile(rb"[\w$\x80-\xff]")
NEXT_IS_WORD = re.compile(rb"\s+[A-Za-z_$\x80-\xff]|\s*::")

_QUOTED = rb"""|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'(?:[^'\\\n]|\\.)'"""
_BRACES = re.compile(rb"[{}]" + _QUOTED, re.DOTALL)
_INSIDE = {
    b"(": re.compile(rb"[(){};]" + _QUOTED, re.DOTALL),
    b"[": re.compile(rb"[][{};]" + _QUOTED, re.DOTALL),
}
_ANGLES = re.compile(rb"[<>(;{}=]" + _QUOTED, re.DOTALL)
_VALUE = re.compile(rb"[][(){},;<]" + _QUOTED, re.DOTALL)
_AFTER_CLAUSE = re.compile(rb"\s*[:,;={}<)]")
_SIMPLE_ARGUMENTS = re.compile(rb"<[\w\s,:]*>(?=\s*(?:\(|::))")


DEEPEST_BLOCK = 256
_DEEPEST_BRACKET = 64
_DEEPEST_ANGLE = 32
_LONGEST_ARGUMENTS = 8192
_NEAR = 512
# What is nested deeper or longer is no shader; without these bounds broken text would be scanned again and again.


def close_brace(text: bytes, start: int) -> tuple[int, bool]:
    """The place after the `}` that matches the `{` before `start`, and True.

    Where none does, as in half-written text, the place after one that begins a line, or the end, and False.
    """
    depth = 1
    for token in _BRACES.finditer(text, start):
        mark = text[token.start()]
        if mark == 0x7B:
            depth += 1
        elif mark == 0x7D:
            depth -= 1
            if not depth:
                return token.end(), True
    at_margin = text.find(b"\n}", start)
    return at_margin + 2 if at_margin >= 0 else len(text), False


def close_bracket(text: bytes, opening: int) -> tuple[int, bool]:
    """The place after the bracket that closes the `(` or `[` at `opening`, and True.

    Where a `{`, a `}` or a `;` comes first, the place of that or, if that is near, of the line's end, and False.
    """
    depth = 0
    end = len(text)
    mark = text[opening : opening + 1]
    for token in _INSIDE[mark].finditer(text, opening):
        found = token.group()
        if found == mark:
            depth += 1
            if depth > _DEEPEST_BRACKET:
                end = token.start()
                break
        elif found in (b"{", b"}", b";"):
            end = token.start()
            break
        elif found in (b")", b"]"):
            depth -= 1
            if not depth:
                return token.end(), True
    line = text.find(b"\n", opening, end) if end - opening < _NEAR else -1
    return line if line >= 0 else end, False


def close_angle(text: bytes, opening: int) -> tuple[int, bool]:
    """The place after the `>` that closes the `<` at `opening` (-1: none), and whether the stretch holds statements.

    Template arguments hold none; the annotations of effect files (`< string name = "x"; >`) do.
    """
    depth = 0
    statements = False
    at = opening
    while token := _ANGLES.search(text, at, opening + _LONGEST_ARGUMENTS):
        at = token.end()
        mark = token.group()
        if mark == b"<":
            depth += 1
            if depth > _DEEPEST_ANGLE:
                break
        elif mark == b">":
            depth -= 1
            if not depth:
                return at, statements
        elif mark == b"(":
            at = close_bracket(text, token.start())[0]
        elif mark == b"{" and statements:
            at = close_brace(text, at)[0]
        elif mark in (b"{", b"}") or (mark == b";" and not statements):
            return -1, statements
        elif mark == b"=":
            statements = True
    return -1, statements


def end_of_value(text: bytes, start: int, closing: bytes = b"") -> int:
    """Where an initializer that begins at `start` ends: at the first `,`, `;`, `}` or `closing` outside brackets."""
    at = start
    while token := _VALUE.search(text, at):
        at = token.end()
        mark = token.group()
        if mark in (b"(", b"["):
            at = close_bracket(text, token.start())[0]
        elif mark == b"{":
            at = close_brace(text, at)[0]
        elif mark == b"<":
            if arguments := _SIMPLE_ARGUMENTS.match(text, token.start()):
                at = arguments.end()
        elif mark in (b",", b";", b"}") or mark == closing:
            return token.start()
    return len(text)


def end_of_words(text: bytes, start: int) -> int:
    """Where a clause without brackets ends: before the next mark that can follow one."""
    found = _AFTER_CLAUSE.search(text, start)
    return found.start() if found else len(text)
