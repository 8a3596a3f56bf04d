"""The results of an audit in one SQLite file: written a batch at a time, so that a run that is killed can go on."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from bindlint.audit.values import Discovery, Note, Repository, Unit, UnitResult
from bindlint.errors import UsageError
from bindlint.report.documents import FindingDocument, ProblemDocument
from bindlint.report.json import to_json

APPLICATION = 0x424C4155
SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE run(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE repositories(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL, why TEXT NOT NULL DEFAULT '', files INTEGER NOT NULL DEFAULT 0,
    headers INTEGER NOT NULL DEFAULT 0);
CREATE TABLE notes(
    repository INTEGER NOT NULL REFERENCES repositories(id) ON DELETE CASCADE,
    kind TEXT NOT NULL, subject TEXT NOT NULL, message TEXT NOT NULL);
CREATE TABLE units(
    id INTEGER PRIMARY KEY, repository INTEGER NOT NULL REFERENCES repositories(id) ON DELETE CASCADE,
    key BLOB NOT NULL UNIQUE, run INTEGER NOT NULL, closure BLOB NOT NULL, files TEXT NOT NULL, file TEXT NOT NULL,
    source TEXT NOT NULL, entry TEXT NOT NULL, profile TEXT, defines TEXT NOT NULL, include_dirs TEXT NOT NULL,
    status TEXT NOT NULL, why TEXT NOT NULL, milliseconds INTEGER NOT NULL, suppressed INTEGER NOT NULL);
CREATE TABLE shaders(
    id INTEGER PRIMARY KEY, unit INTEGER NOT NULL REFERENCES units(id) ON DELETE CASCADE,
    repository INTEGER NOT NULL, file TEXT NOT NULL, entry TEXT NOT NULL, profile TEXT, inferred TEXT NOT NULL,
    status TEXT NOT NULL, bindings TEXT NOT NULL, root_signature TEXT);
CREATE TABLE findings(
    id INTEGER PRIMARY KEY, repository INTEGER NOT NULL REFERENCES repositories(id) ON DELETE CASCADE,
    code TEXT NOT NULL, name TEXT NOT NULL, severity TEXT NOT NULL, certainty TEXT NOT NULL, message TEXT NOT NULL,
    file TEXT NOT NULL, line INTEGER NOT NULL, "column" INTEGER NOT NULL, end_line INTEGER NOT NULL,
    end_column INTEGER NOT NULL, related TEXT NOT NULL, fingerprint TEXT NOT NULL,
    UNIQUE(repository, code, file, line, "column", message));
CREATE TABLE finding_shaders(
    finding INTEGER NOT NULL REFERENCES findings(id) ON DELETE CASCADE,
    shader INTEGER NOT NULL REFERENCES shaders(id) ON DELETE CASCADE, PRIMARY KEY(finding, shader)) WITHOUT ROWID;
CREATE TABLE problems(
    id INTEGER PRIMARY KEY, repository INTEGER NOT NULL REFERENCES repositories(id) ON DELETE CASCADE,
    kind TEXT NOT NULL, message TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, "column" INTEGER NOT NULL,
    partial INTEGER NOT NULL, UNIQUE(repository, kind, file, line, "column", message));
CREATE TABLE problem_shaders(
    problem INTEGER NOT NULL REFERENCES problems(id) ON DELETE CASCADE,
    shader INTEGER NOT NULL REFERENCES shaders(id) ON DELETE CASCADE, PRIMARY KEY(problem, shader)) WITHOUT ROWID;
CREATE INDEX shaders_of_units ON shaders(unit);
CREATE INDEX findings_of_shaders ON finding_shaders(shader);
CREATE INDEX problems_of_shaders ON problem_shaders(shader);
"""

_BATCH_SECONDS = 1.0
_BATCH = 200


