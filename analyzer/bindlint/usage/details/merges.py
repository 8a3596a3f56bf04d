"""Locals and results of functions that may stand for one resource or for another, whichever way the shader goes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from bindlint.model.binding import MergedResource
from bindlint.usage.bodies.syntax import Assign, Atom, Body, Call, Expr, Ref, Select, Step
from bindlint.usage.liveness.needs import Dead
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import FunctionSymbol, VariableSymbol

_RESULT = -1
"""Stands for what a function returns."""


class Merges:
    """What the resources of one function stand for."""

    def __init__(
        self, table: SymbolTable, function: FunctionSymbol, dead: Dead, names: set[str], is_entry: bool
    ) -> None:
        self.table = table
        self.function = function
        self.dead = dead
        self.body: Body = function.body
        self.live = {i: step for i, step in enumerate(self.body.steps) if dead.isdisjoint(step.controls)}
        self.names = names
        self.inputs = len(function.function.parameters) if is_entry else 0

    def found(self) -> Iterator[MergedResource]:
        given: defaultdict[int, list[tuple[str, Step]]] = defaultdict(list)
        for step in self.live.values():
            for target, value in assignments(step):
                if not self.holds_resource(target):
                    continue
                name = self.source(value)
                if name:
                    given[target].append((name, step))
                elif len(value) == 1 and isinstance(value[0], Select):
                    yield from self.select(target, value[0])
            for atom in step.value:
                if isinstance(atom, Call) and atom.receiver is not None and len(atom.receiver) == 1:
                    receiver = atom.receiver[0]
                    if isinstance(receiver, Select):
                        yield from self.select(_RESULT, receiver)
        for target, sources in given.items():
            if len({name for name, _ in sources}) > 1 and self.meet(target, sources):
                controls = {control for _, step in sources for control, _ in step.controls}
                conditions = [self.body.steps[control].value for control in sorted(controls)]
                yield self.merged(self.named(target), [name for name, _ in sources], conditions)

    def holds_resource(self, target: int) -> bool:
        if target == _RESULT:
            return self.table.resolve_type(self.function.function.return_type, self.function.scope).resource is not None
        local = self.body.locals[target]
        # Which element of an array is meant is a question of its own.
        return (
            not local.dimensions
            and self.table.resolve_written_type(local.type, self.function.scope).resource is not None
        )

    def source(self, value: Expr) -> str:
        """The global resource or heap that an expression is, subscripts aside; "" where it is none."""
        if len(value) != 1 or not isinstance(value[0], Ref):
            return ""
        ref = value[0]
        is_resource = ref.local < 0 and ref.name in self.names and all(m == "[]" for m in ref.members)
        return ref.name if is_resource else ""

    def select(self, target: int, select: Select) -> Iterator[MergedResource]:
        sources = [self.source(select.yes), self.source(select.no)]
        if all(sources) and sources[0] != sources[1] and self.is_open(select.text):
            yield self.merged(self.named(target), sources, [select.condition])

    def meet(self, target: int, sources: list[tuple[str, Step]]) -> bool:
        """Whether a conditional assignment leaves another source standing where both ways come together."""
        return any(
            step.controls and self.depends(step) and (target == _RESULT or not self.leaves(step)) for _, step in sources
        )

    def depends(self, step: Step) -> bool:
        """Whether something that is no constant decides whether the step runs.

        Loops may be unrolled and do not count, but for a `switch` over inputs, which is kept as one.
        """
        steps = self.body.steps
        if not all(steps[loop].value and all(map(self.is_input, steps[loop].value)) for loop in step.loops):
            return False
        return all(self.is_open(steps[control].text) for control, _ in step.controls)

    def leaves(self, step: Step) -> bool:
        """Whether the branch that the step stands in returns."""
        return any(other.kind == "return" and step.controls[-1] in other.controls for other in self.body.steps)

    def is_open(self, text: int) -> bool:
        return text < 0 or self.table.evaluate(self.body.texts[text], None, self.function.scope) is None

    def is_input(self, atom: Atom) -> bool:
        """Whether no optimizer can know it: an entry point's parameter, or a member of a constant buffer."""
        if not isinstance(atom, Ref):
            return False
        if atom.local >= 0:
            return atom.local < self.inputs
        symbols = [s for s in self.table.visible(atom.name, self.function.scope) if isinstance(s, VariableSymbol)]
        return bool(symbols) and not any(s.static or s.shared for s in symbols)

    def named(self, target: int) -> str:
        return self.body.locals[target].name if target >= 0 else ""

    def merged(self, name: str, sources: list[str], conditions: list[Expr]) -> MergedResource:
        place = self.function.function.body or (0, 0)
        text = self.function.unit.text[place[0] : place[1]].decode("latin-1")
        match = re.search(rf"(?<![\w.]){name or sources[0]}\b", text)
        start, end = match.span() if match is not None else (0, 1)
        span = self.function.unit.span(place[0] + start, place[0] + end)
        sure = all(condition and all(map(self.is_input, condition)) for condition in conditions)
        return MergedResource(name, self.function.function.name, span, tuple(dict.fromkeys(sources)), sure)


def assignments(step: Step) -> Iterator[tuple[int, Expr]]:
    """Which locals a step gives which values; a returned value goes to the result."""
    if step.kind == "assign":
        yield step.target, step.value
    elif step.kind == "return":
        yield _RESULT, step.value
    for atom in step.value:
        if isinstance(atom, Assign) and len(atom.target) == 1 and isinstance(atom.target[0], Ref):
            ref = atom.target[0]
            if ref.local >= 0 and not ref.members:
                yield ref.local, atom.value
