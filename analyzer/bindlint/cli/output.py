"""Files that a command writes because it was told to."""

from __future__ import annotations

import os
from collections.abc import Iterable

from bindlint.errors import UsageError


def write_output(path: str, pieces: Iterable[bytes]) -> None:
    """Write a file, and make the folders for it that are missing. Raises `UsageError`."""
    try:
        os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
        with open(path, "wb") as stream:
            stream.writelines(pieces)
    except OSError as error:
        raise UsageError(f"`{path}` cannot be written: {error.strerror}") from error
