"""Structs that contain themselves, directly, through others or as ever further instances of a template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bindlint.model.declarations import Struct
from bindlint.model.finding import Problem, Related
from bindlint.model.source import Span
from bindlint.usage.names import ResolvedType, SymbolTable
from bindlint.usage.symbols import StructSymbol


class _Step(NamedTuple):
    """What one struct has of another: a field or a base class."""

    holder: StructSymbol
    held: StructSymbol
    words: str
    span: Span


def endless_structs(table: SymbolTable) -> Iterator[Problem]:
    """One problem for each ring of structs that contain each other."""
    for struct in table.endless:
        name, span = struct.struct.name, struct.unit.span(struct.struct.start, struct.struct.end)
        text = (
            f"`{name}` contains itself with ever other arguments, and so it has no end; what it holds is not followed"
        )
        yield Problem("endless-struct", text, span)
    told: set[tuple[Struct, ...]] = {(struct.written,) for struct in table.endless}
    for struct in (*_suspects(table), *table.instances()):
        ring = _ring(table, struct)
        members = tuple(dict.fromkeys(sorted((s.holder.written for s in ring), key=lambda s: (s.name, s.start))))
        if ring and members not in told:
            told.add(members)
            yield _problem(ring)


def _suspects(table: SymbolTable) -> Iterator[StructSymbol]:
    """The structs with a part that is declared nowhere before them, as one at least of each ring has."""
    before: set[str] = set()
    for index in table.indices:
        for struct, parts in index.structs:
            if not struct.struct.template and any(name in table.names for name in parts - before):
                yield struct
            before.add(struct.struct.name)


def _ring(table: SymbolTable, start: StructSymbol) -> list[_Step]:
    """The way from a struct back to itself; empty where there is none."""
    came: dict[StructSymbol, _Step] = {}
    waiting = [start]
    while waiting:
        for step in _steps(table, waiting.pop()):
            if step.held is start:
                way = [step]
                while way[-1].holder is not start:
                    way.append(came[way[-1].holder])
                return way[::-1]
            if step.held not in came:
                came[step.held] = step
                waiting.append(step.held)
    return []


def _steps(table: SymbolTable, struct: StructSymbol) -> Iterator[_Step]:
    name = struct.struct.name
    place = struct.unit.span(struct.struct.start, struct.struct.end)
    for base in struct.struct.bases:
        held = table.resolve_type(base, struct.struct.scope).struct
        if held is not None:
            yield _Step(struct, held, f"`{name}` inherits from `{base}`", place)
    for field in struct.struct.fields:
        if "static" not in field.storage:
            span = struct.unit.span(field.start, field.end)
            for held in _structs(table, struct, table.resolve_type(field.type, struct.scope)):
                yield _Step(struct, held, f"`{name}.{field.name}` is a `{field.type}`", span)


def _structs(table: SymbolTable, struct: StructSymbol, resolved: ResolvedType) -> Iterator[StructSymbol]:
    """The struct that a type is, or of which it is a buffer."""
    if resolved.struct is not None:
        yield resolved.struct
    elif resolved.resource is not None and resolved.argument is not None:
        yield from _structs(table, struct, table.resolve_type(resolved.argument, struct.scope))


def _problem(ring: list[_Step]) -> Problem:
    first, *others = ring
    name = first.holder.struct.name
    way = "" if not others else f" (through {', '.join(f'`{s.holder.struct.name}`' for s in others)})"
    text = f"`{name}` contains itself{way}: {first.words}, and so it has no end; what it holds is not followed"
    return Problem("endless-struct", text, first.span, related=tuple(Related(s.words, s.span) for s in others))
