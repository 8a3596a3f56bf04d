"""The files of a repository, found by name, and what they include, as far as that can be told without compiling."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable

from bindlint.discovery import beginning, files_below
from bindlint.includers import includes_in
from bindlint.paths import ending_of

LARGEST_READ = 8 << 20
"""Bytes of a file that are looked through for includes."""

_STRAY_BYTES = re.compile("[\ud800-\udfff]")
_NEEDED = re.compile(
    rb"^[ \t]*#[ \t]*(?:ifndef[ \t]+(\w+)|if[ \t]+!\s*defined[ \t]*\(?[ \t]*(\w+)[ \t]*\)?)[^\n]*\n(?:[ \t]*\r?\n)*"
    rb"[ \t]*#[ \t]*error\b",
    re.MULTILINE,
)
_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_ENTRY = re.compile(
    rb"\[\s*(?:numthreads|shader\s*\(|outputtopology|maxvertexcount|patchconstantfunc|RootSignature)"
    rb"|\)\s*:\s*SV_(?:Target|Position|Depth)|^\w[\w<> ]*[ \t](?:main|[PVCGHD]SMain|[PVCGHD]S|main[PVCGHD]S)\s*\(",
    re.IGNORECASE | re.MULTILINE,
)


class Text:
    """What matters in the text of one file."""

    __slots__ = ("defined", "has_entry", "includes", "needed", "size")

    def __init__(self, data: bytes) -> None:
        self.includes = includes_in(data)
        self.needed = tuple({(one or other).decode() for one, other in _NEEDED.findall(data)})
        self.defined = frozenset(_DEFINED.findall(data)) if self.needed else frozenset()
        self.has_entry = _ENTRY.search(data) is not None
        self.size = len(data)


class Tree:
    """All files below the working directory, spelled relative to it with `/`."""

    def __init__(self, suffixes_of_shaders: Iterable[str]) -> None:
        names = [path.replace(os.sep, "/") for path in files_below(".", None)]
        self.files = [name for name in names if not _STRAY_BYTES.search(name)]
        self.odd_names = len(names) - len(self.files)
        suffixes = frozenset(suffixes_of_shaders)
        self.shaders = [path for path in self.files if ending_of(path) in suffixes]
        self._by_path = {path.casefold(): path for path in reversed(self.files)}
        self._by_name: dict[str, list[str]] = {}
        for path in self.files:
            self._by_name.setdefault(posixpath.basename(path).casefold(), []).append(path)
        self._found: dict[tuple[str, str], str] = {}
        self._texts: dict[str, Text] = {}

    def text(self, path: str) -> Text:
        if path not in self._texts:
            self._texts[path] = Text(beginning(path, LARGEST_READ))
        return self._texts[path]

    def at(self, folder: str, spelling: str) -> str:
        """The file that `spelling` names in `folder`, whatever its case; "" where there is none."""
        key = (folder, spelling)
        if key not in self._found:
            path = posixpath.normpath(posixpath.join(folder, spelling))
            self._found[key] = self._by_path.get(path.casefold(), "")
        return self._found[key]

    def ending(self, spelling: str) -> list[str]:
        """The files whose paths end as an include is spelled."""
        ending = posixpath.normpath(spelling).casefold()
        if ending.startswith(("../", "/")):
            return []
        named = self._by_name.get(posixpath.basename(ending), [])
        return [path for path in named if f"/{path.casefold()}".endswith(f"/{ending}")]


def nearest(paths: list[str], folder: str) -> str:
    """The one of several files that shares the longest way with `folder`; "" where two share it."""
    if len(paths) == 1:
        return paths[0]
    parts = folder.split("/")

    def shared(path: str) -> int:
        common = 0
        for mine, theirs in zip(parts, path.split("/"), strict=False):
            if mine != theirs:
                break
            common += 1
        return common

    best = max(map(shared, paths), default=0)
    found = [path for path in paths if shared(path) == best]
    return found[0] if len(found) == 1 and best else ""
