"""From a module to its program: resources, entry points, and what each entry point uses."""

from __future__ import annotations

from collections import deque

import msgspec

from bindlint.facts.module import Module, ReadUnit
from bindlint.model.binding import AccessKind, CallSite, EntryPoint, IndexedAccess, NumericGlobal, Resource
from bindlint.model.binding import Use as ResourceUse
from bindlint.model.declarations import Function
from bindlint.model.finding import Problem
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE
from bindlint.usage.accesses import indexed_accesses
from bindlint.usage.body import parse_initializer
from bindlint.usage.entries import (
    attribute_text,
    entry_function,
    library_entries,
    nearest_entries,
    patch_constant_functions,
)
from bindlint.usage.layout import Layouts
from bindlint.usage.names import SymbolTable
from bindlint.usage.needs import NOTHING, Global, Heap, Need, Needs, Summary, Use
from bindlint.usage.outputs import render_targets
from bindlint.usage.reading import BodyReader
from bindlint.usage.resources import Declared, Resources, collect
from bindlint.usage.summary import Summarizer
from bindlint.usage.symbols import FunctionSymbol, Symbol, UnitIndex, VariableSymbol
from bindlint.usage.syntax import Body


class Program(msgspec.Struct, frozen=True):
    """A linked shader. `functions` are the entry functions, `summaries` theirs, in the order of `entries`."""

    table: SymbolTable
    resources: tuple[Resource, ...]
    numerics: tuple[NumericGlobal, ...]
    globals: tuple[NumericGlobal, ...]
    accesses: tuple[IndexedAccess, ...]
    entries: tuple[EntryPoint, ...]
    functions: tuple[FunctionSymbol, ...]
    problems: tuple[Problem, ...]


class Linker:
    """Links shaders; what is known of units and functions is kept between them."""

    def __init__(self) -> None:
        self._index: dict[int, UnitIndex] = {}
        self._kept: dict[FunctionSymbol, dict[object, Summary]] = {}

    def forget(self) -> None:
        """Let go of everything that is kept of units and functions."""
        self._index.clear()
        self._kept.clear()

    def table(self, module: Module) -> SymbolTable:
        return SymbolTable(module.units, self._index)

    def link(self, module: Module, shader: Shader, table: SymbolTable | None = None) -> Program:
        table = table or self.table(module)
        resources = collect(table, Layouts(table, shader))
        problems: list[Problem] = []
        functions = self._entry_functions(table, shader, problems)
        summarizer = Summarizer(table, self._kept)
        needs: set[Need] = set()
        reached: dict[FunctionSymbol, None] = {}
        entries = tuple(_entry(table, resources, summarizer, f, shader, needs, reached) for f in functions)
        return Program(
            table,
            tuple(d.resource for d in resources.declared),
            resources.numerics,
            _globals(resources, needs),
            indexed_accesses(table, resources, reached),
            entries,
            tuple(functions),
            tuple(problems),
        )

    def _entry_functions(self, table: SymbolTable, shader: Shader, problems: list[Problem]) -> list[FunctionSymbol]:
        if shader.profile is None or shader.profile.stage == "rootsig":
            return []
        if shader.profile.is_library:
            return library_entries(table, shader)
        function = entry_function(table, shader.entry or "main")
        if function is None:
            nearest = nearest_entries(table, shader.entry)
            hint = f"; did you mean {', '.join(f'`{n}`' for n in nearest)}?" if nearest else ""
            place = msgspec.structs.replace(NOWHERE, file=shader.file)
            problems.append(
                Problem(
                    "missing-entry", f"there is no entry point `{shader.entry or 'main'}` in this file{hint}", place
                )
            )
            return []
        if shader.profile.stage != "hs":
            return [function]
        return [function, *patch_constant_functions(table, function)]


def _globals(resources: Resources, needs: set[Need]) -> tuple[NumericGlobal, ...]:
    used = {n.symbol for n in needs if isinstance(n, Use)}
    return tuple(
        NumericGlobal(
            s.variable.name,
            str(s.variable.type),
            s.span,
            used=s in used,
            constant="const" in s.variable.storage,
            initialized=s.variable.initializer is not None,
        )
        for s in resources.global_constants
    )


def _entry(
    table: SymbolTable,
    resources: Resources,
    summarizer: Summarizer,
    function: FunctionSymbol,
    shader: Shader,
    needed: set[Need],
    reached: dict[FunctionSymbol, None],
) -> EntryPoint:
    """One entry point; what it needs and which functions it reaches are added to `needed` and `reached`."""
    summary = summarizer.summary(function)
    needs = _at_entry(summarizer, summary) | _clip_planes(summarizer, function)
    needed |= needs
    touched: dict[tuple[Symbol, tuple[str, ...]], set[AccessKind]] = {}
    for need in needs:
        if isinstance(need, Use):
            touched.setdefault((need.symbol, need.path), set()).add(need.kind)
    chains = _chains(function, summary, {s for s, _ in touched}, reached)
    uses = []
    for declared in resources.declared:
        kinds, symbol = _kinds(declared, resources, touched)
        if kinds:
            uses.append(ResourceUse(declared.resource, frozenset(kinds), chains.get(symbol, ()) if symbol else ()))
    heaps = {n.name for n in needs if isinstance(n, Heap)}
    assert shader.profile is not None
    stage = (attribute_text(function, "shader") or "lib") if shader.profile.is_library else shader.profile.stage
    return EntryPoint(
        function.function.name, stage, function.span, uses=tuple(uses),
        needs_input_assembler=stage == "vs" and _reads_vertices(table, function),
        resource_heap="ResourceDescriptorHeap" in heaps, sampler_heap="SamplerDescriptorHeap" in heaps,
        render_targets=render_targets(table, function) if stage == "ps" else 0,
    )  # fmt: skip


