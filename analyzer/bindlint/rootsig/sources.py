"""Every place that a root signature can be read from: text, HLSL, compiled shaders, TOML, JSON, C++."""

from __future__ import annotations

import os

import msgspec

from bindlint.arguments import native_path
from bindlint.bindings.analyse import Analyser
from bindlint.errors import UsageError
from bindlint.facts.root_signature import read_root_signature
from bindlint.facts.root_signature_files import is_signature_file, named, signatures_in, source_file
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.root_signature import RootSignature
from bindlint.model.shader import Profile, Shader
from bindlint.model.source import Span


def read_source(source: str, shader: Shader, analyser: Analyser) -> tuple[RootSignature, ...]:
    """All root signatures that a source names, at least one.

    `source` is the text of a signature, or a file, with `:MACRO`, `:Function` or `#name` where it holds several.
    `shader` gives the options with which HLSL is read. Raises `UsageError` where there is none.
    """
    path, sign, name = source_file(source, lambda path: os.path.isfile(native_path(path)))
    if not path:
        return (_text(source, shader.root_signature_version),)
    path = native_path(path)
    if is_signature_file(path):
        return signatures_in(path, name, shader, analyser.wrappers)
    found = _hlsl(path, name if sign == ":" else "", shader, analyser)
    return named(found, name, path) if sign == "#" else found


def _text(text: str, version: str) -> RootSignature:
    def locate(start: int, end: int) -> Span:
        return Span("", 1, start + 1, 1, end + 1, start, end)

    return read_root_signature(text, locate, version=version, origin="option")


def _hlsl(path: str, macro: str, shader: Shader, analyser: Analyser) -> tuple[RootSignature, ...]:
    shader = msgspec.structs.replace(shader, file=path)
    if macro:
        minor = int(shader.root_signature_version.rpartition(".")[2])
        shader = msgspec.structs.replace(shader, entry=macro, profile=Profile("rootsig", 1, minor))
    shaders = (shader,) if shader.profile is not None else analyser.discover(shader)
    analyses = [analyser.analyse(each) for each in shaders]
    found = dict.fromkeys(signature for analysis in analyses for signature in _declared(analysis))
    if not found:
        missing = [problem.message for analysis in analyses for problem in analysis.problems]
        why = missing[0] if missing else f"no entry point has a root signature; name a macro: `{path}:MACRO`"
        raise UsageError(f"{path}: {why}")
    return tuple(found)


def _declared(analysis: ShaderAnalysis) -> tuple[RootSignature, ...]:
    library = analysis.shader.profile is not None and analysis.shader.profile.is_library
    return analysis.signatures if library or analysis.signature is None else (analysis.signature,)
