"""Registers that a shader's files name in text that this shader does without: declarations behind another `#if`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import prod

from bindlint_grammars.hlsl.source_files import SourceStore

from bindlint.model.binding import Binding
from bindlint.model.registers import MAX_REGISTER, RegisterRange
from bindlint.usage.link import Program

_CLAUSE = re.compile(
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)"
    rb"|(?P<sizes>(?:\[[^\[\]\n]{0,100}\]\s{0,100}){0,8}):\s*(?P<clause>register)\s*\(\s*(?:\w+\s*,\s*)??"
    rb"(?P<cls>[btsuBTSU])(?P<number>\d{1,10})\s*(?:,\s*space(?P<space>\d{1,10})\s*)?\)",
    re.DOTALL,
)
_SIZE = re.compile(rb"\[\s*(\d{1,10})\s*\]")


def asides(
    bindings: Iterable[Binding], program: Program, files: Iterable[str], store: SourceStore
) -> tuple[RegisterRange, ...]:
    """What is named aside; looked for only where used resources meet, so that room is needed for one of them."""
    if not _meet(bindings):
        return ()
    clauses = [clause for resource in program.resources for clause in resource.clauses]
    clauses += (clause for numeric in program.numerics for clause in numeric.clauses)
    read = {(clause.span.file, clause.span.start) for clause in clauses}
    return tuple(dict.fromkeys(found for file in files for found in _named(file, store, read)))


def _meet(bindings: Iterable[Binding]) -> bool:
    used = (binding.registers for binding in bindings if binding.used and binding.registers is not None)
    places = sorted((place.cls, place.space, place.lower, place.last) for place in used)
    return any(one[:2] == other[:2] and other[2] <= one[3] for one, other in pairwise(places))


def _named(file: str, store: SourceStore, read: set[tuple[str, int]]) -> Iterator[RegisterRange]:
    source = store.get(file)
    for match in _CLAUSE.finditer(source.text) if source is not None else ():
        if match["clause"] and (file, match.start("clause")) not in read:
            lower, space = int(match["number"]), int(match["space"] or 0)
            sizes = _SIZE.findall(match["sizes"])
            # Of how many elements a macro speaks is not known here, so that they may be any number.
            known = len(sizes) == match["sizes"].count(b"[")
            upper = lower + max(prod(map(int, sizes)), 1) - 1 if known else None
            if lower < MAX_REGISTER and (upper or 0) <= MAX_REGISTER and space <= MAX_REGISTER:
                yield RegisterRange(match["cls"].decode().lower(), space, lower, upper)  # type: ignore[arg-type]
