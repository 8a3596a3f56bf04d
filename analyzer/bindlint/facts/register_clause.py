"""`register(...)` by the compiler's grammar, with the exact place of whatever does not fit it."""

from __future__ import annotations

import re
from functools import lru_cache

from bindlint.model.declarations import RegisterAnnotation, RegisterFault

# DXC, ParseDecl.cpp MaybeParseHLSLAttributes: ( [profile ,] ( spaceN | X[n] ['[' constant ']'] [, spaceN] ) )
_TOKEN = re.compile(rb"\s*([A-Za-z_]\w*|\d\w*|\S)?")
_PROFILE = re.compile(rb"[vpgc]s|(?=[a-z0-9_]*[a-z])(?=[a-z0-9_]*[0-9])(?=[a-z0-9_]*_)[a-z_][a-z0-9_]*")
_NUMBER = re.compile(rb"[0-9]+")
_LETTERS = b"bcistuBCISTU"


class _FaultError(Exception):
    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.fault = RegisterFault(message, start, end)


class _Reader:
    def __init__(self, text: bytes) -> None:
        self.text = text
        self.at = 0
        self.letter = ""
        self.number: int | None = None
        self.space: int | None = None
        self.subscript = ""
        self.profile = ""

    def peek(self) -> tuple[bytes, int, int]:
        token = _TOKEN.match(self.text, self.at)
        if not token or token.group(1) is None:
            return b"", len(self.text), len(self.text)
        return token.group(1), token.start(1), token.end(1)

    def take(self, mark: bytes) -> bool:
        found, _, end = self.peek()
        if found == mark:
            self.at = end
        return found == mark

    def expect(self, mark: str, after: str) -> None:
        found, start, end = self.peek()
        if found != mark.encode():
            raise _FaultError(f"expected '{mark}' {after}, found {_shown(found)}", start, end)
        self.at = end

    def identifier(self, wanted: str) -> tuple[bytes, int, int]:
        found, start, end = self.peek()
        if not (found[:1].isalpha() or found[:1] == b"_"):
            raise _FaultError(f"expected {wanted}, found {_shown(found)}", start, end)
        self.at = end
        return found, start, end

    def read(self) -> None:
        self.at = len(b"register")
        self.expect("(", "after 'register'")
        word, start, end = self.identifier("a register such as t0, or a space")
        if _PROFILE.fullmatch(word):
            self.profile = word.decode()
            self.expect(",", f"after the profile '{self.profile}'")
            word, start, end = self.identifier("a register such as t0, or a space")
        if word.startswith(b"space"):
            self.read_space(word, start, end)
        else:
            self.read_register(word, start, end)
            if self.take(b"["):
                self.read_subscript()
            if self.take(b","):
                self.read_space(*self.identifier("a space such as space0"))
        self.expect(")", "to close 'register('")

    def read_register(self, word: bytes, start: int, end: int) -> None:
        shown = _shown(word)
        if word[0] not in _LETTERS:
            raise _FaultError(f"unsupported register type in {shown}, expected one of b, c, i, s, t, u", start, end)
        self.letter = word[:1].decode()
        self.number = _uint32(word[1:]) if len(word) > 1 else 0
        if self.number is None:
            raise _FaultError(
                f"register number in {shown} must be decimal digits after the letter, at most 4294967295", start, end
            )

    def read_space(self, word: bytes, start: int, end: int) -> None:
        shown = _shown(word)
        if not word.startswith(b"space"):
            raise _FaultError(f"expected a register space such as space0, found {shown}", start, end)
        self.space = _uint32(word[5:])
        if self.space is None:
            raise _FaultError(
                f"register space in {shown} must be decimal digits after 'space', at most 4294967295", start, end
            )

    def read_subscript(self) -> None:
        begin = self.at
        depth = 1
        while depth:
            found, start, end = self.peek()
            if not found or (found == b")" and depth == 1 and b"]" not in self.text[end:]):
                raise _FaultError(f"expected ']' to close the subscript, found {_shown(found)}", start, end)
            depth += (found == b"[") - (found == b"]")
            self.at = end
        self.subscript = self.text[begin : self.at - 1].strip().decode("utf-8", "replace")
        if not self.subscript:
            raise _FaultError("expected a constant between '[' and ']'", begin - 1, self.at)
        if re.fullmatch(r"-\s*0*[1-9].*", self.subscript):
            raise _FaultError(f"register subscript '{self.subscript}' must not be negative", begin, self.at - 1)


def _uint32(digits: bytes) -> int | None:
    if not _NUMBER.fullmatch(digits) or len(digits.lstrip(b"0")) > 10:
        return None
    number = int(digits)
    return number if number <= 0xFFFFFFFF else None


def _shown(found: bytes) -> str:
    return f"'{found.decode('utf-8', 'replace')}'" if found else "the end of the declaration"


@lru_cache(maxsize=16384)
def _parse(clause: bytes) -> RegisterAnnotation:
    reader = _Reader(clause)
    fault: RegisterFault | None = None
    try:
        reader.read()
    except _FaultError as problem:
        fault = problem.fault
    return RegisterAnnotation(
        0, len(clause), reader.letter, reader.number, reader.space, reader.subscript, reader.profile, fault
    )


def parse_register(text: bytes, start: int, end: int) -> RegisterAnnotation:
    """What `text[start:end]` says, which begins with the word `register`. Faults and places are offsets into `text`."""
    read = _parse(text[start:end])
    fault = read.fault
    return RegisterAnnotation(
        start,
        end,
        read.letter,
        read.number,
        read.space,
        read.subscript,
        read.profile,
        RegisterFault(fault.message, start + fault.start, start + fault.end) if fault else None,
    )
