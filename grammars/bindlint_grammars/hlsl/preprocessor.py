"""The preprocessor: shaders to expanded text and source map, nothing read or expanded twice.

A file is recorded part by part, a part being its text up to the next include. Its record says which macros it read, so
that it serves every shader in which these stand the same. How an include is resolved belongs to the run and not to the
record: a header's parts are shared by shaders of different folders.
"""

from __future__ import annotations

import msgspec

from bindlint_grammars.hlsl.environment import Environment, change
from bindlint_grammars.hlsl.includes import Resolution, folder_of, resolve, with_virtual
from bindlint_grammars.hlsl.limits import Limits
from bindlint_grammars.hlsl.macros import Builtin, DefinitionError, Macro, parse_definition
from bindlint_grammars.hlsl.part_reader import PartReader, Place
from bindlint_grammars.hlsl.problems import ProblemKind, SourceProblem
from bindlint_grammars.hlsl.scan import Scan
from bindlint_grammars.hlsl.source_files import SourceFile, SourceStore
from bindlint_grammars.hlsl.units import IncludeRequest, Part, Unit, join

_BUILTINS: tuple[tuple[bytes, Builtin], ...] = (
    (b"__LINE__", "line"),
    (b"__FILE__", "file"),
    (b"__BASE_FILE__", "base-file"),
    (b"__INCLUDE_LEVEL__", "level"),
    (b"_Pragma", "pragma"),
)
_RECORD = 400
"""What anything that is kept weighs beside its text, in bytes of text (see `Limits.held_bytes`)."""
COMMAND_LINE, PREDEFINED = "<command line>", "<built-in>"


class Settings(msgspec.Struct, frozen=True):
    """How one shader is to be read.

    `defines` and `predefined` are names and bodies; a name may carry parameters, as in `F(x)`. With
    `legacy_macro_expansion` arguments next to `##` are expanded, as FXC does. `roots` are the folders that includes may
    lead into (none: any). `virtual_dirs` lead from the beginnings of included paths, such as `/Engine`, to folders.
    """

    defines: tuple[tuple[str, str], ...] = ()
    include_dirs: tuple[str, ...] = ()
    predefined: tuple[tuple[str, str], ...] = ()
    legacy_macro_expansion: bool = False
    roots: tuple[str, ...] = ()
    virtual_dirs: tuple[tuple[str, str], ...] = ()


class Expansion:
    """One shader, expanded. `files` are those read, in first-read order; `problems` are those of this shader.

    `includes` are the directives that brought a file in first: the file, the one that names it, start and end in that.
    """

    def __init__(self, run: _Run) -> None:
        self._run = run
        self.units: tuple[Unit, ...] = join(run.parts)
        self.problems: tuple[SourceProblem, ...] = tuple(dict.fromkeys(run.problems))
        self.files: tuple[str, ...] = tuple(run.files)
        self.includes: tuple[tuple[str, str, int, int], ...] = tuple((file, *by) for file, by in run.includes.items())

    def is_defined(self, name: str) -> bool:
        """Whether a macro of that name is defined where the shader ends."""
        return name.encode() in self._run.macros()

    def macro(self, name: str) -> Unit | None:
        """The full expansion, where the shader ends, of an object macro; None when there is none of that name."""
        macro = self._run.macros().get(name.encode())
        if macro is None or macro.parameters is not None:
            return None
        return Unit((self._run.read_apart(name.encode()),))


