"""Runs the statements of a function: blocks, branches, loops and `switch`, and what comes out of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from bindlint.usage.bodies.syntax import DEFAULT, Step, Switch
from bindlint.usage.liveness.switches import running
from bindlint.usage.merging.candidates import HANDED_OUT
from bindlint.usage.merging.conditions import Given
from bindlint.usage.merging.kept import Kept, most
from bindlint.usage.merging.places import Frame, Trace
from bindlint.usage.merging.standing import ANYTHING, UNTOLD, Bundle, Condition, Doubt, Origin, joined
from bindlint.usage.merging.state import STATIC, Key, State, Variable, together
from bindlint.usage.merging.values import Arguments, Values
from bindlint.usage.symbols import FunctionSymbol, VariableSymbol

_WORK_OF_CALL = 20
"""The work of a call besides its steps."""
_Controls = tuple[tuple[int, bool], ...]


class _Way(NamedTuple):
    """A way out of a function: the state there, what is returned, and the branches that it stands in."""

    state: State
    result: Bundle
    controls: _Controls


def follow(trace: Trace, entry: FunctionSymbol) -> None:
    """Runs an entry point from its start."""
    state = State({}, False, False, frozenset())
    given: list[Given] = []
    outs: dict[int, Doubt] = {}
    for number, parameter in enumerate(entry.function.parameters):
        plain = not parameter.modifiers & HANDED_OUT
        names = frozenset((f"parameter {number}",))
        given.append(Given(Doubt.SURE if plain else Doubt.OPEN, names, plain, parameter.type.name))
        if not plain:
            outs[number] = Doubt.SURE
    for symbol in trace.candidates.statics:
        _initialize(trace, entry, symbol, state)
    _run(trace, entry, Arguments([], given, {}, {}, None, Doubt.SURE, outs), state)


def _initialize(trace: Trace, entry: FunctionSymbol, symbol: VariableSymbol, state: State) -> None:
    """A static variable begins with what its initializer says, or with nothing."""
    variable = trace.statics.setdefault(symbol, Variable(STATIC, len(trace.statics)))
    trace.origins[variable] = Origin(entry, symbol.variable.name, symbol.span)
    if symbol.initializer is not None:
        frame = Frame(trace, entry, symbol.initializer, [], {})
        resolved = trace.table.resolve_type(symbol.variable.type, symbol.scope)
        values = Values(frame, Kept(frame.walker), partial(_run, trace))
        dimensions = len(symbol.variable.dimensions)
        values.give(Key(variable), resolved, dimensions, symbol.initializer.steps[0].value, state, Doubt.SETTLED)


def _run(trace: Trace, function: FunctionSymbol, arguments: Arguments, state: State) -> tuple[Frame, Bundle]:
    """Runs a function from `state` on, which becomes the state after it; the call and what it returned."""
    trace.work -= _WORK_OF_CALL + len(function.body.steps) + len(function.body.locals)
    frame = Frame(
        trace, function, function.body, arguments.given, arguments.constants, arguments.this, arguments.registers
    )
    # What is handed out is handed in as well: DXC passes a reference (tried).
    for number in range(len(function.function.parameters)):
        key = Key(frame.variable(number))
        told = number < len(arguments.bundles)
        state.put(key, arguments.bundles[number] if told else ANYTHING, frame.origin(key))
    kept = Kept(frame.walker, arguments.kept, arguments.outs, most(function))
    before = state.copy()
    trace.calls.append(function)
    after, result = _Statements(frame, kept).whole(before, state)
    trace.calls.pop()
    state.held = after.held
    state.under, state.left, state.asked = before.under, before.left, before.asked
    return frame, result


class _Statements:
    """The statements of one call."""

    def __init__(self, frame: Frame, kept: Kept) -> None:
        self.frame = frame
        self.trace = frame.trace
        self.steps = frame.body.steps
        self.kept = kept
        self.values = Values(frame, kept, partial(_run, frame.trace))
        self.conditions: dict[int, Condition] = {}
        self.returns: list[_Way] = []
        self.breaks: list[list[State]] = []
        self.continues: list[list[State]] = []
        self.jumped = 0
        self.jumps = {at: word for at, word in frame.body.marks if word in ("break", "continue")}

    def whole(self, before: State, state: State) -> tuple[State, Bundle]:
        """From `state` to the end, and to what is returned; `before` is a copy of that state."""
        end = self._block(0, len(self.steps), 0, state)
        ways = self.returns if end is None else [*self.returns, _Way(end, {}, ())]
        if not ways:
            return before, {}
        after, result, controls = ways[0]
        for other in ways[1:]:
            condition = self._between(controls, other.controls)
            after = together(before, [after, other.state], condition, self.trace.origins, ended=False)
            bundles = [bundle for bundle in (result, other.result) if bundle]
            result = joined(bundles, condition, Origin(self.frame.function, "")) if bundles else {}
            controls = other.controls
        return after, result

    def _between(self, one: _Controls, other: _Controls) -> Condition:
        """The condition that decides between two ways out."""
        common = 0
        while common < min(len(one), len(other)) and one[common] == other[common]:
            common += 1
        rest = one[common:] or other[common:]
        return self.conditions.get(rest[0][0], UNTOLD) if rest else UNTOLD

    def _join(
        self, before: State, ways: Sequence[State | None], condition: Condition, ended: bool = False
    ) -> State | None:
        """The state after several ways, None where all of them end."""
        going = _going(*ways)
        self.trace.work -= len(going) * len(before.held)
        ended = ended or len(going) < len(ways)
        return together(before, going, condition, self.trace.origins, ended) if going else None

    def _block(self, start: int, end: int, depth: int, state: State) -> State | None:
        """The steps from `start` to `end`; None where all ways through them end."""
        index = start
        while index < end:
            step = self.steps[index]
            self.trace.work -= 1
            if self.trace.work < 0:
                return None
            self.frame.step = step
            last = self._last(index, end, depth) if step.kind in ("condition", "loop") else index + 1
            after: State | None
            if step.kind == "condition":
                after = self._branch(index, step, last, depth, state)
            elif index in self.frame.body.switches:
                after = self._switch(index, step, self.frame.body.switches[index], depth, state)
            elif step.kind == "loop":
                after = self._loop(index, step, last, depth, state)
            else:
                after = self._simple(index, step, state)
            if after is None:
                return None
            state, index = after, last
        return state

    def _last(self, index: int, end: int, depth: int) -> int:
        """Where the steps under the condition or loop at `index` end."""
        last = index + 1
        while last < end and len(self.steps[last].controls) > depth and self.steps[last].controls[depth][0] == index:
            last += 1
        return last

    def _simple(self, index: int, step: Step, state: State) -> State | None:
        kept = self.kept.steps[index]
        if step.kind == "jump":
            self.jumped += 1
            stack = self.continues if self.jumps.get(index) == "continue" else self.breaks
            if stack:
                stack[-1].append(state)
            return None
        if step.kind == "assign":
            key, local = Key(self.frame.variable(step.target)), self.frame.body.locals[step.target]
            resolved = self.frame.walker.local_type(step.target)
            self.values.give(key, resolved, local.dimensions, step.value, state, kept)
            return state
        bundle = self.values.visit(step.value, state, kept)
        if step.kind == "return":
            self.jumped += 1
            self.returns.append(_Way(state, bundle or {}, step.controls))
            return None
        return state

    def _branch(self, index: int, step: Step, last: int, depth: int, state: State) -> State | None:
        self.values.visit(step.value, state, Doubt.OPEN)
        middle = index + 1
        while middle < last and self.steps[middle].controls[depth][1]:
            middle += 1
        known = self.frame.conditions.value_of(step.text)
        if known is not None:
            return self._block(*((index + 1, middle) if known else (middle, last)), depth + 1, state)
        condition = self._ask(index, step, step.text, state)
        yes = self._block(index + 1, middle, depth + 1, state.behind(condition))
        no = self._block(middle, last, depth + 1, state.behind(condition))
        return self._join(state, (yes, no), condition)

    def _ask(self, index: int, step: Step, text: int, state: State) -> Condition:
        condition = self.conditions[index] = self.frame.conditions.condition(step.value, text, state.asked)
        return condition

    def _loop(self, index: int, step: Step, last: int, depth: int, state: State) -> State | None:
        """A loop that may be unrolled is run once, any other twice: before the second round the first may have run."""
        self.values.visit(step.value, state, Doubt.OPEN)
        loop = self.frame.conditions.loop(index, step, last)
        if self.frame.conditions.value_of(step.text) == 0:
            return state
        condition = self.conditions[index] = self._ask(index, step, step.text, state)._replace(doubt=loop.rounds)
        entered = condition._replace(doubt=Doubt.SURE) if loop.runs else condition
        once, before = loop.rounds == Doubt.SETTLED, self.jumped
        head, end = state, None
        self.breaks.append([])
        for _ in range(1 if once else 2):
            self.breaks[-1].clear()
            self.continues.append([])
            end = self._block(index + 1, last, depth + 1, head.behind(entered))
            end = self._join(head, _going(end, *self.continues.pop()), condition)
            if not once and end is not None:
                head = self._join(state, (state, end), condition) or state
        leaving = (end if once or loop.runs else head) if once or not loop.endless else None
        return self._join(state, _going(leaving, *self.breaks.pop()), condition, self.jumped > before)

    def _switch(self, index: int, step: Step, switch: Switch, depth: int, state: State) -> State | None:
        self.values.visit(step.value, state, Doubt.OPEN)
        condition = self._ask(index, step, switch.text, state)
        run = running(switch, self.frame.body.texts, self.frame.conditions.number_of)
        before = self.jumped
        self.breaks.append([])
        through: State | None = None
        if run is not None:
            through = self._block(run[0].start, run[-1].end, depth + 1, state) if run else state
        for case in switch.cases if run is None else ():
            entered = self._join(state, _going(state.behind(condition), through), condition) or state
            entered.under = state.under or condition.doubt != Doubt.SURE
            entered.asked = state.asked | condition.names
            through = self._block(case.start, case.end, depth + 1, entered)
        ways = [*self.breaks.pop()]
        ended = self.jumped - before > len(ways)
        if through is not None:
            ways.append(through)
        labels = (self.frame.body.texts[text] for case in switch.cases for text in case.texts)
        if run is None and DEFAULT not in labels:
            ways.append(state)
        return self._join(state, ways, condition, ended)


def _going(*ways: State | None) -> list[State]:
    """The ways that do not end."""
    return [way for way in ways if way is not None]
