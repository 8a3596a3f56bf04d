"""What can be a path at all, and where it may lead when it comes with what is checked."""

from __future__ import annotations

import os
import re
from pathlib import Path

from bindlint.errors import did_you_mean

SHADER_SUFFIXES = frozenset(
    (".hlsl", ".hlsli", ".fx", ".fxh", ".vsh", ".psh", ".csh", ".gsh", ".hsh", ".dsh", ".usf", ".ush")
)
"""Endings of files that are shaders."""
SOURCE_SUFFIXES = (".cpp", ".cc", ".cxx", ".mm")
HOST_SUFFIXES = frozenset((*SOURCE_SUFFIXES, ".h", ".hh", ".hpp", ".hxx", ".inl"))
"""Endings of files that are C++: of source files, and of headers too."""
_LONGEST_NAME = 255
_LONGEST_PATH = 4096
"""Bytes; the bounds of Linux, which are those of the other systems or wider."""


def ending_of(path: str) -> str:
    """The ending of a file's name with its dot, in small letters; "" where it has none."""
    return os.path.splitext(path)[1].lower()


def path_fault(path: str) -> str:
    """Why there can be no file of that path, "" where there can."""
    if "\0" in path:
        return "no path has a NUL character"
    try:
        data = os.fsencode(path)
    except UnicodeEncodeError:
        return "the path has characters that no name of a file has"
    if len(data) > _LONGEST_PATH:
        return f"the path has {len(data)} bytes, more than the {_LONGEST_PATH} that there can be"
    longest = max(map(len, re.split(rb"[\\/]", data)))
    return f"a name of {longest} bytes is longer than the {_LONGEST_NAME} that there can be" * (longest > _LONGEST_NAME)


def is_inside(path: str, folder: str) -> bool:
    """Whether a path lies in a folder once links are resolved."""
    return not path_fault(path) and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def near_file(path: str) -> str:
    """A closing part of a message about a file that is not there: the nearest name in its folder, "" for none."""
    folder = os.path.dirname(path) or "."
    return did_you_mean(os.path.basename(path), os.listdir(folder)) if os.path.isdir(folder) else ""
