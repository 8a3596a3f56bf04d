"""What the values in a body are known to be, and what of it then never runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bindlint.usage.bodies.syntax import PARAMETER, UNKNOWN, Body, Expr, Ref, Select, Step, select_control
from bindlint.usage.numbers import Number

if TYPE_CHECKING:
    from bindlint.usage.liveness.reading import BodyReader
    from bindlint.usage.symbols import FunctionSymbol

_PARTIAL = re.compile(r"&&|[|][|]|[?]|\bsizeof\b")
"""In what has one of these not all must be known."""


class Values:
    """The values of one body's texts; `constants` are those that the call fixes, by name in the texts."""

    def __init__(self, reader: BodyReader, constants: dict[str, Number]) -> None:
        self.reader = reader
        self.constants = constants
        self._known: dict[int, Number | None] = {}

    def of(self, text: int) -> Number | None:
        """The value of a text, None where it is not known."""
        if text in self._known:
            return self._known[text]
        reader = self.reader
        written = reader.body.texts[text] if text >= 0 else ""
        known = written not in ("", UNKNOWN) and not self._is_open(written)
        found = reader.table.value(written, reader.scope, self.constants, self.result) if known else None
        self._known[text] = found
        return found

    def _is_open(self, written: str) -> bool:
        """Whether a parameter that may be anything keeps a text from having a value; quick, as most are so."""
        given = (match[0] in self.constants for match in PARAMETER.finditer(written))
        return not all(given) and _PARTIAL.search(written) is None

    def result(self, name: str, arguments: Sequence[Number | None]) -> Number | None:
        """What the one function that a name means returns for arguments, None where that is not known."""
        summarizer, scope = self.reader.summarizer, self.reader.scope
        candidates = summarizer.candidates(name, len(arguments), scope)
        if len(candidates) != 1 or not _may_return_a_number(candidates[0], candidates[0].body):
            return None
        (function,) = candidates
        numbers = function.body.constants | function.body.returned
        constants = summarizer.fixed(function, numbers, dict(enumerate(arguments)))
        summary = self.reader.dependencies[function, constants] = summarizer.summary(function, constants)
        return summary.value

    def returned(self) -> Number | None:
        """The number that the body returns whenever it returns."""
        reader, found = self.reader, None
        type_name = reader.function.function.return_type.name
        if not _may_return_a_number(reader.function, reader.body):
            return None
        for index, step in enumerate(reader.body.steps):
            if step.kind == "return" and not reader.flow.is_dead(index):
                value = self.of(step.text)
                taken = None if value is None else reader.table.taken(value, type_name, reader.scope)
                if taken is None or (found is not None and found != taken):
                    return None
                found = taken
                if (index, True) in reader.flow.dead:
                    break
        return found

    def decides(self, index: int, step: Step) -> bool:
        """Whether the step is a condition, or a loop that never starts, of which it is known which way it goes."""
        known = self.of(step.text) if step.text >= 0 else None
        if known is None:
            return False
        # A loop that runs is not known to end: only one that never starts is dead.
        self.reader.flow.dead.add((index, not known.value))
        if step.kind == "loop" and known.value:
            return False
        self.affect(step.value)
        return True

    def chosen(self, select: Select) -> Expr | None:
        """The side of it that is evaluated, None where that is not known."""
        known = self.of(select.text)
        if known is None:
            return None
        self.affect(select.condition)
        self.reader.flow.dead.add((select_control(select.text), not known.value))
        return select.yes if known.value else select.no

    def affect(self, expression: Expr) -> None:
        """What an expression does besides having a value that is known; that no operator keeps parts of it from
        running is over-approximate in HLSL 2021."""
        if any(not isinstance(atom, Ref) for atom in expression):
            self.reader.needs(expression)


def _may_return_a_number(function: FunctionSymbol, body: Body) -> bool:
    """Whether each value that is returned may be known, and is one number."""
    if function.function.return_type.name[-1:].isdigit():  # a vector or a matrix
        return False
    returns = [step.text for step in body.steps if step.kind == "return"]
    return bool(returns) and all(text >= 0 and body.texts[text] != UNKNOWN for text in returns)
