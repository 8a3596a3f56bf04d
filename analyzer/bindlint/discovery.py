"""Which files of a folder are shaders: by suffix, without what `.gitignore` leaves out and what links lead away."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from pathspec import GitIgnoreSpec

from bindlint.config import repository_root

SHADER_SUFFIXES = frozenset(
    (".hlsl", ".hlsli", ".fx", ".fxh", ".vsh", ".psh", ".csh", ".gsh", ".hsh", ".dsh", ".usf", ".ush")
)
HOST_SUFFIXES = frozenset((".cpp", ".cc", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".mm"))
_D3D12 = re.compile(rb"D3D12_|ID3D12|SetGraphicsRoot|SetComputeRoot|CD3DX12_|RootSignature")
_LARGEST_HOST_FILE = 4 << 20


def is_host_file(path: str, named: bool = False) -> bool:
    """Whether a file is C++ that has to do with D3D12. Of those that a user has `named`, source files always are."""
    name = os.path.basename(path).lower()
    ending = os.path.splitext(name)[1]
    if ending not in HOST_SUFFIXES or name in _NOT_THEIRS or name.startswith("d3dx12_"):
        return False
    return (named and ending in SOURCE_SUFFIXES) or _mentions_d3d12(path)


SOURCE_SUFFIXES = (".cpp", ".cc", ".cxx", ".mm")
_NOT_THEIRS = frozenset(("d3d12.h", "d3dx12.h", "d3d12sdklayers.h", "d3d12shader.h", "d3d12video.h", "d3d12compiler.h"))
"""Headers of the system that projects carry along."""


def _mentions_d3d12(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            text = file.read(_LARGEST_HOST_FILE).replace(b"\0", b"")  # UTF-16
    except OSError:
        return False
    return _D3D12.search(text) is not None


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
            if suffixes is not None and os.path.splitext(name)[1].lower() not in suffixes:
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
            try:
                text = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace")
                self._specs[folder] = GitIgnoreSpec.from_lines(filter(_is_pattern, text.splitlines()))
            except OSError:
                self._specs[folder] = None
        return self._specs[folder]


def _is_pattern(line: str) -> bool:
    """Whether a line of a `.gitignore` is in order; one that is not is passed over, as git does."""
    try:
        GitIgnoreSpec.from_lines((line,))
    except ValueError:
        return False
    return True
