"""How the build of a program compiles its shaders, as far as it takes to find the source of a compiled one."""

from __future__ import annotations

import msgspec


class Build(msgspec.Struct, frozen=True):
    """One shader as it is compiled. `outputs` are the names of the results without folder and ending, in lower case.

    `stage` is the prefix of a profile. What differs between the configurations of the project is "".
    """

    file: str
    outputs: tuple[str, ...]
    stage: str = ""
    entry: str = ""
    profile: str = ""
    defines: tuple[tuple[str, str], ...] = ()
