"""What is known of the open documents: from their versions to findings by file, apart from any protocol."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from weakref import WeakKeyDictionary

import msgspec

from bindlint.config import CONFIG_NAME, ConfigurationError, repository_root
from bindlint.discovery import HOST_SUFFIXES
from bindlint.engine import Report
from bindlint.lsp.convert import Text, text_of, uri_of
from bindlint.lsp.documents import Document, Documents
from bindlint.lsp.includers import Includers
from bindlint.lsp.project import Project, Projects, Read
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Finding, Fix
from bindlint.model.shader import Shader
from bindlint.model.source import Span
from bindlint.rule import Rule
from bindlint.suppress import SourceText

_TRIES = 3
"""Times that other shaders are chosen for a header where those that were chosen turn out not to include it."""
_HEADERS = (".hlsli", ".fxh", ".ush", ".h", ".hpp", ".inc")


class Settings(msgspec.Struct, frozen=True, rename="camel"):
    """What an editor may set. `debounce` is the pause after a keystroke, in milliseconds, before anything is analysed;
    `header_shaders` how many of the shaders that include a header it is read through; `configuration` a file that
    counts in place of the nearest bindlint.toml.
    """

    debounce: int = 120
    header_shaders: int = 8
    configuration: str = ""


class Seen(msgspec.Struct, frozen=True):
    """A finding; of one in a header also how many shaders have it."""

    finding: Finding
    shaders: int = 0


class State(msgspec.Struct, frozen=True):
    """What is known of one set of document versions.

    `seen` are the findings in each file, `reads` the shaders that were read, and `files` what they and the files with
    findings held.
    """

    documents: Documents = {}
    reads: tuple[Read, ...] = ()
    seen: dict[str, tuple[Seen, ...]] = {}
    files: dict[str, SourceText] = {}
    faults: dict[str, str] = {}
    rules: dict[str, Rule] = {}
    _texts: dict[str, Text] = {}

    def reports(self, path: str) -> list[Report]:
        """What is said about the shaders that a file is a part of."""
        return [report for read in self.reads if path in read.files for report in read.reports if _has(report, path)]

    def known(self, path: str) -> list[ShaderAnalysis]:
        """The shaders that a file is a part of; where text that is being written hides a part, also as they were."""
        analyses = [report.analysis for report in self.reports(path)]
        return [*analyses, *(a for read in self.reads if path in read.files for a in read.good if a not in analyses)]

    def text(self, path: str) -> Text | None:
        """What a file held, as the analysis had it."""
        document = self.documents.get(path)
        if document is not None:
            return document.text
        if path not in self._texts and path in self.files:
            self._texts[path] = text_of(self.files[path])
        return self._texts.get(path)

    def uri(self, path: str) -> str:
        """The URI of a file, in the editor's spelling where it is open."""
        document = self.documents.get(path)
        return document.uri if document is not None else uri_of(path)


def _is_shader(document: Document) -> bool:
    ending = os.path.splitext(document.path)[1].lower()
    return document.language.lower() == "hlsl" or (ending not in HOST_SUFFIXES and ending != ".toml")


def _is_elsewhere(finding: Finding, documents: Documents, rules: Mapping[str, Rule]) -> bool:
    """Whether a finding is about the input of a shader that nobody looks at: include directories that the editor does
    not know are no news there."""
    rule = rules.get(finding.code)
    is_input = rule is not None and rule.scope == "problem"
    return is_input and os.path.normpath(finding.violation.span.file) not in documents


def _has(report: Report, path: str) -> bool:
    return report.analysis.shader.file == path or any(os.path.normpath(f) == path for f in report.analysis.files)


