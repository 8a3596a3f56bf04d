"""Default arguments: what a call needs that gives none for a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bindlint.model.declarations import Function
from bindlint.usage.liveness.needs import NOTHING, Needs
from bindlint.usage.symbols import FunctionSymbol

if TYPE_CHECKING:
    from bindlint.usage.liveness.reading import BodyReader


def default_argument(reader: BodyReader, function: FunctionSymbol, number: int) -> Needs:
    """What the default of a parameter needs; its names are looked up where the function is declared."""
    declared = next((each for each in reader.table.declarations(function) if each.default(number)), function)
    default = declared.default(number)
    if default is None or not any(step.value for step in default.steps):
        return NOTHING
    place = FunctionSymbol(declared.unit, Function("", 0, 0, declared.scope))
    inner = type(reader)(reader.summarizer, place, default, {})
    summary = inner.summary()
    reader.dependencies |= inner.dependencies
    reader.touches |= summary.touches
    reader.flow.called(summary, lambda needs: needs)
    if summary.effects:
        reader.flow.effect(summary.effects)
    return summary.result.whole
