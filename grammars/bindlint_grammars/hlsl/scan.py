"""One pass over a file: comments blanked at equal length, directives found and matched, the text between them cut."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from bindlint_grammars.hlsl.problems import SourceProblem
from bindlint_grammars.hlsl.source_files import SourceFile
from bindlint_grammars.hlsl.tokens import WORD, WORD_OR_OTHER

_SPLICE = rb"\\[ \t\f\v]*\n"
# No possessive repeats (`*+`): of groups they match wrongly before Python 3.11.5.
_NOISE = re.compile(
    rb'"(?:[^"\\\n]+|%(s)b|\\[^\n])*"?'
    rb"|'(?:[^'\\\n]+|%(s)b|\\[^\n])*'?"
    rb"|/(?:%(s)b)*/(?:[^\n\\]+|%(s)b|\\)*"
    rb"|/(?:%(s)b)*\*.*?(?:\*(?:%(s)b)*/|\Z)"
    rb"|%(s)b(?:%(s)b)*(?:[^\s\\\"'/]+(?:%(s)b)*)*" % {b"s": _SPLICE},
    re.DOTALL,
)
_SPLICES = re.compile(_SPLICE)
_LEADING_SPLICES = re.compile(rb"(?:%b)+" % _SPLICE)
_DIRECTIVE = re.compile(rb"#[ \t\f\v]*([A-Za-z_]\w*|\d+)?([^\n]*)")
_WORD_BYTE = re.compile(rb"[\w$\x80-\xff]")
# Source: clang, UnicodeCharSets.h, UnicodeWhitespaceChars.
_WIDE_SPACES = re.compile(
    rb"(?:\xc2[\x85\xa0]|\xe1\x9a\x80|\xe1\xa0\x8e|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80)+"
)
_ESCAPED_NAME = re.compile(rb"(?:\\(?:u[\da-fA-F]{4}|U[\da-fA-F]{8})[\w$\x80-\xff]*)+")
_ESCAPE = re.compile(rb"\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8}))")
_CONDITIONALS = frozenset((b"if", b"ifdef", b"ifndef"))


class Segment:
    """The text between two directives, without the white space around it."""

    __slots__ = ("__dict__", "end", "start", "text")

    def __init__(self, text: bytes, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end

    @cached_property
    def names(self) -> frozenset[bytes]:
        """Every identifier in the segment, those inside literals too."""
        return frozenset(WORD.findall(self.text, self.start, self.end))

    @cached_property
    def places(self) -> dict[bytes, list[int]]:
        """Where each identifier stands, literals and numbers left out."""
        places: dict[bytes, list[int]] = {}
        for match in WORD_OR_OTHER.finditer(self.text, self.start, self.end):
            name = match.group(1)
            if name is not None:
                places.setdefault(name, []).append(match.start())
        return places


class Directive:
    """One directive line: `name` after the `#`, arguments at text[arguments:end].

    For a conditional, `branch` is the index of the next directive of its group and `close` that of its `#endif`; both
    are the number of directives where there is none. `matched` is False for an `#else`, `#elif` or `#endif` that has
    no `#if`, and for an `#if` whose group goes on after its `#else`. `parsed` keeps what the arguments mean.
    """

    __slots__ = ("arguments", "branch", "close", "end", "matched", "name", "parsed", "start")

    def __init__(self, name: bytes, start: int, arguments: int, end: int) -> None:
        self.name = name
        self.start = start
        self.arguments = arguments
        self.end = end
        self.branch = 0
        self.close = 0
        self.matched = True
        self.parsed: Any = None


class Scan:
    """A file cut up. Segment i stands before directive i; the last segment ends the file."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.path = source.path
        self.text, self.problems = _clean(source)
        self.directives = _directives(self.text)
        self.segments = _segments(self.text, self.directives)
        _match_conditionals(self.directives)


def _clean(source: SourceFile) -> tuple[bytes, tuple[SourceProblem, ...]]:
    problems = list(source.problems)
    text = source.text
    if b"\r" in text:
        text = text.replace(b"\r\n", b" \n").replace(b"\r", b"\n")
    text = text.replace(b"\0", b" ")
    if not text.isascii():
        text = _WIDE_SPACES.sub(_blank, text)
    if b"\\u" in text or b"\\U" in text:
        text = _ESCAPED_NAME.sub(_unescaped, text)

    def blank(match: re.Match[bytes]) -> bytes:
        found = match.group()
        first = found[:1]
        if first in b"\"'":
            return _SPLICES.sub(b"", found).ljust(len(found)) if b"\n" in found else found
        if first == b"/":
            if found[1:2] != b"/" and not _closed(found):
                message = "the comment that begins here is never closed"
                place = match.start()
                problems.append(SourceProblem("unterminated-comment", message, source.path, place, place + 2, True))
            return b" " * len(found)
        return _join_splice(text, match.start(), found)

    return _NOISE.sub(blank, text), tuple(problems)


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match.group())


def _unescaped(match: re.Match[bytes]) -> bytes:
    """The rest of a name from a letter such as `\\u00e9` on, with those letters as they are, as long as before."""
    return _ESCAPE.sub(_letter, match.group()).ljust(len(match.group()))


def _letter(escape: re.Match[bytes]) -> bytes:
    number = int(escape[1] or escape[2], 16)
    return chr(number).encode("utf-8", "replace") if 0xA0 <= number <= 0x10FFFF else escape[0]


def _closed(comment: bytes) -> bool:
    joined = _SPLICES.sub(b"", comment)
    return joined.startswith(b"//") or (len(joined) > 3 and joined.endswith(b"*/"))


def _join_splice(text: bytes, start: int, found: bytes) -> bytes:
    """A splice blanked; what it would have cut in two is joined, and the padding put after it."""
    lead = _LEADING_SPLICES.match(found)
    gap = lead.end() if lead else 0
    rest = found[gap:]
    joined = _SPLICES.sub(b"", rest)
    before = text[start - 1 : start]
    same_kind = bool(_WORD_BYTE.match(before)) == bool(_WORD_BYTE.match(joined[:1]))
    if before and not before.isspace() and joined and same_kind:
        return joined.ljust(len(found))
    return b" " * gap + joined.ljust(len(rest))


def _directives(text: bytes) -> list[Directive]:
    found = []
    for match in _DIRECTIVE.finditer(text):
        start = match.start()
        line = text.rfind(b"\n", 0, start) + 1
        if line == start or text[line:start].isspace():
            found.append(Directive(match.group(1) or b"", start, match.start(2), match.end()))
    return found


def _segments(text: bytes, directives: list[Directive]) -> list[Segment | None]:
    segments: list[Segment | None] = []
    start = 0
    for end, following in [*((directive.start, directive.end) for directive in directives), (len(text), 0)]:
        piece = text[start:end]
        inner = piece.strip()
        if inner:
            begin = start + piece.index(inner[:1])
            segments.append(Segment(text, begin, begin + len(inner)))
        else:
            segments.append(None)
        start = following
    return segments


def _match_conditionals(directives: list[Directive]) -> None:
    count = len(directives)
    groups: list[list[int]] = []
    for index, directive in enumerate(directives):
        directive.branch = directive.close = count
        if directive.name in _CONDITIONALS:
            groups.append([index])
        elif directive.name in (b"elif", b"else", b"endif"):
            if not groups:
                directive.matched = False
                continue
            group = groups[-1]
            if directive.name != b"endif" and directives[group[-1]].name == b"else":
                directives[group[0]].matched = False
            directives[group[-1]].branch = index
            group.append(index)
            if directive.name == b"endif":
                for member in groups.pop():
                    directives[member].close = index
