"""Liveness inside one body: definitions and effects as they are noted, and following them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bindlint.model.binding import AccessKind
from bindlint.usage.bodies.syntax import Step
from bindlint.usage.liveness.needs import EFFECT, NOTHING, Global, Input, Need, Needs, Output, Summary, Use, Var
from bindlint.usage.liveness.paths import OTHERS, inside, join, overlap
from bindlint.usage.liveness.stores import Stores, Ways
from bindlint.usage.symbols import VariableSymbol

Seed = tuple[Needs, int]
"""What is needed, and the index of the step that needs it."""

Given = tuple[list[Seed], dict[str, list[Seed]], bool]
"""What a variable takes as a whole, what its fields take, and whether it takes from itself in a circle."""


class Flow:
    """What the steps of one body define: a variable is what any step gives it that no later one overwrites for sure.

    A step that is live makes the conditions live under which it runs, and those of returns before it. A loop that is
    live keeps what circles in it: branches that decide what decides them again are never removed (tried with DXC).
    """

    def __init__(self, steps: tuple[Step, ...], is_input: Callable[[int], bool]) -> None:
        self.steps = steps
        self.is_input = is_input
        self.at = 0
        self.stores: dict[int, Stores] = {}
        self.writes: dict[tuple[VariableSymbol, str], list[Seed]] = {}
        self.effects: list[Seed] = []
        self.returns: list[tuple[Var | Output, int]] = []
        self.conditions: dict[int, Needs] = {}
        self.dead: set[tuple[int, bool]] = set()
        self.branching = {i for i, step in enumerate(steps) if step.branches}
        self.looping: set[int] = set()
        self.fed: list[Seed] = []
        self._repeated: dict[int, set[Need]] = {}
        self._circles: dict[int, list[int]] = {}
        self._jumps: list[int] | None = None
        self._controls: dict[int, tuple[Needs, list[int]]] = {}

    # -- noting

    def define(self, number: int, field: str, needs: Needs) -> None:
        self._stores(number).store(field, needs, self.at)
        self._repeat(needs)

    def define_output(self, number: int, field: str, output: Output) -> None:
        """A local takes what a function gives, field by field."""
        self.define(number, field, output.base)
        for name, needs in output.fields.items():
            self.define(number, join(field, name), needs)

    def copy(self, number: int, field: str, source: Var | Use) -> None:
        """A local takes what another variable holds; its fields stay apart."""
        self._stores(number).copy(field, source, self.at)
        self._repeat((source,))

    def write(self, symbol: VariableSymbol, path: str, needs: Needs) -> None:
        self.writes.setdefault((symbol, path), []).append((needs, self.at))

    def _repeat(self, needs: Iterable[Need]) -> None:
        """A step in a loop needs that for what it stores."""
        if self.steps and self.steps[self.at].loops:
            self._repeated.setdefault(self.at, set()).update(needs)

    def effect(self, needs: Needs) -> None:
        self.effects.append((needs, self.at))

    def called(self, summary: Summary) -> None:
        """This step calls a function."""
        if summary.branches:
            self.branching.add(self.at)
        if summary.loops:
            self.looping.add(self.at)

    def overwrite(self, number: int, field: str) -> None:
        """This step gives a field a new value whenever what follows it in its block runs."""
        self._stores(number).overwrite(field, self.at, self._ways(self.at))

    def var(self, number: int, field: str, kind: AccessKind) -> Var:
        """What a local holds when this step reads it."""
        step = self.steps[self.at]
        repeats = bool(step.loops) or step.kind == "loop"
        return Var(number, field, kind, self._stores(number).view(self.at, self._ways(self.at), repeats))

    def is_stored(self, number: int) -> bool:
        """Whether any step so far has given a local a value."""
        stores = self.stores.get(number)
        return stores is not None and stores.count > 0

    def _stores(self, number: int) -> Stores:
        found = self.stores.get(number)
        if found is None:
            found = self.stores[number] = Stores()
        return found

    def _ways(self, index: int) -> Ways:
        """The branches that a step stands in, without those that are always taken."""
        controls = self.steps[index].controls
        if not self.dead:
            return controls
        return tuple(
            (control, branch)
            for control, branch in controls
            if self.steps[control].kind != "condition" or (control, not branch) not in self.dead
        )

    def is_dead(self, step: Step) -> bool:
        return bool(self.dead) and any(control in self.dead for control in step.controls)

    # -- following back

    def closure(self, seeds: Iterable[Seed]) -> Needs:
        """All that the seeds need, through locals, copies and the conditions that the steps run under."""
        found: set[Need] = set()
        work: list[Need] = []
        steps: list[int] = []
        for needs, index in seeds:
            work.extend(needs)
            steps.append(index)
        self._walk(work, steps, found, circles=True)
        return frozenset(found)

    def _walk(self, work: list[Need], steps: list[int], found: set[Need], circles: bool) -> set[int]:
        """Adds what `work` and the steps need to `found`; returns the steps that give it.

        Without `circles` what circles in loops is left out.
        """
        seen: set[Need] = set()
        seen_steps: set[int] = set()
        while work or steps:
            while steps:
                index = steps.pop()
                if index not in seen_steps:
                    seen_steps.add(index)
                    needs, others = self._controls.get(index) or self._control(index)
                    work.extend(needs)
                    steps.extend(others)
                    for loop in self.steps[index].loops if circles and self.branching else ():
                        for circle in self._circling(loop):
                            work.extend(self._decided_by(circle))
                            steps.append(circle)
            if work:
                need = work.pop()
                if need not in seen:
                    seen.add(need)
                    self._follow(need, found, work, steps)
        return seen_steps

    def _circling(self, loop: int) -> list[int]:
        """The steps of a loop that branch and decide, in a later round, how they branch."""
        found = self._circles.get(loop)
        if found is None:
            inside = [i for i in self.branching if loop in self.steps[i].loops and not self.is_dead(self.steps[i])]
            found = self._circles[loop] = [i for i in inside if self._decides_itself(i)]
        return found

    def stand(self) -> Needs:
        """Keeps loops that give what a later loop works on, though nobody reads what that one gives.

        DXC may remove the later one too late to remove the other (tried; whether it does hangs on their sizes). What
        of it comes in is returned.
        """
        found: set[Need] = set()
        for loop in [i for i in sorted(self.looping) if self.steps[i].kind == "loop" and not self.steps[i].loops]:
            own = [i for i, step in enumerate(self.steps) if step.loops[:1] == (loop,) and not self.is_dead(step)]
            found |= self._keep_loops(NOTHING.union(*map(self._decided_by, (loop, *own))), {loop, *own})
        for needs, index in self.fed:
            found |= self._keep_loops(needs, {index})
        return frozenset(need for need in found if isinstance(need, Input | Global))

    def _keep_loops(self, needs: Needs, own: set[int]) -> set[Need]:
        """Keeps those that give something of what a loop needs; returns all of that."""
        found: set[Need] = set()
        for i in self._walk(list(needs), [], found, circles=False):
            if i not in own and self._loops(i):
                # Which of a function's loops gives what is not known here.
                whole = self.steps[i].kind != "loop" and i in self.looping
                self.effects.append((frozenset((EFFECT, *(found if whole else ()))), i))
        symbols = {need.symbol for need in found if isinstance(need, Global)}
        for (symbol, _), seeds in self.writes.items() if symbols else ():
            for given, i in seeds:
                if symbol in symbols and i not in own and self._loops(i):
                    self.effects.append((given | {EFFECT}, i))
        return found

    def _loops(self, index: int) -> bool:
        return index in self.looping or bool(self.steps[index].loops)

    def _decided_by(self, index: int) -> Iterable[Need]:
        return self.conditions[index] if index in self.conditions else self._repeated.get(index, ())

    def _decides_itself(self, index: int) -> bool:
        reached = self._walk(list(self._decided_by(index)), [], set(), circles=False)
        return any(i == index or any(control == index for control, _ in self.steps[i].controls) for i in reached)

    def _control(self, index: int) -> tuple[Needs, list[int]]:
        """What keeps a live step: the conditions around it, and the jumps that may pass it over."""
        step = self.steps[index]
        steps = [condition for condition, _ in step.controls]
        needs = NOTHING.union(*(self.conditions.get(condition, NOTHING) for condition in steps))
        if self._jumps is None:
            self._jumps = self._conditional_jumps()
        for other in self._jumps:
            jump = self.steps[other]
            if jump.kind == "jump":
                if jump.loops and jump.loops[-1] in step.loops:
                    steps.append(other)
            elif other < index or (jump.loops and jump.loops[0] in step.loops):
                steps.append(other)
        self._controls[index] = needs, steps
        return needs, steps

    def _conditional_jumps(self) -> list[int]:
        return [
            i for i, s in enumerate(self.steps) if s.kind in ("jump", "return") and s.controls and not self.is_dead(s)
        ]

    def _follow(self, need: Need, found: set[Need], work: list[Need], steps: list[int]) -> None:
        if not isinstance(need, Var):
            found.add(need)
            return
        number, name, kind, view = need
        stores = self.stores.get(number)
        if stores is None:
            if self.is_input(number):
                found.add(Input(number, name.removesuffix(OTHERS).rstrip("."), kind))
            return
        for field, source, index in stores.copied(name, view):
            if overlap(field, name):
                work.append(_part(source, inside(name, field) or "", kind))
                steps.append(index)
        nested = "." in name
        for field in stores.fields:
            if not name or not field or field == name or ((nested or "." in field) and overlap(field, name)):
                for needs, index in stores.stored(field, name, view):
                    work.extend(needs if kind == "read" else _touched(needs, kind))
                    steps.append(index)
        if self.is_input(number) and stores.keeps_input(name, view):
            found.add(Input(number, name.removesuffix(OTHERS).rstrip("."), kind))

    def output(self, number: int, path: str = "") -> Output:
        """What steps give a local (or a field of it), field by field; not what a parameter held at the call."""
        base, fields, _ = self._given(number, path, self._at_end(number), set())
        return Output(self.closure(base), {f: self.closure(s) for f, s in fields.items()})

    def overwritten(self, number: int) -> Iterable[str]:
        """The fields of a local that have a new value wherever the function ends."""
        return self._stores(number).overwritten(self._at_end(number))

    def _at_end(self, number: int) -> int:
        end = next((i for i, s in enumerate(self.steps) if s.kind == "return" and not self.is_dead(s)), len(self.steps))
        return self._stores(number).view_at_end(end)

    def _given(self, number: int, path: str, view: int, seen: set[tuple[int, str]]) -> Given:
        base: list[Seed] = []
        fields: dict[str, list[Seed]] = {}
        circular = False
        seen.add((number, path))
        stores = self._stores(number)
        for field in stores.fields:
            below = inside(field, path)
            if below is not None:
                (fields.setdefault(below, []) if below else base).extend(stores.stored(field, path, view))
        for field, source, index in stores.copied(path, view):
            below = inside(field, path)
            if below is None:
                continue
            rest = part = _part(source, "" if below else inside(path, field) or "", "read")
            if isinstance(part, Var):
                if (part.number, part.field) in seen:
                    circular = True
                else:
                    _, names, unclear = self._given(part.number, part.field, part.view, seen)
                    circular = circular or unclear
                    for name in names:
                        inner = frozenset((_part(part, name, "read"),))
                        fields.setdefault(join(below, name), []).append((inner, index))
                    rest = part if unclear else _part(part, OTHERS, "read")
            (fields.setdefault(below, []) if below else base).append((frozenset((rest,)), index))
        return base, fields, circular

    def result(self) -> Output:
        """What the returned value needs; of a local that is returned, field by field."""
        base: list[Seed] = []
        fields: dict[str, list[Seed]] = {}
        for place, index in self.returns:
            if isinstance(place, Output):
                base.append((place.base, index))
                for name, needs in place.fields.items():
                    fields.setdefault(name, []).append((needs, index))
                continue
            own, parts, _ = self._given(place.number, place.field, place.view, set())
            base += [*own, (NOTHING, index)]
            if self.is_input(place.number) and self._stores(place.number).keeps_input(place.field, place.view):
                base.append((frozenset((Input(place.number, place.field, "read"),)), index))
            for name, seeds in parts.items():
                fields.setdefault(name, []).extend(seeds)
        return Output(self.closure(base), {f: self.closure(s) for f, s in fields.items()})


def _part(source: Var | Use, path: str, kind: AccessKind) -> Var | Use:
    """A field of what was copied, touched in another way."""
    if isinstance(source, Var):
        return Var(source.number, join(source.field, path), kind, source.view)
    return Use(source.symbol, (*source.path, *path.split(".")) if path and path != OTHERS else source.path, kind)


def _touched(needs: Needs, kind: AccessKind) -> Iterable[Need]:
    """A local that holds a resource is touched: so is the resource."""
    return (n._replace(kind=kind) if isinstance(n, Use) else n for n in needs)
