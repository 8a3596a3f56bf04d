"""Files as they are read: decoded once, found whatever the case of their spelling, kept inside the allowed folders."""

from __future__ import annotations

import os
import posixpath
import re
import stat
from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

from bindlint_grammars.hlsl.limits import Limits
from bindlint_grammars.hlsl.problems import SourceProblem

_LINE_END = re.compile(rb"\r\n|\n|\r")
_WIDE_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1a\x1b")
_BINARY = 16
"""One byte in so many that is a control character makes a file binary; of compressed data every tenth is one."""
_SAMPLE = 1 << 16


class SourceFile:
    """One file as read: `text` is UTF-8 without byte order mark, bytes that are no text replaced by U+FFFD."""

    def __init__(self, path: str, text: bytes, problems: tuple[SourceProblem, ...] = ()) -> None:
        self.path = path
        self.text = text
        self.problems = problems

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    def line(self, offset: int) -> int:
        """The 1-based line of a byte offset."""
        return bisect_right(self._line_starts, offset)

    def position(self, offset: int) -> tuple[int, int]:
        """1-based line and column, in code points, of a byte offset into `text`."""
        line = self.line(offset)
        if self._is_ascii:
            return line, offset - self._line_starts[line - 1] + 1
        before = self.text[self._line_starts[line - 1] : offset]
        return line, len(before.decode("utf-8", "ignore")) + 1


def decode(path: str, data: bytes) -> SourceFile:
    """The bytes of a file as a SourceFile: UTF-16 and UTF-32 by their byte order mark, everything else as UTF-8.

    UTF-16 without a mark is known by its NULs. Of what is no text at all nothing is read.
    """
    codec = next((codec for mark, codec in _WIDE_MARKS if data.startswith(mark)), "utf-8")
    text = data.removeprefix(b"\xef\xbb\xbf")
    problems: tuple[SourceProblem, ...] = ()
    if codec == "utf-8":
        controls = len(text) - len(text.translate(None, _CONTROLS))
        if not controls and text.isascii():
            return SourceFile(path, text)
        unmarked = _unmarked(text) if b"\0" in text else ""
        if unmarked:
            codec = unmarked
            message = f"the file is {codec.upper()} without a byte order mark, which compilers take for UTF-8"
            problems = (SourceProblem("byte-order-mark", message, path),)
        elif controls * _BINARY > len(text):
            message = f"the file is no text: {controls} of its {len(data)} bytes are control characters"
            return SourceFile(path, b"", (SourceProblem("unreadable-file", message, path, partial=True),))
    try:
        return SourceFile(path, text.decode(codec).encode(), problems)
    except UnicodeDecodeError as error:
        readable = text.decode(codec, "replace").encode("utf-8", "replace")
        place = len(text[: error.start].decode(codec, "replace").encode("utf-8", "replace"))
        message = f"the file is not valid {codec.upper()}; what could not be decoded is read as U+FFFD"
        fault = SourceProblem("invalid-encoding", message, path, place, place + 3)
        return SourceFile(path, readable, (*problems, fault))


def _unmarked(text: bytes) -> str:
    """The kind of UTF-16 in which every second byte of most characters is NUL, "" where it is none."""
    sample = text[:_SAMPLE]
    first, second = sample[::2].count(0), sample[1::2].count(0)
    few, many = sorted((first, second))
    if many * 4 < len(sample) or few * 40 > len(sample):
        return ""
    return "utf-16-le" if second == many else "utf-16-be"


class FoundFile:
    """A file that a path led to: its real spelling, and whether that differs from the asked one in case only."""

    __slots__ = ("case_differs", "outside", "path")

    def __init__(self, path: str, case_differs: bool = False, outside: bool = False) -> None:
        self.path = path
        self.case_differs = case_differs
        self.outside = outside


