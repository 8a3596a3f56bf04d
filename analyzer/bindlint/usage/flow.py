"""Liveness inside one body: definitions and effects as they are noted, and following them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bindlint.usage.needs import NOTHING, Input, Need, Needs, Output, Var
from bindlint.usage.symbols import VariableSymbol
from bindlint.usage.syntax import Expr, Ref, Step

Seed = tuple[Needs, int]
"""What is needed, and the index of the step that needs it."""

_MAX_COPIES = 4


class Flow:
    """What the steps of one body define, in no order: a variable is what any step gives it.

    A step that is live makes the conditions live under which it runs, and those of returns before it.
    """

    def __init__(self, steps: tuple[Step, ...], is_input: Callable[[int], bool]) -> None:
        self.steps = steps
        self.is_input = is_input
        self.at = 0
        self.definitions: dict[int, dict[str, list[Seed]]] = {}
        self.copies: dict[int, list[tuple[int, int]]] = {}
        self.writes: dict[VariableSymbol, list[Seed]] = {}
        self.effects: list[Seed] = []
        self.returns: list[tuple[Expr, Needs, int]] = []
        self.conditions: dict[int, Needs] = {}
        self.dead: set[tuple[int, bool]] = set()
        self._jumps: list[int] | None = None

    # -- noting

    def define(self, number: int, field: str, needs: Needs) -> None:
        self.definitions.setdefault(number, {}).setdefault(field, []).append((needs, self.at))

    def define_output(self, number: int, field: str, output: Output) -> None:
        """A local takes what a function gives: field by field where the whole local takes it."""
        if field or not output.fields:
            self.define(number, field, output.whole)
            return
        self.define(number, "", output.base)
        for name, needs in output.fields.items():
            self.define(number, name, needs)

    def copy(self, number: int, source: int) -> None:
        self.copies.setdefault(number, []).append((source, self.at))

    def write(self, symbol: VariableSymbol, needs: Needs) -> None:
        self.writes.setdefault(symbol, []).append((needs, self.at))

    def effect(self, needs: Needs) -> None:
        self.effects.append((needs, self.at))

    def is_dead(self, step: Step) -> bool:
        return bool(self.dead) and any(control in self.dead for control in step.controls)

    # -- following back

    def closure(self, seeds: Iterable[Seed]) -> Needs:
        """All that the seeds need, through locals, copies and the conditions that the steps run under."""
        found: set[Need] = set()
        seen: set[Need] = set()
        seen_steps: set[int] = set()
        work: list[Need] = []
        steps: list[int] = []
        for needs, index in seeds:
            work.extend(needs)
            steps.append(index)
        while work or steps:
            while steps:
                index = steps.pop()
                if index not in seen_steps:
                    seen_steps.add(index)
                    self._control(index, work, steps)
            if work:
                need = work.pop()
                if need not in seen:
                    seen.add(need)
                    self._follow(need, found, work, steps)
        return frozenset(found)

    def _control(self, index: int, work: list[Need], steps: list[int]) -> None:
        """A live step: the conditions around it, and the jumps that may pass it over."""
        step = self.steps[index]
        for condition, _ in step.controls:
            work.extend(self.conditions.get(condition, NOTHING))
            steps.append(condition)
        if self._jumps is None:
            self._jumps = self._conditional_jumps()
        for other in self._jumps:
            jump = self.steps[other]
            if jump.kind == "jump":
                if jump.loops and jump.loops[-1] in step.loops:
                    steps.append(other)
            elif other < index or (jump.loops and jump.loops[0] in step.loops):
                steps.append(other)

    def _conditional_jumps(self) -> list[int]:
        return [
            i for i, s in enumerate(self.steps) if s.kind in ("jump", "return") and s.controls and not self.is_dead(s)
        ]

    def _follow(self, need: Need, found: set[Need], work: list[Need], steps: list[int]) -> None:
        if not isinstance(need, Var):
            found.add(need)
            return
        number, name, kind = need
        for other, index in self.copies.get(number, ()):
            work.append(Var(other, name, kind))
            steps.append(index)
        for field, defined in self.definitions.get(number, {}).items():
            if not name or not field or field == name:
                for needs, index in defined:
                    work.extend(needs)
                    steps.append(index)
        if self.is_input(number):
            found.add(Input(number, name, kind))

    def fields_of(self, number: int, depth: int = 0) -> set[str]:
        """The fields of a local that are written one by one, through copies as well."""
        found = {f for f in self.definitions.get(number, {}) if f}
        if depth < _MAX_COPIES:
            for other, _ in self.copies.get(number, ()):
                found |= self.fields_of(other, depth + 1)
        return found

    def result(self) -> Output:
        """What the returned value needs; of a local that is returned whole, field by field."""
        base: list[Seed] = []
        fields: dict[str, list[Seed]] = {}
        for value, needs, index in self.returns:
            single = value[0] if len(value) == 1 else None
            names = (
                self.fields_of(single.local)
                if isinstance(single, Ref) and single.local >= 0 and not single.members
                else set()
            )
            if not names or not isinstance(single, Ref) or single.local in self.copies:
                base.append((needs, index))
                continue
            base += [*self.definitions[single.local].get("", ()), (NOTHING, index)]
            if self.is_input(single.local):
                base.append((frozenset((Input(single.local, "", "read"),)), index))
            for name in names:
                fields.setdefault(name, []).extend(self.definitions[single.local][name])
        return Output(self.closure(base), {f: self.closure(s) for f, s in fields.items()})

    def output(self, number: int) -> Output:
        """What an out-parameter (or `this`) holds at the end, apart from what it held before."""
        own = self.definitions.get(number, {})
        if number in self.copies:
            return Output(self.closure([(frozenset((Var(number, "", "read"),)), self.copies[number][0][1])]))
        return Output(self.closure(own.get("", ())), {f: self.closure(s) for f, s in own.items() if f})
