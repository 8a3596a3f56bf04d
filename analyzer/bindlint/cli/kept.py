"""Outcomes of `check` that an earlier run kept: what has not changed is neither read nor judged again."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from itertools import chain, islice

import msgspec

from bindlint.cache import Cache, Fingerprints, Kept, default_place, digest, identity
from bindlint.cli.inputs import tell
from bindlint.cli.worker import HostJob, Outcome, Setup, Worker, outcomes
from bindlint.config import CppSettings
from bindlint.manifest import Job
from bindlint.model.finding import Severity
from bindlint.report import Piece
from bindlint.suppress import Suppression

FEW = 24
"""Jobs for which it does not pay to look."""


class _KeptOutcome(msgspec.Struct, frozen=True):
    """What of an outcome is kept: all of it that is there without a baseline and without host code."""

    pieces: list[Piece]
    severities: list[tuple[str, Severity]]
    shaders: int
    partial: int
    failed: int
    suppressed: int
    suppressions: set[Suppression]
    used: set[Suppression]
    files: set[str]
    messages: list[str]
    codes: set[str]
    targets: set[str]
    missing_entry: bool


_FIELDS = _KeptOutcome.__struct_fields__


def kept_outcomes(worker: Worker, jobs: Iterator[Job | HostJob], processes: int, enabled: bool) -> Iterator[Outcome]:
    """The outcome of each job in order, those that are kept from the cache and the others from `processes`."""
    first = list(islice(jobs, FEW))
    jobs = chain(first, jobs)
    if not enabled or len(first) < FEW or not _is_plain(worker.setup):
        yield from outcomes(worker, jobs, processes)
        return
    keeper = _Keeper(worker)
    try:
        yield from keeper.outcomes(jobs, processes)
    finally:
        keeper.cache.close()


def _is_plain(setup: Setup) -> bool:
    """Whether what is said of a shader hangs on nothing but the shader's files, the settings and the options."""
    others = setup.joined or setup.debug or setup.overlay or setup.baseline or setup.style.view
    return not others and setup.config.cpp == CppSettings()


class _Keeper:
    def __init__(self, worker: Worker) -> None:
        self.cache = Cache(default_place(), tell)
        self._worker = worker
        self._fingerprints = Fingerprints()
        modules = {rule.check.__module__ for rule in worker.engine.rules}
        setup = msgspec.structs.replace(worker.setup, files=False)
        self._identity = digest(identity(modules), os.fsencode(os.getcwd()), msgspec.msgpack.encode(setup))
        self._decode = msgspec.msgpack.Decoder(_KeptOutcome).decode

    def outcomes(self, jobs: Iterator[Job | HostJob], processes: int) -> Iterator[Outcome]:
        waiting: deque[Outcome | tuple[Job | HostJob, bytes]] = deque()

        def unknown() -> Iterator[Job | HostJob]:
            for job in jobs:
                key = self._key(job)
                kept = self._kept(job, key) if key else None
                waiting.append(kept or (job, key))
                if kept is None:
                    yield job

        for made in outcomes(self._worker, unknown(), processes):
            while isinstance(known := waiting.popleft(), Outcome):
                yield known
            job, key = known
            if key:
                self._keep(job, key, made)
            yield made
        yield from (known for known in waiting if isinstance(known, Outcome))

    def _key(self, job: Job | HostJob) -> bytes:
        """b"" for what is not kept: host code, and shaders that hang on more than what they include."""
        shader = None if isinstance(job, HostJob) else job.shader
        if shader is None or shader.root_signature or shader.shipped or shader.binding_table_file:
            return b""
        try:
            return digest(self._identity, msgspec.msgpack.encode(job))
        except UnicodeEncodeError:
            return b""

    def _kept(self, job: Job | HostJob, key: bytes) -> Outcome | None:
        assert isinstance(job, Job) and job.shader is not None
        kept = self.cache.get(key, self._fingerprints, job.shader.include_dirs)
        if kept is None:
            return None
        try:
            value = self._decode(kept.value)
        except msgspec.DecodeError as error:
            self.cache.give_up(error)
            return None
        return Outcome(**{name: getattr(value, name) for name in _FIELDS})

    def _keep(self, job: Job | HostJob, key: bytes, made: Outcome) -> None:
        assert isinstance(job, Job) and job.shader is not None
        if made.crashed:
            return
        files = tuple(dict.fromkeys([job.shader.file, *sorted(made.files)]))
        closure = self._fingerprints.closure(files, job.shader.include_dirs)
        if closure is None:
            return
        try:
            value = msgspec.msgpack.encode(_KeptOutcome(**{name: getattr(made, name) for name in _FIELDS}))
        except UnicodeEncodeError:
            return
        self.cache.put(key, Kept(files, closure, value))
