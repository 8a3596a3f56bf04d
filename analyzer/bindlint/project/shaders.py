"""Finds the shader that host code or a configuration names for a stage, and analyses it once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import msgspec

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.described import DescribedStage
from bindlint.model.device import HostStage
from bindlint.model.shader import Shader
from bindlint.project.builds import Build

_CONTAINERS = (".cso", ".dxil", ".dxbc", ".bin")
_COMPILED = (*_CONTAINERS, ".fxo", ".h", ".hpp", ".inc", ".inl")
"""Endings of what a shader's source is compiled to."""

_MODELS = {"ms": "6_5", "as": "6_5", "lib": "6_3"}
"""The first shader model of stages that 6.0 does not have."""


class Found(msgspec.Struct, frozen=True):
    """What a name leads to: `why` says, as the end of a sentence, why to nothing."""

    analysis: ShaderAnalysis | None = None
    file: str = ""
    entry: str = ""
    why: str = ""


class Reader(Protocol):
    """What reads shaders; an `Analyser`, for one."""

    def discover(self, shader: Shader) -> tuple[Shader, ...]: ...

    def analyse(self, shader: Shader) -> ShaderAnalysis: ...


Command = Callable[[str, str, str, tuple[tuple[str, str], ...], str], Shader]
"""The shader that a file, an entry point, a profile, defines and the source of a root signature make."""


class Shaders:
    """The shaders of a run.

    `files` are the sources among which names are looked for, `near` gives those around a file of host code that the run
    does not hold. `include_dirs` are searched for names with folders. `builds` gives how the build of a file of host
    code compiles shaders.
    """

    def __init__(
        self,
        reader: Reader,
        command: Command,
        files: Iterable[str] = (),
        near: Callable[[str], Iterable[str]] = lambda _: (),
        builds: Callable[[str], tuple[Build, ...]] = lambda _: (),
        include_dirs: tuple[str, ...] = (),
        analyses: Iterable[ShaderAnalysis] = (),
    ) -> None:
        self._reader = reader
        self._command = command
        self._near = near
        self._builds = builds
        self._include_dirs = include_dirs
        self._by_name: dict[str, list[str]] = {}
        self._searched: set[str] = set()
        self._add(files)
        self._analyses = {_plain(analysis.shader): analysis for analysis in analyses}
        self._discovered: dict[Shader, tuple[Shader, ...]] = {}

    def named(self, stage: HostStage) -> Found:
        """The shader that host code names for a stage."""
        if not stage.file:
            return Found(why="the host code does not tell which shader it is")
        built = self._built(stage)
        if built is not None:
            entry, profile = stage.entry or built.entry, stage.profile or built.profile
            file = self._as_given(built.file)
            return self._read(file, stage.stage, entry, profile, stage.defines or built.defines, "")
        for name, entry in _sources(stage.file.replace("\\", "/").lstrip("/"), stage.entry):
            files = self._files(name, stage.span.file)
            if len(files) > 1:
                return Found(why=f"several shaders have its name: {', '.join(files[:3])}")
            if files:
                found = self._read(files[0], stage.stage, entry, stage.profile, stage.defines, "")
                if found.analysis is not None or entry == stage.entry:
                    return found
        return Found(why=f"its shader is not found: `{stage.file}`")

    def _built(self, stage: HostStage) -> Build | None:
        """How the build compiles what host code names for a stage; None where nothing, or several things, are told."""
        name, ending = os.path.splitext(os.path.basename(stage.file.replace("\\", "/")))
        found = [
            build
            for build in self._builds(stage.span.file)
            if ("" in (build.stage, stage.stage) or build.stage == stage.stage)
            and _makes(build, name, ending)
            and self._is_known(build.file, stage.span.file)
        ]
        return found[0] if len(found) == 1 else None

    def described(self, stage: DescribedStage, signature: str = "") -> Found:
        """The shader of a configured stage; `signature` is the source of the root signature that it is read with."""
        defines = tuple(
            (name, value if sign else "1") for name, sign, value in (d.partition("=") for d in stage.defines)
        )
        prefix = stage.profile.partition("_")[0]
        return self._read(stage.file, prefix, stage.entry, stage.profile, defines, signature)

    def _read(
        self, file: str, stage: str, entry: str, profile: str, defines: tuple[tuple[str, str], ...], signature: str
    ) -> Found:
        shader = self._command(file, entry, profile, defines, signature)
        if shader.profile is not None:
            analysis = self._analysed(shader)
            missing = analysis.status == "failed"
            why = f"its shader is not read: {analysis.problems[0].message}" if missing and analysis.problems else ""
            return Found(None if missing else analysis, file, shader.entry, why)
        if shader not in self._discovered:
            self._discovered[shader] = self._reader.discover(shader)
        found = [
            each
            for each in self._discovered[shader]
            if each.profile is not None and (each.profile.stage == stage or not stage)
        ]
        if len(found) > 1:
            found = [each for each in found if each.entry == "main"] or found
        if len(found) == 1:
            return Found(self._analysed(found[0]), file, found[0].entry)
        if not found and stage and not profile:
            # A stage that nothing in the file tells is told by the pipeline; what is compiled is `main` by default.
            told = self._read(file, stage, entry or "main", f"{stage}_{_MODELS.get(stage, '6_0')}", defines, signature)
            if told.analysis is not None:
                return told
        names = ", ".join(f"`{each.entry}`" for each in found[:3])
        if found:
            return Found(None, file, entry, f"several entry points may be meant: {names}")
        return Found(None, file, entry, f"there is no such entry point: {entry or stage or 'none is found'}")

    def _analysed(self, shader: Shader) -> ShaderAnalysis:
        plain = _plain(shader)
        if plain not in self._analyses:
            self._analyses[plain] = self._reader.analyse(shader)
        return self._analyses[plain]

    def _add(self, files: Iterable[str]) -> None:
        for file in files:
            known = self._by_name.setdefault(os.path.basename(file).lower(), [])
            if file not in known:
                known.append(file)

    def _files(self, name: str, host: str) -> list[str]:
        """The files that a name in host code may mean; of several the nearest."""
        folder = os.path.dirname(host)
        for start in (folder, *self._include_dirs):
            path = os.path.normpath(os.path.join(start, name))
            if os.path.isfile(path) and self._is_known(path, host):
                return [path]
        base = os.path.basename(name).lower()
        if base not in self._by_name and folder not in self._searched:
            self._searched.add(folder)
            self._add(self._near(host))
        alike = self._by_name.get(base, [])
        return _nearest(_longest(alike, name), host) if alike else []

    def _as_given(self, path: str) -> str:
        """The file as the run spells it, so that what is told of it is the same wherever it is met."""
        real = os.path.realpath(path)
        alike = self._by_name.get(os.path.basename(path).lower(), ())
        return next((each for each in alike if os.path.realpath(each) == real), path)

    def _is_known(self, path: str, host: str) -> bool:
        """Whether a file is a shader of the run or lies around the host code, and nowhere else on the machine."""
        real = os.path.realpath(path)
        if any(os.path.realpath(each) == real for each in self._by_name.get(os.path.basename(path).lower(), ())):
            return True
        return os.path.isfile(real) and real.startswith(f"{os.path.dirname(os.path.realpath(host))}{os.sep}")


