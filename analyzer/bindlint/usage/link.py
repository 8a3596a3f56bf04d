"""From a module to its program: resources, entry points, and what each entry point uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from bindlint.facts.module import Module, ReadUnit
from bindlint.model.binding import EntryPoint, IndexedAccess, NumericGlobal, Resource
from bindlint.model.declarations import SPECIALIZED, Function, Variable
from bindlint.model.finding import Problem
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE
from bindlint.nesting import MAX_NESTING
from bindlint.usage.bodies.body import parse_initializer
from bindlint.usage.bodies.syntax import Body
from bindlint.usage.details.accesses import indexed_accesses
from bindlint.usage.details.outputs import render_targets
from bindlint.usage.entries import (
    entry_function,
    library_entries,
    library_stage,
    nearest_entries,
    patch_constant_functions,
)
from bindlint.usage.layout import Layouts
from bindlint.usage.liveness.needs import NOTHING, Dead, Global, Heap, Need, Summary, Use
from bindlint.usage.liveness.paths import overlap
from bindlint.usage.liveness.reading import BodyReader
from bindlint.usage.liveness.summary import Kept, Summarizer
from bindlint.usage.names import SymbolTable
from bindlint.usage.pasted import with_pasted_names
from bindlint.usage.reach import chains_from, uses
from bindlint.usage.resources import Resources, collect
from bindlint.usage.sizeof import SizeOf
from bindlint.usage.symbols import FunctionSymbol, Scope, UnitIndex, VariableSymbol

_TOO_DEEP = f"the function nests more than {MAX_NESTING} deep; what it uses is guessed from the names in it"


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
    needs: frozenset[Need] = NOTHING
    """All that the entry points need."""
    reached: Mapping[FunctionSymbol, Dead] = {}
    """The functions that may run, with the branches in them that never do."""


class Linker:
    """Links shaders; what is known of units and functions is kept between them."""

    def __init__(self) -> None:
        self._index: dict[int, UnitIndex] = {}
        self._kept: Kept = {}
        self._cycles: dict[FunctionSymbol, Summary] = {}

    def forget(self) -> None:
        """Let go of everything that is kept of units and functions."""
        self._index.clear()
        self._kept.clear()
        self._cycles.clear()

    def table(self, module: Module) -> SymbolTable:
        return SymbolTable(module.units, self._index)

    def link(self, module: Module, shader: Shader, table: SymbolTable | None = None) -> Program:
        table = table or self.table(module)
        layouts = Layouts(table, shader)
        table.size_of = SizeOf(table, layouts)
        resources = with_pasted_names(collect(table, layouts), module.expansion)
        problems = list(resources.problems)
        functions = self._entry_functions(table, shader, problems)
        summarizer = Summarizer(table, self._kept, self._cycles)
        needs: set[Need] = set()
        reached: dict[FunctionSymbol, Dead] = {}
        entries: list[EntryPoint] = []
        shared = _shared(table, summarizer, functions) if shader.profile and shader.profile.is_library else set()
        for function in functions:
            try:
                entries.append(_entry(table, resources, summarizer, function, shader, shared, needs, reached))
            except RecursionError:
                text = f"calls and expressions below `{function.function.name}` nest too deep to tell what it uses"
                problems.append(Problem("analysis-limit", text, function.span))
                entries.append(EntryPoint(function.function.name, _stage(table, function, shader), function.span))
        problems += [Problem("analysis-limit", _TOO_DEEP, function.span) for function in reached if function.body.cut]
        return Program(
            table,
            tuple(d.resource for d in resources.declared),
            resources.numerics,
            _globals(resources, needs),
            indexed_accesses(table, resources, reached),
            tuple(entries),
            tuple(functions),
            tuple(problems),
            frozenset(needs),
            reached,
        )

    def _entry_functions(self, table: SymbolTable, shader: Shader, problems: list[Problem]) -> list[FunctionSymbol]:
        if shader.profile is None and (not shader.entry or entry_function(table, shader.entry) is not None):
            return []
        if shader.profile is not None and shader.profile.stage == "rootsig":
            return []
        if shader.profile is not None and shader.profile.is_library:
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
        if shader.profile is None or shader.profile.stage != "hs":
            return [function]
        return [function, *patch_constant_functions(table, function)]


def _shared(table: SymbolTable, summarizer: Summarizer, functions: list[FunctionSymbol]) -> set[Global]:
    """The fields of static variables that one function of a library reads and another may have given a value.

    Every shader has static variables of its own, but those that an exported function touches as well are the library's
    (tried with DXC).
    """
    read: set[Global] = set()
    touched: set[VariableSymbol] = set()
    for function in functions if any(not library_stage(table, function) for function in functions) else ():
        try:
            summary = summarizer.summary(function)
        except RecursionError:
            continue
        outputs = (summary.result, *summary.outs.values())
        needs = summary.effects.union(*summary.writes.values(), *(output.whole for output in outputs))
        looked_at = {need for need in needs if isinstance(need, Global)}
        read |= looked_at
        if not library_stage(table, function):
            touched |= {need.symbol for need in looked_at} | {symbol for symbol, _ in summary.writes}
    return {need for need in read if need.symbol in touched}


def _globals(resources: Resources, needs: set[Need]) -> tuple[NumericGlobal, ...]:
    used = {n.symbol for n in needs if isinstance(n, Use)}
    types = [s.unit.span(*s.variable.type_place) for s in resources.global_constants]
    sharing = Counter(types)
    return tuple(
        NumericGlobal(
            s.variable.name,
            str(s.variable.type),
            s.span,
            used=s in used,
            constant="const" in s.variable.storage,
            specialized=SPECIALIZED in s.variable.storage,
            initialized=s.variable.initializer is not None,
            type_span=place,
            plain=sharing[place] == 1 and _plain(s.variable),
        )
        for s, place in zip(resources.global_constants, types, strict=True)
    )


def _plain(variable: Variable) -> bool:
    told = variable.registers or variable.packoffset or variable.semantic or variable.unknown
    return variable.storage <= {"const", "precise", "row_major", "column_major"} and not told


def _entry(
    table: SymbolTable,
    resources: Resources,
    summarizer: Summarizer,
    function: FunctionSymbol,
    shader: Shader,
    shared: set[Global],
    needed: set[Need],
    reached: dict[FunctionSymbol, Dead],
) -> EntryPoint:
    """One entry point; what it needs and which functions it reaches are added to `needed` and `reached`."""
    summary = summarizer.summary(function)
    planes = _clip_planes(summarizer, function)
    needs, initial = _at_entry(summarizer, summary, planes, shared)
    chains, functions = chains_from(function, summary, initial, planes)
    needed |= needs
    for called, dead in functions.items():
        reached[called] = reached.get(called, dead) & dead
    heaps = {n.name for n in needs if isinstance(n, Heap)}
    library = shader.profile is not None and shader.profile.is_library
    sure = NOTHING if library else summary.sure | summary.sure_result
    stage = _stage(table, function, shader)
    return EntryPoint(
        function.function.name, stage, function.span, uses=uses(resources, needs, chains, sure),
        needs_input_assembler=stage == "vs" and _reads_vertices(table, function),
        resource_heap="ResourceDescriptorHeap" in heaps, sampler_heap="SamplerDescriptorHeap" in heaps,
        render_targets=render_targets(table, function) if stage == "ps" else 0,
    )  # fmt: skip


def _stage(table: SymbolTable, function: FunctionSymbol, shader: Shader) -> str:
    assert shader.profile is not None
    return (library_stage(table, function) or "lib") if shader.profile.is_library else shader.profile.stage


def _at_entry(
    summarizer: Summarizer, summary: Summary, apart: list[Summary], shared: set[Global]
) -> tuple[set[Need], dict[VariableSymbol, Summary]]:
    """All that leaves the entry point needs, and the initializers of the static variables among it.

    `shared` are static variables that others read after it.
    """
    needs = set(summary.effects | summary.result.whole | summary.stored)
    for output in (*summary.outs.values(), *(s.result for s in apart)):
        needs |= output.whole
    for (symbol, path), written in summary.writes.items() if shared else ():
        if any(need.symbol is symbol and overlap(path, need.path) for need in shared):
            needs |= written
    initial: dict[VariableSymbol, Summary] = {}
    work = [n for n in needs if isinstance(n, Global)]
    while work:
        variable = work.pop()
        added: set[Need] = set()
        for (symbol, path), written in summary.writes.items():
            if symbol is variable.symbol and overlap(path, variable.path):
                added |= written
        body = variable.symbol.operated if summarizer.table.operators else variable.symbol.initializer
        if body is not None and variable.symbol not in initial:
            symbol = variable.symbol
            initial[symbol] = _of_expression(summarizer, symbol.unit, symbol.scope, body)
            added |= initial[symbol].result.whole
        work += [n for n in added - needs if isinstance(n, Global)]
        needs |= added
    return needs, initial


def _clip_planes(summarizer: Summarizer, function: FunctionSymbol) -> list[Summary]:
    """What `[clipplanes(...)]` on an entry point names."""
    return [
        _of_expression(summarizer, each.unit, function.scope, parse_initializer(each.unit.slice(place)))
        for each in summarizer.table.attributes(function)
        if each.name == "clipplanes"
        for place in each.attribute.arguments
    ]


def _of_expression(summarizer: Summarizer, unit: ReadUnit, scope: tuple[str, ...], body: Body) -> Summary:
    """The summary of an expression outside of any function: as if it were the body of one."""
    return BodyReader(summarizer, FunctionSymbol(unit, Function("", 0, 0, scope)), body, {}).summary()


_MADE_BY_THE_SYSTEM = frozenset(
    ("SV_VERTEXID", "SV_INSTANCEID", "SV_VIEWID", "SV_STARTVERTEXLOCATION", "SV_STARTINSTANCELOCATION")
)
"""Inputs of a vertex shader that come from no buffer (DXC, signature point VSIn of DxilSigPoint.inl)."""


def _reads_vertices(table: SymbolTable, function: FunctionSymbol) -> bool:
    """Whether a vertex shader has inputs that only an input layout can feed; SV_Position is one of them here."""
    for parameter in function.function.parameters:
        if "out" in parameter.modifiers:
            continue
        names = [parameter.semantic] if parameter.semantic else _semantics(table, str(parameter.type), function.scope)
        if any(n.upper().rstrip("0123456789") not in _MADE_BY_THE_SYSTEM for n in names):
            return True
    return False


def _semantics(table: SymbolTable, type_name: str, scope: Scope, depth: int = 0) -> list[str]:
    """Those of the fields of a struct, of its bases and of structs in it."""
    resolved = table.resolve_written_type(type_name, scope)
    if resolved.struct is None or depth > 8:
        return []
    found = [name for base in resolved.struct.struct.bases for name in _semantics(table, str(base), scope, depth + 1)]
    for field in resolved.struct.struct.fields:
        found += [field.semantic] if field.semantic else _semantics(table, str(field.type), scope, depth + 1)
    return found
