"""The process that joins host code and shaders: it lives as long as the server, and reads again what changed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from bindlint.config import repository_root
from bindlint.discovery import files_below, is_host_file
from bindlint.engine import ProjectReport
from bindlint.lsp.builds import Builds
from bindlint.lsp.joint import Joint, Staged
from bindlint.lsp.project import Project, Projects
from bindlint.lsp.settings import Settings
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Finding
from bindlint.model.host import HostSignature
from bindlint.model.source import Span
from bindlint.paths import HOST_SUFFIXES, SHADER_SUFFIXES, ending_of
from bindlint.plugins import load_rules
from bindlint.project.graph import held
from bindlint.project.values import Project as Joined
from bindlint.rule import Rule

_NICENESS = 10


class Task(msgspec.Struct, frozen=True):
    """What has changed since the last task. `buffers` are texts that now stand in for files (None: no more).

    `opened` are all open documents, `hosts` those that are host code. `is_asked`: an answer is wanted; without it the
    task only ends the one before.
    """

    number: int
    is_asked: bool = True
    buffers: dict[str, bytes | None] = {}
    opened: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    everywhere: bool = False
    configured: bool = False


class Joiner:
    """Keeps what was read of host code and shaders."""

    def __init__(self, folders: Iterable[str], rules: tuple[Rule, ...], settings: Settings) -> None:
        self._folders = [*folders]
        self._settings = settings
        self._projects = Projects(rules, Builds(self._folders, ()), settings.configuration)
        self._buffers: dict[str, bytes] = {}
        self._found: dict[str, None] | None = None

    def take(self, task: Task) -> None:
        """Take notice of what has changed."""
        if task.everywhere:
            self._found = None
        for project in self._projects:
            for path in task.files:
                project.file_changed(path, task.everywhere)
        if task.configured:
            self._projects.configured_anew()
        for path, data in task.buffers.items():
            if data is None:
                self._buffers.pop(path, None)
            else:
                self._buffers[path] = data

    def join(self, task: Task, is_current: Callable[[], bool] = lambda: True) -> Joint | None:
        """What it all comes to; None as soon as that is wanted no more."""
        for path in task.hosts:
            self._look_around(path)
        hosts, left_out = self._hosts(task)
        shaders = [path for path in self._below() if ending_of(path) in SHADER_SUFFIXES]
        joint = _Parts()
        for project in dict.fromkeys(map(self._projects.of, hosts)):
            project.sync(self._buffers)
            read = []
            for path in hosts:
                if self._projects.of(path) is project:
                    if not is_current():
                        return None
                    read.append(project.host(path))
            own = [path for path in shaders if self._projects.of(path) is project]
            joined = project.whole(read, own)
            joint.add(project, joined, list(project.engine.check_project(joined)))
        return joint.joint(len(hosts), left_out)

    def _look_around(self, path: str) -> None:
        """Take in the repository, or else the folder, of an open document that lies in no folder of the workspace."""
        if os.path.isabs(path) and not any(path.startswith(os.path.join(folder, "")) for folder in self._folders):
            parent = Path(path).parent
            self._folders.append(str(repository_root(parent) or parent))
            self._found = None

    def _below(self) -> Iterable[str]:
        if self._found is None:
            endings = SHADER_SUFFIXES | HOST_SUFFIXES
            self._found = {path: None for folder in self._folders for path in files_below(folder, endings)}
        return self._found

    def _hosts(self, task: Task) -> tuple[list[str], int]:
        """The files of host code to be read, in the order in which they are found, and how many more there are."""
        found = [path for path in self._below() if ending_of(path) in HOST_SUFFIXES]
        hosts = [path for path in dict.fromkeys((*found, *task.hosts)) if self._is_host(path)]
        most = self._settings.host_files
        if len(hosts) > most:
            near = sorted(hosts, key=lambda path: (path not in task.hosts, -_common(path, task.opened)))[:most]
            return [path for path in hosts if path in near], len(hosts) - most
        return hosts, 0

    def _is_host(self, path: str) -> bool:
        return is_host_file(path, text=self._buffers.get(path))


class _Parts:
    """What the projects of a workspace come to, as it is put together."""

    def __init__(self) -> None:
        self._findings: dict[str, dict[Finding, None]] = {}
        self._signatures: dict[str, dict[HostSignature, None]] = {}
        self._staged: list[Staged] = []
        self._used: set[tuple[str, str]] = set()
        self._covered: set[str] = set()
        self._silenced: set[Span] = set()
        self._unjudged: set[str] = set()

    def add(self, project: Project, joined: Joined, reports: list[ProjectReport]) -> None:
        self._covered.add(project.config.folder)
        used = {suppression for report in reports for suppression in report.used}
        self._silenced |= {suppression.span for suppression in used}
        self._used |= {(os.path.normpath(suppression.span.file), suppression.rule) for suppression in used}
        hosts = {os.path.normpath(file) for host in joined.hosts for file in host.files}
        suppressions = [suppression for report in reports for suppression in report.suppressions]
        if any(host.problems for host in joined.hosts):
            judged = []
            self._unjudged |= {os.path.normpath(suppression.span.file) for suppression in suppressions}
        else:
            judged = [each for each in suppressions if os.path.normpath(each.span.file) in hosts]
        for finding in (
            *(finding for report in reports for finding in report.findings),
            *project.engine.judge_suppressions(judged, used),
        ):
            self._findings.setdefault(os.path.normpath(finding.violation.span.file), {})[finding] = None
        for signature in (signature for host in joined.hosts for signature in host.signatures):
            for file in dict.fromkeys(_files_of(signature)):
                self._signatures.setdefault(file, {})[signature] = None
        self._staged += _staged(joined)

    def joint(self, hosts: int, left_out: int) -> Joint:
        return Joint(
            {file: tuple(findings) for file, findings in self._findings.items()},
            {file: tuple(signatures) for file, signatures in self._signatures.items()},
            tuple(self._staged),
            frozenset(self._silenced),
            frozenset(self._used),
            frozenset(self._unjudged),
            frozenset(self._covered),
            hosts,
            left_out,
        )


def _files_of(built: HostSignature) -> Iterator[str]:
    """The files in which parts of a root signature are written."""
    signature = built.signature
    yield os.path.normpath(built.span.file)
    for parameter in signature.parameters:
        yield os.path.normpath(parameter.span.file)
        yield from (os.path.normpath(part.span.file) for part in parameter.ranges)
    yield from (os.path.normpath(sampler.span.file) for sampler in signature.static_samplers)


def _staged(joined: Joined) -> Iterator[Staged]:
    for pair in held(joined):
        if pair.pipeline is not None and pair.signature is not None:
            whole = pair.analysis
            kept = ShaderAnalysis(whole.shader, whole.status, whole.entries, bindings=whole.bindings, files=whole.files)
            yield Staged(pair.pipeline.name, msgspec.structs.replace(kept, signature=pair.signature))


def _common(path: str, opened: Iterable[str]) -> int:
    """How many folders from the root on a file has in common with the nearest open one."""
    parts = path.split(os.sep)
    pairs = (zip(parts, each.split(os.sep), strict=False) for each in opened)
    return max((sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], those)) for those in pairs), default=0)


def work(connection: Connection, folders: list[str], settings: Settings) -> None:
    """Join as often as it is asked for, until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    joiner = Joiner(folders, load_rules(), settings)
    while True:
        try:
            task = connection.recv()
            joiner.take(task)
            joint = joiner.join(task, lambda: not connection.poll()) if task.is_asked else None
            if joint is not None:
                connection.send((task.number, joint))
        except (EOFError, BrokenPipeError, ConnectionError):
            return