class Preprocessor:
    """Long-lived: holds the scans of files and what was recorded of them, for all shaders that are run through it."""

    def __init__(self, store: SourceStore, limits: Limits | None = None) -> None:
        self.store = store
        self.limits = limits or store.limits
        self.interned: dict[tuple[str, int, bytes], Macro] = {}
        self.held_bytes = 0
        self._given: dict[tuple[str, str, str], Macro | SourceProblem] = {}
        self._builtins = [
            Macro(name, [], (b"",) if kind == "pragma" else None, builtin=kind) for name, kind in _BUILTINS
        ]
        self._counters: list[Macro] = []
        self._records: dict[tuple[str, bool], FileRecords] = {}
        self._bases: dict[tuple[object, object], tuple[dict[bytes, Macro], int, tuple[SourceProblem, ...]]] = {}
        self._resolutions: dict[tuple[tuple[str, ...], tuple[str, ...], str, tuple[str, ...] | None], Resolution] = {}
        self._generation = store.generation

    def run(self, main_path: str, settings: Settings) -> Expansion:
        """The shader whose main file is at `main_path`, expanded."""
        if self.held_bytes > self.limits.held_bytes:
            self._let_go()
        if self._generation != self.store.generation:
            self._resolutions.clear()
            self._generation = self.store.generation
        run = _Run(self, main_path, settings)
        run.go()
        return Expansion(run)

    def _let_go(self) -> None:
        for kept in (self._records, self.interned, self._bases, self._given, self._resolutions):
            kept.clear()
        self.store.let_go()
        self.held_bytes = 0

    def records(self, source: SourceFile, legacy: bool) -> FileRecords:
        """What is recorded of a file; begun anew when the file was read anew."""
        key = source.path, legacy
        records = self._records.get(key)
        if records is None or records.scan.source is not source:
            records = self._records[key] = FileRecords(Scan(source))
            self.held_bytes += len(source.text) + _RECORD
        return records

    def base(self, settings: Settings) -> tuple[dict[bytes, Macro], int, tuple[SourceProblem, ...]]:
        """The macros before the first line, their identity, and what was wrong with the definitions given."""
        key = settings.predefined, settings.defines
        base = self._bases.get(key)
        if base is None:
            macros: dict[bytes, Macro] = {}
            problems: list[SourceProblem] = []
            identity = 0
            for macro in (*self._builtins, self.counter(0)):
                identity = change(macros, identity, macro.name, macro)
            for place, pairs in ((PREDEFINED, settings.predefined), (COMMAND_LINE, settings.defines)):
                for name, body in pairs:
                    given = self._macro_given(place, name, body)
                    if isinstance(given, Macro):
                        identity = change(macros, identity, given.name, given)
                    else:
                        problems.append(given)
            base = self._bases[key] = macros, identity, tuple(problems)
            self.held_bytes += _RECORD
        return base

    def counter(self, value: int) -> Macro:
        """The macro `__COUNTER__` that stands for `value`."""
        while len(self._counters) <= value:
            self._counters.append(Macro(b"__COUNTER__", [], builtin="counter", value=len(self._counters)))
        return self._counters[value]

    def resolve(self, request: IncludeRequest, folders: tuple[str, ...], settings: Settings) -> Resolution:
        """The file that an include means: quoted, up the folders of the include stack first; then the directories."""
        mapped = with_virtual(request.path, settings.virtual_dirs)
        key = settings.include_dirs, settings.roots, mapped, None if request.angled else folders
        resolution = self._resolutions.get(key)
        if resolution is None:
            searched = settings.include_dirs if request.angled else (*folders, *settings.include_dirs)
            resolution = self._resolutions[key] = resolve(self.store, mapped, searched, settings.roots)
            self.held_bytes += _RECORD
        return resolution

    def _macro_given(self, place: str, name: str, body: str) -> Macro | SourceProblem:
        key = place, name, body
        given = self._given.get(key)
        if given is None:
            text = f"{name} {body}".replace("\n", " ").encode("utf-8", "replace")
            try:
                given = parse_definition(text, 0, len(text), place)
            except DefinitionError as error:
                given = SourceProblem("bad-directive", f"{name}={body}: {error}", place)
            self._given[key] = given
        return given


class FileRecords:
    """The recorded parts of one file: by position and environment, and by position and the macros read."""

    __slots__ = ("known", "scan", "variants")

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.known: dict[tuple[int, int], tuple[Part, int]] = {}
        self.variants: dict[int, dict[tuple[bytes, ...], dict[tuple[Macro | None, ...], list[Part]]]] = {}

    def matching(self, position: int, macros: dict[bytes, Macro]) -> Part | None:
        """A part recorded at `position` all of whose reads would be the same with `macros`."""
        for names, table in self.variants.get(position, {}).items():
            for part in table.get(tuple(map(macros.get, names)), ()):
                if macros.keys().isdisjoint(part.absent):
                    return part
        return None

    def add(self, position: int, part: Part) -> None:
        """Record a part that was read from `position` on."""
        by_names = self.variants.setdefault(position, {})
        by_values = by_names.setdefault(tuple(part.present), {})
        by_values.setdefault(tuple(part.present.values()), []).append(part)


class _Frame:
    __slots__ = ("folders", "line", "path", "position", "records")

    def __init__(self, records: FileRecords, path: str, folders: tuple[str, ...]) -> None:
        self.records = records
        self.path = path
        self.folders = folders
        self.position = 0
        self.line: tuple[int, bytes] | None = None


def _searched(folder: str, folders: tuple[str, ...]) -> tuple[str, ...]:
    """The folders with one before them, each only where it is searched first."""
    return folders if folder in folders[:1] else tuple(dict.fromkeys((folder, *folders)))


