"""Where command lines come from beside our own manifests: each kind of source is read by a module of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BufferedReader
from itertools import chain, islice
from typing import BinaryIO

from bindlint.errors import UsageError
from bindlint.manifest import PROJECT_SUFFIXES
from bindlint.manifests.entry import Entry, SourceOptions
from bindlint.manifests.reading import LARGEST
from bindlint.paths import ending_of

SHADERMAKE_SUFFIX = ".cfg"


def kind_of(path: str, beginning: bytes = b"") -> str:
    """Of which kind a source is: "visual-studio", "shadermake", "commands", or "lines" for our own manifest.

    `beginning` tells our own form from an array of commands where the name ends in .json.
    """
    suffix = ending_of(path)
    if suffix in PROJECT_SUFFIXES:
        return "visual-studio"
    if suffix == SHADERMAKE_SUFFIX:
        return "shadermake"
    text = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()
    return "commands" if suffix == ".json" and not text.startswith(b"{") else "lines"


def entries(
    path: str, stream: BinaryIO, options: SourceOptions, tell: Callable[[str], None], kind: str = ""
) -> Iterator[Entry]:
    """The compilations that a source of another kind than our own asks for; `tell` gets what was assumed.

    Raises `UsageError` for what is no such source at all.
    """
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise UsageError(f"{path}: is larger than {LARGEST} bytes")
    match kind or kind_of(path, data[:64]):
        case "visual-studio":
            from bindlint.manifests.visual_studio import read_project as read
        case "shadermake":
            from bindlint.manifests.shadermake import read_shadermake as read
        case _:
            from bindlint.manifests.commands import read_commands as read
    return read(path, data, options, tell)


class NothingAskedError(UsageError):
    """A source asks for no compilation: what checks nothing must not look as if it did."""


def asked_entries(
    path: str, stream: BufferedReader, options: SourceOptions, tell: Callable[[str], None], kind: str
) -> Iterator[Entry]:
    """The same of a source that the user names. One that is empty, or an array of nothing, may well ask for nothing.

    Raises `NothingAskedError` for any other that does, and `UsageError`.
    """
    is_empty = stream.peek(64).strip() in (b"", b"[]")
    found = entries(path, stream, options, tell, kind)
    first = list(islice(found, 1))
    if not (first or is_empty):
        raise NothingAskedError(f"`{path}` asks for no shader, so there is nothing to check")
    return chain(first, found)


__all__ = [
    "PROJECT_SUFFIXES",
    "SHADERMAKE_SUFFIX",
    "Entry",
    "NothingAskedError",
    "SourceOptions",
    "asked_entries",
    "entries",
    "kind_of",
]
