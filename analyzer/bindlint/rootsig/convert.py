"""A root signature in another form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from bindlint.errors import UsageError
from bindlint.facts.root_signature_bytes import to_rts0
from bindlint.model.root_signature import RootSignature
from bindlint.rootsig.cpp import to_cpp
from bindlint.rootsig.document import to_json, to_toml
from bindlint.rootsig.hlsl import hlsl_macro
from bindlint.rootsig.versions import in_version
from bindlint.rootsig.words import refuse_faults

Form = Literal["hlsl", "cpp", "cpp-raw", "json", "toml", "rts0"]
FORMS: tuple[Form, ...] = ("hlsl", "cpp", "cpp-raw", "json", "toml", "rts0")

DEFAULT_NAME = "RootSignature"


class Converted(msgspec.Struct, frozen=True):
    """The bytes of the wanted form (text in UTF-8), and what they say no longer."""

    data: bytes
    lost: tuple[str, ...] = ()


def convert(
    signature: RootSignature,
    form: Form,
    version: str | None = None,
    name: str = "",
    comments: Mapping[int, str] | None = None,
) -> Converted:
    """Write a signature in `form`, in another version where one is given.

    `name` becomes that of the macro, the function or the entry; `comments` by root parameter stand in forms that have
    comments. Raises `UnwritableError` where the form has no words for a part, `UsageError` for a signature with faults,
    which name what is unknown.
    """
    refuse_faults(signature)
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"a root signature cannot be called `{name}`, which is no text") from error
    lost: tuple[str, ...] = ()
    if version is not None:
        signature, lost = in_version(signature, version)
    given = name or signature.name
    word = re.sub(r"\W", "_", given) or DEFAULT_NAME
    word = f"_{word}" if word[0].isdigit() else word
    match form:
        case "hlsl":
            text = hlsl_macro(signature, word, comments)
        case "cpp" | "cpp-raw":
            text = to_cpp(signature, word, form == "cpp-raw", comments)
        case "json":
            text = to_json(signature, given)
        case "toml":
            text = to_toml(signature, given, comments)
        case "rts0":
            return Converted(_serialized(signature), lost)
    return Converted(text.encode(), lost)


def _serialized(signature: RootSignature) -> bytes:
    # The origin tells where a signature may stand; on its own it may be a local one as well.
    data = to_rts0(msgspec.structs.replace(signature, origin="bytes"))
    if data is None:
        raise UsageError("D3D12 refuses this root signature, so it has no bytes; `bindlint check` says why")
    return data
