"""One process of an audit: it discovers what a repository holds and analyses units and programs, one by one."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import msgspec

from bindlint.audit.values import Discovery, Note, Program, ShaderResult, Unit, UnitResult, UnitStatus
from bindlint.config import Config
from bindlint.engine import Engine, Report, fingerprint
from bindlint.model.shader import Shader
from bindlint.plugins import load_rules
from bindlint.report.documents import shader_document
from bindlint.suppress import SourceText

if TYPE_CHECKING:
    from bindlint.audit.joining import Joiner, RepositoryAnalyser

MOST_ENTRIES = 500
"""Entry points of one file that are analysed."""
MOST_FINDINGS = 1_000
"""Of one shader; who has more needs not all of them."""
LARGEST_RESULT = 32 << 20
"""Bytes of what is said of one file, or of the shaders that a repository holds."""

READY = b"ready"
"""What a process says first."""
STEP = b"step"
"""What a process says when it has done one of the many steps that a program takes."""


class Setup(msgspec.Struct, frozen=True):
    """What a process needs to know. `memory` bounds it, in bytes; 0 for no bound."""

    config: Config
    memory: int = 0


class Task(msgspec.Struct, frozen=True):
    """What to do in the repository at `path`: analyse a unit or a program, or (None) discover what there is."""

    path: str
    unit: Unit | Program | None = None


def serve(connection: Connection, setup: bytes) -> None:
    """Answer tasks until there are no more: bytes in, bytes out, MessagePack both ways."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one ends the others
    gc.set_threshold(50_000, 20, 50)
    worker = _Worker(msgspec.msgpack.decode(setup, type=Setup), lambda: connection.send_bytes(STEP))
    decode = msgspec.msgpack.Decoder(Task).decode
    import bindlint.bindings.analyse  # noqa: F401 - so that the first shader's time is its own

    connection.send_bytes(READY)
    while True:
        try:
            task = decode(connection.recv_bytes())
        except (EOFError, OSError):
            return
        result = worker.discover(task.path) if task.unit is None else worker.analyse(task.path, task.unit)
        try:
            connection.send_bytes(_packed(result))
        except OSError:  # nobody listens any more
            return
        if isinstance(result, UnitResult) and result.status == "memory":
            return  # what is left of the memory is in pieces: another process goes on


def _packed(result: Discovery | UnitResult) -> bytes:
    """The result as bytes; in the place of one that cannot be handed over, why."""
    try:
        data = msgspec.msgpack.encode(result)
    except UnicodeEncodeError:
        return msgspec.msgpack.encode(_instead(result, "crashed", "it names a file whose name is no Unicode"))
    if len(data) > LARGEST_RESULT:
        why = f"its results take {len(data)} bytes, more than the limit of {LARGEST_RESULT}"
        return msgspec.msgpack.encode(_instead(result, "memory", why))
    return data


def _instead(result: Discovery | UnitResult, status: UnitStatus, why: str) -> Discovery | UnitResult:
    if isinstance(result, Discovery):
        return Discovery((), result.files, result.headers, (Note("failed", "", why),))
    return UnitResult(status, why, milliseconds=result.milliseconds, memory=result.memory)


