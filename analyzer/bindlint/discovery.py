"""Which files of a folder are shaders: by suffix, without what `.gitignore` leaves out and what links lead away."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from pathspec import GitIgnoreSpec, RegexPattern

from bindlint.config import repository_root
from bindlint.paths import HOST_SUFFIXES, SHADER_SUFFIXES, SOURCE_SUFFIXES, ending_of

_D3D12 = re.compile(rb"D3D12_|ID3D12|SetGraphicsRoot|SetComputeRoot|CD3DX12_|RootSignature")
_LARGEST_HOST_FILE = 4 << 20
_LARGEST_IGNORES = 1 << 20
_LONGEST_PATTERN = 4096
_ANY = "[^/]*"
_ANY_FOLDERS = "(?:/.+)?"
_IN_ANY_FOLDER = "^(?:.+/)?"
_SEGMENT = re.compile(r"(?:\\.|\[\^?\]?[^\]]*\]\*?|[^\\\[\]/()^$|?.+*])+", re.DOTALL)


def is_host_file(path: str, named: bool = False, text: bytes | None = None) -> bool:
    """Whether a file is C++ that has to do with D3D12. Of those that a user has `named`, source files always are.

    `text` is what stands in for the file.
    """
    name = os.path.basename(path).lower()
    ending = ending_of(name)
    if ending not in HOST_SUFFIXES or name in _NOT_THEIRS or name.startswith("d3dx12_"):
        return False
    if named and ending in SOURCE_SUFFIXES:
        return True
    return _mentions_d3d12(beginning(path, _LARGEST_HOST_FILE) if text is None else text)


_NOT_THEIRS = frozenset(("d3d12.h", "d3dx12.h", "d3d12sdklayers.h", "d3d12shader.h", "d3d12video.h", "d3d12compiler.h"))
"""Headers of the system that projects carry along."""


def _mentions_d3d12(text: bytes) -> bool:
    return _D3D12.search(text.replace(b"\0", b"")) is not None  # UTF-16


def beginning(path: str, most: int) -> bytes:
    """The first bytes of a file; nothing of what is a device, a pipe or cannot be read."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with open(path, "rb") as stream:
            return stream.read(most)
    except OSError:
        return b""


def shader_files(folder: str) -> Iterator[str]:
    """The shader files below a folder, as `files_below` gives them."""
    return files_below(folder, SHADER_SUFFIXES)


def files_below(folder: str, suffixes: Collection[str] | None) -> Iterator[str]:
    """The files below a folder that end so, sorted folder by folder, spelled with `folder` in front as it was given.
    `suffixes` None takes all.

    Hidden folders are passed over. Links to folders are not followed; a link to a file counts where its target lies
    inside the repository (or, without one, inside `folder`).
    """
    top = Path(os.path.realpath(folder))
    boundary = repository_root(top) or top
    ignores = _Ignores(boundary)
    for parent, folders, files in os.walk(folder):
        place = Path(os.path.realpath(parent))
        folders[:] = sorted(f for f in folders if f[0] != "." and not ignores.ignored(place / f, is_folder=True))
        for name in sorted(files):
            if suffixes is not None and ending_of(name) not in suffixes:
                continue
            if ignores.ignored(place / name):
                continue
            path = place / name
            if not path.is_symlink() or Path(os.path.realpath(path)).is_relative_to(boundary):
                yield os.path.normpath(os.path.join(parent, name))


class _Ignores:
    """The `.gitignore` files of a repository, each read once; a lower one has the last word."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._specs: dict[Path, GitIgnoreSpec | None] = {}

    def ignored(self, path: Path, is_folder: bool = False) -> bool:
        folder = path.parent
        while True:
            spec = self._spec(folder)
            if spec is not None:
                relative = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
                verdict = spec.check_file(relative).include
                if verdict is not None:
                    return verdict
            if folder == self.root or folder == folder.parent:
                return False
            folder = folder.parent

    def _spec(self, folder: Path) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            lines = beginning(str(folder / ".gitignore"), _LARGEST_IGNORES).decode("utf-8", "replace").splitlines()
            patterns: list[Any] = [pattern for line in lines for pattern in _patterns(line)]
            self._specs[folder] = GitIgnoreSpec(patterns) if patterns else None
        return self._specs[folder]


def _patterns(line: str) -> list[RegexPattern]:
    """The pattern in a line of a `.gitignore`; one that is not in order is passed over, as git does."""
    if len(line) > _LONGEST_PATTERN:
        return []
    try:
        found = [each for each in GitIgnoreSpec.from_lines((line,)).patterns if isinstance(each, RegexPattern)]
        return [RegexPattern(re.compile(_bounded(each.regex.pattern)), each.include) for each in found if each.regex]
    except (ValueError, re.error):
        return []


def _bounded(regex: str) -> str:
    """The regex of a pattern, so that it tries only the last of its stars at more than one place.

    Each part between two stars is taken where it comes first: if the rest fits after a later place, it does there too.
    """
    first, *others = _SEGMENT.sub(lambda segment: _bounded_segment(segment[0]), regex).split(_ANY_FOLDERS)
    if not others:
        return first
    if first.startswith(_IN_ANY_FOLDER):
        first = f"^(?>(?:.+?/)??{first.removeprefix(_IN_ANY_FOLDER)}(?=/|$))"
    *middle, last = others
    return first + "".join(f"(?>(?:/.+?)??{part}(?=/|$))" for part in middle) + _ANY_FOLDERS + last


def _bounded_segment(segment: str) -> str:
    first, *others = segment.split(_ANY)
    if not others:
        return segment
    *middle, last = others
    return f"(?>{first}{''.join(f'(?>[^/]*?{part})' for part in middle if part)}{_ANY}{last}(?=/|$))"
