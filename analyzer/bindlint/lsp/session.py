"""What is known of the open documents: from their versions to findings by file, apart from any protocol."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec
from bindlint_grammars.hlsl.source_files import decode

from bindlint.config import CONFIG_NAME, ConfigurationError, repository_root
from bindlint.discovery import beginning
from bindlint.engine import Report
from bindlint.engine_rules import ENGINE_RULES, UNUSED_SUPPRESSION
from bindlint.includers import Includers
from bindlint.lsp.builds import COMMANDS_NAME, SUFFIXES, Builds
from bindlint.lsp.convert import Text, text_of, uri_of
from bindlint.lsp.documents import Document, Documents
from bindlint.lsp.joint import Joint, Staged
from bindlint.lsp.project import Project, Projects, Read
from bindlint.lsp.settings import Settings
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Finding, Fix
from bindlint.model.host import HostSignature
from bindlint.model.shader import Shader
from bindlint.model.source import Span
from bindlint.paths import HOST_SUFFIXES, ending_of
from bindlint.rule import Rule
from bindlint.suppress import SourceText

_TRIES = 3
"""Times that other shaders are chosen for a header where those that were chosen turn out not to include it."""
_LARGEST_SHOWN = 8 << 20
"""Bytes of a file that is read for nothing but the places in it."""
_HEADERS = (".hlsli", ".fxh", ".ush", ".h", ".hpp", ".inc")


class Seen(msgspec.Struct, frozen=True):
    """A finding; of one in a header also how many shaders have it."""

    finding: Finding
    shaders: int = 0


class State(msgspec.Struct, frozen=True):
    """What is known of one set of document versions.

    `seen` are the findings in each file, `reads` the shaders that were read, and `files` what they and the files with
    findings held. `told` is why nothing is said of a document. `described` are findings about what configurations
    describe, with the folder of each; they count unless `joint` has them, of which `seen` holds the rest.
    """

    documents: Documents = {}
    reads: tuple[Read, ...] = ()
    seen: dict[str, tuple[Seen, ...]] = {}
    files: dict[str, SourceText] = {}
    faults: dict[str, str] = {}
    rules: dict[str, Rule] = {}
    told: dict[str, str] = {}
    described: tuple[tuple[str, Finding], ...] = ()
    joint: Joint | None = None
    _texts: dict[str, Text] = {}

    def with_joint(self, joint: Joint | None) -> State:
        """The same with what host code comes to, as far as it is of the same texts."""
        covered = joint.covered if joint is not None else frozenset()
        found = [(file, each) for file, those in self.seen.items() for each in those if self._counts(each, joint)]
        found += [(_file_of(each), Seen(each)) for folder, each in self.described if folder not in covered]
        if joint is not None:
            near = self.documents.keys() | {file for read in self.reads for file in read.files}
            found += [
                (file, Seen(finding))
                for file, findings in joint.findings.items()
                if joint.is_of(file, self.documents)
                for finding in findings
                if file in self.documents or any(_file(each.span) in near for each in finding.violation.related)
            ]
        seen: dict[str, dict[object, Seen]] = {}
        for file, each in found:
            violation = each.finding.violation
            seen.setdefault(file, {}).setdefault((each.finding.code, violation.span, violation.message), each)
        merged = {file: tuple(those.values()) for file, those in seen.items()}
        return msgspec.structs.replace(self, seen=merged, joint=joint, described=(), _texts={})

    def _counts(self, seen: Seen, joint: Joint | None) -> bool:
        """Whether a finding holds beside host code: a comment may silence what is found in that alone."""
        if joint is None or seen.finding.code != UNUSED_SUPPRESSION.code:
            return True
        violation = seen.finding.violation
        if _file(violation.span) in joint.unjudged:
            return False
        if joint.is_of_all(self.documents):
            return violation.span not in joint.silenced
        return (_file(violation.span), violation.symbols[0]) not in joint.silencing

    def reports(self, path: str) -> list[Report]:
        """What is said about the shaders that a file is a part of."""
        return [report for read in self.reads if path in read.files for report in read.reports if _has(report, path)]

    def known(self, path: str) -> list[ShaderAnalysis]:
        """The shaders that a file is a part of; where text that is being written hides a part, also as they were."""
        analyses = [report.analysis for report in self.reports(path)]
        return [*analyses, *(a for read in self.reads if path in read.files for a in read.good if a not in analyses)]

    def host_signatures(self, path: str) -> tuple[HostSignature, ...]:
        """The root signatures that host code builds in a file."""
        return self.joint.signatures_in(path, self.documents) if self.joint is not None else ()

    def staged(self, analysis: ShaderAnalysis) -> tuple[Staged, ...]:
        """A shader as the stage of pipelines, once for each root signature that they give it."""
        return tuple(self.joint.stages_of(analysis, self.documents)) if self.joint is not None else ()

    def text(self, path: str) -> Text | None:
        """What a file held, as the analysis had it; of one that it did not read, what it holds."""
        document = self.documents.get(path)
        if document is not None:
            return document.text
        if path not in self._texts:
            source = self.files.get(path) or _on_disk(path)
            if source is None:
                return None
            self._texts[path] = text_of(source)
        return self._texts[path]

    def uri(self, path: str) -> str:
        """The URI of a file, in the editor's spelling where it is open."""
        document = self.documents.get(path)
        return document.uri if document is not None else uri_of(path)


