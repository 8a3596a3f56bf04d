"""The results of an audit in one SQLite file: written a batch at a time, so that a run that is killed can go on."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from bindlint.audit.schema import APPLICATION, COUNTED, SCHEMA, SCHEMA_VERSION, fault_of
from bindlint.audit.values import (
    Discovery,
    Note,
    PipelineResult,
    Program,
    ProgramResult,
    Repository,
    SignatureResult,
    Unit,
    UnitResult,
)
from bindlint.errors import UsageError
from bindlint.report.documents import FindingDocument, ProblemDocument
from bindlint.report.json import to_json

_BATCH_SECONDS = 1.0
_BATCH = 200


class Store:
    """An open file of results. Raises `UsageError` for a file that holds something else, or cannot be written; `tell`
    gets to know why results that were to be gone on with are made anew.
    """

    def __init__(self, place: Path, resume: bool, tell: Callable[[str], None]) -> None:
        self.place = place
        self._tell = tell
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            self._open(resume)
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"results `{place}` cannot be written: {error}") from error
        self.damaged = 0
        """Units of which what was kept cannot be read."""
        self._written = 0
        self._since = time.monotonic()

    def _open(self, resume: bool) -> None:
        if self.place.exists() and self.place.stat().st_size:
            fault = fault_of(self.place)
            why = {"not ours": "holds no results of an audit", "newer": "holds results of a newer bindlint"}.get(fault)
            if why is not None:
                raise UsageError(f"`{self.place}` {why} and is left as it is; name another file")
            if fault and resume:
                what = "of an older bindlint" if fault == "older" else "damaged"
                self._tell(f"`{self.place}` is {what}: everything is analysed again")
            if fault or not resume:
                for ending in ("", "-wal", "-shm"):
                    Path(f"{self.place}{ending}").unlink(missing_ok=True)
        self.place.parent.mkdir(parents=True, exist_ok=True)
        self.database = database = sqlite3.connect(self.place, isolation_level=None, timeout=5)
        database.execute("PRAGMA foreign_keys=ON")
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            database.executescript(
                f"BEGIN; PRAGMA application_id={APPLICATION}; PRAGMA user_version={SCHEMA_VERSION}; {SCHEMA} COMMIT;"
            )
        # Only now, so that the file itself says whose it is even after a run that was killed at once.
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        self.run = 1 + self.number("runs")
        database.execute("BEGIN")
        self.set("runs", str(self.run))

    def setting(self, name: str) -> str:
        row = self.database.execute("SELECT value FROM run WHERE name=?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def number(self, name: str) -> int:
        """A setting that is a number; 0 where there is none."""
        text = self.setting(name)
        return int(text) if text.isdecimal() and len(text) < 19 else 0

    def set(self, name: str, value: str) -> None:
        self.database.execute("INSERT OR REPLACE INTO run VALUES(?,?)", (name, value))

    def repository(self, repository: Repository) -> int:
        """The id of a repository; what was said of it before is forgotten, its units are not."""
        row = (_text(repository.name), _text(repository.path))
        self.database.execute("DELETE FROM repositories WHERE name=? AND path<>?", row)
        self.database.execute(
            "INSERT INTO repositories(name, path, status) VALUES(?,?,'started') ON CONFLICT(path) DO UPDATE"
            " SET name=excluded.name, status='started', why=''",
            row,
        )
        number = self.database.execute("SELECT id FROM repositories WHERE path=?", row[1:]).fetchone()[0]
        self.database.execute("DELETE FROM notes WHERE repository=?", (number,))
        return int(number)

    def discovered(self, repository: int, found: Discovery) -> None:
        self.database.execute(
            "UPDATE repositories SET files=?, headers=?, hosts=? WHERE id=?",
            (found.files, found.headers, found.hosts, repository),
        )
        self.notes(repository, found.notes)
        self.commit()

    def notes(self, repository: int, notes: Iterable[Note]) -> None:
        rows = [(repository, note.kind, _text(note.subject), _text(note.message)) for note in notes]
        self.database.executemany("INSERT INTO notes VALUES(?,?,?,?)", rows)

    def finished(self, repository: int, status: str, why: str = "") -> None:
        """`status`: "done" or "failed". Units that the repository no longer has go."""
        self.database.execute("UPDATE repositories SET status=?, why=? WHERE id=?", (status, _text(why), repository))
        self.database.execute("DELETE FROM units WHERE repository=? AND run<>?", (repository, self.run))

    def kept(self, key: bytes) -> tuple[tuple[str, ...], bytes] | None:
        """The files of a unit and what they came to when it was last analysed to an end."""
        row = self.database.execute(
            "SELECT CAST(files AS BLOB), CAST(closure AS BLOB) FROM units"
            " WHERE key=? AND status IN ('done', 'no-entry')",
            (key,),
        ).fetchone()
        if row is None:
            return None
        try:
            return msgspec.json.decode(row[0], type=tuple[str, ...]), row[1]
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.damaged += 1
            return None

    def keep(self, key: bytes) -> None:
        """What is known of a unit holds for this run too."""
        self.database.execute("UPDATE units SET run=? WHERE key=?", (self.run, key))

    def add(self, repository: int, unit: Unit | Program, key: bytes, closure: bytes, result: UnitResult) -> None:
        """What came of a unit, in the place of what came of it before."""
        self.database.execute("DELETE FROM units WHERE key=?", (key,))
        what: dict[str, object] = _program(unit) if isinstance(unit, Program) else _unit(unit)
        number = self._insert(
            "units", what, repository=repository, key=key, run=self.run, closure=closure, files=_json(result.files),
            status=result.status, why=_text(result.why), milliseconds=result.milliseconds, suppressed=result.suppressed,
        )  # fmt: skip
        for each in result.shaders:
            document = each.document
            signature = None if document.root_signature is None else _json(document.root_signature)
            shader = self._insert(
                "shaders", {}, unit=number, repository=repository, file=_text(document.file),
                entry=_text(document.entry), profile=document.profile, inferred=_text(each.inferred),
                status=document.status, bindings=_json(document.bindings), root_signature=signature,
            )  # fmt: skip
            findings = () if document.findings is msgspec.UNSET else document.findings
            for finding, print_ in zip(findings, each.fingerprints, strict=True):
                self._link("shader", self._finding(repository, finding, print_), shader)
            for problem, partial in zip(document.problems, each.partial, strict=True):
                self._problem(repository, shader, problem, partial)
        if result.program is not None and isinstance(unit, Program):
            self._add_program(repository, number, len(unit.hosts), result.program)
        self._written += 1
        if self._written >= _BATCH or time.monotonic() - self._since > _BATCH_SECONDS:
            self.commit()

    def _add_program(self, repository: int, unit: int, hosts: int, result: ProgramResult) -> None:
        counts = {field: getattr(result.counts, field) for field in COUNTED}
        self._insert("programs", counts, unit=unit, hosts=hosts)
        for reason, count in (*result.unread.items(), *result.counts.unknown.items()):
            self._insert("unfollowed", {}, unit=unit, reason=_text(reason), count=count)
        for finding, print_ in zip(result.findings, result.fingerprints, strict=True):
            self._link("unit", self._finding(repository, finding, print_), unit)
        signatures = [
            self._insert(
                "root_signatures", _placed(each), unit=unit, repository=repository, function=_text(each.function),
                embedded=each.embedded, conditions=_json(each.when), complete=each.complete, cost=each.document.cost,
                least_cost=each.document.least_cost, tier=each.tier, feature_level=each.feature_level,
                document=_json(each.document),
            )
            for each in result.signatures
        ]  # fmt: skip
        for pipeline in result.pipelines:
            signature = None if pipeline.signature is None else signatures[pipeline.signature]
            number = self._insert(
                "pipelines", _placed(pipeline), unit=unit, repository=repository, bind_point=pipeline.bind_point,
                root_signature=signature, why=_text(pipeline.why),
            )  # fmt: skip
            for stage in pipeline.stages:
                fields = {field: _text(getattr(stage, field)) for field in stage.__struct_fields__}
                self._insert("pipeline_stages", fields, pipeline=number)

    def _insert(self, table: str, values: Mapping[str, object], **others: object) -> int:
        row = {**values, **others}
        names = ", ".join(f'"{name}"' for name in row)
        marks = ",".join("?" * len(row))
        done = self.database.execute(f"INSERT INTO {table}({names}) VALUES({marks})", tuple(row.values()))
        return int(done.lastrowid or 0)

    def _finding(self, repository: int, finding: FindingDocument, print_: str) -> int:
        """The number of a finding, which is one row whatever sees it."""
        place = (repository, finding.code, _text(finding.file), finding.line, finding.column, _text(finding.message))
        row = self.database.execute(
            'SELECT id FROM findings WHERE repository=? AND code=? AND file=? AND line=? AND "column"=? AND message=?',
            place,
        ).fetchone()
        if row is not None:
            return int(row[0])
        names = ("repository", "code", "file", "line", "column", "message")
        return self._insert(
            "findings", dict(zip(names, place, strict=True)), name=finding.name, severity=finding.severity,
            certainty=finding.certainty, end_line=finding.end_line, end_column=finding.end_column,
            related=_json(finding.related), fingerprint=_text(print_),
        )  # fmt: skip

    def _link(self, kind: str, finding: int, number: int) -> None:
        """That a shader, or a unit that is a program, sees a finding."""
        self.database.execute(f"INSERT OR IGNORE INTO finding_{kind}s VALUES(?,?)", (finding, number))

    def _problem(self, repository: int, shader: int, problem: ProblemDocument, partial: bool) -> None:
        place = (repository, problem.kind, _text(problem.file), problem.line, problem.column, _text(problem.message))
        row = self.database.execute(
            'SELECT id FROM problems WHERE repository=? AND kind=? AND file=? AND line=? AND "column"=? AND message=?',
            place,
        ).fetchone()
        number = row[0] if row else None
        if number is None:
            number = self.database.execute(
                'INSERT INTO problems(repository, kind, file, line, "column", message, partial) VALUES(?,?,?,?,?,?,?)',
                (*place, partial),
            ).lastrowid
        self.database.execute("INSERT OR IGNORE INTO problem_shaders VALUES(?,?)", (number, shader))

    def commit(self) -> None:
        self.database.execute("COMMIT")
        self.database.execute("BEGIN")
        self._written = 0
        self._since = time.monotonic()

    def tidy(self) -> None:
        """Let go of what no shader and no program of this run is concerned with any more."""
        self.database.execute(
            "DELETE FROM findings WHERE id NOT IN (SELECT finding FROM finding_shaders)"
            " AND id NOT IN (SELECT finding FROM finding_units)"
        )
        self.database.execute("DELETE FROM problems WHERE id NOT IN (SELECT problem FROM problem_shaders)")
        self.commit()

    def close(self) -> None:
        self.database.execute("COMMIT")
        self.database.close()


def _unit(unit: Unit) -> dict[str, object]:
    shader = unit.shader
    return {
        "kind": "shader", "file": _text(unit.file), "source": _text(unit.source), "entry": _text(shader.entry),
        "profile": None if shader.profile is None else str(shader.profile), "defines": _json(shader.defines),
        "include_dirs": _json(shader.include_dirs),
    }  # fmt: skip


def _program(program: Program) -> dict[str, object]:
    nothing = {"source": "found", "entry": "", "profile": None, "defines": "[]", "include_dirs": "[]"}
    return {"kind": "program", "file": _text(program.folder or "."), **nothing}


def _placed(each: SignatureResult | PipelineResult) -> dict[str, object]:
    return {"name": _text(each.name), "file": _text(each.file), "line": each.line, "column": each.column}


def _text(text: str) -> str:
    """Names of files may hold bytes that are no Unicode, which SQLite does not take."""
    return text.encode("utf-8", "replace").decode()


def _json(value: object) -> str:
    return to_json(value).decode()
