"""Files as other tools name them: relative to the root of the sources, with `/`, or as URIs."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from urllib.parse import quote

from bindlint.config import repository_root

_KEPT_IN_URIS = "/-._~!$&'()*+,;=@"
"""What RFC 3986 allows in the segments of a path, but for the colon, which a first segment must not have."""


def source_root() -> Path:
    """The repository that the working directory is a part of, or else that directory itself."""
    here = Path.cwd()
    return repository_root(here) or here


def below(path: str, root: Path) -> str:
    """The path from `root` on, with `/`, where it lies below that; "" where it does not."""
    whole = PurePath(os.path.abspath(path))
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else ""


def relative_uri(path: str) -> str:
    """A relative path with `/` as a URI; bytes that are no UTF-8 are escaped as they are."""
    return quote(os.fsencode(path), safe=_KEPT_IN_URIS)


def file_uri(path: str) -> str:
    """The absolute `file:` URI of a path."""
    whole = PurePath(os.path.abspath(path)).as_posix()
    escaped = quote(os.fsencode(whole), safe=_KEPT_IN_URIS + ":")
    if whole.startswith("//"):
        return f"file:{escaped}"
    return f"file://{escaped}" if whole.startswith("/") else f"file:///{escaped}"
