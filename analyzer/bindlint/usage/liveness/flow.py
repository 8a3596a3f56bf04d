"""Liveness inside one body: definitions and effects as they are noted, and following them back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Set
from functools import cached_property
from itertools import chain

from bindlint.model.binding import AccessKind
from bindlint.usage.bodies.syntax import Step
from bindlint.usage.liveness.needs import EFFECT, NOTHING, Global, Input, Need, Needs, Output, Summary, Use, Var
from bindlint.usage.liveness.paths import OTHERS, inside, join, overlap
from bindlint.usage.liveness.stores import EVERYTHING, UNSTORED, Stores, Ways
from bindlint.usage.symbols import VariableSymbol

_MAX_ASKED = 500
"""Of more branches in one loop each is taken to decide itself, which keeps it."""

Seed = tuple[Needs, int]
"""What is needed, and the index of the step that needs it."""

Given = tuple[list[Seed], dict[str, list[Seed]], bool]
"""What a variable takes as a whole, what its fields take, and whether it takes from itself in a circle."""

Reached = tuple[Set[Need], Set[int]]
"""Needs and the steps that they come from."""


class Flow:
    """What the steps of one body define: a variable is what any step gives it that no later one overwrites for sure.

    `inputs` are the numbers of the locals that hold something at the call. First each step is begun and what it does
    is noted; then closures are asked for. A step that is live makes the conditions live under which it runs, and those
    of returns before it. A loop that is live keeps what circles in it: branches that decide what decides them again are
    never removed (tried with DXC).
    """

    def __init__(self, steps: tuple[Step, ...], inputs: Set[int]) -> None:
        self.steps = steps
        self.inputs = inputs
        self.at = 0
        self.stores: dict[int, Stores] = {}
        self.writes: dict[tuple[VariableSymbol, str], list[Seed]] = {}
        self.effects: list[Seed] = []
        self.returns: list[tuple[Var | Output, int]] = []
        self.conditions: dict[int, Needs] = {}
        self.dead: set[tuple[int, bool]] = set()
        self.passed: set[int] = set()  # Steps in cases that are known not to run.
        self.branching = {i for i, step in enumerate(steps) if step.branches}
        self.looping: set[int] = set()
        self.asking: set[int] = set()  # Loops whose conditions call functions that loop.
        self.fed: list[Seed] = []
        self.circling: list[Seed] = []
        self.moving: set[int] = set()  # Locals with subscripts whose values are not known.
        self.shifting: set[VariableSymbol] = set()  # Static variables with such subscripts.
        self.loaded: set[VariableSymbol] = set()  # Static variables that are read.
        self.handed: dict[int, int] = {}  # Payloads, with the last step that hands each to another shader.
        self.hidden: list[Seed] = []  # What functions store in `out` parameters of this one and overwrite.
        self.leaves = False  # Whether a step so far may end the shader, whoever called.
        self.chosen: Needs = NOTHING  # What decides whether a part of an expression is evaluated.
        self._ways: Ways = ()
        self._repeats = False
        self._repeated: dict[int, set[Need]] = {}
        self._followed: dict[Var, Reached] = {}
        self._controls: dict[tuple[int, bool], Reached] = {}
        self._circles: dict[int, Reached] = {}
        self._itself: dict[int, bool] = {}

    # -- noting

    def begin(self, index: int) -> None:
        """What is noted from here on is done by that step."""
        step = self.steps[index]
        self.at = index
        self._ways = self._taken(step.controls) if self.dead else step.controls
        self._repeats = bool(step.loops) or step.kind == "loop"

    def define(self, number: int, field: str, needs: Needs) -> None:
        needs |= self.chosen
        self._stores(number).store(field, needs, self.at)
        self._repeat(needs)

    def define_output(self, number: int, field: str, output: Output) -> None:
        """A local takes what a function gives, field by field."""
        self.define(number, field, output.base)
        for name, needs in output.fields.items():
            self.define(number, join(field, name), needs)

    def copy(self, number: int, field: str, source: Var | Use) -> None:
        """A local takes what another variable holds; its fields stay apart."""
        if self.chosen:
            self.define(number, field, self.chosen)
        self._stores(number).copy(field, source, self.at)
        self._repeat((source,))

    def write(self, symbol: VariableSymbol, path: str, needs: Needs) -> None:
        needs |= self.chosen
        self.writes.setdefault((symbol, path), []).append((needs, self.at))
        self._repeat(needs)

    def _repeat(self, needs: Iterable[Need]) -> None:
        """A step in a loop needs that for what it stores."""
        if self._repeats and self.steps[self.at].loops:
            self._repeated.setdefault(self.at, set()).update(needs)

    def effect(self, needs: Needs) -> None:
        self.effects.append((needs | self.chosen, self.at))

    def called(self, summary: Summary, translate: Callable[[Needs], Needs]) -> None:
        """This step calls a function; `translate` says in terms of the caller what it needs."""
        if summary.branches:
            self.branching.add(self.at)
        if summary.loops:
            self.looping.add(self.at)
        self.leaves = self.leaves or summary.leaves
        if summary.fed:
            self.fed.append((translate(summary.fed), self.at))
        if summary.circles:
            self.circling.append((translate(summary.circles), self.at))

    def overwrite(self, number: int, field: str) -> None:
        """This step gives a field a new value whenever what follows it in its block runs."""
        if not self.leaves:
            self._stores(number).overwrite(field, self.at, self._ways)

    def hand_over(self, number: int) -> None:
        """This step hands a local to another shader."""
        self.handed[number] = self.at

    def var(self, number: int, field: str, kind: AccessKind) -> Var:
        """What a local holds when this step reads it."""
        stores = self.stores.get(number)
        if stores is None:
            return Var(number, field, kind, EVERYTHING if self._repeats else UNSTORED)
        return Var(number, field, kind, stores.view(self.at, self._ways, self._repeats))

    def is_stored(self, number: int) -> bool:
        """Whether any step so far has given a local a value."""
        stores = self.stores.get(number)
        return stores is not None and stores.count > 0

    def _stores(self, number: int) -> Stores:
        found = self.stores.get(number)
        if found is None:
            found = self.stores[number] = Stores()
        return found

    def _taken(self, controls: Ways) -> Ways:
        """The branches without those that are always taken."""
        return tuple(
            (control, branch)
            for control, branch in controls
            if self.steps[control].kind != "condition" or (control, not branch) not in self.dead
        )

    def is_dead(self, index: int) -> bool:
        if not self.dead:
            return False
        return index in self.passed or any(control in self.dead for control in self.steps[index].controls)

    # -- following back

    def closure(self, seeds: Iterable[Seed]) -> Needs:
        """All that the seeds need, through locals, copies and the conditions that the steps run under."""
        needs: set[Need] = set()
        steps: set[int] = set()
        for needed, index in seeds:
            needs |= needed
            steps.add(index)
        self.reach(needs, steps, circles=bool(self.branching))
        return not_local(needs)

    def reach(self, needs: set[Need], steps: set[int], circles: bool, until: int | None = None) -> None:
        """Adds to needs and steps all that they need in turn; goes no further once the step `until` is among them.

        Without `circles` what circles in loops is left out.
        """
        work, waiting = list(needs), list(steps)
        while (work or waiting) and until not in steps:
            if waiting:
                index = waiting.pop()
                needed, others = self._controls.get((index, circles)) or self._control(index, circles)
            else:
                need = work.pop()
                if isinstance(need, Var):
                    needed, others = self._followed.get(need) or self._follow(need)
                elif isinstance(need, Global) and self._repeated:
                    needed, others = self._round(need)
                else:
                    continue
            if not needed <= needs:
                work += needed - needs
                needs |= needed
            if not others <= steps:
                waiting += others - steps
                steps |= others

    def _circling(self, loop: int) -> Reached:
        """The steps of a loop that branch and decide, in a later round, how they branch; with what decides that."""
        found = self._circles.get(loop)
        if found is None:
            inside = [i for i in self.branching if loop in self.steps[i].loops and not self.is_dead(i)]
            steps = {i for i in inside if len(inside) > _MAX_ASKED or self._decides_itself(i)}
            called = [(needs, i) for needs, i in self.circling if loop in self.steps[i].loops]
            needs = NOTHING.union(*map(self.decided_by, steps), *(needs for needs, _ in called))
            found = self._circles[loop] = needs, steps.union(i for _, i in called)
        return found

    def circles(self) -> Needs:
        """What circles in loops, here or in functions called: it stays where a loop around the call stays."""
        seeds = list(self.circling)
        for loop in self.looping:
            if self.steps[loop].kind == "loop":
                needs, steps = self._circling(loop)
                seeds += ((frozenset((*needs, EFFECT)), i) for i in steps)
                if self._decides_itself(loop):
                    seeds.append((frozenset((*self.decided_by(loop), EFFECT)), loop))
        return self.closure(seeds) if seeds else NOTHING

    def decided_by(self, index: int) -> Iterable[Need]:
        return self.conditions[index] if index in self.conditions else self._repeated.get(index, ())

    def _decides_itself(self, index: int) -> bool:
        found = self._itself.get(index)
        if found is None:
            steps: set[int] = set()
            self.reach(set(self.decided_by(index)), steps, circles=False, until=index)
            found = self._itself[index] = index in steps
        return found

    def _control(self, index: int, circles: bool) -> Reached:
        """What keeps a live step: the conditions around it, the jumps that may pass it over, the loops around it.

        `~loop` stands for all that keeps a loop going: the jumps out of it, what circles in it.
        """
        returns, leaving = self._jumps
        if index < 0:
            needs, circling = self._circling(~index) if circles else (NOTHING, NOTHING)
            steps = {*leaving.get(~index, ()), *circling}
        else:
            step = self.steps[index]
            steps = {condition for condition, _ in step.controls}
            needs = NOTHING.union(*[self.conditions[i] for i in steps if i in self.conditions]) if steps else NOTHING
            earlier = bisect_left(returns, index)
            if earlier:
                # Which are before that one keep it in turn.
                steps.add(returns[earlier - 1])
            steps.update(~loop for loop in step.loops)
            if step.kind == "loop":
                # What its condition does may be done again.
                needs |= self.conditions.get(index, NOTHING)
                steps.add(~index)
        found = self._controls[index, circles] = needs, steps
        return found

    @cached_property
    def _jumps(self) -> tuple[list[int], dict[int, list[int]]]:
        """The conditional returns, and by loop the conditional jumps that may keep what is in it from running again."""
        returns: list[int] = []
        leaving: dict[int, list[int]] = {}
        for index, step in enumerate(self.steps):
            if step.kind in ("jump", "return") and step.controls and not self.is_dead(index):
                if step.kind == "return":
                    returns.append(index)
                if step.loops:
                    leaving.setdefault(step.loops[0 if step.kind == "return" else -1], []).append(index)
        return returns, leaving

    def _follow(self, need: Var) -> Reached:
        """What a local may hold, and the steps that give it that."""
        number, name, kind, view = need
        needs: set[Need] = set()
        steps: set[int] = set()
        stores = self.stores.get(number)
        for field, source, index in stores.copied(name, view) if stores is not None else ():
            needs.add(_part(source, inside(name, field) or "", kind))
            steps.add(index)
        for _, given, index in stores.stored(name, view) if stores is not None else ():
            needs.update(given if kind == "read" else _touched(given, kind))
            steps.add(index)
        if number in self.inputs and (stores is None or stores.keeps_input(name, view)):
            needs.add(Input(number, name.removesuffix(OTHERS).rstrip("."), kind))
        found = self._followed[need] = needs, steps
        return found

    def _round(self, need: Global) -> Reached:
        """What a static variable takes in loops, in which it may go round; what else it takes is not asked here."""
        needs: set[Need] = set()
        steps: set[int] = set()
        for (symbol, path), seeds in self.writes.items():
            if symbol is need.symbol and overlap(path, need.path):
                for given, index in seeds:
                    if self.steps[index].loops:
                        needs |= given
                        steps.add(index)
        return needs, steps

    def output(self, number: int, path: str = "") -> Output:
        """What steps give a local (or a field of it), field by field; not what a parameter held at the call."""
        base, fields, _ = self._given(number, path, self._at_end(number), set())
        return Output(self.closure(base), {f: self.closure(s) for f, s in fields.items()})

    def stored(self, numbers: Iterable[int]) -> Needs:
        """All that is ever stored in parameters where something of it is overwritten."""
        found = list(self.hidden)
        for number in numbers:
            if any(self._stores(number).overwritten(self._at_end(number)).values()):
                base, fields, _ = self._given(number, "", EVERYTHING, set())
                found += chain(base, *fields.values())
        return self.closure(found) if found else NOTHING

    def overwritten(self, number: int) -> Iterable[str]:
        """The fields of a local that have a new value wherever the function ends."""
        return self._stores(number).overwritten(self._at_end(number))

    def _at_end(self, number: int) -> int:
        end = next((i for i, s in enumerate(self.steps) if s.kind == "return" and not self.is_dead(i)), len(self.steps))
        return self._stores(number).view_at_end(end)

    def _given(self, number: int, path: str, view: int, seen: set[tuple[int, str]]) -> Given:
        base: list[Seed] = []
        fields: dict[str, list[Seed]] = {}
        circular = False
        seen.add((number, path))
        stores = self._stores(number)
        for field, needs, index in stores.stored(path, view):
            below = inside(field, path)
            (fields.setdefault(below, []) if below else base).append((needs, index))
        for field, source, index in stores.copied(path, view):
            below = inside(field, path) or ""
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
            if place.number in self.inputs and self._stores(place.number).keeps_input(place.field, place.view):
                base.append((frozenset((Input(place.number, place.field, "read"),)), index))
            for name, seeds in parts.items():
                fields.setdefault(name, []).extend(seeds)
        return Output(self.closure(base), {f: self.closure(s) for f, s in fields.items()})


def not_local(needs: Iterable[Need]) -> Needs:
    return frozenset([need for need in needs if not isinstance(need, Var)])


def _part(source: Var | Use, path: str, kind: AccessKind) -> Var | Use:
    """A field of what was copied, touched in another way."""
    if isinstance(source, Var):
        return Var(source.number, join(source.field, path), kind, source.view)
    return Use(source.symbol, (*source.path, *path.split(".")) if path and path != OTHERS else source.path, kind)


def _touched(needs: Needs, kind: AccessKind) -> Iterable[Need]:
    """A local that holds a resource is touched: so is the resource."""
    return (n._replace(kind=kind) if isinstance(n, Use) else n for n in needs)
