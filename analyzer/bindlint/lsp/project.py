"""The shaders under one configuration: an analyser that lives as long as the server reads again what changed."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

import msgspec
from bindlint_grammars.hlsl.limits import Limits

from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.config import Config, ConfigurationError, find_config, host_of, load_config, virtual_dirs_of
from bindlint.engine import Engine, ProjectReport, Report, check_selectors
from bindlint.errors import BindlintError
from bindlint.gather import Gatherer, pipelines_of
from bindlint.lsp.builds import Builds
from bindlint.manifest import PROJECT_SUFFIXES, include_roots
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.described import DescribedPipeline
from bindlint.model.finding import Finding, Fix, Problem
from bindlint.model.host import HostFile, HostProblem
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE
from bindlint.offers import Offers
from bindlint.project.values import Project as Joined
from bindlint.rule import Rule
from bindlint.shadertools import SHADERTOOLS_NAME, nearest_config
from bindlint.suppress import Suppression


class Read(msgspec.Struct, frozen=True):
    """What is said about the shaders of one file, and all files that they were read from.

    `good` is what was known of them when they could last be read without a gap; its places are those of then.
    """

    file: str
    reports: tuple[Report, ...] = ()
    files: frozenset[str] = frozenset()
    good: tuple[ShaderAnalysis, ...] = ()


class Project:
    """One configuration with its analyser. Raises `ConfigurationError` where the settings cannot be used.

    `trusted` tells that the user named the configuration; one that was only found opens no folder outside its own.
    `builds` tells how its shaders are compiled.
    """

    def __init__(self, config: Config, rules: tuple[Rule, ...], builds: Builds, trusted: bool = False) -> None:
        limits = {name.replace("-", "_"): value for name, value in config.limits.items()}
        self.config = config
        self.analyser = Analyser(Limits(**limits), host_of(config))
        self.engine = Engine(rules, config, self.analyser.source)
        check_selectors(self.engine.rules, config)
        self._template = _template(config)
        self._builds = builds
        self._reads: dict[str, Read] = {}
        self._good: dict[str, tuple[ShaderAnalysis, ...]] = {}
        self._hosts: dict[str, tuple[HostFile, frozenset[str]]] = {}
        self._buffers: Mapping[str, bytes] = {}
        home = Path(os.path.realpath(config.folder))
        named = (*self._template.include_dirs, *(place for _, place in self._template.virtual_dirs))
        named += host_of(config).include_dirs
        self._declared = [f for f in named if trusted or Path(os.path.realpath(f)).is_relative_to(home)]
        self._declared += builds.folders

    def sync(self, buffers: Mapping[str, bytes]) -> None:
        """Let these, and no others, stand in for the files at their paths; another text is another object."""
        for path in self._buffers.keys() | buffers.keys():
            data = buffers.get(path)
            if self._buffers.get(path) is not data:
                self._overlay(path, data)
        self._buffers = dict(buffers)

    def _overlay(self, path: str, data: bytes | None) -> None:
        before = self.analyser.store.get(path)
        self.analyser.overlay(path, data)
        after = self.analyser.store.get(path)
        if before is None or after is None:
            self._forget(path, everywhere=before is not after)
        elif (before.text, before.problems) != (after.text, after.problems):
            self._forget(path, everywhere=False)

    def file_changed(self, path: str, everywhere: bool) -> None:
        """A file has changed on disk; `everywhere`: one has come or gone, which includes anywhere may notice."""
        self.analyser.store.forget(path)
        self._forget(path, everywhere)

    def _forget(self, path: str, everywhere: bool) -> None:
        self._reads = {f: read for f, read in self._reads.items() if not everywhere and path not in read.files}
        self._hosts = {f: known for f, known in self._hosts.items() if not everywhere and path not in known[1]}
        if path.lower().endswith(PROJECT_SUFFIXES):
            self.__dict__.pop("_gatherer", None)

    def keep(self, files: set[str]) -> None:
        """Let go of what is said about other files than these."""
        self._reads = {file: read for file, read in self._reads.items() if file in files}
        self._good = {file: good for file, good in self._good.items() if file in files}

    def read(self, file: str) -> Read:
        """The shaders that a file holds: its entry points, or itself where it only declares."""
        known = self._reads.get(file)
        if known is None:
            known = self._reads[file] = self._judged(file)
        return known

    def has_entries(self, file: str) -> bool:
        """Whether a file holds entry points, or is compiled in any case."""
        return self.is_compiled(file) or any(
            shader.profile is not None for shader in self.analyser.discover(self._shader(file))
        )

    def is_compiled(self, file: str) -> bool:
        """Whether the build is known to compile a file."""
        return bool(self._builds.shaders(file))

    def left_out(self, file: str) -> int:
        """How many compilations of a file are not judged, since there are too many."""
        return max(len(self._builds.shaders(file)) - self._builds.most, 0)

    def _units(self, file: str) -> Iterator[tuple[Shader, ...]]:
        """The shaders of a file, those together that are one compilation; without a build, those that are found."""
        told = self._builds.shaders(file)
        most = min(len(told), self._builds.most)
        virtual = self._template.virtual_dirs
        for number in range(most):
            shader = msgspec.structs.replace(told[number * len(told) // most], virtual_dirs=virtual)
            yield self.analyser.discover(shader)
        if not told:
            yield self.analyser.discover(self._shader(file))

    def _shader(self, file: str) -> Shader:
        roots = include_roots(os.path.dirname(file), self._declared)
        return msgspec.structs.replace(self._template, file=file, roots=roots)

    def _judged(self, file: str) -> Read:
        try:
            units = [tuple(map(self.analyser.analyse, unit)) for unit in self._units(file)]
        except Exception as error:  # whatever a shader brings about must not end the server
            logging.getLogger("bindlint").exception("%s", file)
            text = f"internal error while reading {file}: {type(error).__name__}: {error}"
            problem = Problem("internal-error", text, msgspec.structs.replace(NOWHERE, file=file))
            units = [(ShaderAnalysis(self._shader(file), "failed", problems=(problem,)),)]
        reports = tuple(self.engine.check(each, unit if each is unit[-1] else ()) for unit in units for each in unit)
        analyses = tuple(report.analysis for report in reports)
        files = {os.path.normpath(path) for each in analyses for path in each.files}
        if not any(problem.kind == "syntax" for each in analyses for problem in each.problems):
            self._good[file] = analyses
        return Read(file, reports, frozenset((file, *files)), self._good.get(file, ()))

    def offers(self, finding: Finding, reads: Iterable[Read]) -> Fix | None:
        """The fix of a finding, if it holds in every shader that has the finding."""
        offers = Offers(self.analyser, self.config)
        fix = None
        for read in reads:
            of_it = [report for report in read.reports if finding in report.findings]
            rest = [report for report in read.reports if report not in of_it]
            if of_it:
                fix = offers.checked(finding, tuple(report.analysis.shader for report in (*of_it, *rest)))
                if fix is None:
                    return None
        return fix

    def host(self, path: str) -> HostFile:
        """One file of host code."""
        known = self._hosts.get(path)
        if known is None:
            try:
                host = self._gatherer.host(path)
            except Exception as error:  # as with shaders: one file must not keep the others from being read
                logging.getLogger("bindlint").exception("%s", path)
                text = f"internal error while reading {path}: {type(error).__name__}: {error}"
                place = msgspec.structs.replace(NOWHERE, file=path)
                host = HostFile(path, problems=(HostProblem(text, place, "internal-error"),), files=(path,))
            files = frozenset((path, *map(os.path.normpath, host.files)))
            known = self._hosts[path] = host, files
        return known[0]

    def whole(self, hosts: Iterable[HostFile], shaders: Iterable[str]) -> Joined:
        """Host code, the shaders of these files that it names, and the pipelines that the configuration describes."""
        read, files = [*hosts], [*shaders]
        try:
            described = self._described({os.path.realpath(path) for path in (*files, *(host.path for host in read))})
        except ConfigurationError:  # which is told wherever a file under the configuration is open
            described = []
        return self._gatherer.project(read, files, described)

    @cached_property
    def _gatherer(self) -> Gatherer:
        template = msgspec.structs.replace(self._template, roots=tuple(dict.fromkeys(self._declared)))
        return Gatherer(self.analyser, self.config, template)

    def _described(self, files: set[str]) -> list[DescribedPipeline]:
        """The configuration's pipelines that any of some files is a part of."""
        described = pipelines_of(self.config, self.analyser) if self.config.pipeline else ()
        return [pipeline for pipeline in described if not files.isdisjoint(self._gatherer.files_of(pipeline))]

    def joined(self, reads: Iterable[Read]) -> tuple[ProjectReport, ...]:
        """What is said of the pipelines and heaps that the configuration describes, where these shaders are a part of
        them. Raises `ConfigurationError` where what it describes is not there."""
        if not (self.config.pipeline or self.config.heap):
            return ()
        analyses = [report.analysis for read in reads for report in read.reports]
        pipelines = self._described({os.path.realpath(analysis.shader.file) for analysis in analyses})
        project = self._gatherer.project((), [each.shader.file for each in analyses], pipelines, analyses)
        return tuple(self.engine.check_project(project))

    def suppressions(self, reads: Iterable[Read], joined: Iterable[ProjectReport]) -> tuple[Finding, ...]:
        """The findings about suppression comments, once all is read."""
        whole: dict[Suppression, bool] = {}
        used: set[Suppression] = {suppression for told in joined for suppression in told.used}
        for read in reads:
            for report in read.reports:
                used.update(report.used)
                for suppression in report.suppressions:
                    whole[suppression] = whole.get(suppression, True) and report.analysis.status == "ok"
        return self.engine.judge_suppressions((each for each, is_whole in whole.items() if is_whole), used)