def _makes(build: Build, name: str, ending: str) -> bool:
    if ending.lower() in _COMPILED:
        return name.lower() in build.outputs
    return os.path.basename(build.file).lower() == f"{name}{ending}".lower()


def _sources(name: str, entry: str) -> Iterator[tuple[str, str]]:
    """The files in which the source of what is named may be, with the entry point; the most likely first."""
    stem, ending = os.path.splitext(name)
    if ending.lower() not in _COMPILED:
        yield name, entry
        return
    # `Sky.hlsl.h` and `Sky.cso` are made of `Sky.hlsl`, and `Sky_VSMain.cso` of its entry point `VSMain`.
    yield (stem if stem.lower().endswith(".hlsl") else f"{stem}.hlsl"), entry
    if ending.lower() in _CONTAINERS:
        yield name, entry
    for place in range(len(stem) - 1, 0, -1):
        if stem[place] == "_" and not entry:
            yield f"{stem[:place]}.hlsl", stem[place + 1 :]


def _longest(files: list[str], name: str) -> list[str]:
    """The files whose paths have most of the folders in common that the name has."""
    return _best(files, lambda file: _alike(_parts(file.lower())[::-1], _parts(name.lower())[::-1]))


def _nearest(files: list[str], host: str) -> list[str]:
    """The files that have the longest way from the root in common with the file of host code."""
    return _best(files, lambda file: _alike(_parts(os.path.abspath(file)), _parts(os.path.abspath(host))))


def _best(files: list[str], worth: Callable[[str], int]) -> list[str]:
    most = max(map(worth, files))
    return [file for file in files if worth(file) == most]


def _parts(path: str) -> list[str]:
    return path.replace("\\", "/").split("/")


def _alike(ours: list[str], theirs: list[str]) -> int:
    """How many parts two paths begin with alike."""
    pairs = zip(ours, theirs, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(ours), len(theirs)))


def _plain(shader: Shader) -> Shader:
    """A shader without what makes no difference to its analysis."""
    return msgspec.structs.replace(shader, file=os.path.realpath(shader.file), roots=(), inferred="", directory="")
