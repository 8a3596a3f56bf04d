"""Dependency files, by which make and ninja know the headers whose change asks for another check."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from bindlint.cli.output import write_output


def write_depfile(path: str, files: Iterable[str]) -> None:
    """Write that the file named as `path` without its last ending depends on `files`. Raises `UsageError`."""
    target = os.path.splitext(path)[0]
    places = [os.path.abspath(file) for file in files if "\n" not in file]
    lines = [f"{_escaped(target)}:", *(f"  {_escaped(place)}" for place in places)]
    text = " \\\n".join(lines) + "\n"
    write_output(path, (text.encode("utf-8", "surrogateescape"),))


def _escaped(path: str) -> str:
    return re.sub(r"([ #])", r"\\\1", path.replace("\\", "/")).replace("$", "$$")
