"""What a text includes, and which shaders include a header, as far as that can be told without compiling."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from bindlint.discovery import shader_files

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\r\n]+)"|<([^>\r\n]+)>)', re.MULTILINE)
_LONGEST = 4 << 20
"""Bytes of a file in which directives are looked for."""


def includes_in(data: bytes) -> tuple[str, ...]:
    """What a text includes, as it is spelled but with `/`."""
    names = (quoted or angled for quoted, angled in _INCLUDE.findall(data))
    return tuple(dict.fromkeys(name.decode("utf-8", "replace").replace("\\", "/") for name in names))


class Includers:
    """Include directives below some folders. What a path means is only guessed; the analysis of a shader knows."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = tuple(folders)
        self._read: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {}
        self._includes: dict[str, tuple[str, ...]] | None = None
        self._buffers: dict[str, tuple[bytes, tuple[str, ...]]] = {}
        self._above: tuple[object, dict[str, list[str]]] = (None, {})

    def forget(self) -> None:
        """Look again which files there are; what was read of those that stay the same is kept."""
        self._includes = None

    def roots(self, path: str, buffers: Mapping[str, bytes]) -> tuple[str, ...]:
        """The shaders that include the file and are themselves included by none, in order.

        `buffers` stand in for what is on disk.
        """
        above = self._users(buffers)
        met = {path: None}
        waiting = [path]
        roots = []
        while waiting:
            file = waiting.pop()
            users = above.get(file, ())
            if not users and file != path:
                roots.append(file)
            for user in users:
                if user not in met:
                    met[user] = None
                    waiting.append(user)
        return tuple(sorted(roots))

    def _users(self, buffers: Mapping[str, bytes]) -> dict[str, list[str]]:
        """For each file those that include it."""
        if self._includes is None:
            files = (os.path.normpath(file) for folder in self._folders for file in shader_files(folder))
            self._includes = {file: self._on_disk(file) for file in files}
            self._above = (None, {})
        for path, data in buffers.items():
            known = self._buffers.get(path)
            if known is None or known[0] is not data:
                self._buffers[path] = data, includes_in(data)
        typed = {path: self._buffers[path][1] for path in sorted(buffers)}
        key = tuple(typed.items())
        if self._above[0] != key:
            self._above = key, _turned({**self._includes, **typed})
        return self._above[1]

    def _on_disk(self, file: str) -> tuple[str, ...]:
        try:
            status = os.stat(file)
            stamp = status.st_mtime_ns, status.st_size
            known = self._read.get(file)
            if known is None or known[0] != stamp:
                with open(file, "rb") as stream:
                    known = self._read[file] = stamp, includes_in(stream.read(_LONGEST))
            return known[1]
        except OSError:
            return ()


def _turned(includes: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """From what each file includes to what includes it."""
    by_name: dict[str, list[str]] = {}
    for file in includes:
        by_name.setdefault(os.path.basename(file).lower(), []).append(file)
    above: dict[str, list[str]] = {}
    for file, spelled in includes.items():
        for name in spelled:
            for meant in _meant(file, name, by_name.get(os.path.basename(name).lower(), ())):
                if meant != file:
                    above.setdefault(meant, []).append(file)
    return above


def _meant(includer: str, name: str, named: Iterable[str]) -> Iterator[str]:
    """The file beside the includer, or else every file whose path ends so: the include directories are not known."""
    beside = os.path.normpath(os.path.join(os.path.dirname(includer), name))
    if beside in named:
        yield beside
        return
    ending = os.sep + name.lstrip("./").replace("/", os.sep).lower()
    yield from (file for file in named if file.lower().endswith(ending))
