"""Root signatures from files that are no HLSL: compiled shaders, TOML and JSON, C++ host code."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import NoReturn

import msgspec

from bindlint.errors import UsageError, did_you_mean
from bindlint.facts.container import is_container, read_container
from bindlint.facts.root_signature_document import read_document, single
from bindlint.model.host import WrapperDescription
from bindlint.model.root_signature import RootSignature, StaticSampler, SyntaxFault
from bindlint.model.shader import Shader
from bindlint.paths import near_file

CONFIG_NAME = "bindlint.toml"
"""In which other settings stand beside the root signatures."""

_LARGEST = 64 << 20
"""Bytes; libraries of a whole game have some ten million."""

_DOCUMENTS = (".toml", ".json")
_HOST_CODE = (".c", ".cpp", ".cc", ".cxx", ".mm")
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl")
_HOST_NAMES = (b"D3D12_ROOT_", b"CD3DX12_")


def is_signature_file(path: str) -> bool:
    """Whether a file is one of those that this module reads, by its name; headers by what they hold."""
    return is_container(path) or path.lower().endswith((*_DOCUMENTS, *_HOST_CODE)) or _is_host_header(path)


def _is_host_header(path: str) -> bool:
    """Whether a header, which may be HLSL as well, names what only host code has."""
    if not path.lower().endswith(_HEADERS):
        return False
    try:
        text = bytes_of(path).replace(b"\0", b"")
    except UsageError:
        return False
    return any(name in text for name in _HOST_NAMES)


def split_source(source: str, is_file: Callable[[str], bool]) -> tuple[str, str, str]:
    """The file that a source names, the sign after it and the name after that; no file where the source is text."""
    if is_file(source):
        return source, "", ""
    # A name may be qualified (`file.cpp:Renderer::Create`), and a drive letter is part of the file.
    for match in re.finditer(r"#|(?<!:):(?!:)", source):
        path, name = source[: match.start()], source[match.end() :]
        if is_file(path):
            return path, match[0], name.strip()
    return "", "", ""


_FILE_NAME = re.compile(r"[^()]*|[^,=]*\.[A-Za-z]\w{0,8}(?:[:#][^()\"]*)?")
"""What can only be meant for a file: the text of a signature has parentheses, and ends in one where it is whole."""


def source_file(source: str, is_file: Callable[[str], bool]) -> tuple[str, str, str]:
    """As `split_source`. Raises `UsageError` for a source that is empty, or names a file which is not there."""
    if not source.strip():
        raise UsageError("the source of the root signature is empty")
    found = split_source(source, is_file)
    if found[0] or not _FILE_NAME.fullmatch(source.strip()):
        return found
    path = source.rpartition("#")[0] or re.sub(r"(?<=.):\w+$", "", source)
    if os.path.lexists(path):
        raise UsageError(f"`{path}` is there, but is no file")
    raise UsageError(f"`{path}` is neither a file nor the text of a root signature{near_file(path)}")


def signatures_in(
    path: str, name: str, shader: Shader, wrappers: tuple[WrapperDescription, ...] = ()
) -> tuple[RootSignature, ...]:
    """The signatures of a file, at least one; those called `name`, or built by such a function, unless it is "".

    Host code is read with the include folders and defines of `shader` and its own `wrappers`; what it leaves open is a
    fault. Raises `UsageError` or `DocumentError` where there is none.
    """
    if is_container(path):
        read = read_container(bytes_of(path), path)
        found = read.signatures
        if not found:
            _refuse(path, read.problems[0].message if read.problems else "no root signature is embedded in it")
    elif path.lower().endswith(_DOCUMENTS):
        found = read_document(_text_of(path), path, os.path.basename(path) != CONFIG_NAME)
    else:
        return _host(path, name, shader, wrappers)
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


def _host(path: str, name: str, shader: Shader, wrappers: tuple[WrapperDescription, ...]) -> tuple[RootSignature, ...]:
    """Signatures that C++ builds, each called by its function, or by its variable where a function builds several."""
    from bindlint_grammars.hlsl.source_files import SourceStore

    from bindlint.facts.host.signatures import HostReader
    from bindlint.facts.root_signature_sources import read_source

    source = f"{path}:{name}" if name else path
    reader = HostReader(SourceStore(), wrappers=wrappers)
    read = read_source(source, reader, "", shader.include_dirs, shader.defines)
    if read is None or read.message:
        _refuse(path, read.message if read is not None else "it is no host code")
    functions = [each.function.rpartition("::")[2] for each in read.signatures]
    found = []
    for each, function in zip(read.signatures, functions, strict=True):
        open_parts = tuple(SyntaxFault(f"{part.what}: {part.why}", part.span) for part in each.unknown)
        found.append(
            msgspec.structs.replace(
                each.signature,
                static_samplers=tuple(map(_in_single_precision, each.signature.static_samplers)),
                name=function if function and functions.count(function) == 1 else each.name,
                faults=(*each.signature.faults, *open_parts),
                when=each.when,
            )
        )
    return tuple(found)


def _in_single_precision(sampler: StaticSampler) -> StaticSampler:
    """The numbers as the structures of D3D12 hold them, where the source writes decimals."""
    numbers = (sampler.mip_lod_bias, sampler.min_lod, sampler.max_lod)
    bias, least, most = (single(number) for number in numbers)
    return msgspec.structs.replace(sampler, mip_lod_bias=bias, min_lod=least, max_lod=most)


def _refuse(path: str, why: str) -> NoReturn:
    raise UsageError(f"{path}: {why}")


def bytes_of(path: str) -> bytes:
    """The bytes of a file. Raises `UsageError` where they cannot be read, or are more than a compiled shader has."""
    if not os.path.isfile(path) and os.path.exists(path):
        raise UsageError(f"{path}: is there, but is no file")
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > _LARGEST:
        raise UsageError(f"{path}: is larger than {_LARGEST >> 20} MiB")
    return data


def _text_of(path: str) -> str:
    try:
        return bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8 (byte {error.start})") from error
