"""`check --fix`: the fixes of a run, tried in all shaders that they touch, then written or shown as a diff."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from bindlint.cli.inputs import Inputs, Work, tell
from bindlint.cli.worker import HostJob, Worker
from bindlint.config import repository_root
from bindlint.errors import UsageError
from bindlint.fixes import by_file, conflict, diff, edited, reencoded, replace_file
from bindlint.manifest import Job
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Edit, Finding, Fix
from bindlint.model.host import HostFile
from bindlint.model.shader import Shader
from bindlint.offers import Kind, Offers, Verdicts, kind_of, verdicts
from bindlint.report import key_of
from bindlint.report.places import below
from bindlint.words import counted, listed

_MOST_PASSES = 10
"""One fix may open the way for another, as where three resources are on one register."""


def fix_first(worker: Worker, work: Work, inputs: Inputs, stream: TextIO) -> Work:
    """Make the fixes that the options ask for; returns the work that is left, which is the same.

    With --diff it prints what would change, and ends with status 1 where that is anything. Raises `UsageError`.
    """
    if "-" in inputs.words and not inputs.diff:
        raise UsageError("what standard input gives can be shown fixed by --diff, but there is no file to write")
    jobs = list(work.jobs)
    fixer = Fixer(worker, work, jobs, inputs.unsafe_fixes)
    fixer.run()
    changes = list(fixer.changes())
    fixer.close()
    for text in fixer.refused():
        tell(text)
    for file, _, _ in changes:
        _tell_other_users(file, fixer.files)
    if inputs.diff:
        for file, before, after in changes:
            stream.buffer.write(b"".join(diff(below(file, Path.cwd()) or file, before, after)))
        stream.buffer.flush()
        raise SystemExit(int(bool(changes)))
    for file, before, after in changes:
        there = Path(file).read_bytes()
        if there == after:
            continue
        if there != before:
            raise UsageError(f"`{file}` was changed by something else meanwhile and is left as it is")
        try:
            replace_file(file, after)
        except OSError as error:
            raise UsageError(f"`{file}` cannot be written: {error.strerror}") from error
        worker.analyser().store.forget(file)
    if changes:
        made, files = len({candidate.fix for candidate in fixer.made}), len(changes)
        tell(f"{made} {'fix' if made == 1 else 'fixes'} made in {counted(files, 'file')}")
    return msgspec.structs.replace(work, jobs=iter(jobs))


def _tell_other_users(file: str, read: Iterable[str]) -> None:
    """Tell which shaders of the repository include a changed file, and were not asked whether they can do with it."""
    from bindlint.includers import Includers

    place = Path(os.path.realpath(file))
    known = set(map(os.path.realpath, read))
    users = Includers((str(repository_root(place.parent) or place.parent),)).roots(str(place), {})
    others = [below(each, Path.cwd()) or each for each in users if os.path.realpath(each) not in known]
    if others:
        tell(f"{file}: {counted(len(others), 'more shader')} may include it, not asked here: {listed(others)}")


class Candidate(msgspec.Struct, frozen=True):
    """A fix with the finding that it mends."""

    finding: Finding
    fix: Fix

    @property
    def key(self) -> str:
        return key_of(self.finding)

    def __str__(self) -> str:
        return f"{self.finding.violation.span}: {self.finding.code} {self.fix.title}"


class _Unit(msgspec.Struct, frozen=True):
    """The shaders of one job and what they are found to have, as the files stand now."""

    shaders: tuple[Shader, ...]
    verdicts: Verdicts
    candidates: dict[str, Candidate] = {}
    analyses: tuple[ShaderAnalysis, ...] = ()
    """Where the project is to be joined."""


class Fixer:
    """Makes fixes in texts that stand in for the files, until nothing more can be made.

    A file that several paths lead to goes by the first of them.
    """

    def __init__(self, worker: Worker, work: Work, jobs: Sequence[Job], unsafe: bool) -> None:
        self._worker = worker
        self._work = work
        self._unsafe = unsafe
        self._offers = Offers(worker.analyser(), worker.setup.config, worker.setup.allow_partial)
        self._joined = worker.setup.joined
        self._hosts: list[HostFile] = []
        if self._joined:
            outcomes = (worker.run(HostJob(path)) for path in work.hosts)
            self._hosts = [outcome.host for outcome in outcomes if outcome.host is not None]
        self._homes = tuple(dict.fromkeys(job.roots[0] for job in jobs if job.roots))
        """The repositories and folders of what is checked; that includes may be read from others allows no edits."""
        self._names: dict[str, str] = {}
        self._firsts: dict[str, str] = {}
        shaders = (worker.shaders(job.shader, job.roots) for job in jobs if job.shader is not None)
        self._units = [self._unit(those) for those in shaders]
        self._originals: dict[str, tuple[bytes, dict[str, bytes | None]]] = {}
        """Of each changed file the text before the first change, and for each of its paths what stood in for it."""
        self._refused: dict[str, str] = {}
        self.made: list[Candidate] = []

    def run(self) -> None:
        for _ in range(_MOST_PASSES):
            taken = self._pass()
            if not taken:
                return
            self.made += taken
            touched = _files(taken)
            self._units = [self._unit(u.shaders) if touched & u.verdicts.files else u for u in self._units]

    @property
    def files(self) -> set[str]:
        """All that was read."""
        return {file for unit in self._units for file in unit.verdicts.files}

    def refused(self) -> Iterator[str]:
        """What was not made and why, of findings that are still there."""
        there = {key for unit in self._units for key in unit.candidates}
        yield from (text for key, text in self._refused.items() if key in there)

    def changes(self) -> Iterator[tuple[str, bytes, bytes]]:
        """Each changed file with its bytes before and after, in its own encoding. Raises `UsageError`."""
        store = self._worker.analyser().store
        for file, (text, stood_in) in self._originals.items():
            given = next((data for data in stood_in.values() if data is not None), None)
            before = Path(file).read_bytes() if given is None else given
            after = reencoded(file, before, store.overlaid(file) or b"", text)
            if after is None:
                raise UsageError(f"`{file}` has changed meanwhile, or cannot be written in its own encoding")
            if after != before:
                yield file, before, after

    def close(self) -> None:
        """Let the files stand for themselves again."""
        for _, stood_in in self._originals.values():
            for path, data in stood_in.items():
                self._worker.analyser().overlay(path, data)

    def _name(self, path: str) -> str:
        name = self._names.get(path)
        if name is None:
            name = self._names[path] = self._firsts.setdefault(os.path.realpath(path), path)
        return name

    def _unit(self, shaders: tuple[Shader, ...]) -> _Unit:
        """Judge the shaders of a job as they stand, and collect what could be fixed in them."""
        analyses = self._analysed(shaders)
        candidates: dict[str, Candidate] = {}
        for analysis in analyses:
            for finding in self._worker.judged(analysis, analyses).findings:
                fix = finding.violation.fix
                if fix is not None and (fix.safe or self._unsafe) and self._offers.is_open(fix, analysis.shader):
                    candidates[key_of(finding)] = Candidate(finding, self._renamed(fix))
        kept = analyses if self._joined else ()
        found = self._offers.judge(analyses)
        found = msgspec.structs.replace(found, files=frozenset(map(self._name, found.files)))
        return _Unit(shaders, found, candidates, kept)

    def _renamed(self, fix: Fix) -> Fix:
        replace = msgspec.structs.replace
        edits = (replace(edit, span=replace(edit.span, file=self._name(edit.span.file))) for edit in fix.edits)
        return replace(fix, edits=tuple(edits))

    def _analysed(self, shaders: tuple[Shader, ...]) -> tuple[ShaderAnalysis, ...]:
        try:
            return self._offers.analyse(shaders)
        except Exception:  # the report that follows tells of it; what cannot be judged is not fixed
            return ()

    def _pass(self) -> list[Candidate]:
        """Make what can be made at once. All edits are places in the texts as they are when the pass begins."""
        every = {key: candidate for unit in self._units for key, candidate in unit.candidates.items()}
        chosen: list[Candidate] = []
        for candidate in sorted(every.values(), key=_place):
            why = self._forbidden(candidate.fix)
            if not why and conflict(candidate.fix, (those.fix for those in chosen)) is not None:
                why = "it touches what another fix changes"
            if why:
                self._refused[candidate.key] = f"{candidate}: not made, since {why}"
            else:
                chosen.append(candidate)
        texts = self._texts(edit.span.file for candidate in chosen for edit in candidate.fix.edits)
        before = self._project(self._units) if chosen and self._joined else None
        taken: list[Candidate] = []
        self._settle(chosen, taken, texts, before)
        self._stand_in(texts, taken)
        return taken

    def _forbidden(self, fix: Fix) -> str:
        store = self._worker.analyser().store
        outside = next((e.span.file for e in fix.edits if not store.inside(e.span.file, self._homes)), "")
        return f"`{outside}` lies elsewhere; name it or its folder to have it edited" if outside else ""

    def _settle(
        self, chosen: list[Candidate], taken: list[Candidate], texts: dict[str, bytes], before: Verdicts | None
    ) -> None:
        """Add to `taken` what of `chosen` holds beside it: all at once, or else each half."""
        if not chosen:
            return
        why = self._fault([*taken, *chosen], texts, before)
        if not why:
            taken += chosen
        elif len(chosen) == 1:
            self._refused[chosen[0].key] = f"{chosen[0]}: not made, since {why}"
        else:
            half = len(chosen) // 2
            self._settle(chosen[:half], taken, texts, before)
            self._settle(chosen[half:], taken, texts, before)

    def _fault(self, candidates: Sequence[Candidate], texts: dict[str, bytes], before: Verdicts | None) -> str:
        """Why the fixes do not hold together, "" where they do."""
        why = self._stand_in(texts, candidates)
        if why:
            return why
        touched = _files(candidates)
        units: list[_Unit] = []
        for unit in self._units:
            if touched & unit.verdicts.files:
                analyses = self._analysed(unit.shaders)
                after = self._offers.judge(analyses)
                mended = Counter(kind_of(c.finding) for c in candidates if c.key in unit.candidates)
                if any(after.every[kind] > unit.verdicts.every[kind] - count for kind, count in mended.items()):
                    return "the finding would stay"
                come = after.grave - unit.verdicts.grave
                if come:
                    return _brought(come)
                unit = msgspec.structs.replace(unit, analyses=analyses if self._joined else ())
            units.append(unit)
        if before is not None:
            come = self._project(units).grave - before.grave
            return _brought(come) if come else ""
        return ""

    def _project(self, units: Iterable[_Unit]) -> Verdicts:
        """What is found in the project as a whole."""
        analyses = [analysis for unit in units for analysis in unit.analyses]
        project = self._worker.joined(self._work, self._hosts, analyses)
        reports = self._offers.engine.check_project(project)
        return verdicts(dict.fromkeys(finding for report in reports for finding in report.findings))

    def _texts(self, files: Iterable[str]) -> dict[str, bytes]:
        sources = ((file, self._worker.analyser().source(file)) for file in dict.fromkeys(files))
        return {file: source.text for file, source in sources if source is not None and not source.problems}

    def _stand_in(self, texts: dict[str, bytes], candidates: Iterable[Candidate]) -> str:
        """Put the edited texts in the place of the files; says why where an edit cannot be made."""
        store = self._worker.analyser().store
        edits = by_file(_edits(candidates))
        for file in edits.keys() - texts.keys():
            source = store.get(file)
            return source.problems[0].message if source is not None and source.problems else f"`{file}` is gone"
        new = {file: edited(text, edits.get(file, ())) for file, text in texts.items()}
        if None in new.values():
            return "a macro, a comment, a continued line or a leading zero has a part in what it would replace"
        for file, text in new.items():
            if file in self._originals or text != texts[file]:
                paths = [path for path, name in self._names.items() if name == file]
                self._originals.setdefault(file, (texts[file], {path: store.overlaid(path) for path in paths}))
                for path in paths:
                    store.overlay(path, text)
        return ""


def _edits(candidates: Iterable[Candidate]) -> Iterator[Edit]:
    return (edit for candidate in candidates for edit in candidate.fix.edits)


def _files(candidates: Iterable[Candidate]) -> set[str]:
    return {edit.span.file for edit in _edits(candidates)}


def _place(candidate: Candidate) -> tuple[str, int, int, str]:
    span = candidate.fix.edits[0].span
    return span.file, span.start, span.end, candidate.finding.code


def _brought(come: Counter[Kind]) -> str:
    code, file, _ = next(iter(come))
    return f"it would bring about {code} in {file}"
