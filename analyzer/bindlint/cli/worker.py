"""One process's part of a run: analyse a job's shaders, judge them, render them; and the pool of such processes."""

from __future__ import annotations

import atexit
import gc
import os
import signal
from collections import deque
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import msgspec

from bindlint.baseline import Baseline, Key
from bindlint.config import Config, host_of
from bindlint.engine import Engine, ProjectReport, Report, check_selectors
from bindlint.engine_rules import RULE_CRASHED
from bindlint.errors import UsageError
from bindlint.manifest import Job
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import MISSING_ENTRY, Finding, Fix, Problem, Severity
from bindlint.model.host import HostFile
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE
from bindlint.plugins import load_rules
from bindlint.report import WITH_FIXES, Piece, Style, key_of, renderer
from bindlint.report.terminal import escape
from bindlint.suppress import SourceText, Suppression

if TYPE_CHECKING:
    from bindlint.bindings.analyse import Analyser
    from bindlint.cli.inputs import Work
    from bindlint.gather import Gatherer
    from bindlint.offers import Offers
    from bindlint.project.values import Project

_Reported = TypeVar("_Reported", Report, ProjectReport)

_CHUNK = 16
_CHUNKS_AHEAD = 4


class Setup(msgspec.Struct, frozen=True):
    """All that a process needs to know. `overlay` is the path and the bytes of what standard input gave.

    `joined`: what a job comes to is needed for the project too.
    """

    config: Config
    format: str
    style: Style
    allow_partial: bool = False
    debug: bool = False
    overlay: tuple[str, bytes] | None = None
    joined: bool = False
    baseline: Baseline | None = None
    files: bool = False
    """Whether the names of all files that were read are asked for."""


class HostJob(msgspec.Struct, frozen=True):
    """A file of host code to be read."""

    file: str


class Outcome(msgspec.Struct):
    """What came of one job: its rendered pieces and what the run must count."""

    pieces: list[Piece] = []
    severities: list[tuple[str, Severity]] = []
    shaders: int = 0
    hosts: int = 0
    analyses: list[ShaderAnalysis] = []
    """Where the project is to be joined."""
    host: HostFile | None = None
    partial: int = 0
    failed: int = 0
    partial_hosts: int = 0
    suppressed: int = 0
    suppressions: set[Suppression] = set()
    used: set[Suppression] = set()
    files: set[str] = set()
    needs: list[tuple[int, str]] = []
    messages: list[str] = []
    codes: set[str] = set()
    """Of findings, also of those that are silenced."""
    targets: set[str] = set()
    """The files that were asked for."""
    entries: dict[Key, int] = {}
    """What a baseline would have to hold, where there is one."""
    known: list[str] = []
    crashed: bool = False
    missing_entry: bool = False


