"""Results kept between runs: one SQLite file of plain data, found by the hashes of the files that they hang on."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

_APPLICATION = 0x424C4E54
_VERSION = 1
LARGEST = 512 << 20
"""Bytes of results that are kept; what was used longest ago goes first."""

_INCLUDE = re.compile(rb'#[ \t]*include(?:_next)?\b[ \t]*(?:"([^"\r\n]*)"|<([^>\r\n]*)>|([^\r\n]?))')
_PROBE = b"__has_include"
_NAME_IN_MACRO = re.compile(rb"""#[ \t]*define\b[^\r\n]*?["<]([^"<>\r\n]+\.\w+)[">]""")
_MACRO = "\0"
_LARGEST_FILE = 64 << 20
_PACKAGES = ("bindlint", "bindlint_grammars", "bindlint_rules")


def digest(*parts: bytes) -> bytes:
    """One hash over several byte strings, in order."""
    state = blake2b(digest_size=20)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.digest()


def identity(modules: Iterable[str] = ()) -> bytes:
    """What changes with the analyzer, and with the rule packs that `modules` belong to: sizes and times of files."""
    files: set[Path] = set()
    for name in {*_PACKAGES, *(module.partition(".")[0] for module in modules)}:
        package = sys.modules.get(name)
        folders = [Path(folder) for folder in getattr(package, "__path__", ())]
        files.update(path for folder in folders for path in folder.rglob("*") if path.suffix not in (".pyc", ""))
        if not folders and (file := getattr(package, "__file__", None)):
            files.add(Path(file))
    return digest(sys.version.encode(), *(_stamp(path).encode("utf-8", "surrogateescape") for path in sorted(files)))


def _stamp(path: Path) -> str:
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns}"


class Fingerprints:
    """Hashes of files and of what includes lead to, each worked out once a run. Relative paths start at `base`."""

    def __init__(self, base: str = "") -> None:
        self._base = base
        self._hashes: dict[str, bytes] = {}
        self._spellings: dict[str, tuple[str, ...] | None] = {}
        self._in_macros: dict[str, tuple[str, ...]] = {}
        self._listings: dict[str, dict[str, str]] = {}
        self._led: dict[tuple[str, tuple[str, ...], tuple[str, ...]], bytes] = {}

    def closure(self, files: Sequence[str], include_dirs: Sequence[str] | None) -> bytes | None:
        """What the contents of `files` and the includes in them come to; also files that are not there count, since one
        that is made later may be found first. None where that cannot be told. Without `include_dirs` the contents alone
        count: what files there are is known otherwise.
        """
        if include_dirs is None:
            return digest(*(part for file in files for part in (os.fsencode(file), self._hash(file))))
        folders = tuple(dict.fromkeys([*(os.path.dirname(file) for file in files), *include_dirs]))
        hashes = [self._hash(file) for file in files]
        named = tuple(dict.fromkeys(name for file in files for name in self._in_macros[file]))
        parts = []
        for file, content in zip(files, hashes, strict=True):
            if self._spellings[file] is None:
                return None
            parts += [file.encode("utf-8", "surrogateescape"), content, self._leads(file, folders, named)]
        return digest(*parts)

    def _hash(self, file: str) -> bytes:
        if file not in self._hashes:
            text = _read(os.path.join(self._base, file))
            self._hashes[file] = digest(text)
            self._spellings[file] = _spellings(text)
            self._in_macros[file] = tuple(dict.fromkeys(map(_decoded, _NAME_IN_MACRO.findall(text))))
        return self._hashes[file]

    def _leads(self, file: str, folders: tuple[str, ...], named: tuple[str, ...]) -> bytes:
        """What the includes of a file lead to when they are looked for in these folders; `named` are in macros."""
        spellings = self._spellings[file] or ()
        if _MACRO in spellings:
            spellings = (*spellings, *named)
        key = (file, folders, named if _MACRO in spellings else ())
        if key not in self._led:
            found = [self._spelled(os.path.join(folder, spelling)) for spelling in spellings for folder in folders]
            self._led[key] = digest(*(name.encode("utf-8", "surrogateescape") for name in found))
        return self._led[key]

    def _spelled(self, path: str) -> str:
        """The name on disk of what `path` names in any case, "" where there is nothing."""
        folder, name = os.path.split(os.path.normpath(os.path.join(self._base, path)))
        if folder not in self._listings:
            try:
                self._listings[folder] = {known.casefold(): known for known in os.listdir(folder)}
            except (OSError, ValueError):
                self._listings[folder] = {}
        return self._listings[folder].get(name.casefold(), "")


def _read(path: str) -> bytes:
    """The bytes of a file, or what stands for them: of a large one its size, nothing of what is no file."""
    try:
        status = os.stat(path)
        if status.st_size > _LARGEST_FILE or not stat.S_ISREG(status.st_mode):
            return b"%d" % status.st_size
        with open(path, "rb") as stream:
            return stream.read()
    except (OSError, ValueError):
        return b""


