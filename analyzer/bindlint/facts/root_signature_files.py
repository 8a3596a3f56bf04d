"""Root signatures from files that are no HLSL: compiled shaders, TOML and JSON, C++ host code."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable
from typing import Any, NoReturn

from bindlint.errors import UsageError, did_you_mean
from bindlint.facts.container import is_container, read_container
from bindlint.facts.root_signature_document import read_document
from bindlint.model.root_signature import RootSignature

CONFIG_NAME = "bindlint.toml"
"""In which other settings stand beside the root signatures."""

_DOCUMENTS = (".toml", ".json")
_HOST_CODE = (".cpp", ".cc", ".cxx", ".hpp", ".hxx", ".mm", ".inl")
_HOST_READER = "bindlint.facts.root_signature_sources"


def is_signature_file(path: str) -> bool:
    """Whether a file is one of those that this module reads, by its name."""
    return is_container(path) or path.lower().endswith((*_DOCUMENTS, *_HOST_CODE))


def split_source(source: str, is_file: Callable[[str], bool]) -> tuple[str, str, str]:
    """The file that a source names, the sign after it and the name after that; no file where the source is text."""
    if is_file(source):
        return source, "", ""
    for sign in ("#", ":"):
        path, found, name = source.rpartition(sign)
        if found and is_file(path):
            return path, sign, name.strip()
    return "", "", ""


def signatures_in(path: str, sign: str, name: str) -> tuple[RootSignature, ...]:
    """The signatures of a file, at least one; those called `name` where that stands after the path.

    Raises `UsageError` or `DocumentError` where there is none.
    """
    if is_container(path):
        read = read_container(_bytes_of(path), path)
        found = read.signatures
        if not found:
            _refuse(path, read.problems[0].message if read.problems else "no root signature is embedded in it")
    elif path.lower().endswith(_DOCUMENTS):
        found = read_document(_text_of(path), path, os.path.basename(path) != CONFIG_NAME)
    elif importlib.util.find_spec(_HOST_READER) is None:
        _refuse(path, "root signatures in C++ cannot be read yet")
    else:
        reader: Any = importlib.import_module(_HOST_READER)
        return tuple(reader.read_root_signatures(path, name))
    if name:
        return named(found, name, path)
    return found or _refuse(path, "it holds no root signature")


def named(found: tuple[RootSignature, ...], name: str, path: str) -> tuple[RootSignature, ...]:
    """Those that are called `name`. Raises `UsageError` where there is none."""
    known = [signature.name for signature in found if signature.name]
    chosen = tuple(signature for signature in found if signature.name == name)
    return chosen or _refuse(path, f"it holds no root signature `{name}`{did_you_mean(name, known)}")


def one_of(found: tuple[RootSignature, ...], source: str) -> RootSignature:
    """The only signature of a source. Raises `UsageError` where there are several."""
    if len(found) > 1:
        names = ", ".join(f"`{signature.name}`" for signature in found if signature.name) or "without names"
        raise UsageError(f"`{source}` has {len(found)} root signatures ({names}); put `#NAME` after the file")
    return found[0]


def _refuse(path: str, why: str) -> NoReturn:
    raise UsageError(f"{path}: {why}")


def _bytes_of(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error


def _text_of(path: str) -> str:
    try:
        return _bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8 (byte {error.start})") from error
