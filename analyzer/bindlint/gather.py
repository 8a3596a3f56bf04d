"""Gathers a project: the host code of a run, joined with its shaders and with what its configuration describes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.config import CONFIG_NAME, Config, ConfigurationError, host_of
from bindlint.discovery import shader_files
from bindlint.errors import did_you_mean
from bindlint.facts.host.signatures import HostReader
from bindlint.facts.root_signature_files import split_source
from bindlint.manifest import include_roots
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.described import DescribedPipeline
from bindlint.model.host import HostFile
from bindlint.model.shader import Shader
from bindlint.project.join import described_heaps, join
from bindlint.project.shaders import Shaders
from bindlint.project.values import Project


class Gatherer:
    """Reads what a project is made of. `template` has the options with which its shaders are compiled."""

    def __init__(self, analyser: Analyser, config: Config, template: Shader | None = None) -> None:
        self._analyser = analyser
        self._config = config
        self._template = template or Shader("")

    def project(
        self,
        hosts: Sequence[str],
        shaders: Sequence[str] = (),
        pipelines: Iterable[DescribedPipeline] = (),
        analyses: Iterable[ShaderAnalysis] = (),
        advance: Callable[[], None] = lambda: None,
    ) -> Project:
        """The project of files of host code, files of shaders and described pipelines; `analyses` are those at hand.

        `advance` is called after each file of host code.
        """
        settings = host_of(self._config)
        read = []
        for file in self._hosts(hosts):
            read.append(file)
            advance()
        if self._config.heap:
            described = os.path.join(self._config.folder, CONFIG_NAME)
            read.append(described_heaps(described, self._config.heap))
        known = tuple(analyses)
        finder = Shaders(
            self._analyser,
            self._command,
            shaders,
            near=_around,
            include_dirs=(*settings.include_dirs, *self._template.include_dirs),
            analyses=known,
        )
        return join(read, pipelines, finder, known)

    def _hosts(self, paths: Iterable[str]) -> Iterator[HostFile]:
        settings = host_of(self._config)
        reader = HostReader(self._analyser.store, self._analyser.limits, settings.wrappers)
        for path in paths:
            yield reader.read(path, settings.include_dirs)

    def _command(
        self, file: str, entry: str, profile: str, defines: tuple[tuple[str, str], ...], signature: str
    ) -> Shader:
        """The compilation of a stage: what is told of it, and else the options of the run."""
        words = ["-T", profile, "-E", entry or "main"] if profile else ["-E", entry] if entry else []
        if profile.startswith("lib"):
            words = words[:2]
        told = parse_arguments(words).shader
        folder = os.path.dirname(file)
        return msgspec.structs.replace(
            self._template,
            file=file,
            entry=told.entry,
            profile=told.profile,
            dialect=told.dialect if profile else self._template.dialect,
            defines=(*self._template.defines, *defines),
            root_signature=signature,
            roots=include_roots(folder, (*self._template.include_dirs, *host_of(self._config).include_dirs)),
        )


def _around(host: str) -> Iterator[str]:
    return shader_files(os.path.dirname(host) or ".")


def pipelines_of(config: Config) -> tuple[DescribedPipeline, ...]:
    """The configuration's pipelines, with paths made absolute. Raises `ConfigurationError` where one is not there."""
    found = []
    for pipeline in config.pipeline:
        stages = []
        for stage in pipeline.stages:
            path = os.path.normpath(os.path.join(config.folder, stage.file))
            if not os.path.isfile(path):
                folder, name = os.path.split(path)
                near = did_you_mean(name, os.listdir(folder)) if os.path.isdir(folder) else ""
                raise ConfigurationError(f"{_at(stage.span)}: pipeline `{pipeline.name}`: no file `{stage.file}`{near}")
            words = ["-T", stage.profile] if stage.profile else []
            for fault in parse_arguments(words).faults:
                raise ConfigurationError(f"{_at(stage.span)}: pipeline `{pipeline.name}`: {fault.message}")
            stages.append(msgspec.structs.replace(stage, file=path))
        source = _absolute(pipeline.root_signature, config.folder)
        found.append(msgspec.structs.replace(pipeline, stages=tuple(stages), root_signature=source))
    return tuple(found)


def _at(span: object) -> str:
    return str(span).rpartition(":")[0]


def _absolute(source: str, folder: str) -> str:
    """The source of a root signature as it is found from anywhere."""
    path, sign, name = split_source(source, lambda path: os.path.isfile(os.path.join(folder, path)))
    return f"{os.path.join(folder, path)}{sign}{name}" if path else source
