"""What an entry point hands on to the fixed-function stages, as its output semantics tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import FunctionSymbol

_TARGET = re.compile(r"SV_TARGET(\d*)", re.I)
_MAX_DEPTH = 8


def render_targets(table: SymbolTable, function: FunctionSymbol) -> int:
    """One more than the highest SV_Target that the function writes; 0 where it writes none."""
    entry = function.function
    outputs: list[tuple[str, str, tuple[str, ...]]] = [(entry.semantic, str(entry.return_type), ())]
    outputs += [(p.semantic, str(p.type), p.dimensions) for p in entry.parameters if {"out", "inout"} & p.modifiers]
    return max((last for output in outputs for last in _ends(table, function, *output)), default=0)


def _ends(
    table: SymbolTable,
    function: FunctionSymbol,
    semantic: str,
    type_name: str,
    dimensions: tuple[str, ...],
    depth: int = 0,
) -> Iterator[int]:
    """For each output with SV_Target the number of the target behind its last."""
    target = _TARGET.fullmatch(semantic)
    if target is not None:
        count = dimensions[0] if dimensions else "1"
        yield int(target[1] or 0) + (int(count) if count.isdecimal() else 1)
    elif not semantic and depth < _MAX_DEPTH:
        struct = table.resolve_written_type(type_name, function.scope).struct
        for field in struct.struct.fields if struct is not None else ():
            yield from _ends(table, function, field.semantic, str(field.type), field.dimensions, depth + 1)
