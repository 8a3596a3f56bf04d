"""Root signatures that are named by the file of host code that builds them: `FILE.cpp` or `FILE.cpp:Function`."""

from __future__ import annotations

import os
import re

import msgspec

from bindlint.facts.host.signatures import HostReader
from bindlint.model.host import HostSignature

_HOST_FILE = re.compile(r"(?i)\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|inl|mm)$")


class HostSource(msgspec.Struct, frozen=True):
    """What a source names: the signatures found, or `message` saying why there is none."""

    path: str
    function: str
    signatures: tuple[HostSignature, ...] = ()
    message: str = ""


def split_source(text: str) -> tuple[str, str] | None:
    """File and function of a source of host code; None where the text names no such file.

    The function may be qualified (`file.cpp:Renderer::Create`), and a drive letter is part of the file.
    """
    for match in re.finditer(r":(?!:)", text):
        place = match.start()
        if text[place - 1 : place] != ":" and _HOST_FILE.search(text[:place]):
            return text[:place], text[place + 1 :].strip()
    return (text, "") if _HOST_FILE.search(text) else None


def read_source(
    text: str,
    reader: HostReader,
    directory: str = "",
    include_dirs: tuple[str, ...] = (),
    defines: tuple[tuple[str, str], ...] = (),
) -> HostSource | None:
    """The signatures that `file.cpp` or `file.cpp:Function` names, relative to `directory`; None for other texts.

    The function may also be the name of the variable that holds the description.
    """
    parts = split_source(text)
    if parts is None:
        return None
    file, function = parts
    path = os.path.join(directory, file) if directory else file
    host = reader.read(path, include_dirs, defines)
    if not host.files:
        return HostSource(path, function, message="there is no such file")
    found = tuple(s for s in host.signatures if not function or _is_named(s, function))
    if found:
        return HostSource(path, function, found)
    open_in = next((name for name in host.run_time if not function or _builds(name, function)), None)
    if open_in is not None and (function or not host.signatures):
        message = f"`{open_in}` builds its root signature at run time; nothing of it is known here"
        return HostSource(path, function, message=message)
    if not host.signatures:
        return HostSource(path, function, message="no root signature is built here")
    known = ", ".join(dict.fromkeys(s.function or s.name for s in host.signatures))
    return HostSource(path, function, message=f"`{function}` builds no root signature here; these do: {known}")


def _is_named(signature: HostSignature, function: str) -> bool:
    return _builds(signature.function, function) or signature.name == function


def _builds(path: str, function: str) -> bool:
    asked = function.split("::")
    return path.split("::")[-len(asked) :] == asked