def _template(config: Config) -> Shader:
    """How every shader of the project is compiled."""
    words = [f"-D{define}" for define in config.defines]
    if config.hlsl_version is not None:
        words += ["-HV", str(config.hlsl_version)]
    words += [f"-I{os.path.join(config.folder, folder)}" for folder in config.include_dirs]
    arguments = parse_arguments(words)
    for fault in arguments.faults:
        raise ConfigurationError(f"`defines`: {fault.message}")
    return msgspec.structs.replace(arguments.shader, virtual_dirs=virtual_dirs_of(config))


class Projects:
    """The project of each document, by the settings that are nearest to it; equal settings are one project."""

    def __init__(self, rules: tuple[Rule, ...], builds: Builds, configuration: str = "") -> None:
        self._rules = rules
        self._builds = builds
        self._configuration = configuration
        self._by_folder: dict[str, Project] = {}
        self._earlier: dict[str, Project] = {}
        self.faults: dict[str, str] = {}
        """Why settings cannot be used, by their file; their last good state counts then, or else none at all."""

    def of(self, path: str) -> Project:
        folder = os.path.dirname(path)
        project = self._by_folder.get(folder)
        if project is None:
            project = self._by_folder[folder] = self._found(folder)
        return project

    def __iter__(self) -> Iterator[Project]:
        return iter(dict.fromkeys((*self._by_folder.values(), *self._earlier.values())))

    def configured_anew(self) -> None:
        """Read every configuration again; projects whose settings stay the same stay as well."""
        self._earlier = self._earlier | self._by_folder
        self._by_folder = {}
        self.faults.clear()

    def _found(self, folder: str) -> Project:
        named = self._configuration
        try:
            config = load_config(Path(named)) if named else nearest_config(Path(folder))
            same = next((project for project in self if project.config == config), None)
            return same or Project(config, self._rules, self._builds, trusted=bool(named))
        except BindlintError as error:
            self.faults[named or str(find_config(Path(folder)) or Path(folder, SHADERTOOLS_NAME))] = str(error)
            return self._earlier.get(folder) or Project(Config(), self._rules, self._builds)