def _at_entry(summarizer: Summarizer, summary: Summary) -> Needs:
    """All that leaves the entry point needs, static and groupshared globals followed to what they hold."""
    needs = set(summary.effects | summary.result.whole)
    for output in summary.outs.values():
        needs |= output.whole
    seen: set[VariableSymbol] = set()
    work = [n.symbol for n in needs if isinstance(n, Global)]
    while work:
        symbol = work.pop()
        if symbol in seen:
            continue
        seen.add(symbol)
        added = set(summary.writes.get(symbol, ()))
        added |= _initial_value(summarizer, symbol)
        work += [n.symbol for n in added if isinstance(n, Global)]
        needs |= added
    return frozenset(needs)


def _initial_value(summarizer: Summarizer, symbol: VariableSymbol) -> Needs:
    """What the initializer of a static global needs: as if it were the body of a function."""
    body = symbol.initializer
    if body is None:
        return NOTHING
    return _of_expression(summarizer, symbol.unit, symbol.scope, body)


def _clip_planes(summarizer: Summarizer, function: FunctionSymbol) -> Needs:
    """What `[clipplanes(...)]` on an entry point names."""
    found = NOTHING
    for attribute in function.function.attributes:
        if attribute.name.lower() == "clipplanes":
            for place in attribute.arguments:
                body = parse_initializer(function.unit.slice(place))
                found |= _of_expression(summarizer, function.unit, function.scope, body)
    return found


def _of_expression(summarizer: Summarizer, unit: ReadUnit, scope: tuple[str, ...], body: Body) -> Needs:
    holder = FunctionSymbol(unit, Function("", 0, 0, scope))
    return BodyReader(summarizer, holder, body, {}).summary().result.whole


def _kinds(
    declared: Declared, resources: Resources, touched: dict[tuple[Symbol, tuple[str, ...]], set[AccessKind]]
) -> tuple[set[AccessKind], Symbol | None]:
    """How a resource is touched: its own symbol; for `$Globals` any member; for a leaf a path that may reach it."""
    kinds: set[AccessKind] = set()
    found: Symbol | None = None
    if declared.resource.origin == "$Globals":
        members = frozenset(resources.global_constants)
        for (symbol, _), how in touched.items():
            if symbol in members:
                kinds |= how
                found = symbol
        return kinds, found
    for (symbol, path), how in touched.items():
        if symbol is declared.symbol and (not declared.path or _may_reach(path, declared.path)):
            kinds |= how
            found = symbol
    return kinds, found


def _may_reach(written: tuple[str, ...], leaf: tuple[str, ...]) -> bool:
    """Whether a path as written may mean the leaf: subscripts that are no constants match all."""
    return all(w == "*" or w == part for w, part in zip(written, leaf, strict=False)) and (
        len(written) <= len(leaf) or True
    )


def _chains(
    function: FunctionSymbol, summary: Summary, wanted: set[Symbol], reached: dict[FunctionSymbol, None]
) -> dict[Symbol, tuple[CallSite, ...]]:
    """For each symbol the shortest chain of calls from the entry point to a function that names it."""
    chains: dict[Symbol, tuple[CallSite, ...]] = {}
    seen = {function}
    start: tuple[CallSite, ...] = (CallSite(function.function.name, function.span),)
    queue = deque([(function, summary, start)])
    while queue:
        here, current, path = queue.popleft()
        reached[here] = None
        for symbol in current.touches & wanted:
            chains.setdefault(symbol, path)
        for callee, inner in current.calls:
            if callee not in seen:
                seen.add(callee)
                queue.append((callee, inner, (*path, CallSite(callee.function.name, callee.span))))
    return chains


def _reads_vertices(table: SymbolTable, function: FunctionSymbol) -> bool:
    """Whether a vertex shader has inputs that only an input layout can feed: any semantic that is no system value."""

    def semantics(depth: int, type_name: str) -> list[str]:
        resolved = table.resolve_written_type(type_name, function.scope)
        if resolved.struct is None or depth > 8:
            return []
        found: list[str] = []
        for field in resolved.struct.struct.fields:
            found += [field.semantic] if field.semantic else semantics(depth + 1, str(field.type))
        return found

    for parameter in function.function.parameters:
        if "out" in parameter.modifiers:
            continue
        names = [parameter.semantic] if parameter.semantic else semantics(0, str(parameter.type))
        if any(not n.upper().startswith("SV_") for n in names):
            return True
    return False