class SourceStore:
    """Reads each file once. `overlays` maps paths to contents that stand in for the disk (standard input, an editor).

    Where `roots` are given, a file that does not lie in one of these folders once links are resolved is outside.
    """

    def __init__(self, limits: Limits | None = None, overlays: Mapping[str, bytes] | None = None) -> None:
        self.limits = limits or Limits()
        self.generation = 0
        self._real: dict[str, str] = {}
        self._overlays = {os.path.normpath(path): data for path, data in (overlays or {}).items()}
        self._files: dict[str, SourceFile | None] = {}
        self._listings: dict[str, frozenset[str] | None] = {}
        self._folders: dict[str, tuple[str, bool] | None] = {}

    def overlay(self, path: str, data: bytes | None) -> None:
        """Let `data` stand in for the file at `path`; None goes back to the disk."""
        key = os.path.normpath(path)
        if data is None:
            self._overlays.pop(key, None)
        else:
            self._overlays[key] = data
        self.forget(path)

    def overlaid(self, path: str) -> bytes | None:
        """What stands in for the file at `path`, None where nothing does."""
        return self._overlays.get(os.path.normpath(path))

    def forget(self, path: str) -> None:
        """Read `path` anew, and list folders anew, the next time they are needed."""
        key = os.path.normpath(path)
        self._files = {known: file for known, file in self._files.items() if os.path.normpath(known) != key}
        self._listings.clear()
        self._folders.clear()
        self._real.clear()
        self.generation += 1

    def let_go(self) -> None:
        """Keep nothing of what was read; it is read anew when it is needed."""
        for kept in (self._files, self._listings, self._folders, self._real):
            kept.clear()

    def get(self, path: str) -> SourceFile | None:
        """The file at `path`, None when there is none."""
        if path not in self._files:
            plain = _plain(path)
            self._files[path] = self._read(path) if plain == path else self.get(plain)
        return self._files[path]

    def find(self, path: str, roots: tuple[str, ...] = ()) -> FoundFile | None:
        """The file that `path` names, with any case; an exact spelling wins. None when there is none."""
        if os.path.normpath(path) in self._overlays:
            return FoundFile(path, outside=not self.inside(path, roots))
        folder, name = os.path.split(path)
        actual = self._folder(folder)
        if actual is None:
            return None
        names = self._names(actual[0])
        if names is None or not name:
            return None
        spelled = _spelled(name, names)
        if not spelled:
            return None
        differs = actual[1] or spelled != name
        found = os.path.join(actual[0], spelled) if differs else path
        return FoundFile(found, differs, not self.inside(found, roots)) if os.path.isfile(found) else None

    def _read(self, path: str) -> SourceFile | None:
        overlay = self._overlays.get(os.path.normpath(path))
        if overlay is not None:
            return decode(path, overlay)
        try:
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                return None
            if status.st_size > self.limits.file_bytes:
                message = f"the file has {status.st_size} bytes, more than the limit of {self.limits.file_bytes}"
                return SourceFile(path, b"", (SourceProblem("file-too-large", message, path, partial=True),))
            with open(path, "rb") as stream:
                return decode(path, stream.read())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            message = f"the file cannot be read: {getattr(error, 'strerror', None) or error}"
            return SourceFile(path, b"", (SourceProblem("unreadable-file", message, path, partial=True),))

    def inside(self, path: str, roots: tuple[str, ...]) -> bool:
        """Whether a file lies in one of the folders `roots`, links resolved; without roots every file does."""
        if not roots:
            return True
        real = self._real_path(path)
        folders = map(self._real_path, roots)
        return any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in folders)

    def _real_path(self, path: str) -> str:
        real = self._real.get(path)
        if real is None:
            real = self._real[path] = os.path.realpath(path)
        return real

    def _names(self, folder: str) -> frozenset[str] | None:
        if folder not in self._listings:
            try:
                self._listings[folder] = frozenset(os.listdir(folder or "."))
            except (OSError, ValueError):
                self._listings[folder] = None
        return self._listings[folder]

    def _folder(self, folder: str) -> tuple[str, bool] | None:
        """The folder as spelled on disk and whether that differs; None when there is none."""
        if folder not in self._folders:
            self._folders[folder] = self._look_up_folder(folder)
        return self._folders[folder]

    def _look_up_folder(self, folder: str) -> tuple[str, bool] | None:
        parent, name = os.path.split(folder.rstrip("/\\") if len(folder) > 1 else folder)
        if not name or name in (".", ".."):
            return (folder, False) if os.path.isdir(folder or ".") else None
        above = self._folder(parent)
        if above is None:
            return None
        names = self._names(above[0])
        spelled = name if names is None else _spelled(name, names)
        if not spelled:
            return None
        differs = above[1] or spelled != name
        actual = os.path.join(above[0], spelled) if differs else folder
        return (actual, differs) if os.path.isdir(actual) else None


def _plain(path: str) -> str:
    """The path without `.` and `..`, where that names the same file, so that a header has one name."""
    if "/." not in path and "//" not in path and not path.startswith("./"):
        return path
    plain = posixpath.normpath(path)
    try:
        return plain if os.path.samefile(path, plain) else path
    except OSError:
        return path


def _spelled(name: str, names: frozenset[str]) -> str:
    """`name` as it stands among `names`, exactly or else in another case; "" where it does not."""
    if name in names:
        return name
    folded = name.casefold()
    return min((known for known in names if known.casefold() == folded), default="")
