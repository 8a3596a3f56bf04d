"""What is known of the open documents: from their versions to findings by file, apart from any protocol."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from bindlint.config import repository_root
from bindlint.engine import Report
from bindlint.lsp.convert import Text, text_of
from bindlint.lsp.documents import Documents
from bindlint.lsp.includers import Includers
from bindlint.lsp.project import Project, Projects, Read
from bindlint.model.finding import Finding
from bindlint.model.source import Span
from bindlint.rule import Rule

_HEADERS = (".hlsli", ".fxh", ".ush", ".h", ".hpp", ".inc")


class Settings(msgspec.Struct, frozen=True, rename="camel"):
    """What an editor may set. `debounce` is the pause after a keystroke, in milliseconds, before anything is analysed;
    `header_shaders` how many of the shaders that include a header it is read through; `configuration` a file that
    counts in place of the nearest bindlint.toml.
    """

    debounce: int = 120
    header_shaders: int = 12
    configuration: str = ""


class Seen(msgspec.Struct, frozen=True):
    """A finding, and how many shaders have it."""

    finding: Finding
    shaders: int = 1


class State(msgspec.Struct, frozen=True):
    """What is known of one set of document versions.

    `seen` are the findings in each file, `sources` the files that they depend on; `reads` are the files of shaders that
    were read, `texts` what the files with findings held that are not open.
    """

    documents: Documents = {}
    reads: tuple[Read, ...] = ()
    seen: dict[str, tuple[Seen, ...]] = {}
    sources: dict[str, frozenset[str]] = {}
    texts: dict[str, Text] = {}
    faults: dict[str, str] = {}
    rules: dict[str, Rule] = {}

    def reports(self, path: str) -> list[Report]:
        """What is said about the shaders that a file is a part of."""
        return [report for read in self.reads if path in read.files for report in read.reports if _has(report, path)]

    def text(self, path: str) -> Text | None:
        document = self.documents.get(path)
        return document.text if document is not None else self.texts.get(path)


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
        self._synced: dict[Project, dict[str, bytes]] = {}

    def files_changed(self) -> None:
        """Files have come, gone or changed outside the editor."""
        self._includers.forget()
        for project in self.projects:
            project.forget()

    def configured_anew(self) -> None:
        """A configuration has come, gone or changed."""
        self.projects.configured_anew()
        self._synced = {project: self._synced.get(project, {}) for project in self.projects}

    def analyse(self, documents: Documents, is_current: Callable[[], bool] = lambda: True) -> State | None:
        """What is to be said of these documents; None as soon as that is wanted no more."""
        self._buffers = {path: document.text.data for path, document in documents.items()}
        wanted: dict[str, Project] = {}
        judged: set[str] = set()
        for path in documents:
            self._look_around(path)
            roots, is_whole = self._roots(path)
            wanted.update((root, self.projects.of(root)) for root in roots)
            judged.update((path,) if is_whole else ())
        reads: list[Read] = []
        for project in dict.fromkeys(wanted.values()):
            self._sync(project)
            roots = [root for root, its in wanted.items() if its is project]
            project.keep(set(roots))
            for root in sorted(roots, key=lambda root: root not in documents):
                if not is_current():
                    return None
                reads.append(project.read(root))
        return self._state(documents, reads, wanted, judged)

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
        includers = self._includers.roots(path, self._buffers)
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
        sources: dict[str, set[str]] = {}
        for read in reads:
            for report in read.reports:
                shader = report.analysis.shader
                for finding in report.findings:
                    file = os.path.normpath(finding.violation.span.file or read.file)
                    key = (file, finding.code, finding.violation.span, finding.violation.message)
                    met.setdefault(key, (finding, set()))[1].add((shader.file, shader.entry))
                    sources.setdefault(file, set()).update(read.files)
        for project in dict.fromkeys(wanted.values()):
            mine = [read for read in reads if wanted[read.file] is project]
            for finding in project.suppressions(mine):
                file = os.path.normpath(finding.violation.span.file)
                if file not in judged:
                    continue
                key = (file, finding.code, finding.violation.span, finding.violation.message)
                met.setdefault(key, (finding, set()))
                sources.setdefault(file, set()).update(*(read.files for read in mine if file in read.files))
        seen: dict[str, list[Seen]] = {}
        for (file, *_), (finding, shaders) in met.items():
            seen.setdefault(file, []).append(Seen(finding, len(shaders)))
        for path in documents:
            sources.setdefault(path, set()).update(*(read.files for read in reads if path in read.files))
        return State(
            documents,
            tuple(reads),
            {file: tuple(found) for file, found in seen.items()},
            {file: frozenset(paths) for file, paths in sources.items()},
            self._texts(documents, seen, wanted),
            dict(self.projects.faults),
            {rule.code: rule for project in self.projects for rule in project.engine.rules},
        )

    def _texts(
        self, documents: Documents, seen: Mapping[str, list[Seen]], wanted: Mapping[str, Project]
    ) -> dict[str, Text]:
        """The texts of files that findings are about and that are not open."""
        files = dict.fromkeys(seen)
        for found in seen.values():
            for each in found:
                files.update(dict.fromkeys(os.path.normpath(r.span.file) for r in each.finding.violation.related))
        texts = {}
        for file in files:
            if file not in documents:
                sources = (project.analyser.source(file) for project in dict.fromkeys(wanted.values()))
                source = next(filter(None, sources), None)
                if source is not None:
                    texts[file] = text_of(source)
        return texts


def _spread(roots: tuple[str, ...], opened: Mapping[str, object], most: int) -> list[str]:
    """At most so many of the roots: first those that are open, then some from all over the list."""
    first = [root for root in roots if root in opened]
    rest = [root for root in roots if root not in opened]
    left = max(most - len(first), 0)
    if len(rest) > left:
        rest = [rest[at * len(rest) // left] for at in range(left)]
    return [*first, *rest]