class Store:
    """An open file of results. Raises `UsageError` for a file that holds something else, or cannot be written."""

    def __init__(self, place: Path, resume: bool) -> None:
        self.place = place
        try:
            self._open(resume)
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"results `{place}` cannot be written: {error}") from error
        self.damaged = 0
        """Units of which what was kept cannot be read."""
        self._written = 0
        self._since = time.monotonic()

    def _open(self, resume: bool) -> None:
        if self.place.exists() and self.place.stat().st_size:
            fault = _fault(self.place)
            if fault == "not ours":
                raise UsageError(f"`{self.place}` holds no results of an audit and is left as it is; name another file")
            if fault or not resume:
                for ending in ("", "-wal", "-shm"):
                    Path(f"{self.place}{ending}").unlink(missing_ok=True)
        self.database = database = sqlite3.connect(self.place, isolation_level=None, timeout=5)
        database.execute("PRAGMA foreign_keys=ON")
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            database.executescript(
                f"BEGIN; PRAGMA application_id={APPLICATION}; PRAGMA user_version={SCHEMA_VERSION}; {_SCHEMA} COMMIT;"
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
            "UPDATE repositories SET files=?, headers=? WHERE id=?", (found.files, found.headers, repository)
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

    def add(self, repository: int, unit: Unit, key: bytes, closure: bytes, result: UnitResult) -> None:
        """What came of a unit, in the place of what came of it before."""
        database, shader = self.database, unit.shader
        database.execute("DELETE FROM units WHERE key=?", (key,))
        row = (
            repository, key, self.run, closure, _json(result.files), _text(unit.file), _text(unit.source),
            _text(shader.entry), None if shader.profile is None else str(shader.profile), _json(shader.defines),
            _json(shader.include_dirs), result.status, _text(result.why), result.milliseconds, result.suppressed,
        )  # fmt: skip
        names = (
            "repository, key, run, closure, files, file, source, entry, profile, defines, include_dirs, status, why,"
            " milliseconds, suppressed"
        )
        marks = ",".join("?" * len(row))
        number = database.execute(f"INSERT INTO units({names}) VALUES({marks})", row).lastrowid
        for each in result.shaders:
            document = each.document
            signature = None if document.root_signature is None else _json(document.root_signature)
            values = (
                number, repository, _text(document.file), _text(document.entry), document.profile,
                _text(each.inferred), document.status, _json(document.bindings), signature,
            )  # fmt: skip
            shader_number = database.execute(
                "INSERT INTO shaders(unit, repository, file, entry, profile, inferred, status, bindings,"
                " root_signature) VALUES(?,?,?,?,?,?,?,?,?)",
                values,
            ).lastrowid
            findings = () if document.findings is msgspec.UNSET else document.findings
            for finding, print_ in zip(findings, each.fingerprints, strict=True):
                self._finding(repository, int(shader_number or 0), finding, print_)
            for problem, partial in zip(document.problems, each.partial, strict=True):
                self._problem(repository, int(shader_number or 0), problem, partial)
        self._written += 1
        if self._written >= _BATCH or time.monotonic() - self._since > _BATCH_SECONDS:
            self.commit()

    def _finding(self, repository: int, shader: int, finding: FindingDocument, print_: str) -> None:
        place = (repository, finding.code, _text(finding.file), finding.line, finding.column, _text(finding.message))
        row = self.database.execute(
            'SELECT id FROM findings WHERE repository=? AND code=? AND file=? AND line=? AND "column"=? AND message=?',
            place,
        ).fetchone()
        number = row[0] if row else None
        if number is None:
            number = self.database.execute(
                'INSERT INTO findings(repository, code, file, line, "column", message, name, severity, certainty,'
                " end_line, end_column, related, fingerprint) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (*place, finding.name, finding.severity, finding.certainty, finding.end_line, finding.end_column,
                 _json(finding.related), _text(print_)),
            ).lastrowid  # fmt: skip
        self.database.execute("INSERT OR IGNORE INTO finding_shaders VALUES(?,?)", (number, shader))

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
        """Let go of what no shader of this run is concerned with any more."""
        for kind in ("finding", "problem"):
            self.database.execute(f"DELETE FROM {kind}s WHERE id NOT IN (SELECT {kind} FROM {kind}_shaders)")
        self.commit()

    def close(self) -> None:
        self.database.execute("COMMIT")
        self.database.close()


def _fault(place: Path) -> str:
    """Why a file cannot be gone on with: "" where it can, "not ours", "other version" or "corrupt"."""
    try:
        with place.open("rb") as stream:
            beginning = stream.read(72)
        if not beginning.startswith(b"SQLite format 3\0"):
            return "not ours"
        if int.from_bytes(beginning[68:72], "big") != APPLICATION:
            return "not ours"
        database = sqlite3.connect(place)
        try:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            sound = database.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
        finally:
            database.close()
    except sqlite3.DatabaseError:
        return "corrupt"
    return "corrupt" if not sound else "" if version == SCHEMA_VERSION else "other version"


def _text(text: str) -> str:
    """Names of files may hold bytes that are no Unicode, which SQLite does not take."""
    return text.encode("utf-8", "replace").decode()


def _json(value: object) -> str:
    return to_json(value).decode()