class Worker:
    """Turns jobs into outcomes. Raises `ConfigurationError` where rules or settings cannot be used."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._analyser: Analyser | None = None
        rules = () if setup.style.show else load_rules()
        self.engine = Engine(rules, setup.config, self._source, setup.allow_partial)
        if not setup.style.show:
            check_selectors(self.engine.rules, setup.config)
        self._offered: dict[str, Fix | None] = {}
        self.renderer = renderer(setup.format, setup.style, self._source)

    def run(self, job: Job | HostJob) -> Outcome:
        if isinstance(job, HostJob):
            return self._host(job.file)
        outcome = Outcome()
        try:
            analyses = tuple(self._analyses(job))
            for analysis in analyses:
                self._judge(job, analysis, outcome, analyses)
        except Exception as error:  # whatever a shader brings about must not keep the others from being checked
            text = self._failed(job.file, error, outcome)
            span = msgspec.structs.replace(NOWHERE, file=job.file)
            problem = Problem("internal-error", text, span)
            self._judge(job, ShaderAnalysis(job.shader or Shader(job.file), "failed", problems=(problem,)), outcome)
        return outcome

    def _analyses(self, job: Job) -> Iterator[ShaderAnalysis]:
        if job.shader is None:
            yield ShaderAnalysis(Shader(job.file), "failed", problems=job.problems)
            return
        for shader in self.shaders(job.shader, job.roots):
            analysis = self.analyser().analyse(shader)
            if job.problems:
                analysis = msgspec.structs.replace(analysis, problems=(*job.problems, *analysis.problems))
            yield analysis

    def shaders(self, shader: Shader, roots: tuple[str, ...]) -> tuple[Shader, ...]:
        """What a job stands for: one shader, or each entry point that its file holds."""
        confined = msgspec.structs.replace(shader, roots=roots)
        return (confined,) if confined.profile else self.analyser().discover(confined)

    def _judge(
        self, job: Job, analysis: ShaderAnalysis, outcome: Outcome, analyses: tuple[ShaderAnalysis, ...] = ()
    ) -> None:
        together = analyses if analyses and analysis is analyses[-1] else ()
        report = Report(analysis) if self.setup.style.show else self.engine.check(analysis, together)
        report = self._with_fixes(self._with_baseline(report, outcome), analyses)
        outcome.pieces += self.renderer.shader(job.file, report)
        outcome.shaders += 1
        if self.setup.style.view in ("graph", "impact") and analysis.status != "ok":
            how = "only in part" if analysis.status == "partial" else "not"
            message = escape(f"bindlint: {job.file} could {how} be read")
            outcome.messages += [message] if message not in outcome.messages else []
        if self.setup.style.view == "tiers" and analysis.status != "failed":
            from bindlint.tiers.subjects import shader_tiers

            need = shader_tiers(analysis).need
            outcome.needs.append((need.tier or 0, need.feature_level))
        if self.setup.joined:
            outcome.analyses.append(analysis)
        if self.setup.files:
            outcome.files.update(analysis.files)
            outcome.targets.add(analysis.shader.file)
        outcome.partial += analysis.status == "partial"
        outcome.failed += analysis.status == "failed"
        _tally(report, outcome)
        if analysis.status == "failed" and any(problem.kind == MISSING_ENTRY for problem in analysis.problems):
            outcome.missing_entry = True

    def _with_fixes(self, report: Report, analyses: tuple[ShaderAnalysis, ...]) -> Report:
        """The report with no other fixes than those that hold."""
        if self.setup.format not in WITH_FIXES or not any(finding.violation.fix for finding in report.findings):
            return report
        others = (analysis.shader for analysis in analyses if analysis is not report.analysis)
        shaders = (report.analysis.shader, *others)
        return msgspec.structs.replace(report, findings=tuple(self._offer(f, shaders) for f in report.findings))

    def _offer(self, finding: Finding, shaders: tuple[Shader, ...]) -> Finding:
        if finding.violation.fix is None:
            return finding
        key = key_of(finding)
        if key not in self._offered:
            # A finding in a header is met in many shaders, and its fix tried in the first of them.
            self._offered[key] = self.offers.checked(finding, shaders)
        violation = msgspec.structs.replace(finding.violation, fix=self._offered[key])
        return msgspec.structs.replace(finding, violation=violation)

    @cached_property
    def offers(self) -> Offers:
        from bindlint.offers import Offers

        return Offers(self.analyser(), self.setup.config, self.setup.allow_partial)

    def judged(self, analysis: ShaderAnalysis, analyses: tuple[ShaderAnalysis, ...]) -> Report:
        """What is reported of a shader, one of `analyses` of its file, without what the baseline has."""
        report = self.engine.check(analysis, analyses if analysis is analyses[-1] else ())
        return report if self.setup.baseline is None else self.setup.baseline.apply(report)

    def _with_baseline(self, report: _Reported, outcome: Outcome) -> _Reported:
        """The report without what is known; `outcome` gets what was found."""
        baseline = self.setup.baseline
        if baseline is None:
            return report
        for key, count in baseline.count(report.findings).items():
            outcome.entries[key] = max(count, outcome.entries.get(key, 0))
        return baseline.apply(report)

    def _host(self, path: str) -> Outcome:
        outcome = Outcome(hosts=1)
        try:
            outcome.host = self._gatherer.host(path)
            outcome.partial_hosts = int(bool(outcome.host.problems))
            outcome.targets.add(path)
            outcome.files.update((path, *outcome.host.files))
        except Exception as error:  # as with shaders: one file must not keep the others from being checked
            self._failed(path, error, outcome)
        return outcome

    @cached_property
    def _gatherer(self) -> Gatherer:
        from bindlint.gather import Gatherer

        return Gatherer(self.analyser(), self.setup.config)

    def project(self, work: Work, hosts: list[HostFile], analyses: list[ShaderAnalysis]) -> Outcome:
        """What comes of host code and of the configuration's pipelines, once all files are read."""
        outcome = Outcome()
        try:
            project = self.joined(work, hosts, analyses)
            for pipeline in project.pipelines:
                for stage in pipeline.stages if pipeline.origin == "configuration" else ():
                    if stage.why:
                        outcome.messages.append(escape(f"bindlint: {stage.span}: {stage.name}: {stage.why}"))
                        outcome.missing_entry = True
            for told in self.engine.check_project(project):
                report = self._with_baseline(told, outcome)
                outcome.pieces += self.renderer.project(report)
                _tally(report, outcome)
        except Exception as error:
            self._failed("the host code", error, outcome)
        return outcome

    def joined(self, work: Work, hosts: list[HostFile], analyses: list[ShaderAnalysis]) -> Project:
        """Host code, described pipelines and shaders together."""
        from bindlint.gather import Gatherer

        gatherer = Gatherer(self.analyser(), self.setup.config, work.template)
        shaders = {os.path.realpath(path) for path in (*(a.shader.file for a in analyses), *work.hosts)}
        pipelines = [p for p in work.pipelines if not shaders.isdisjoint(gatherer.files_of(p))]
        return gatherer.project(hosts, [a.shader.file for a in analyses], pipelines, analyses, work.guess)

    def _failed(self, name: str, error: Exception, outcome: Outcome) -> str:
        import logging

        logging.getLogger("bindlint").debug("%s", name, exc_info=True)
        outcome.crashed = True
        text = f"internal error while reading {name}: {type(error).__name__}: {error}"
        outcome.messages.append(escape(f"bindlint: {text} (--debug shows where)"))
        return text

    def analyser(self) -> Analyser:
        """The analyser of this worker, made when the first shader asks for it."""
        if self._analyser is None:
            from bindlint_grammars.hlsl.limits import Limits

            from bindlint.bindings.analyse import Analyser

            limits = {name.replace("-", "_"): value for name, value in self.setup.config.limits.items()}
            members = self.setup.style.view == "graph"
            self._analyser = Analyser(Limits(**limits), host_of(self.setup.config), members)
            if self.setup.overlay is not None:
                self._analyser.overlay(*self.setup.overlay)
        return self._analyser

    def _source(self, path: str) -> SourceText | None:
        return None if self._analyser is None else self._analyser.source(path)