class _Run:
    """One shader on its way through the preprocessor."""

    def __init__(self, owner: Preprocessor, main_path: str, settings: Settings) -> None:
        self.parts: list[Part] = []
        self.problems: list[SourceProblem] = []
        self.files: dict[str, None] = {}
        self.includes: dict[str, tuple[str, int, int]] = {}
        self._owner = owner
        self._settings = settings
        self._main = main_path
        base, self._identity, problems = owner.base(settings)
        self.problems.extend(problems)
        self._macros = base.copy()
        self._pending: list[dict[bytes, Macro | None]] = []
        self._once: set[str] = set()
        self._stack: list[_Frame] = []
        self._cyclic = False

    def go(self) -> None:
        """Read the main file and all that it includes."""
        source = self._owner.store.get(self._main)
        if source is None:
            self.problems.append(SourceProblem("unreadable-file", "there is no such file", self._main, partial=True))
            return
        self._enter(source, self._main, ())
        limits = self._owner.limits
        left_bytes, left_tokens, left_files = limits.expansion_bytes, 4 * limits.expansion_tokens, limits.includes
        stack = self._stack
        while stack:
            frame = stack[-1]
            part = self._part(frame)
            self.parts.append(part)
            left_bytes -= len(part.text)
            left_tokens -= part.spent
            if part.problems:
                self.problems.extend(part.problems)
            if part.once:
                self._once.add(frame.path)
            frame.line = part.line
            if part.include is None:
                stack.pop()
                continue
            frame.position = part.position
            left_files -= 1
            if left_bytes < 0 or left_tokens < 0 or left_files < 0:
                message = "the shader expands beyond the limits; the rest of it is not read"
                self._report("macro-limit", message, frame, part.include)
                break
            self._include(frame, part.include)

    def macros(self) -> dict[bytes, Macro]:
        """The macros at this point."""
        macros = self._macros
        for delta in self._pending:
            for name, macro in delta.items():
                if macro is None:
                    macros.pop(name, None)
                else:
                    macros[name] = macro
        self._pending.clear()
        return macros

    def read_apart(self, text: bytes) -> Part:
        """`text` expanded with the macros of this point, which stay as they are."""
        scan = Scan(SourceFile("<macro>", text))
        macros = self.macros().copy()
        return self._reader(scan, Environment(macros, 0), Place(self._main, self._main, 0, None), ()).read(0)

    def _enter(self, source: SourceFile, path: str, folders: tuple[str, ...]) -> None:
        self.files[source.path] = None
        records = self._owner.records(source, self._settings.legacy_macro_expansion)
        self._stack.append(_Frame(records, path, _searched(folder_of(path), folders)))

    def _part(self, frame: _Frame) -> Part:
        records, position = frame.records, frame.position
        if frame.line is None:
            known = records.known.get((position, self._identity))
            if known is not None:
                part = known[0]
                if part.delta:
                    self._pending.append(part.delta)
                    self._identity = known[1]
                return part
        macros = self.macros()
        before = self._identity
        found = records.matching(position, macros) if frame.line is None else None
        if found is not None:
            for name, macro in found.delta.items():
                self._identity = change(macros, self._identity, name, macro)
            records.known[position, before] = found, self._identity
            return found
        environment = Environment(macros, before)
        place = Place(frame.path, self._main, len(self._stack) - 1, frame.line)
        part = self._reader(records.scan, environment, place, frame.folders).read(position)
        self._identity = environment.identity
        if not part.fleeting and frame.line is None:
            records.add(position, part)
            records.known[position, before] = part, self._identity
            self._owner.held_bytes += len(part.text) + _RECORD
        return part

    def _reader(self, scan: Scan, environment: Environment, place: Place, folders: tuple[str, ...]) -> PartReader:
        owner, settings = self._owner, self._settings

        def found(path: str, angled: bool) -> bool:
            return owner.resolve(IncludeRequest(path, angled, 0, 0), folders, settings).file is not None

        legacy = settings.legacy_macro_expansion
        return PartReader(scan, environment, place, owner.limits, legacy, owner.interned, owner.counter, found)

    def _include(self, frame: _Frame, request: IncludeRequest) -> None:
        found = self._owner.resolve(request, frame.folders, self._settings)
        if found.outside:
            message = f"{request.path} lies outside the folders that may be read; -I adds one"
            self._report("include-outside", message, frame, request)
        elif found.file is None:
            what = "is there, but is no file" if found.path else "is not found"
            self._report("missing-include", f"{request.path} {what}", frame, request)
        elif found.path not in self._once:
            if found.actual:
                message = f"the file is spelled {found.actual}, which only a file system that ignores case finds"
                self._report("include-case", message, frame, request, partial=False)
            if found.file.path not in self.files:
                self.includes[found.file.path] = frame.records.scan.path, request.start, request.end
            if len(self._stack) >= self._owner.limits.include_depth or self._cyclic:
                if self._cyclic and all(other.records.scan.source is not found.file for other in self._stack):
                    self._enter(found.file, found.path, frame.folders)
                elif not self._cyclic:
                    self._cyclic = True
                    message = f"{request.path}: includes are nested more than {self._owner.limits.include_depth} deep"
                    self._report("include-cycle", message, frame, request)
            else:
                self._enter(found.file, found.path, frame.folders)

    def _report(
        self, kind: ProblemKind, message: str, frame: _Frame, request: IncludeRequest, partial: bool = True
    ) -> None:
        path = frame.records.scan.path
        self.problems.append(SourceProblem(kind, message, path, request.start, request.end, partial))
