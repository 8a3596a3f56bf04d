"""What an editor may set."""

from __future__ import annotations

from typing import Annotated

import msgspec

Count = Annotated[int, msgspec.Meta(ge=0)]
Some = Annotated[int, msgspec.Meta(ge=1)]


class Settings(msgspec.Struct, frozen=True, rename="camel"):
    """`debounce` is the pause after a keystroke, in milliseconds, before anything is analysed; `header_shaders` is how
    many of the shaders that include a header it is read through; `configuration` a file that counts in place of the
    nearest bindlint.toml. A document of more than `largest_document` characters is left to the build.

    `host_files` is how many files of host code are read at most, 0 none; `join_delay` the pause in milliseconds before
    they are joined with the shaders. `manifests` are files that say how shaders are compiled (None: those that are
    found); of one file `variants` compilations are judged.
    """

    debounce: Count = 120
    header_shaders: Some = 8
    configuration: str = ""
    largest_document: Some = 1 << 19
    host_files: Count = 300
    join_delay: Count = 1000
    manifests: tuple[str, ...] | None = None
    variants: Some = 64
