"""Summaries of functions: for each thing that comes out of a call, which resources it needs.

What nobody needs is not used: the compiler's optimizer removes it, and so do we. Where that is not sure, more is
called used, never less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import NamedTuple

from bindlint.usage.bodies.syntax import Call, parameter_name
from bindlint.usage.liveness.needs import NOTHING, THIS, Input, Output, Summary
from bindlint.usage.liveness.reading import BodyReader
from bindlint.usage.names import SymbolTable
from bindlint.usage.numbers import Number
from bindlint.usage.symbols import FunctionSymbol, Scope, by_count

Constants = tuple[tuple[str, Number], ...]
"""Values of parameters and template arguments that a call fixes, by the names that they have in a body's texts."""

_MAX_DEPTH = 40
"""Calls in calls that are followed one inside the other."""

_MAX_STEPS = 2_000
"""Steps that are read again in one shader for the constants that calls hand over; real shaders have up to 1,400."""
_STEPS_OF_A_CALL = 20
"""What reading a body again costs besides its steps."""

_MANY = 16
"""From so many functions on that one call may mean, they are taken as one."""


class Record(NamedTuple):
    """A summary that was worked out once, and the summaries of called functions that it was made from."""

    dependencies: tuple[tuple[FunctionSymbol, Constants, Summary], ...]
    summary: Summary


Kept = dict[FunctionSymbol, dict[object, list[Record]]]
"""Records of functions, by what the names in them mean."""


