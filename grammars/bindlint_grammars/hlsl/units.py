"""Expanded text and the way back from it: parts of files, and the units they are joined into."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from hashlib import blake2b

import msgspec

from bindlint_grammars.hlsl.macros import Macro
from bindlint_grammars.hlsl.problems import SourceProblem
from bindlint_grammars.hlsl.tokens import STRING, Token

_OPENING, _CLOSING = b"{([", b"})]"
_CLEAN_END = re.compile(rb"[;}]\s*\Z")


class Origin(msgspec.Struct, frozen=True):
    """Where a byte of expanded text was written: `offset` in the decoded text of `file`.

    `macro` names the macro whose body that is in ("" in plain sight or as a macro's argument); then the outermost macro
    was used at `use_offset` of `use_file`.
    """

    file: str
    offset: int
    macro: str = ""
    use_file: str = ""
    use_offset: int = 0


class IncludeRequest(msgspec.Struct, frozen=True):
    """An include directive as written: the path between its quotes or brackets, and the directive's place."""

    path: str
    angled: bool
    start: int
    end: int


class Part:
    """What one stretch of a file, up to an include or to its end, contributes under one environment.

    `starts` and `places` are the source map: from starts[i] on, the text was written at places[i], an offset in `file`
    or a token that macro expansion put there. `uses` are the outermost macro uses: offset in the text, start and end in
    `file`. `present` and `absent` are the macros that were read, `delta` those that were changed. `line` is set by a
    `#line` directive, and `fleeting` where the text depends on more than the macros, so that it must not be reused.
    """

    __slots__ = (
        "absent",
        "delta",
        "depth",
        "ending",
        "file",
        "fleeting",
        "include",
        "joins",
        "line",
        "once",
        "places",
        "position",
        "pragmas",
        "present",
        "problems",
        "spent",
        "starts",
        "text",
        "uses",
    )  # fmt: skip

    def __init__(self, file: str) -> None:
        self.file = file
        self.text = b""
        self.starts: list[int] = []
        self.places: list[int | Token] = []
        self.uses: list[tuple[int, int, int]] = []
        self.pragmas: tuple[tuple[int, str], ...] = ()
        self.problems: tuple[SourceProblem, ...] = ()
        self.present: dict[bytes, Macro] = {}
        self.absent: frozenset[bytes] = frozenset()
        self.delta: dict[bytes, Macro | None] = {}
        self.include: IncludeRequest | None = None
        self.position = 0
        self.once = False
        self.fleeting = False
        self.line: tuple[int, bytes] | None = None
        self.spent = 0
        self.depth = 0
        self.ending: bool | None = None
        self.joins: dict[tuple[Part, ...], Unit] = {}

    def finish(self, text: bytes) -> None:
        """Take the text, and measure what seams need: its balance of brackets, and whether it ends a declaration."""
        self.text = text if text.strip() else b""
        plain = STRING.sub(b"", self.text) if b'"' in text or b"'" in text else self.text
        self.depth = sum(map(plain.count, (b"{", b"(", b"["))) - sum(map(plain.count, (b"}", b")", b"]")))
        self.ending = bool(_CLEAN_END.search(plain)) if self.text else None

    def origin(self, offset: int) -> Origin:
        """Where the byte at `offset` of `text` was written; the file's start where there is no text but pragmas."""
        if not self.starts:
            return Origin(self.file, 0)
        index = max(bisect_right(self.starts, offset) - 1, 0)
        place = self.places[index]
        if isinstance(place, int):
            return Origin(self.file, place + offset - self.starts[index])
        within = offset - self.starts[index] if place.width < 0 else 0
        if not place.macro:
            return Origin(place.file, place.offset + within)
        use = self.uses[max(bisect_right(self.uses, (offset, 1 << 62)) - 1, 0)]
        return Origin(place.file, place.offset + within, place.macro, self.file, use[1])

    def end_of(self, offset: int, start: Origin) -> int:
        """The end, in the file of `start`, of a stretch whose last byte is at `offset` of `text`."""
        if not self.starts:
            return start.offset
        last = self.origin(offset)
        index = max(bisect_right(self.starts, offset) - 1, 0)
        place = self.places[index]
        width = 1 if isinstance(place, int) or place.width < 0 else place.width
        if (last.file, last.macro) == (start.file, start.macro) and last.offset >= start.offset:
            return last.offset + width
        if last.macro and not start.macro and last.use_file == start.file and last.use_offset >= start.offset:
            return self.uses[max(bisect_right(self.uses, (offset, 1 << 62)) - 1, 0)][2]
        return start.offset + 1


class Unit:
    """A stretch of a shader's expanded text between clean seams; shaders that share it share the object.

    `key` is a hash of the text. `pragmas` are those that are left to the compiler, by the offset before which they
    stand, without the word `pragma`.
    """

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self._parts = parts
        self._starts: list[int] = []
        pragmas: list[tuple[int, str]] = []
        length = 0
        for part in parts:
            self._starts.append(length)
            pragmas.extend((length + offset, text) for offset, text in part.pragmas)
            length += len(part.text)
        self.text = parts[0].text if len(parts) == 1 else b"".join(part.text for part in parts)
        self.pragmas = tuple(pragmas)

    @cached_property
    def key(self) -> bytes:
        """16 bytes that stand for the text."""
        return blake2b(self.text, digest_size=16).digest()

    def origin(self, offset: int) -> Origin:
        """Where the byte at `offset` was written."""
        part, start = self._part(offset)
        return part.origin(offset - start)

    def locate(self, start: int, end: int) -> tuple[Origin, int]:
        """Where text[start:end] was written: the origin of its start, and the end offset in that same file.

        Where the two ends were written in different places, the end is that of the macro use the stretch ends in, or
        the stretch is its first byte alone.
        """
        origin = self.origin(start)
        part, base = self._part(max(end - 1, start))
        return origin, part.end_of(max(end - 1, start) - base, origin)

    def _part(self, offset: int) -> tuple[Part, int]:
        index = max(bisect_right(self._starts, offset) - 1, 0)
        return self._parts[index], self._starts[index]


def join(parts: list[Part]) -> tuple[Unit, ...]:
    """The parts of one shader, in order, joined where the seam between two is not clean."""
    units: list[Unit] = []
    waiting: list[Part] = []
    depth = 0
    closed = True
    for part in parts:
        if not part.text and not part.pragmas:
            continue
        waiting.append(part)
        depth = max(depth + part.depth, 0)
        if part.ending is not None:
            closed = part.ending
        if closed and not depth:
            units.append(_unit(waiting))
            waiting = []
    if waiting:
        units.append(_unit(waiting))
    return tuple(units)


def _unit(parts: list[Part]) -> Unit:
    key = tuple(parts)
    if any(part.fleeting for part in parts):
        return Unit(key)
    joins = parts[0].joins
    unit = joins.get(key)
    if unit is None:
        unit = joins[key] = Unit(key)
    return unit
