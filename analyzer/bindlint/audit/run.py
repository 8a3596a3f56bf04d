"""An audit from its first repository to its last: what is known is taken over, the rest is analysed and stored."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from bindlint.audit.pool import Lost, run_tasks, shared_out
from bindlint.audit.store import Store
from bindlint.audit.values import Discovery, Note, Program, Repository, Unit, UnitResult, UnitStatus
from bindlint.audit.worker import Setup, Task, peak_memory
from bindlint.cache import Cache, Fingerprints, Kept, digest, identity
from bindlint.config import Config
from bindlint.errors import UsageError
from bindlint.plugins import load_rules


class Settings(msgspec.Struct, frozen=True):
    """How an audit is run: processes, seconds for one unit and for one repository, bytes for one process."""

    config: Config = Config()
    jobs: int = 1
    unit_seconds: float = 60.0
    repository_seconds: float = 3600.0
    memory: int = 1 << 30


class Progress(msgspec.Struct):
    """Where an audit stands. `total` is 0 as long as repositories are searched."""

    total: int = 0
    done: int = 0
    analysed: int = 0
    kept: int = 0
    lost: int = 0
    memory: int = 0


class _Item(msgspec.Struct, frozen=True):
    repository: int
    unit: Unit | Program
    key: bytes

    @property
    def include_dirs(self) -> tuple[str, ...] | None:
        """Where includes are looked for; None where the key tells what files there are."""
        return None if isinstance(self.unit, Program) else self.unit.shader.include_dirs


def repositories_of(paths: Sequence[str]) -> list[Repository]:
    """The repositories that paths stand for: themselves, or the repositories right below a folder that is none.

    Raises `UsageError` for a path that is no folder.
    """
    folders: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            raise UsageError(f"there is no folder `{path}`")
        below = sorted(entry.path for entry in os.scandir(path) if entry.is_dir(follow_symlinks=False))
        inner = [folder for folder in below if os.path.exists(os.path.join(folder, ".git"))]
        folders += inner if inner and not os.path.exists(os.path.join(path, ".git")) else [path]
    real = list(dict.fromkeys(os.path.realpath(folder) for folder in folders))
    counts = Counter(os.path.basename(path) for path in real)
    names = [path if counts[name := os.path.basename(path)] > 1 or not name else name for path in real]
    return [Repository(name, path) for name, path in zip(names, real, strict=True)]


class Audit:
    """One run. `tell` gets what is said about the run itself, `step` is called whenever something is done."""

    def __init__(
        self,
        repositories: Sequence[Repository],
        store: Store,
        cache: Cache | None,
        settings: Settings,
        tell: Callable[[str], None],
    ) -> None:
        self._repositories = repositories
        self._store = store
        self._cache = cache
        self._settings = settings
        self._tell = tell
        self._setup = Setup(settings.config, settings.memory)
        rules = load_rules()
        modules = {rule.check.__module__ for rule in rules}
        self._identity = digest(identity(modules), msgspec.json.encode(settings.config))
        self._numbers = [store.repository(repository) for repository in repositories]
        self._fingerprints = [Fingerprints(repository.path) for repository in repositories]
        self._spent = [0.0] * len(repositories)
        self._failed: dict[int, str] = {}
        self.progress = Progress()

    def run(self, step: Callable[[], None]) -> None:
        """Do it all. An interrupt leaves the results of what was done, for a run that resumes."""
        items = self._known(self._discovered(step), step)
        shares = shared_out(items, lambda item: 2_000 + item.unit.weight, self._settings.jobs)
        for item, data in run_tasks(shares, self._task, self._setup, self._settings.unit_seconds):
            self._done(item, data)
            step()
        for number, identifier in enumerate(self._numbers):
            failed = number in self._failed
            self._store.finished(identifier, "failed" if failed else "done", self._failed.get(number, ""))
        self._store.tidy()
        memory = max(self.progress.memory, self._store.number("peak_memory_process"))
        self._store.set("peak_memory_process", str(memory))
        self._store.set("peak_memory_main", str(peak_memory()))
        self._store.commit()

    def _discovered(self, step: Callable[[], None]) -> list[_Item]:
        """All units of all repositories, in order."""
        found: dict[int, Discovery] = {}
        numbers = [*range(len(self._repositories))]
        shares: list[list[int]] = [numbers[start :: self._settings.jobs] for start in range(self._settings.jobs)]

        def task(number: int) -> Task:
            return Task(self._repositories[number].path)

        for number, data in run_tasks(shares, task, self._setup, self._settings.repository_seconds):
            if isinstance(data, Lost):
                found[number] = Discovery((), 0, 0, (Note("failed", "", data.why),))
            else:
                found[number] = msgspec.msgpack.decode(data, type=Discovery)
            self._store.discovered(self._numbers[number], found[number])
            failed = next((note.message for note in found[number].notes if note.kind == "failed"), "")
            if failed:
                self._failed[number] = failed
                self._tell(f"{self._repositories[number].name}: cannot be searched: {failed}")
            step()
        items = [_Item(number, unit, self._key(number, unit)) for number in numbers for unit in found[number].all]
        unique = list({item.key: item for item in items}.values())
        self.progress.total = len(unique)
        step()
        return unique

    def _key(self, number: int, unit: Unit | Program) -> bytes:
        path = os.fsencode(self._repositories[number].path)
        asked = unit if isinstance(unit, Program) else unit.shader
        return digest(self._identity, path, msgspec.msgpack.encode(asked))

    def _known(self, items: list[_Item], step: Callable[[], None]) -> list[_Item]:
        """Those of which nothing is known; what is known of the others is taken over."""
        left = []
        for item in items:
            if self._is_stored(item) or self._is_cached(item):
                self.progress.kept += 1
                self.progress.done += 1
                step()
            else:
                left.append(item)
        if self._store.damaged:
            self._tell(f"`{self._store.place}` is damaged: {self._store.damaged} shaders in it are analysed again")
        return left

    def _is_stored(self, item: _Item) -> bool:
        stored = self._store.kept(item.key)
        if stored is None:
            return False
        files, closure = stored
        if self._closure(item, files) != closure:
            return False
        self._store.keep(item.key)
        return True

    def _is_cached(self, item: _Item) -> bool:
        if self._cache is None:
            return False
        kept = self._cache.get(item.key, self._fingerprints[item.repository], item.include_dirs)
        if kept is None:
            return False
        try:
            result = msgspec.msgpack.decode(kept.value, type=UnitResult)
        except msgspec.DecodeError as error:
            self._cache.give_up(error)
            return False
        self._store.add(self._numbers[item.repository], item.unit, item.key, kept.closure, result)
        return True

    def _closure(self, item: _Item, files: tuple[str, ...]) -> bytes | None:
        return self._fingerprints[item.repository].closure(files, item.include_dirs)

    def _task(self, item: _Item) -> Task | None:
        limit = self._settings.repository_seconds
        if self._spent[item.repository] > limit:
            self._add(item, UnitResult("skipped", f"the repository had used up its {limit:g} s"), b"")
            return None
        return Task(self._repositories[item.repository].path, item.unit)

    def _done(self, item: _Item, data: bytes | Lost) -> None:
        if isinstance(data, Lost):
            status: UnitStatus = "time" if data.kind == "time" else "crashed"
            spent = int(self._settings.unit_seconds * 1000) if status == "time" else 0
            self._add(item, UnitResult(status, data.why, milliseconds=spent), b"")
            return
        result = msgspec.msgpack.decode(data, type=UnitResult)
        closure = self._closure(item, result.files) if result.status in ("done", "no-entry") else b""
        if closure and self._cache is not None:
            self._cache.put(item.key, Kept(result.files, closure, data))
        self._add(item, result, closure or b"")

    def _add(self, item: _Item, result: UnitResult, closure: bytes) -> None:
        self._spent[item.repository] += result.milliseconds / 1000
        self._store.add(self._numbers[item.repository], item.unit, item.key, closure, result)
        self.progress.done += 1
        self.progress.analysed += 1
        self.progress.lost += result.status not in ("done", "no-entry")
        self.progress.memory = max(self.progress.memory, result.memory)


def default_results() -> Path:
    """Where the results go that the user gives no place for."""
    return Path("bindlint-audit.sqlite")