def _tally(report: Report | ProjectReport, outcome: Outcome) -> None:
    outcome.suppressed += len(report.suppressed)
    outcome.suppressions.update(report.suppressions)
    outcome.used.update(report.used)
    outcome.codes.update(finding.code for finding in (*report.findings, *report.suppressed, *report.known))
    outcome.known += map(key_of, report.known)
    for finding in report.findings:
        outcome.severities.append((key_of(finding), finding.severity))
        outcome.crashed |= finding.code == RULE_CRASHED.code


def collect_garbage_rarely(objects: int = 2_000_000) -> None:
    """What an analysis allocates is kept, or freed by its count: looking for cycles took a tenth of the time.

    `objects` is how many more there must be before that is done; the more, the longer it takes. At exit, when all
    memory goes anyway, it is not done.
    """
    gc.set_threshold(objects, 100, 50)
    atexit.register(gc.freeze)


def outcomes(worker: Worker, jobs: Iterator[Job | HostJob], processes: int) -> Iterator[Outcome]:
    """The outcome of each job in order; with several processes, no more than a few chunks are under way at a time."""
    if processes == 1:
        yield from map(worker.run, jobs)
        return
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
    from multiprocessing import get_context

    chunks = _chunks(jobs)
    try:
        with ProcessPoolExecutor(processes, get_context("spawn"), _start, (worker.setup,)) as pool:
            under_way = deque(pool.submit(_run, chunk) for chunk in islice(chunks, processes * _CHUNKS_AHEAD))
            try:
                while under_way:
                    yield from under_way.popleft().result()
                    under_way.extend(pool.submit(_run, chunk) for chunk in islice(chunks, 1))
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
    except BrokenExecutor as error:
        raise UsageError("a process of --jobs ended without an answer; --jobs 1 shows at which shader") from error


def _chunks(jobs: Iterator[Job | HostJob]) -> Iterator[list[Job | HostJob]]:
    while chunk := list(islice(jobs, _CHUNK)):
        yield chunk


_worker: Worker | None = None


def _start(setup: Setup) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one ends the others
    collect_garbage_rarely()
    _worker = Worker(setup)


def _run(jobs: list[Job | HostJob]) -> list[Outcome]:
    assert _worker is not None
    return [_worker.run(job) for job in jobs]
