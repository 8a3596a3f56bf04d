"""Gathers a project: the host code of a run, joined with its shaders and with what its configuration describes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import msgspec

from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.config import CONFIG_NAME, Config, ConfigurationError, host_of
from bindlint.discovery import shader_files
from bindlint.errors import BindlintError
from bindlint.facts.host.signatures import HostReader
from bindlint.facts.root_signature_files import one_of, split_source
from bindlint.manifest import include_roots
from bindlint.manifests.visual_studio import read_builds
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.described import DescribedPipeline, DescribedStage
from bindlint.model.host import HostFile
from bindlint.model.shader import Shader
from bindlint.paths import near_file
from bindlint.project.builds import Build
from bindlint.project.guess import guessed
from bindlint.project.join import described_heaps, join
from bindlint.project.shaders import Shaders
from bindlint.project.values import Project
from bindlint.rootsig.sources import read_source

_FOLDERS_UP = 4
"""How far from host code its project file may be."""


class Gatherer:
    """Reads what a project is made of. `template` has the options with which its shaders are compiled, and the folders
    that includes may lead into; `completed` gives a shader what else its files ask for.
    """

    def __init__(
        self,
        analyser: Analyser,
        config: Config,
        template: Shader | None = None,
        completed: Callable[[Shader], Shader] = lambda shader: shader,
    ) -> None:
        self._analyser = analyser
        self._config = config
        self._settings = host_of(config)
        self._projects: dict[str, tuple[Build, ...]] = {}
        self._template = template or Shader("")
        self._completed = completed

    def project(
        self,
        hosts: Iterable[HostFile],
        shaders: Iterable[str] = (),
        pipelines: Iterable[DescribedPipeline] = (),
        analyses: Iterable[ShaderAnalysis] = (),
        guess: bool = False,
    ) -> Project:
        """The project of host code, files of shaders and described pipelines; `analyses` are those at hand.

        `guess`: also the pipelines that the names of shader files speak of.
        """
        read, files, described = [*hosts], [*shaders], [*pipelines]
        named = (*files, *(host.path for host in read)) if described else ()
        names = {os.path.realpath(path): path for path in named}
        if self._config.heap:
            read.append(described_heaps(os.path.join(self._config.folder, CONFIG_NAME), self._config.heap))
        known = tuple(analyses)
        finder = Shaders(
            self._analyser,
            self._command,
            files,
            near=_around,
            builds=self._builds,
            include_dirs=(*self._settings.include_dirs, *self._template.include_dirs),
            analyses=known,
        )
        given = [_as_given(pipeline, names) for pipeline in described]
        return join(read, given, finder, known, guessed(dict.fromkeys(files)) if guess else ())

    def host(self, path: str) -> HostFile:
        """One file of host code."""
        return self._reader.read(path, self._settings.include_dirs, calls=True, roots=self._template.roots)

    def _builds(self, host: str) -> tuple[Build, ...]:
        """How the project files beside a file of host code, or in the folders above, compile shaders."""
        folder = os.path.dirname(os.path.abspath(host))
        for _ in range(_FOLDERS_UP):
            if folder not in self._projects:
                files = [os.path.join(folder, n) for n in _listed(folder) if n.lower().endswith(".vcxproj")]
                builds = (build for file in files if os.path.isfile(file) for build in read_builds(file))
                self._projects[folder] = tuple(builds)
            is_top = folder in self._template.roots or os.path.exists(os.path.join(folder, ".git"))
            if self._projects[folder] or is_top:
                return self._projects[folder]
            folder = os.path.dirname(folder)
        return ()

    @cached_property
    def _reader(self) -> HostReader:
        return HostReader(self._analyser.store, self._analyser.limits, self._settings.wrappers)

    def files_of(self, pipeline: DescribedPipeline) -> Iterator[str]:
        """The files that make a described pipeline."""
        source = split_source(pipeline.root_signature, os.path.isfile)[0] if pipeline.root_signature else ""
        yield from (os.path.realpath(path) for path in (*(s.file for s in pipeline.stages), source) if path)

    def _command(
        self, file: str, entry: str, profile: str, defines: tuple[tuple[str, str], ...], signature: str
    ) -> Shader:
        """The compilation of a stage: what is told of it, and else the options of the run."""
        words = ["-T", profile, "-E", entry or "main"] if profile else ["-E", entry] if entry else []
        if profile.startswith("lib"):
            words = words[:2]
        told = parse_arguments(words).shader
        folder = os.path.dirname(file)
        shader = msgspec.structs.replace(
            self._template,
            file=file,
            entry=told.entry,
            profile=told.profile,
            dialect=told.dialect if profile else self._template.dialect,
            defines=(*self._template.defines, *defines),
            root_signature=signature,
            roots=include_roots(folder, self._template.roots),
        )
        return self._completed(shader)


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _around(host: str) -> Iterator[str]:
    return shader_files(os.path.dirname(host) or ".")


def pipelines_of(config: Config, analyser: Analyser) -> tuple[DescribedPipeline, ...]:
    """The configuration's pipelines, with paths made absolute.

    Raises `ConfigurationError` where a file is not there, or a root signature cannot be read.
    """
    found = []
    for pipeline in config.pipeline:
        stages: list[DescribedStage] = []
        for stage in pipeline.stages:
            path = os.path.normpath(os.path.join(config.folder, stage.file))
            if not os.path.isfile(path):
                missing = f"no file `{stage.file}`{near_file(path)}"
                raise ConfigurationError(f"{_at(stage.span)}: pipeline `{pipeline.name}`: {missing}")
            words = ["-T", stage.profile] if stage.profile else []
            for fault in parse_arguments(words).faults:
                raise ConfigurationError(f"{_at(stage.span)}: pipeline `{pipeline.name}`: {fault.message}")
            stages.append(msgspec.structs.replace(stage, file=path))
        source = _absolute(pipeline.root_signature, config.folder)
        if source:
            shader = Shader("", include_dirs=host_of(config).include_dirs, roots=include_roots(config.folder, ()))
            _check_source(source, pipeline, shader, analyser)
        found.append(msgspec.structs.replace(pipeline, stages=tuple(stages), root_signature=source))
    return tuple(found)


def _check_source(source: str, pipeline: DescribedPipeline, shader: Shader, analyser: Analyser) -> None:
    try:
        signature = one_of(read_source(source, shader, analyser), source)
    except BindlintError as error:
        raise ConfigurationError(f"{_at(pipeline.span)}: pipeline `{pipeline.name}`: {error}") from error
    if signature.origin != "cpp" and signature.faults:
        message = f"its root signature cannot be read: {signature.faults[0].message}"
        raise ConfigurationError(f"{_at(pipeline.span)}: pipeline `{pipeline.name}`: {message}")


def _as_given(pipeline: DescribedPipeline, names: dict[str, str]) -> DescribedPipeline:
    """The pipeline with its files spelled as the run spells them, so that a finding is the same wherever it is met."""

    def given(path: str) -> str:
        return names.get(os.path.realpath(path), path)

    path, sign, name = split_source(pipeline.root_signature, os.path.isfile)
    return msgspec.structs.replace(
        pipeline,
        stages=tuple(msgspec.structs.replace(stage, file=given(stage.file)) for stage in pipeline.stages),
        root_signature=f"{given(path)}{sign}{name}" if path else pipeline.root_signature,
    )


def _at(span: object) -> str:
    return str(span).rpartition(":")[0]


def _absolute(source: str, folder: str) -> str:
    """The source of a root signature as it is found from anywhere."""
    path, sign, name = split_source(source, lambda path: os.path.isfile(os.path.join(folder, path)))
    return f"{os.path.join(folder, path)}{sign}{name}" if path else source
