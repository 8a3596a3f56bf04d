"""Summaries of functions: for each thing that comes out of a call, which resources it needs.

What nobody needs is not used: the compiler's optimizer removes it, and so do we. Where that is not sure, more is
called used, never less.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bindlint.usage.bodies.syntax import Call, parameter_name
from bindlint.usage.liveness.needs import THIS, Input, Output, Summary
from bindlint.usage.liveness.reading import BodyReader
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import FunctionSymbol, by_count

Constants = tuple[tuple[str, int], ...]
"""Values of parameters and template arguments that a call fixes, by the names that they have in a body's texts."""

_MAX_DEPTH = 40
"""Calls in calls that are followed one inside the other."""


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

    def summary(self, function: FunctionSymbol, constants: Constants = ()) -> Summary:
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
        body, names = function.body, self.table.names
        meanings = tuple(map(names.get, (*body.free, *body.methods, *function.type_names)))
        values = tuple(self.table.constant(name) for name in body.free) if body.texts else ()
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
        return by_count((s for s in self.table.visible(name, scope) if isinstance(s, FunctionSymbol)), count)

    def constants_for(self, function: FunctionSymbol, call: Call, value_of: Callable[[int], int | None]) -> Constants:
        """What a call fixes of the values that decide branches in the function; `value_of` reads the caller's texts."""
        body = function.body
        found: list[tuple[str, int]] = []
        for number in sorted(body.constants):
            value = value_of(call.texts[number]) if number < len(call.texts) else None
            if value is not None and not self._handed_out(function, number):
                found.append((parameter_name(number), value))
        for parameter, text in zip(function.function.template, call.template, strict=False):
            value = value_of(text)
            if value is not None:
                found.append((parameter.name, value))
        return tuple(found)

    def _handed_out(self, function: FunctionSymbol, number: int) -> bool:
        """Whether the function hands its parameter on to something that may write to it."""
        for own, name, position, count in function.body.passed:
            if own == number:
                for callee in self.candidates(name, count, function.scope):
                    if {"out", "inout"} & callee.function.parameters[position].modifiers:
                        return True
        return False