class Summarizer:
    """Summarizes functions of one shader; takes what was worked out for another where all that it read is the same."""

    def __init__(self, table: SymbolTable, kept: Kept, cycles: dict[FunctionSymbol, Summary]) -> None:
        self.table = table
        self.kept = kept
        self.cycles = cycles
        self.done: dict[tuple[FunctionSymbol, Constants], Summary] = {}
        self.running: set[FunctionSymbol] = set()
        self.steps = _MAX_STEPS
        self._joined: dict[tuple[FunctionSymbol, ...], Summary] = {}
        self._candidates: dict[tuple[str, int, Scope], list[FunctionSymbol]] = {}

    def summary(self, function: FunctionSymbol, constants: Constants = ()) -> Summary:
        found = self.done.get((function, constants))
        if found is None and constants and self.steps <= 0:
            constants = ()
            found = self.done.get((function, constants))
        if found is not None:
            return found
        if function in self.running:
            return self._cycle(function)
        if len(self.running) < _MAX_DEPTH:
            return self._run(function, constants)
        return self._from_below(function)

    def _run(self, function: FunctionSymbol, constants: Constants) -> Summary:
        self.running.add(function)
        if constants:
            self.steps -= len(function.body.steps) + _STEPS_OF_A_CALL
        found = self.done[function, constants] = self._summarize(function, constants)
        self.running.discard(function)
        return found

    def _from_below(self, function: FunctionSymbol) -> Summary:
        """Deep chains of calls: every function after those that it names, and without what calls fix."""
        stack, seen = [function], set(self.running)
        while stack and len(self.running) <= 2 * _MAX_DEPTH:
            current = stack[-1]
            if current not in seen:
                seen.add(current)
                names = (*current.body.free, *current.body.methods)
                called = (s for name in names for s in self.table.names.get(name, ()))
                stack += [s for s in called if isinstance(s, FunctionSymbol) and s.function.body and s not in seen]
                continue
            stack.pop()
            if (current, ()) not in self.done and current not in self.running:
                self._run(current, ())
        return self.done.get((function, ())) or self._cycle(function)

    def _cycle(self, function: FunctionSymbol) -> Summary:
        """HLSL has no recursion; a cycle comes from a name that could not be told apart. All that goes in comes out."""
        found = self.cycles.get(function)
        if found is None:
            found = self.cycles[function] = Summary()
            numbers = (*range(len(function.function.parameters)), *((THIS,) if function.function.owner else ()))
            found.result = Output(frozenset(Input(number, "", "read") for number in numbers))
        return found

    def _summarize(self, function: FunctionSymbol, constants: Constants) -> Summary:
        body, names = function.operated if self.table.operators else function.body, self.table.names
        meanings = tuple(map(names.get, (*body.free, *body.methods, *function.type_names)))
        values = tuple(self.table.folding.fingerprint(name, function.scope) for name in body.named)
        records = self.kept.setdefault(function, {}).setdefault((meanings, values, constants), [])
        for record in records:
            if all(self.summary(callee, given) is summary for callee, given, summary in record.dependencies):
                return record.summary
        reader = BodyReader(self, function, body, dict(constants))
        found = reader.summary()
        records.append(Record(tuple((*key, summary) for key, summary in reader.dependencies.items()), found))
        return found

    def candidates(self, name: str, count: int, scope: tuple[str, ...]) -> list[FunctionSymbol]:
        """The functions that a call may mean: by name, scope and number of arguments; definitions before prototypes."""
        found = self._candidates.get((name, count, scope))
        if found is None:
            functions = (s for s in self.table.visible(name, scope) if isinstance(s, FunctionSymbol))
            found = self._candidates[name, count, scope] = by_count(functions, count)
        return found

    def called(
        self,
        candidates: list[FunctionSymbol],
        call: Call,
        value_of: Callable[[int], Number | None],
        dependencies: dict[tuple[FunctionSymbol, Constants], Summary],
    ) -> Iterator[tuple[FunctionSymbol, Summary]]:
        """The functions that a call may mean with what each does; all are added to `dependencies`."""
        count = len(call.arguments)
        if len(candidates) >= _MANY and all(len(f.function.parameters) == count for f in candidates):
            if any((function, ()) not in dependencies for function in candidates):
                dependencies |= {(function, ()): self.summary(function) for function in candidates}
            yield candidates[0], self._together(tuple(candidates))
            return
        for function in candidates:
            constants = self.constants_for(function, call, value_of)
            summary = dependencies[function, constants] = self.summary(function, constants)
            yield function, summary

    def _together(self, functions: tuple[FunctionSymbol, ...]) -> Summary:
        """Any of the functions, whatever the call hands over."""
        found = self._joined.get(functions)
        if found is None:
            found = _joined([self.summary(function) for function in functions])
            if self.running.isdisjoint(functions):
                self._joined[functions] = found
        return found

    def constants_for(
        self, function: FunctionSymbol, call: Call, value_of: Callable[[int], Number | None]
    ) -> Constants:
        """What a call fixes of the values that decide branches in the function; `value_of` reads the caller's texts."""
        body = function.body
        values = {number: value_of(call.texts[number]) for number in body.constants if number < len(call.texts)}
        found = list(self.fixed(function, body.constants, values))
        for parameter, text in zip(function.function.template, call.template, strict=False):
            value = value_of(text)
            taken = None if value is None else self.table.taken(value, parameter.kind, function.scope)
            if taken is not None:
                found.append((parameter.name, taken))
        return tuple(found)

    def fixed(self, function: FunctionSymbol, numbers: Set[int], values: Mapping[int, Number | None]) -> Constants:
        """What those parameters are by the values of arguments, or by their defaults."""
        found: list[tuple[str, Number]] = []
        for number in sorted(numbers):
            value = values[number] if number in values else self._default(function, number)
            if value is not None and not self._handed_out(function, number):
                taken = self.table.taken(value, function.body.locals[number].type, function.scope)
                if taken is not None:
                    found.append((parameter_name(number), taken))
        return tuple(found)

    def _default(self, function: FunctionSymbol, number: int) -> Number | None:
        """The value of a parameter for which a call gives none."""
        place = function.function.parameters[number].default
        text = "" if place is None else function.unit.slice(place).lstrip("= \t\r\n")
        return self.table.value(text, function.scope) if text else None

    def _handed_out(self, function: FunctionSymbol, number: int) -> bool:
        """Whether the function hands its parameter on to something that may write to it."""
        for own, name, position, count in function.body.passed:
            if own == number:
                for callee in self.candidates(name, count, function.scope):
                    if {"out", "inout"} & callee.function.parameters[position].modifiers:
                        return True
        return False


def _joined(summaries: list[Summary]) -> Summary:
    found = Summary()
    found.effects = NOTHING.union(*(s.effects for s in summaries))
    found.result = _any_of([s.result for s in summaries])
    for number in dict.fromkeys(number for s in summaries for number in s.outs):
        found.outs[number] = _any_of([s.outs[number] for s in summaries if number in s.outs])
    for place in dict.fromkeys(place for s in summaries for place in s.writes):
        found.writes[place] = NOTHING.union(*(s.writes.get(place, NOTHING) for s in summaries))
    found.loops = any(s.loops for s in summaries)
    found.branches = any(s.branches for s in summaries)
    found.fed = NOTHING.union(*(s.fed for s in summaries))
    found.circles = NOTHING.union(*(s.circles for s in summaries))
    return found


def _any_of(outputs: list[Output]) -> Output:
    names = dict.fromkeys(name for output in outputs for name in output.fields)
    fields = {name: NOTHING.union(*(o.fields.get(name, NOTHING) for o in outputs)) for name in names}
    return Output(NOTHING.union(*(o.base for o in outputs)), fields)