def _spellings(text: bytes) -> tuple[str, ...] | None:
    """The files that a text includes, `_MACRO` for one that a macro names; None where it asks what is there."""
    names = ((quoted or angled, bool(other)) for quoted, angled, other in _INCLUDE.findall(text))
    found = dict.fromkeys(_MACRO if in_macro else _decoded(name) for name, in_macro in names)
    return None if _PROBE in text else tuple(found)


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape").replace("\\", "/").replace("\0", "?")


class Kept(msgspec.Struct, frozen=True):
    """A result as it is kept: the files that it was made of, and what these came to then."""

    files: tuple[str, ...]
    closure: bytes
    value: bytes


def default_place() -> Path:
    """Where results are kept: in the folder that BINDLINT_CACHE_DIR names, or the system's for what may be lost."""
    folder = os.environ.get("BINDLINT_CACHE_DIR")
    if folder:
        return Path(folder) / "results.sqlite"
    from platformdirs import user_cache_path

    return user_cache_path("bindlint", appauthor=False) / "results.sqlite"


class Cache:
    """Results by key. Never raises: a database that cannot be used is made anew or passed over, and `tell` told why."""

    def __init__(self, place: Path, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._place = place
        self._database: sqlite3.Connection | None = None
        self._pending = 0
        self.hits = 0
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            self._open()
        except (OSError, sqlite3.Error) as error:
            tell(f"nothing is kept between runs: `{place}`: {error}")

    def _open(self) -> None:
        why = ""
        try:
            self._database = database = _connect(self._place)
            application = database.execute("PRAGMA application_id").fetchone()[0]
            version = database.execute("PRAGMA user_version").fetchone()[0]
            tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if not tables or (application, version) == (_APPLICATION, _VERSION):
                self._create()
                return
            why = "it is of another version" if application == _APPLICATION else "it is not ours"
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise
            why = str(error)
        self._tell(f"the cache `{self._place}` is made anew: {why}")
        if self._database is not None:
            self._database.close()
        for ending in ("", "-wal", "-shm"):
            Path(f"{self._place}{ending}").unlink(missing_ok=True)
        self._database = _connect(self._place)
        self._create()

    def _create(self) -> None:
        assert self._database is not None
        self._database.executescript(
            f"PRAGMA application_id={_APPLICATION}; PRAGMA user_version={_VERSION};"
            "CREATE TABLE IF NOT EXISTS results(key BLOB PRIMARY KEY, files TEXT NOT NULL, closure BLOB NOT NULL,"
            " value BLOB NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;"
        )

    def get(self, key: bytes, fingerprints: Fingerprints, include_dirs: Sequence[str] | None) -> Kept | None:
        """The result that was kept under the key, if all files that it was made of still hold the same."""
        if self._database is None:
            return None
        try:
            columns = "CAST(files AS BLOB), CAST(closure AS BLOB), CAST(value AS BLOB)"
            row = self._database.execute(f"SELECT {columns} FROM results WHERE key=?", (key,)).fetchone()
            if row is None:
                return None
            files = msgspec.json.decode(row[0], type=tuple[str, ...])
            if fingerprints.closure(files, include_dirs) != row[1]:
                return None
            value = zlib.decompress(row[2])
        except (sqlite3.Error, msgspec.DecodeError, UnicodeDecodeError, zlib.error) as error:
            self.give_up(error)
            return None
        self.hits += 1
        return Kept(files, row[1], value)

    def put(self, key: bytes, kept: Kept) -> None:
        if self._database is None:
            return
        value = zlib.compress(kept.value, 1)
        try:
            files = msgspec.json.encode(kept.files)
            row = (key, files.decode(), kept.closure, value, len(value) + len(files), int(time.time()))
            self._database.execute("INSERT OR REPLACE INTO results VALUES(?,?,?,?,?,?)", row)
            self._pending += 1
            if self._pending >= 256:
                self._commit()
        except UnicodeEncodeError:  # a name that is no Unicode: not worth keeping
            pass
        except sqlite3.Error as error:
            self.give_up(error)

    def _commit(self) -> None:
        assert self._database is not None
        self._database.commit()
        self._pending = 0

    def close(self) -> None:
        """Write what is pending, and let go of what is too much."""
        if self._database is None:
            return
        try:
            self._commit()
            total = self._database.execute("SELECT coalesce(sum(size), 0) FROM results").fetchone()[0]
            if total > LARGEST:
                self._database.execute(
                    "DELETE FROM results WHERE key IN (SELECT key FROM (SELECT key, sum(size) OVER (ORDER BY used DESC,"
                    " key) AS running FROM results) WHERE running > ?)",
                    (LARGEST // 2,),
                )
                self._commit()
            self._database.close()
        except sqlite3.Error as error:
            self.give_up(error)
        self._database = None

    def give_up(self, error: Exception) -> None:
        """Work on without a cache; what is corrupt is made anew by the next run."""
        self._tell(f"the cache `{self._place}` is passed over: {error}")
        database, self._database = self._database, None
        if database is not None:
            database.close()
        if "locked" not in str(error):
            self._place.unlink(missing_ok=True)


def _connect(place: Path) -> sqlite3.Connection:
    database = sqlite3.connect(place, timeout=5)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=NORMAL")
    return database