class Session:
    """Keeps what was analysed. Used by one thread at a time."""

    def __init__(self, folders: Iterable[str], rules: tuple[Rule, ...], settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.projects = Projects(rules, self.settings.configuration)
        self._folders = [*folders]
        self._includers = Includers(self._folders)
        self._buffers: dict[str, bytes] = {}
        self._strangers: set[tuple[str, str]] = set()
        """Shaders that seem to include a file, and do not as they are read."""
        self._synced: WeakKeyDictionary[Project, dict[str, bytes]] = WeakKeyDictionary()

    def files_changed(self, paths: Iterable[str], everywhere: bool) -> None:
        """Files have changed outside the editor; `everywhere`: some have come or gone."""
        self._includers.forget()
        self._strangers.clear()
        for path in paths:
            for project in self.projects:
                project.file_changed(path, everywhere)

    def configured_anew(self) -> None:
        """A configuration has come, gone or changed."""
        self._strangers.clear()
        self.projects.configured_anew()

    def analyse(self, documents: Documents, is_current: Callable[[], bool] = lambda: True) -> State | None:
        """What is to be said of these documents; None as soon as that is wanted no more."""
        self._buffers = {path: document.text.data for path, document in documents.items()}
        shaders = [path for path, document in documents.items() if _is_shader(document)]
        for path in shaders:
            self._look_around(path)
        for _ in range(_TRIES):
            chosen = {path: self._roots(path) for path in shaders}
            wanted = {root: self.projects.of(root) for roots, _ in chosen.values() for root in roots}
            found = self._reads(wanted, is_current)
            if found is None:
                return None
            reads = found
            strangers = {
                (root, path) for path, (roots, _) in chosen.items() for root in roots if path not in reads[root].files
            }
            if strangers <= self._strangers:
                break
            self._strangers |= strangers
        judged = {path for path, (_, is_whole) in chosen.items() if is_whole}
        return self._state(documents, [*reads.values()], wanted, judged)

    def _reads(self, wanted: Mapping[str, Project], is_current: Callable[[], bool]) -> dict[str, Read] | None:
        reads: dict[str, Read] = {}
        for project in dict.fromkeys(wanted.values()):
            self._sync(project)
            roots = [root for root, its in wanted.items() if its is project]
            project.keep(set(roots))
            for root in sorted(roots, key=lambda root: root not in self._buffers):
                if not is_current():
                    return None
                reads[root] = project.read(root)
        return reads

    def fixes(self, state: State, found: Iterable[Finding]) -> list[tuple[Finding, Fix]]:
        """The fixes of some findings of the newest state that hold, each tried in the shaders that have it."""
        offered = []
        is_newest = all(self._buffers.get(path) is each.text.data for path, each in state.documents.items())
        for finding in found if is_newest else ():
            if finding.violation.fix is not None:
                reads = [r for r in state.reads if any(finding in report.findings for report in r.reports)]
                projects = dict.fromkeys(self.projects.of(read.file) for read in reads)
                tried = [p.offers(finding, [r for r in reads if self.projects.of(r.file) is p]) for p in projects]
                fix = tried[0] if tried and None not in tried else None
                offered += [] if fix is None else [(finding, fix)]
        return offered

    def _look_around(self, path: str) -> None:
        """Look for includers in the repository of a document that lies in no folder of the workspace."""
        if not any(path.startswith(os.path.join(folder, "")) for folder in self._folders):
            found = repository_root(Path(path).parent) if os.path.isabs(path) else None
            if found is not None:
                self._folders.append(str(found))
                self._includers = Includers(self._folders)

    def _sync(self, project: Project) -> None:
        """Let the project have what the editor has."""
        known = self._synced.setdefault(project, {})
        for path in known.keys() | self._buffers.keys():
            data = self._buffers.get(path)
            if known.get(path) is not data:
                project.overlay(path, data)
        self._synced[project] = self._buffers

    def _roots(self, path: str) -> tuple[list[str], bool]:
        """The shaders through which a document is read, and whether these are all: those that include it, and itself
        where it is one."""
        includers = tuple(
            root
            for root in self._includers.roots(path, self._buffers)
            if root in self._buffers or (root, path) not in self._strangers
        )
        chosen = _spread(includers, self._buffers, self.settings.header_shaders)
        is_whole = len(chosen) == len(includers)
        if not chosen or (not path.lower().endswith(_HEADERS) and self._has_entries(path)):
            chosen = [path, *chosen]
        return chosen, is_whole

    def _has_entries(self, path: str) -> bool:
        project = self.projects.of(path)
        self._sync(project)
        return project.has_entries(path)

    def _state(self, documents: Documents, reads: list[Read], wanted: Mapping[str, Project], judged: set[str]) -> State:
        met: dict[tuple[str, str, Span, str], tuple[Finding, set[tuple[str, str]]]] = {}
        faults = dict(self.projects.faults)
        rules = {rule.code: rule for project in self.projects for rule in project.engine.rules}

        def meet(finding: Finding, shader: Shader | None = None) -> None:
            span = finding.violation.span
            file = os.path.normpath(span.file or (shader.file if shader else ""))
            found = met.setdefault((file, finding.code, span, finding.violation.message), (finding, set()))
            if shader is not None and shader.file != file:
                found[1].add((shader.file, shader.entry))

        for read in reads:
            for report in read.reports:
                for finding in report.findings:
                    if read.file in documents or not _is_elsewhere(finding, documents, rules):
                        meet(finding, report.analysis.shader)
        for project in dict.fromkeys(wanted.values()):
            mine = [read for read in reads if wanted[read.file] is project]
            try:
                joined = project.joined(mine)
            except ConfigurationError as error:
                joined = ()
                faults[os.path.join(project.config.folder, CONFIG_NAME)] = str(error)
            for told in joined:
                for finding in told.findings:
                    meet(finding)
            for finding in project.suppressions(mine, joined):
                if os.path.normpath(finding.violation.span.file) in judged:
                    meet(finding)
        seen: dict[str, list[Seen]] = {}
        for (file, *_), (finding, shaders) in met.items():
            seen.setdefault(file, []).append(Seen(finding, len(shaders)))
        return State(
            documents,
            tuple(reads),
            {file: tuple(found) for file, found in seen.items()},
            _files(reads, seen, wanted),
            faults,
            rules,
        )


def _files(
    reads: Iterable[Read], seen: Mapping[str, list[Seen]], wanted: Mapping[str, Project]
) -> dict[str, SourceText]:
    """All files that were read, and those that findings are about, as they were."""
    files: dict[str, SourceText] = {}
    for read in reads:
        source_of = wanted[read.file].analyser.source
        files.update((path, source) for path in read.files if (source := source_of(path)) is not None)
    for path in seen.keys() - files.keys():
        sources = (project.analyser.source(path) for project in dict.fromkeys(wanted.values()))
        files.update((path, source) for source in sources if source is not None)
    return files


def _spread(roots: tuple[str, ...], opened: Mapping[str, object], most: int) -> list[str]:
    """At most so many of the roots: first those that are open, then some from all over the list."""
    first = [root for root in roots if root in opened]
    rest = [root for root in roots if root not in opened]
    left = max(most - len(first), 0)
    if len(rest) > left:
        rest = [rest[at * len(rest) // left] for at in range(left)]
    return [*first, *rest]
