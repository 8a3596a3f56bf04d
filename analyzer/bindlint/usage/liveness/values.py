"""What the values in a body are known to be, and what of it then never runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bindlint.usage.bodies.syntax import UNKNOWN, Expr, Ref, Select, Step, select_control
from bindlint.usage.numbers import Number

if TYPE_CHECKING:
    from bindlint.usage.liveness.reading import BodyReader


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
        written = self.reader.body.texts[text] if text >= 0 else ""
        known = written not in ("", UNKNOWN)
        found = self.reader.table.value(written, self.reader.scope, self.constants) if known else None
        self._known[text] = found
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
