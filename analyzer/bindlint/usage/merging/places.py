"""Where references lead while a shader is followed: into which variable, or to which global resource."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint.usage.bodies.syntax import Atom, Body, Call, Expr, Ref, Step
from bindlint.usage.leaves import Leaves
from bindlint.usage.liveness.needs import HEAPS
from bindlint.usage.liveness.walking import Walker
from bindlint.usage.merging.candidates import Candidates
from bindlint.usage.merging.conditions import Conditions, Given
from bindlint.usage.merging.kept import is_passing
from bindlint.usage.merging.standing import (
    ANY,
    NONE,
    UNKNOWN,
    Bundle,
    Condition,
    Doubt,
    Origin,
    Path,
    Standing,
)  # fmt: skip
from bindlint.usage.merging.state import Key, State, Variable
from bindlint.usage.names import ResolvedType, SymbolTable
from bindlint.usage.numbers import Number
from bindlint.usage.symbols import FunctionSymbol, VariableSymbol

_HEAP = RESOURCE_TYPES["Texture2D"]
_MAX_WORK = 150_000
"""Steps, and variables that are looked at where ways part or meet; a shader that needs more is not judged."""


class Found(NamedTuple):
    """What cannot be mapped: a variable with all that it may stand for, or a `register` that another is assigned to."""

    origin: Origin
    sources: tuple[str, ...]
    register: str = ""


class Trace:
    """What all calls in one shader share: `found` says how sure the compiler meets what was found."""

    def __init__(self, table: SymbolTable, candidates: Candidates) -> None:
        self.table = table
        self.candidates = candidates
        self.leaves = Leaves(table)
        self.origins: dict[Variable, Origin] = {}
        self.statics: dict[VariableSymbol, Variable] = {}
        self.calls: list[FunctionSymbol] = []
        self.count = 0
        self.work = _MAX_WORK
        self.found: dict[Found, Doubt] = {}

    def next(self) -> int:
        """A number that no call has had."""
        self.count += 1
        return self.count

    def read(self, standing: Standing, state: State, kept: Doubt) -> None:
        """Something is read: it must be one resource."""
        sources = tuple(name for name in standing.sources if name != UNKNOWN)
        doubt = min(standing.doubt, kept)
        if len(sources) < len(standing.sources):
            doubt = min(doubt, Doubt.OPEN)
        if standing.origin is not None and (len(sources) > 1 or sources == (NONE,)):
            self.add(Found(standing.origin, sources), state, doubt)

    def add(self, found: Found, state: State, doubt: Doubt) -> None:
        doubt = min(doubt, Doubt.SURE if state.is_certain else Doubt.OPEN)
        if doubt != Doubt.SETTLED:
            self.found[found] = max(doubt, self.found.get(found, doubt))


class Place(NamedTuple):
    """Where a reference leads: into a variable (`key`) or to something global (`source`).

    `subscript` is one on the way that is no constant; `element` says that it leads on into what the resource holds.
    """

    key: Key | None
    source: str
    resolved: ResolvedType
    dimensions: int
    subscript: Condition | None = None
    element: bool = False

    @property
    def holds(self) -> bool:
        """Whether resources may be at this place."""
        return self.resolved.struct is not None or self.resolved.resource is not None

    @property
    def is_one(self) -> bool:
        """Whether it is one resource."""
        return self.resolved.resource is not None and not self.dimensions and not self.element


class Frame:
    """One call of a function: what its names lead to. `step` is the one that runs.

    `registers` are parameters that were given a global as it is: they are that global, and no copy of it.
    """

    def __init__(
        self,
        trace: Trace,
        function: FunctionSymbol,
        body: Body,
        given: list[Given],
        constants: dict[str, Number],
        this: Key | None = None,
        registers: Mapping[int, str] = {},
    ) -> None:
        self.trace = trace
        self.function = function
        self.body = body
        self.number = trace.next()
        self.this = this
        self.registers = registers
        self.conditions = Conditions(trace.table, function, body, given, constants, self.number)
        self.walker = Walker(trace.table, body, function.scope, trace.table.owner(function))
        self.step: Step | None = None
        for number, local in enumerate(body.locals):
            trace.origins[self.variable(number)] = Origin(function, local.name)

    def variable(self, number: int) -> Variable:
        return Variable(self.number, number)

    def origin(self, key: Key) -> Origin:
        return self.trace.origins[key.variable]

    def place(self, atom: Atom | None) -> Place | None:
        """Where a reference leads; None where that has nothing to do with resources."""
        if not isinstance(atom, Ref):
            return None
        start = self._start(atom)
        return self._along(atom, *start) if start is not None and start[0].holds else None

    def _start(self, ref: Ref) -> tuple[Place, Path] | None:
        """Where the name of a reference leads, and the members that follow."""
        walker = self.walker
        if ref.local >= 0:
            key = Key(self.variable(ref.local))
            return Place(key, "", walker.local_type(ref.local), self.body.locals[ref.local].dimensions), ref.members
        own = walker.own_members(ref)
        if own is not None:
            return Place(self.this, "", walker.this_type, 0), own
        if ref.name in HEAPS:
            return Place(None, ref.name, ResolvedType("", _HEAP), 1), ref.members
        symbol = walker.variable(ref.name)
        if symbol is None:
            return None
        resolved = self.trace.table.resolve_type(symbol.variable.type, symbol.scope)
        dimensions = len(symbol.variable.dimensions)
        if not symbol.static:
            return Place(None, symbol.variable.name, resolved, dimensions), ref.members
        variable = self.trace.statics.get(symbol)
        return (Place(Key(variable), "", resolved, dimensions), ref.members) if variable is not None else None

    def _along(self, ref: Ref, start: Place, members: Path) -> Place | None:
        """Follows the members of a reference."""
        key, source, resolved = start.key, start.source, start.resolved
        dimensions = start.dimensions + len(resolved.dimensions)
        path: list[str] = list(key.path) if key is not None else []
        subscripts = iter(zip(ref.indices, ref.texts, strict=False))
        subscript: Condition | None = None
        element = False
        for member in members:
            if member == "[]" and dimensions:
                dimensions -= 1
                value, text = next(subscripts, ((), -1))
                known = self.conditions.value_of(text)
                path.append(ANY if known is None else str(known))
                if known is None and self.step is not None:
                    subscript = self.conditions.index(value, text, self.step)
                if resolved.struct is not None and key is None:
                    source = ""
                continue
            if resolved.resource is not None:
                element = True
                break
            inner = self.trace.table.field(resolved.struct, member) if resolved.struct is not None else None
            if inner is None:
                return None
            path.append(member)
            source = f"{source}.{member}" if source else ""
            resolved = self.trace.table.member_type(resolved, inner.type)
            dimensions = len(inner.dimensions) + len(resolved.dimensions)
        if key is not None:
            key = Key(key.variable, tuple(path))
        return Place(key, source, resolved, dimensions, subscript, element)

    def standing(self, place: Place, state: State) -> Standing:
        """What a place that is one resource stands for."""
        if place.key is None:
            return Standing((place.source or UNKNOWN,))
        if place.key.path:
            self.trace.work -= len(state.held.get(place.key.variable, ()))
        return state.get(place.key, place.subscript, self.origin(place.key))

    def some_element(self, place: Place, key: Key, state: State) -> Key:
        """A struct that is an element of an array, which of them is not known, as a variable of its own."""
        variable, origin = Variable(self.trace.next(), 0), self.origin(key)
        self.trace.origins[variable] = origin
        leaves = self.trace.leaves.of(place.resolved.struct) if place.resolved.struct is not None else ()
        state.held[variable] = {
            leaf.path: state.get(Key(key.variable, (*key.path, *leaf.path)), place.subscript, origin) for leaf in leaves
        }
        return Key(variable)

    def listed(self, resolved: ResolvedType, dimensions: int, value: Expr, state: State) -> Bundle | None:
        """An initializer list: what in it is a resource goes to the resources of the type in turn."""
        given: list[Standing] = []
        for atom in value:
            if isinstance(atom, Ref):
                place = self.place(atom)
                if place is None or place.element or not place.holds:
                    continue
                if not place.is_one:
                    return None
                given.append(self.standing(place, state))
            elif not (isinstance(atom, Call) and is_passing(atom.name)):
                return None
        if not given or dimensions > 1 or (len(value) == 1 and not dimensions and not resolved.struct):
            return None
        paths: list[Path] = [()]
        if resolved.struct is not None:
            paths = [leaf.path for leaf in self.trace.leaves.of(resolved.struct)]
        if dimensions and paths:
            paths = [(str(i), *path) for i in range(len(given) // len(paths)) for path in paths]
        return dict(zip(paths, given, strict=True)) if len(paths) == len(given) else None