class _Worker:
    def __init__(self, setup: Setup, step: Callable[[], None]) -> None:
        self._step = step
        self._config = setup.config
        self._rules = load_rules()
        self._path: str | None = None
        self._analyser: RepositoryAnalyser | None = None
        self._engine: Engine | None = None
        self._joiner: Joiner | None = None
        _bound_memory(setup.memory)

    def discover(self, path: str) -> Discovery:
        from bindlint.audit.discovery import Discoverer

        try:
            self._enter(path)
            return Discoverer().run()
        except (Exception, MemoryError) as error:
            return Discovery((), 0, 0, (Note("failed", "", f"{type(error).__name__}: {error}"),))

    def analyse(self, path: str, unit: Unit | Program) -> UnitResult:
        start = time.perf_counter()
        try:
            self._enter(path)
            result = self._joined(unit) if isinstance(unit, Program) else self._analysed(unit)
        except MemoryError:
            self._path = self._analyser = self._engine = self._joiner = None
            result = UnitResult("memory", "more memory would be needed than one process may take")
        except Exception as error:  # whatever a shader brings about must not keep the others from being analysed
            self._path = None
            result = UnitResult("crashed", f"internal error: {type(error).__name__}: {error}")
        spent = int((time.perf_counter() - start) * 1000)
        return msgspec.structs.replace(result, milliseconds=spent, memory=peak_memory())

    def _enter(self, path: str) -> None:
        """Work in a repository: its paths are relative, so nothing that is shown depends on where it lies."""
        if path == self._path:
            return
        from bindlint_grammars.hlsl.limits import Limits

        from bindlint.audit.joining import RepositoryAnalyser

        os.chdir(path)
        self._path = self._analyser = self._engine = self._joiner = None
        gc.collect()  # what was read of another repository goes before this one is read
        limits = {name.replace("-", "_"): value for name, value in self._config.limits.items()}
        self._analyser = analyser = RepositoryAnalyser(Limits(**limits))

        def source(file: str) -> SourceText | None:
            return analyser.source(file)

        self._engine = Engine(self._rules, self._config, source)
        self._path = path

    def _joined(self, program: Program) -> UnitResult:
        assert self._analyser is not None and self._engine is not None
        if self._joiner is None:
            from bindlint.audit.joining import Joiner

            self._joiner = Joiner(self._analyser, self._engine, self._config, self._step)
        return self._joiner.analyse(program)

    def _analysed(self, unit: Unit) -> UnitResult:
        assert self._analyser is not None and self._engine is not None
        analyser = self._analyser
        found = analyser.discover(unit.shader)
        if unit.shader.profile is None:
            found = tuple(shader for shader in found if shader.profile is not None)
        if not found:
            return self._without_entry(unit.shader)
        analyses = tuple(analyser.analyse(shader) for shader in found[:MOST_ENTRIES])
        shaders, files, suppressed, beyond = [], dict.fromkeys([unit.file]), 0, 0
        for analysis in analyses:
            report = self._engine.check(analysis, analyses if analysis is analyses[-1] else ())
            beyond += max(0, len(report.findings) - MOST_FINDINGS)
            shaders.append(_result(unit.file, report))
            suppressed += len(report.suppressed)
            files |= dict.fromkeys(analysis.files)
        left = len(found) - len(analyses)
        why = f"{left} of its entry points are left out" if left else ""
        why += f"{'; ' if why else ''}{beyond} of its findings are left out" if beyond else ""
        return UnitResult("done", why, tuple(shaders), tuple(files), suppressed=suppressed)

    def _without_entry(self, shader: Shader) -> UnitResult:
        """A file that compiles nothing; what keeps it from being read is still told."""
        assert self._analyser is not None and self._engine is not None
        analysis = self._analyser.analyse(shader)
        files = tuple(dict.fromkeys([shader.file, *analysis.files]))
        if analysis.status == "ok":
            return UnitResult("no-entry", "no function in it is an entry point", files=files)
        kept = msgspec.structs.replace(analysis, status="failed", resources=(), bindings=(), accesses=())
        report = Report(kept, tuple(f for f in self._engine.check(kept).findings if f.code.startswith("BL0")))
        return UnitResult("done", "", (_result(shader.file, report),), files)


def _result(file: str, report: Report) -> ShaderResult:
    analysis = msgspec.structs.replace(report.analysis, problems=report.analysis.problems[:MOST_FINDINGS])
    report = msgspec.structs.replace(report, analysis=analysis, findings=report.findings[:MOST_FINDINGS])
    return ShaderResult(
        shader_document(file, report),
        report.analysis.shader.inferred,
        tuple(fingerprint(finding) for finding in report.findings),
        tuple(problem.partial for problem in report.analysis.problems),
    )


def _bound_memory(limit: int) -> None:
    """Let this process ask for no more memory than `limit`, where the system can be told so."""
    if not limit:
        return
    try:
        import resource
    except ImportError:  # Windows: only the limits on time and on the size of what is read hold there
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))


def peak_memory() -> int:
    """The most memory that this process has held, in bytes; 0 where the system does not say."""
    try:
        import resource
        import sys
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
