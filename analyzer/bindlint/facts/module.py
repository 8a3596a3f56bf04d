"""One shader's text as declarations: expanded, cut into units, each unit read once."""

from __future__ import annotations

import msgspec
from bindlint_grammars.hlsl.limits import Limits
from bindlint_grammars.hlsl.predefined import predefined
from bindlint_grammars.hlsl.preprocessor import Expansion, Preprocessor, Settings
from bindlint_grammars.hlsl.problems import SourceProblem
from bindlint_grammars.hlsl.source_files import SourceStore
from bindlint_grammars.hlsl.units import Unit

from bindlint.facts.declarations import read_declarations
from bindlint.model.declarations import Declarations, Place
from bindlint.model.finding import Problem
from bindlint.model.shader import STAGES, Profile, Shader
from bindlint.model.source import NOWHERE, Span

_UNIT = 20
"""What a unit weighs beside its declarations, in bytes of text."""
_NO_PROFILE = Profile("lib", 6, 6)


class ReadUnit:
    """A unit of expanded text with its declarations; shared by all shaders that expand to it."""

    __slots__ = ("_spans", "_store", "declarations", "unit")

    def __init__(self, unit: Unit, declarations: Declarations, store: SourceStore) -> None:
        self.unit = unit
        self.declarations = declarations
        self._store = store
        self._spans: dict[Place, Span] = {}

    @property
    def text(self) -> bytes:
        return self.unit.text

    def slice(self, place: Place) -> str:
        return self.unit.text[place[0] : place[1]].decode("utf-8", "replace")

    def span(self, start: int, end: int) -> Span:
        """Where that stretch was written."""
        found = self._spans.get((start, end))
        if found is None:
            found = self._spans[(start, end)] = span_of(self.unit, start, end, self._store)
        return found


class Module(msgspec.Struct, frozen=True):
    """Everything read of one shader, in the order of its expanded text."""

    units: tuple[ReadUnit, ...]
    expansion: Expansion | None
    problems: tuple[Problem, ...]
    files: tuple[str, ...]
    includes: tuple[tuple[str, Span], ...]


def span_of(unit: Unit, start: int, end: int, store: SourceStore) -> Span:
    """The span in the source file of a stretch of a unit's text."""
    origin, stop = unit.locate(start, end)
    use = None
    if origin.macro and origin.use_file:
        use = file_span(store, origin.use_file, origin.use_offset, origin.use_offset + 1)
    return msgspec.structs.replace(file_span(store, origin.file, origin.offset, stop), macro=origin.macro, use=use)


def file_span(store: SourceStore, file: str, start: int, end: int) -> Span:
    source = store.get(file)
    if source is None:
        return msgspec.structs.replace(NOWHERE, file=file)
    line, column = source.position(start)
    end_line, end_column = source.position(max(end, start))
    return Span(file, line, column, end_line, end_column, start, max(end, start))


class ModuleReader:
    """Reads shaders; files, chunks and units that shaders share are read once."""

    def __init__(self, store: SourceStore, limits: Limits) -> None:
        self.store = store
        self.limits = limits
        self.preprocessor = Preprocessor(store, limits)
        self._units: dict[int, ReadUnit] = {}
        self._declarations: dict[bytes, Declarations] = {}
        self.held_bytes = 0
        """Of distinct text whose declarations are kept."""
        self._needed = 0

    @property
    def is_full(self) -> bool:
        """Whether more is kept than the limit allows, and more than a few shaders like the first one need."""
        return self.held_bytes > max(self.limits.facts_bytes, 4 * self._needed)

    def forget(self) -> None:
        """Let go of everything that is kept of units."""
        self._units.clear()
        self._declarations.clear()
        self.held_bytes = self._needed = 0

    def read(self, shader: Shader) -> Module:
        expansion = self.preprocessor.run(shader.file, settings_of(shader))
        problems = [self.problem(p) for p in expansion.problems]
        units = tuple(self._read_unit(u) for u in expansion.units)
        self._needed = self._needed or self.held_bytes
        for unit in units:
            problems += [
                Problem("syntax", "this could not be read as HLSL", unit.span(*place), partial=False)
                for place in unit.declarations.unread
            ]
        includes = tuple((file, file_span(self.store, by, *place)) for file, by, *place in expansion.includes)
        return Module(units, expansion, tuple(problems), expansion.files, includes)

    def problem(self, problem: SourceProblem) -> Problem:
        return Problem(
            problem.kind,
            problem.message,
            file_span(self.store, problem.file, problem.start, problem.end),
            problem.partial,
        )

    def _read_unit(self, unit: Unit) -> ReadUnit:
        found = self._units.get(id(unit))
        if found is None:
            declarations = self._declarations.get(unit.key)
            if declarations is None:
                declarations = self._declarations[unit.key] = read_declarations(unit.text)
                self.held_bytes += len(unit.text)
            found = self._units[id(unit)] = ReadUnit(unit, declarations, self.store)
            self.held_bytes += _UNIT
        return found


def settings_of(shader: Shader) -> Settings:
    """What the preprocessor is told of a shader; without a profile it is read as a library would be."""
    profile = shader.profile or _NO_PROFILE
    return Settings(
        defines=shader.defines,
        include_dirs=shader.include_dirs,
        predefined=predefined(
            STAGES[profile.stage],
            profile.major,
            profile.minor,
            shader.hlsl_version,
            shader.enable_16bit_types,
            shader.spirv,
        ),
        legacy_macro_expansion=shader.legacy_macro_expansion or shader.dialect == "fxc",
        roots=shader.roots,
        virtual_dirs=shader.virtual_dirs,
    )
