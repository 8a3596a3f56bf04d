"""A run: jobs through analysis, engine and renderer, in order, in one process or several; then the exit status."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import Any, TextIO

import click
import msgspec

from bindlint.baseline import Baseline, read_baseline
from bindlint.cli import Failure
from bindlint.cli.depfile import write_depfile
from bindlint.cli.inputs import Inputs, Work, configuration, read_work
from bindlint.cli.kept import kept_outcomes
from bindlint.cli.ledger import Ledger
from bindlint.cli.worker import HostJob, Outcome, Setup, Worker, collect_garbage_rarely
from bindlint.config import CONFIG_NAME, FailOn, lowest
from bindlint.errors import BindlintError, UsageError
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Severity
from bindlint.model.host import HostFile
from bindlint.model.registers import RegisterRange
from bindlint.report import LINE_FORMATS, WITH_TOTALS, Style, Summary, Totals, View
from bindlint.report.terminal import escape
from bindlint.suppress import Suppression


def run(
    values: dict[str, Any],
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    fail_on: FailOn | None = None,
    allow_partial: bool = False,
    show: bool = False,
    guess: bool = False,
    view: View | None = None,
    registers: RegisterRange | None = None,
    without: tuple[str, ...] = (),
) -> None:
    """Do what the options ask and end with the documented exit status; `show` and `view` judge nothing."""
    collect_garbage_rarely()
    inputs = Inputs(**values)
    if inputs.debug:
        import logging

        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr, format="%(message)s")
    try:
        config = configuration(inputs)
        if select:
            config = msgspec.structs.replace(config, select=_split(select), ignore=())
        config = msgspec.structs.replace(
            config, ignore=(*config.ignore, *_split(ignore)), fail_on=fail_on or config.fail_on
        )
        stdin = sys.stdin.buffer.read() if "-" in inputs.words else None
        with_hosts = view is not None or not show
        work = read_work(inputs, config, with_hosts)
        work = msgspec.structs.replace(work, guess=guess)
        joined = with_hosts and bool(guess or work.hosts or config.pipeline or config.heap)
        joined = joined or view in ("graph", "impact")
        stream = sys.stderr if inputs.aside else sys.stdout
        setup = Setup(
            config=config,
            format=inputs.format,
            style=Style(
                _wants_color(stream), show, config.target.target, view, registers, without, lowest(config.fail_on)
            ),
            allow_partial=allow_partial,
            debug=inputs.debug,
            overlay=(inputs.stdin_filename or "", stdin) if stdin is not None else None,
            joined=joined,
            baseline=_baseline(inputs),
            files=not inputs.no_cache
            or inputs.depfile is not None
            or inputs.baseline is not None
            or inputs.format in WITH_TOTALS,
        )
        worker = Worker(setup)
        if config.pipeline and with_hosts:
            from bindlint.gather import pipelines_of

            work = msgspec.structs.replace(work, pipelines=pipelines_of(config, worker.analyser()))
        if inputs.fix or inputs.unsafe_fixes or inputs.diff:
            from bindlint.cli.fixing import fix_first

            work = fix_first(worker, work, inputs, stream)
        hosts = map(HostJob, work.hosts) if joined else ()
        fixing = inputs.fix or inputs.unsafe_fixes or inputs.diff
        results = kept_outcomes(
            worker, chain(work.jobs, hosts), inputs.jobs, enabled=not (inputs.no_cache or fixing or show)
        )
        count = work.count
        if joined:
            results = _joined(worker, work, results)
            count = None if count is None else count + len(work.hosts) + 1
        running = _Run(worker, stream, direct=inputs.manifest is None)
        status = running.write(results, count)
        if inputs.depfile is not None:
            named = (inputs.manifest, inputs.config or os.path.join(config.folder, CONFIG_NAME))
            sources = [path for path in named if path and os.path.isfile(path)]
            write_depfile(inputs.depfile, [*sources, *sorted(running.files)])
    except BindlintError as error:
        raise Failure(str(error)) from error
    raise SystemExit(status)


def _baseline(inputs: Inputs) -> Baseline | None:
    if inputs.baseline is not None:
        return read_baseline(inputs.baseline, inputs.write_baseline)
    if inputs.write_baseline:
        raise UsageError("--write-baseline writes the file that --baseline names")
    return None


def _split(selectors: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part for selector in selectors for part in selector.replace(",", " ").split())


def _wants_color(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR")


def _joined(worker: Worker, work: Work, results: Iterator[Outcome]) -> Iterator[Outcome]:
    """The outcomes of the files as they come, then that of the project that they are a part of."""
    analyses: list[ShaderAnalysis] = []
    hosts: list[HostFile] = []
    for outcome in results:
        analyses += outcome.analyses
        hosts += [outcome.host] if outcome.host is not None else []
        yield outcome
    yield worker.project(work, hosts, analyses)


class _Run:
    """Writes outcomes and keeps the counts of one run."""

    def __init__(self, worker: Worker, stream: TextIO, direct: bool) -> None:
        self._stream = stream
        self._worker = worker
        self._direct = direct
        self._summary = Summary()
        self._seen: set[int] = set()
        self._suppressions: dict[Suppression, bool] = {}
        self._used: set[Suppression] = set()
        self.files: set[str] = set()
        self._failed = False
        baseline = worker.setup.baseline
        self._ledger = None if baseline is None else Ledger(baseline, worker.engine)
        self._separator = worker.renderer.separator
        self._held: bytes | None = None
        self._encoding = "utf-8"
        if worker.setup.format in WITH_TOTALS:
            self._summary.totals = Totals()
        if worker.setup.format in LINE_FORMATS:
            self._encoding = getattr(stream, "encoding", None) or "utf-8"

    def write(self, results: Iterator[Outcome], count: int | None) -> int:
        renderer = self._worker.renderer
        self._out(renderer.begin())
        with _progress(count) as advance:
            for outcome in results:
                self._count(outcome)
                for key, data in outcome.pieces:
                    if key and not self._is_new(key):
                        continue
                    if self._held is not None:
                        self._out(self._held + self._separator)
                    self._held = data
                advance()
        judged = [suppression for suppression, whole in self._suppressions.items() if whole]
        findings = () if self._worker.setup.style.show else self._worker.engine.judge_suppressions(judged, self._used)
        if self._ledger is not None:
            findings, known = self._ledger.split(findings)
            self._summary.known = (self._summary.known or 0) + len(known)
        for finding in findings:
            self._add(finding.severity)
        if isinstance(self._summary.totals, Totals):
            self._summary.totals.files = self.files
            self._summary.totals.status = self._status()
        if self._held is not None:
            self._out(renderer.last(self._held, findings))
        self._out(renderer.end(self._summary, findings))
        self._flush()
        told = self._ledger.close() if self._ledger is not None and not self._failed else ""
        if told:
            click.echo(escape(f"bindlint: {told}"), err=True)
        if not (self._summary.shaders or self._summary.hosts):
            click.echo("bindlint: the manifest names no shader", err=True)
        return self._status()

    def _count(self, outcome: Outcome) -> None:
        summary = self._summary
        summary.shaders += outcome.shaders
        summary.hosts += outcome.hosts
        summary.partial += outcome.partial
        summary.failed += outcome.failed
        summary.partial_hosts += outcome.partial_hosts
        summary.suppressed += outcome.suppressed
        for key, severity in outcome.severities:
            if self._is_new(f"count {key}"):
                self._add(severity)
        whole = not (outcome.partial or outcome.failed or summary.partial_hosts)
        for suppression in outcome.suppressions:
            self._suppressions[suppression] = self._suppressions.get(suppression, True) and whole
        self._used.update(outcome.used)
        self.files.update(outcome.files)
        if self._ledger is not None:
            self._ledger.add(outcome)
            summary.known = (summary.known or 0) + sum(self._is_new(f"known {key}") for key in outcome.known)
        if outcome.needs:
            summary.needs = (summary.needs or Counter()) + Counter(outcome.needs)
        self._failed = self._failed or outcome.crashed or (self._direct and outcome.missing_entry)
        for message in outcome.messages:
            click.echo(message, err=True)
        if isinstance(summary.totals, Totals):
            summary.totals.codes.update(outcome.codes)
            summary.totals.targets.update(outcome.targets)
            summary.totals.notes += outcome.messages

    def _is_new(self, key: str) -> bool:
        digest = hash(key)
        if digest in self._seen:
            return False
        self._seen.add(digest)
        return True

    def _add(self, severity: Severity) -> None:
        setattr(self._summary, severity, getattr(self._summary, severity) + 1)

    def _status(self) -> int:
        if self._failed:
            return 2
        severities = () if self._worker.setup.style.show else lowest(self._worker.setup.config.fail_on)
        return int(any(getattr(self._summary, severity) for severity in severities))

    def _out(self, data: bytes) -> None:
        if data:
            if self._encoding.lower().replace("-", "") != "utf8":
                data = data.decode().encode(self._encoding, "backslashreplace")
            self._stream.buffer.write(data)

    def _flush(self) -> None:
        self._stream.buffer.flush()


def _nothing() -> None:
    pass


def _progress(count: int | None) -> AbstractContextManager[Callable[[], None]]:
    """A context that gives what to call after each job: a progress bar where standard error alone is a terminal."""
    if count == 1 or not sys.stderr.isatty() or sys.stdout.isatty():
        return nullcontext(_nothing)
    from bindlint.cli.progress import progress_bar

    return progress_bar(count)
