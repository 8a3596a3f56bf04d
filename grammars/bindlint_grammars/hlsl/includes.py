"""Which file an include directive means."""

from __future__ import annotations

import ntpath
import os
import posixpath

import msgspec

from bindlint_grammars.hlsl.source_files import SourceFile, SourceStore


class Resolution(msgspec.Struct, frozen=True):
    """What an include led to. `path` is as DXC spells it, the key of `#pragma once`.

    `file` is None where nothing was read; `path` is then what is there and no file. `actual` is the spelling on
    disk where it differs in case, and `outside` says that the file lies outside the roots.
    """

    path: str = ""
    file: SourceFile | None = None
    actual: str = ""
    outside: bool = False


def resolve(store: SourceStore, spelled: str, folders: tuple[str, ...], roots: tuple[str, ...] = ()) -> Resolution:
    """The first of `folders` that has the file in the spelled case; if none has, the first that has it in another.

    A file outside `roots` ends the search and is not read.
    """
    relative = spelled.replace("\\", "/")
    absolute = posixpath.isabs(relative) or bool(ntpath.splitdrive(relative)[0])
    candidates = [relative] if absolute else [joined(folder, relative) for folder in folders]
    otherwise = Resolution()
    for path in candidates:
        found = store.find(path, roots)
        if found is None:
            continue
        if found.outside:
            return Resolution(path, outside=True)
        if not found.case_differs:
            return Resolution(path, store.get(path))
        if otherwise.file is None:
            otherwise = Resolution(path, store.get(found.path), found.path)
    if otherwise.file is None:
        return Resolution(next(filter(os.path.lexists, candidates), ""))
    return otherwise


def with_virtual(spelled: str, virtual_dirs: tuple[tuple[str, str], ...]) -> str:
    """The path that an include means where a folder that exists only by name, such as `/Engine`, begins it."""
    path = spelled.replace("\\", "/")
    for name, folder in virtual_dirs:
        if path.startswith(name) and path[len(name) : len(name) + 1] in ("", "/"):
            return joined(folder, path[len(name) + 1 :])
    return spelled


def joined(folder: str, relative: str) -> str:
    """A path below a folder, spelled as DXC spells it: nothing in it is normalised."""
    return f"{folder.rstrip('/') if len(folder) > 1 else folder}/{relative}" if folder != "/" else f"/{relative}"


def folder_of(path: str) -> str:
    """The folder of a file, `.` for a bare name."""
    return posixpath.dirname(path.replace("\\", "/")) or ("/" if path.startswith("/") else ".")