def _file(span: Span) -> str:
    return os.path.normpath(span.file)


def _file_of(finding: Finding) -> str:
    return _file(finding.violation.span)


def _on_disk(path: str) -> SourceText | None:
    data = beginning(path, _LARGEST_SHOWN)
    return decode(path, data) if data else None


def _is_shader(document: Document) -> bool:
    ending = ending_of(document.path)
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
        self._folders = [*folders]
        self._builds = Builds(self._folders, self.settings.manifests, self.settings.variants)
        self.projects = Projects(rules, self._builds, self.settings.configuration)
        self._rules = {rule.code: rule for rule in (*rules, *ENGINE_RULES)}
        self._includers = Includers(self._folders)
        self._buffers: dict[str, bytes] = {}
        self._strangers: set[tuple[str, str]] = set()
        """Shaders that seem to include a file, and do not as they are read."""

    def files_changed(self, paths: Iterable[str], everywhere: bool) -> None:
        """Files have changed outside the editor; `everywhere`: some have come or gone."""
        self._includers.forget()
        self._strangers.clear()
        changed = [*paths]
        built = any(path.lower().endswith((*SUFFIXES, ".props", COMMANDS_NAME)) for path in changed)
        if built:
            self._builds.forget()
        for path in changed:
            for project in self.projects:
                project.file_changed(path, everywhere or built)

    def configured_anew(self) -> None:
        """A configuration has come, gone or changed."""
        self._strangers.clear()
        self.projects.configured_anew()

    def analyse(self, documents: Documents, is_current: Callable[[], bool] = lambda: True) -> State | None:
        """What is to be said of these documents; None as soon as that is wanted no more."""
        told = {path: why for path, document in documents.items() if (why := self._too_large(document))}
        self._buffers = {path: document.text.data for path, document in documents.items() if path not in told}
        shaders = [path for path, document in documents.items() if path not in told and _is_shader(document)]
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
        for path in documents:
            left = self.projects.of(path).left_out(path) if path in reads else 0
            if left:
                told[path] = f"{left} more compilations of this shader are left to `bindlint check`: see `variants`"
        return self._state(documents, [*reads.values()], wanted, judged, told)

    def _too_large(self, document: Document) -> str:
        """Why a document is not looked at, "" where it is."""
        size, most = len(document.text.text), self.settings.largest_document
        if size <= most:
            return ""
        return f"{size} characters are more than `largestDocument` ({most}): this file is left to `bindlint check`"

    def _reads(self, wanted: Mapping[str, Project], is_current: Callable[[], bool]) -> dict[str, Read] | None:
        reads: dict[str, Read] = {}
        for project in dict.fromkeys(wanted.values()):
            project.sync(self._buffers)
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
        is_header = path.lower().endswith(_HEADERS) and not self.projects.of(path).is_compiled(path)
        if not chosen or (not is_header and self._has_entries(path)):
            chosen = [path, *chosen]
        return chosen, is_whole

    def _has_entries(self, path: str) -> bool:
        project = self.projects.of(path)
        project.sync(self._buffers)
        return project.has_entries(path)

    def _state(
        self,
        documents: Documents,
        reads: list[Read],
        wanted: Mapping[str, Project],
        judged: set[str],
        told: dict[str, str],
    ) -> State:
        met: dict[tuple[str, str, Span, str], tuple[Finding, set[tuple[str, str]]]] = {}
        faults = self.projects.faults | self._builds.faults

        def meet(finding: Finding, shader: Shader | None = None) -> None:
            span = finding.violation.span
            file = os.path.normpath(span.file or (shader.file if shader else ""))
            found = met.setdefault((file, finding.code, span, finding.violation.message), (finding, set()))
            if shader is not None and shader.file != file:
                found[1].add((shader.file, shader.entry))

        for read in reads:
            for report in read.reports:
                for finding in report.findings:
                    if read.file in documents or not _is_elsewhere(finding, documents, self._rules):
                        meet(finding, report.analysis.shader)
        described: list[tuple[str, Finding]] = []
        for project in dict.fromkeys(wanted.values()):
            mine = [read for read in reads if wanted[read.file] is project]
            folder = project.config.folder
            try:
                joined = project.joined(mine)
            except ConfigurationError as error:
                joined = ()
                faults[os.path.join(folder, CONFIG_NAME)] = str(error)
            described += ((folder, finding) for told_of in joined for finding in told_of.findings)
            for finding in project.suppressions(mine, joined):
                if _file_of(finding) in judged:
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
            self._rules,
            told,
            tuple(described),
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
