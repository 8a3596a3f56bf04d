"""What is written about registers and offsets where it binds nothing: on fields, parameters, locals and constants."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from bindlint.facts.module import ReadUnit
from bindlint.model.binding import (
    BufferView,
    CounterUse,
    PlacedConstant,
    RegisterClause,
    StrayRegister,
    StructField,
)
from bindlint.model.declarations import Function, RegisterAnnotation, Struct, TypeName, Variable
from bindlint.model.resource_types import BUFFER_VIEWS
from bindlint.model.shader import Shader
from bindlint.usage.details.live_text import live_text
from bindlint.usage.layout import ROW, Layouts
from bindlint.usage.leaves import Leaves
from bindlint.usage.link import Program
from bindlint.usage.liveness.intrinsics import is_numeric
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import BlockSymbol, Scope, VariableSymbol

_REGISTER = re.compile(rb"(?<!\w)register\s*\(")
_MATRIX = re.compile(r"matrix\b|.*[1-4]x[1-4]\Z")
_OFFSET = re.compile(r"[cC](\d*)(?:\s*\.\s*([xyzwrgba]))?\Z")
_COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3}
_OFFSET_LETTERS = ("c", "b", "i")
_COUNTERS = {"IncrementCounter": True, "Append": True, "DecrementCounter": False, "Consume": False}
_COUNTER = re.compile(rf"(?<![\w.])(\w+)(?:\s*\[[^\]]*\])*\s*\.\s*({'|'.join(_COUNTERS)})\b")


class Written(msgspec.Struct, frozen=True):
    """See the fields of the same names of `ShaderAnalysis`."""

    fields: tuple[StructField, ...] = ()
    stray: tuple[StrayRegister, ...] = ()
    placed: tuple[PlacedConstant, ...] = ()
    views: tuple[BufferView, ...] = ()


class _UnitFacts(msgspec.Struct, frozen=True):
    """What one unit holds of these things. `offsets` says whether a packoffset stands in it."""

    fields: tuple[tuple[Struct, Variable], ...] = ()
    stray: tuple[StrayRegister, ...] = ()
    offsets: bool = False


class WrittenReader:
    """Reads them; what is known of a unit is kept between shaders."""

    def __init__(self) -> None:
        self._units: dict[int, tuple[ReadUnit, _UnitFacts]] = {}

    def read(self, program: Program, shader: Shader) -> Written:
        table = program.table
        facts = [self._facts(unit) for unit in table.units]
        return Written(
            tuple(_fields(table, facts)),
            tuple(stray for one in facts for stray in one.stray),
            tuple(_placed(program, shader, any(one.offsets for one in facts))),
            tuple(_views(program)),
        )

    def forget(self) -> None:
        self._units.clear()

    def _facts(self, unit: ReadUnit) -> _UnitFacts:
        known = self._units.get(id(unit))
        if known is None:
            known = self._units[id(unit)] = (unit, _unit_facts(unit))
        return known[1]


def _unit_facts(unit: ReadUnit) -> _UnitFacts:
    fields: list[tuple[Struct, Variable]] = []
    stray: list[StrayRegister] = []
    functions: list[Function] = []
    for item in unit.declarations.items:
        if isinstance(item, Struct):
            fields += [(item, f) for f in item.fields if _is_odd(f)]
            functions += item.methods
        elif isinstance(item, Function):
            functions.append(item)
        elif isinstance(item, Variable) and item.registers and item.storage & {"static", "groupshared"}:
            stray += [StrayRegister(unit.span(r.start, r.end), item.name, "static") for r in item.registers]
    if _REGISTER.search(unit.text):
        stray += [s for function in functions for s in _in_function(unit, function)]
    return _UnitFacts(tuple(fields), tuple(stray), b"packoffset" in unit.text)


def _is_odd(field: Variable) -> bool:
    return bool(field.registers or field.packoffset or "" in field.dimensions or field.type.name in BUFFER_VIEWS)


def _in_function(unit: ReadUnit, function: Function) -> Iterator[StrayRegister]:
    """Registers in the parameters and in the body of a function."""
    start, end = function.body or (function.end, function.end)
    for match in _REGISTER.finditer(unit.text, function.end, end):
        closing = unit.text.find(b")", match.end()) + 1
        span = unit.span(match.start(), closing)
        yield StrayRegister(span, function.name, "parameter" if match.start() < start else "local")


# -- fields of structs


def _fields(table: SymbolTable, facts: list[_UnitFacts]) -> Iterator[StructField]:
    if not any(one.fields for one in facts):
        return
    held = _held(table)
    for unit, one in zip(table.units, facts, strict=True):
        for struct, field in one.fields:
            yield StructField(
                struct.name,
                field.name,
                unit.span(field.start, field.end),
                str(field.type),
                tuple(_clause(unit, r) for r in field.registers),
                field.packoffset,
                "" in field.dimensions,
                field.type.name in BUFFER_VIEWS,
                struct in held,
                _is_mentioned(table, struct),
            )


def _held(table: SymbolTable) -> set[Struct]:
    """The structs of which an instance stands at global scope or in a constant buffer."""
    found: set[Struct] = set()

    def hold(written: TypeName, scope: tuple[str, ...]) -> None:
        struct = table.resolve_type(written, scope).struct
        if struct is not None and struct.written not in found:
            found.update(inner.written for inner in table.inner_first(struct))

    for symbol in table.globals():
        if isinstance(symbol, BlockSymbol):
            for member in symbol.block.members:
                hold(member.type, symbol.block.scope)
        elif not (symbol.static or symbol.shared):
            hold(symbol.variable.type, symbol.variable.scope)
    return found


def _is_mentioned(table: SymbolTable, struct: Struct) -> bool:
    name = re.compile(rb"(?<!\w)" + re.escape(struct.name.encode()) + rb"(?!\w)")
    return sum(len(name.findall(unit.text)) for unit in table.units) > 1


def _clause(unit: ReadUnit, annotation: RegisterAnnotation) -> RegisterClause:
    fault = annotation.fault.message if annotation.fault else ""
    return RegisterClause(
        unit.span(annotation.start, annotation.end),
        annotation.letter,
        annotation.number,
        annotation.space,
        annotation.subscript,
        annotation.profile,
        fault,
        whole=unit.span(_with_colon(unit.text, annotation.start), annotation.end),
    )


def _with_colon(text: bytes, start: int) -> int:
    """Where the annotation that goes on at `start` begins: at its colon, or at a single blank before that."""
    colon = text.rfind(b":", 0, start)
    # A comment reads as blanks, four at least.
    before = text[max(colon - 2, 0) : colon]
    return colon - 1 if before[1:] == b" " and not before[:1].isspace() else colon


# -- constants with a place of their own


def _placed(program: Program, shader: Shader, offsets: bool) -> Iterator[PlacedConstant]:
    loose = any(clause.letter for numeric in program.numerics if not numeric.buffer for clause in numeric.clauses)
    if not (loose or offsets):
        return
    layouts = Layouts(program.table, shader)
    members = {numeric.name for numeric in program.globals}
    for symbol in program.table.globals():
        if isinstance(symbol, VariableSymbol):
            variable = symbol.variable
            if variable.packoffset:
                yield _constant(layouts, symbol.unit, variable, "", variable.packoffset, None)
            registers = [r for r in variable.registers if r.letter.lower() in _OFFSET_LETTERS and not r.fault]
            if registers and variable.name in members and not symbol.static:
                place, number = f"{registers[-1].letter}{registers[-1].number}", registers[-1].number or 0
                yield _constant(layouts, symbol.unit, variable, "$Globals", place, number * ROW, packed=False)
            continue
        block, unit = symbol.block, symbol.unit
        if block.packoffset:
            yield PlacedConstant(block.name, block.name, symbol.span, block.kind, block.packoffset)
        if any(member.packoffset for member in block.members):
            for member in (m for m in block.members if "static" not in m.storage):
                place = member.packoffset
                yield _constant(layouts, unit, member, block.name, place, _byte(place), scope=block.scope)


def _constant(
    layouts: Layouts,
    unit: ReadUnit,
    variable: Variable,
    buffer: str,
    place: str,
    start: int | None,
    packed: bool = True,
    scope: Scope | None = None,
) -> PlacedConstant:
    scope = variable.scope if scope is None else scope
    resolved = layouts.table.resolve_type(variable.type, scope)
    whole = bool(variable.dimensions or resolved.dimensions or resolved.struct or _MATRIX.match(resolved.name))
    span = unit.span(variable.start, variable.end)
    size = next((size for _, _, size in layouts.member_places(unit, (variable,), scope)), 0)
    return PlacedConstant(buffer, variable.name, span, str(variable.type), place, start, size, whole, packed)


def _byte(place: str) -> int | None:
    """`c3.y` -> 52; None where it is no offset."""
    match = _OFFSET.match(place)
    return None if match is None else int(match[1] or 0) * ROW + 4 * _COMPONENTS[match[2] or "x"]


# -- buffer views


def _views(program: Program) -> Iterator[BufferView]:
    declared = {(r.name, r.span): r for r in program.resources if r.type.name in BUFFER_VIEWS and r.origin == "global"}
    if not declared:
        return
    for symbol in program.table.globals():
        resource = declared.get((symbol.variable.name, symbol.span)) if isinstance(symbol, VariableSymbol) else None
        if resource is None or not isinstance(symbol, VariableSymbol):
            continue
        argument = program.table.resolve_type(symbol.variable.type, symbol.scope).argument
        if argument is None:
            continue
        element = program.table.resolve_type(argument, symbol.scope)
        if element.struct is None and is_numeric(element.name):
            yield BufferView(resource, str(argument), "numeric")
        elif element.struct is not None and resource.count != 1 and Leaves(program.table).of(element.struct):
            yield BufferView(resource, str(argument), "objects")


# -- counters


def counter_uses(program: Program) -> Iterator[CounterUse]:
    """What reachable functions do to counters of global resources that they name themselves."""
    names = {r.name for r in program.resources if r.type.counter}
    for function, dead in program.reached.items() if names else ():
        place = function.function.body
        if place is None or not names & function.body.free or not function.body.methods & _COUNTERS.keys():
            continue
        text = live_text(function, dead)
        for match in _COUNTER.finditer(text):
            if match[1] in names:
                span = function.unit.span(place[0] + match.start(), place[0] + match.end())
                yield CounterUse(match[1], span, _COUNTERS[match[2]])
