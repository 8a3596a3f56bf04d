"""Where the compiler cannot tell which register a name stands for: one of several, none, or that of another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bindlint.model.binding import MergedResource
from bindlint.model.source import Span
from bindlint.usage.bodies.syntax import Assign, Expr, Ref
from bindlint.usage.link import Program
from bindlint.usage.liveness.needs import HEAPS, Dead
from bindlint.usage.merging.candidates import Candidates
from bindlint.usage.merging.places import Found, Trace
from bindlint.usage.merging.standing import Doubt, Origin
from bindlint.usage.merging.statements import follow
from bindlint.usage.symbols import FunctionSymbol, VariableSymbol

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def merged_resources(program: Program) -> Iterator[MergedResource]:
    """Those of the functions that may run, where they are read or assigned to."""
    names = {r.name for r in program.resources if r.origin == "global"} | HEAPS
    candidates = Candidates(program, names)
    places = _Names()
    if candidates.differing:
        yield from _followed(program, candidates, places)
    for function, dead in program.reached.items():
        if len(function.body.free & names) > 1:
            yield from _assigned_globals(program, function, dead, names, places)


def _followed(program: Program, candidates: Candidates, places: _Names) -> Iterator[MergedResource]:
    trace = Trace(program.table, candidates)
    try:
        for function in program.functions:
            follow(trace, function)
    except RecursionError:
        return
    if trace.work < 0:
        return
    best: dict[Origin, Found] = {}
    for found in trace.found:
        known = best.get(found.origin, found)
        best[found.origin] = max(known, found, key=lambda f: (trace.found[f], len(f.sources), f.sources))
    for (origin, sources, register), doubt in ((found, trace.found[found]) for found in best.values()):
        span = origin.span or places.place(origin.function, origin.name or sources[0])
        name = register or origin.name
        yield MergedResource(name, origin.function.function.name, span, sources, doubt == Doubt.SURE)


def _assigned_globals(
    program: Program, function: FunctionSymbol, dead: Dead, names: set[str], places: _Names
) -> Iterator[MergedResource]:
    """Those that take another resource; a register cannot."""
    for step in function.body.steps:
        for atom in step.value if dead.isdisjoint(step.controls) else ():
            if isinstance(atom, Assign) and not atom.reads:
                name, source = _source(atom.target, names), _source(atom.value, names)
                if name and source and name != source and _is_register(program, function, atom.target):
                    span = places.place(function, name)
                    yield MergedResource(name, function.function.name, span, (name, source), True)


def _source(value: Expr, names: set[str]) -> str:
    """The global resource or heap that an expression is, subscripts aside; "" where it is none."""
    ref = value[0] if len(value) == 1 else None
    if not isinstance(ref, Ref):
        return ""
    return ref.name if ref.local < 0 and ref.name in names and all(m == "[]" for m in ref.members) else ""


def _is_register(program: Program, function: FunctionSymbol, target: Expr) -> bool:
    """Whether an expression is a global resource or an element of an array of them, and no element of a buffer."""
    (ref,) = target
    if not isinstance(ref, Ref):
        return False
    visible = program.table.visible(ref.name, function.scope)
    symbol = next((s for s in visible if isinstance(s, VariableSymbol)), None)
    if symbol is None or symbol.static or symbol.block is not None:
        return False
    resolved = program.table.resolve_type(symbol.variable.type, symbol.scope)
    return len(ref.members) <= len(symbol.variable.dimensions) + len(resolved.dimensions)


class _Names:
    """Where functions first name something."""

    def __init__(self) -> None:
        self._known: dict[FunctionSymbol, dict[str, int]] = {}

    def place(self, function: FunctionSymbol, name: str) -> Span:
        start, end = function.function.body or (0, 0)
        if function not in self._known:
            text = function.unit.text[start:end].decode("latin-1")
            self._known[function] = {match[0]: match.start() for match in reversed(list(_NAME.finditer(text)))}
        word = name.partition(".")[0]
        first = self._known[function].get(word)
        at = start + (first or 0)
        return function.unit.span(at, at + (1 if first is None else len(word)))
