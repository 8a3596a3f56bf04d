"""Evaluates the expressions of one call: what they stand for, what in them is read, and the calls in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bindlint.usage.bodies.syntax import Assign, Atom, Call, Expr, Ref, ShortCircuit, parameter_name
from bindlint.usage.liveness.intrinsics import method_kind
from bindlint.usage.merging.candidates import HANDED_OUT
from bindlint.usage.merging.conditions import NOT_TOLD, Given
from bindlint.usage.merging.kept import Kept
from bindlint.usage.merging.places import Found, Frame, Place
from bindlint.usage.merging.standing import (
    ANY,
    ANYTHING,
    NONE,
    UNKNOWN,
    Bundle,
    Condition,
    Doubt,
    Origin,
    Standing,
    joined,
)  # fmt: skip
from bindlint.usage.merging.state import Key, State
from bindlint.usage.names import ResolvedType
from bindlint.usage.numbers import Number
from bindlint.usage.symbols import FunctionSymbol, by_count

_MAX_DEPTH = 40


class Arguments(NamedTuple):
    """What a call gives a function: resources, what is known of numbers, the object of a method.

    `kept` says whether the result is kept, `outs` the same of what is handed out.
    """

    bundles: list[Bundle]
    given: list[Given]
    constants: dict[str, Number]
    registers: dict[int, str]
    this: Key | None
    kept: Doubt
    outs: dict[int, Doubt]


Run = Callable[[FunctionSymbol, Arguments, State], tuple[Frame, Bundle]]
"""Runs a function from a state on, which becomes the one after it; the call and what it returned."""


class Values:
    """The expressions of one call; a value that stands for no resources is None."""

    def __init__(self, frame: Frame, kept: Kept, run: Run) -> None:
        self.frame = frame
        self.trace = frame.trace
        self.conditions = frame.conditions
        self.kept = kept
        self.run = run

    def give(self, key: Key, resolved: ResolvedType, dimensions: int, value: Expr, state: State, kept: Doubt) -> None:
        """Initializes a variable with a value or a list of them."""
        bundle = self.visit(value, state, kept)
        if resolved.resource is None and resolved.struct is None:
            return
        dimensions += len(resolved.dimensions)
        if bundle is None or (bundle.keys() == {()} and (dimensions or resolved.struct)):
            bundle = self.frame.listed(resolved, dimensions, value, state) or bundle or ANYTHING
        self.trace.work -= len(bundle)
        state.put(key, bundle, self.frame.origin(key))

    def visit(self, expression: Expr, state: State, kept: Doubt) -> Bundle | None:
        """Evaluates an expression; what it stands for where that are resources."""
        found: Bundle | None = None
        for atom in expression:
            found = self._atom(atom, state, kept)
        return found if len(expression) == 1 else None

    def _atom(self, atom: Atom, state: State, kept: Doubt) -> Bundle | None:
        if isinstance(atom, Ref):
            return self._reference(atom, state, kept)
        if isinstance(atom, Call):
            return self._call(atom, state, kept)
        if isinstance(atom, Assign):
            return self._assign(atom, state, kept)
        if isinstance(atom, ShortCircuit):
            for operand in atom.operands:
                self.visit(operand, state, min(kept, Doubt.OPEN))
            return None
        self.visit(atom.condition, state, min(kept, Doubt.OPEN))
        known = self.conditions.value_of(atom.text)
        if known is not None:
            return self.visit(atom.yes if known else atom.no, state, kept)
        condition = self.conditions.condition(atom.condition, atom.text, state.asked)
        return self._either(condition, (atom.yes, atom.no), state, kept)

    def _either(self, condition: Condition, ways: tuple[Expr, Expr], state: State, kept: Doubt) -> Bundle | None:
        """One of two values; one may be a choice by the same condition, which is then told."""
        values = [self.visit(way, state, min(kept, condition.doubt)) for way in ways]
        bundles = [{p: s.under(condition) for p, s in value.items()} for value in values if value is not None]
        return joined(bundles, condition, self._target()) if len(bundles) == len(ways) else None

    def _target(self) -> Origin:
        """What a step gives its value."""
        frame, step = self.frame, self.frame.step
        if step is not None and step.kind == "assign":
            return self.trace.origins[frame.variable(step.target)]
        single = step.value[0] if step is not None and len(step.value) == 1 else None
        target = single.target[0] if isinstance(single, Assign) and len(single.target) == 1 else None
        place = frame.place(target)
        return Origin(frame.function, target.name if isinstance(target, Ref) and place and place.is_one else "")

    def _reference(self, ref: Ref, state: State, kept: Doubt) -> Bundle | None:
        for index in ref.indices:
            self.visit(index, state, min(kept, Doubt.OPEN))
        place = self.frame.place(ref)
        if place is None or not place.holds:
            return None
        if place.element:
            self.trace.read(self.frame.standing(place, state), state, kept)
            return None
        if place.is_one:
            return {(): self.frame.standing(place, state)}
        if place.key is None:
            return {(): Standing((place.source,))} if place.source and place.dimensions else ANYTHING
        return state.bundle(place.key) if ANY not in place.key.path else ANYTHING

    def _assign(self, atom: Assign, state: State, kept: Doubt) -> Bundle | None:
        target = atom.target[-1] if atom.target else None
        place = self.frame.place(target)
        bundle = self.visit(atom.value, state, max(self.kept.assigned(atom), min(kept, Doubt.OPEN)))
        if place is None or not place.holds or place.element:
            self.visit(atom.target[:-1], state, Doubt.OPEN)
            if isinstance(target, Ref) and place is not None and place.element:
                self._reference(target, state, Doubt.SURE)
        elif place.key is not None:
            self._put(place, place.key, bundle if bundle is not None else ANYTHING, state)
        return bundle

    def _put(self, place: Place, key: Key, bundle: Bundle, state: State) -> None:
        frame, (call, number) = self.frame, key.variable
        register = frame.registers.get(number, "") if call == frame.number and not key.path else ""
        other = bundle[()].sources[0] if register and () in bundle else ""
        if other and other not in (register, UNKNOWN):
            # DXC copies no global that is an argument, so that this would change the register of the global (tried).
            place_of = Origin(frame.function, frame.body.locals[number].name)
            doubt = Doubt.OPEN if number in self.kept.often else Doubt.SURE
            self.trace.add(Found(place_of, (register, other), register), state, doubt)
        self.trace.work -= len(state.held.get(key.variable, ()))
        state.put(key, bundle, frame.origin(key), place.subscript)

    def _call(self, call: Call, state: State, kept: Doubt) -> Bundle | None:
        if call.receiver is not None:
            return self._method(call, call.receiver, state, kept)
        frame = self.frame
        visible = self.trace.table.visible(call.name, frame.function.scope)
        called = by_count((s for s in visible if isinstance(s, FunctionSymbol)), len(call.arguments))
        if called:
            this = frame.this if frame.walker.owner is not None and called[0].function.owner else None
            return self._called(called, call, state, kept, this)
        if call.name == "select" and len(call.arguments) == 3:
            condition = self.conditions.condition(call.arguments[0], call.texts[0], state.asked)
            return self._either(condition, (call.arguments[1], call.arguments[2]), state, kept)
        inner = self.kept.arguments(call, kept)
        for number, argument in enumerate(call.arguments):
            atomic = not number and call.name.startswith("Interlocked")
            self.visit(argument, state, Doubt.SURE if atomic else inner)
        return None

    def _method(self, call: Call, receiver: Expr, state: State, kept: Doubt) -> Bundle | None:
        place = self.frame.place(receiver[0]) if len(receiver) == 1 else None
        if place is not None and place.resolved.struct is not None and not place.element:
            methods = by_count(self.trace.table.methods(place.resolved.struct, call.name), len(call.arguments))
            if methods:
                key = place.key
                if key is not None and ANY in key.path:
                    key = self.frame.some_element(place, key, state)
                return self._called(methods, call, state, kept, key)
        bundle = self.visit(receiver, state, kept)
        kind = method_kind(call.name)
        needed = kept
        if kind in ("write", "counter"):
            needed = Doubt.SURE
        elif kind == "query":
            needed = max(kept, self.kept.out_arguments(call))
        if bundle is not None and () in bundle:
            self.trace.read(bundle[()], state, needed)
        for argument in call.arguments:
            given = self.visit(argument, state, self.kept.arguments(call, kept))
            if given is not None and () in given:
                self.trace.read(given[()], state, needed)
        return None

    # -- functions of the shader

    def _called(
        self, called: list[FunctionSymbol], call: Call, state: State, kept: Doubt, this: Key | None
    ) -> Bundle | None:
        followed = [function for function in called if function in self.trace.candidates.followed]
        if not followed:
            for argument in call.arguments:
                self.visit(argument, state, min(kept, Doubt.OPEN))
            for function in called:
                self._forget(function, call, state)
            return None
        if len(called) > 1:
            state.left = True
        result: Bundle = {}
        for function in followed:
            step = self.frame.step
            result = self._enter(function, call, state, kept if not call.members else min(kept, Doubt.OPEN), this)
            self.frame.step = step
        if len(called) > 1:
            return ANYTHING
        path = tuple(member for member in call.members if member != "[]")
        if path:
            return {p[len(path) :]: s for p, s in result.items() if p[: len(path)] == path} or None
        return result or None

    def _enter(self, function: FunctionSymbol, call: Call, state: State, kept: Doubt, this: Key | None) -> Bundle:
        arguments = self._arguments(function, call, state, kept, this)
        calls = self.trace.calls
        if len(calls) > _MAX_DEPTH or function in calls or self.trace.work < 0:
            self._forget(function, call, state)
            return ANYTHING
        if function in self.trace.candidates.inert and all(map(_is_one, arguments.bundles)):
            return {}
        inner, result = self.run(function, arguments, state)
        for number, place, key in self._handed_out(function, call):
            value = state.bundle(Key(inner.variable(number)))
            if number not in arguments.registers:
                self._put(place, key, value, state)
        state.leave(inner.number)
        return result

    def _arguments(
        self, function: FunctionSymbol, call: Call, state: State, kept: Doubt, this: Key | None
    ) -> Arguments:
        parameters = function.function.parameters
        arguments = Arguments([], [], {}, {}, this, kept, {})
        for number, argument in enumerate(call.arguments):
            bundle = self.visit(argument, state, min(kept, Doubt.OPEN))
            arguments.bundles.append(ANYTHING if bundle is None else bundle)
            text = call.texts[number] if number < len(call.texts) else -1
            arguments.given.append(self.conditions.question(argument, text))
            value = self.conditions.number_of(text)
            if value is not None:
                arguments.constants[parameter_name(number)] = value
            if number < len(parameters) and parameters[number].modifiers & HANDED_OUT:
                arguments.outs[number] = Doubt.OPEN
            register = self._register(argument)
            if register:
                arguments.registers[number] = register
        for parameter, text in zip(function.function.template, call.template, strict=False):
            value = self.conditions.number_of(text)
            if value is not None:
                arguments.constants[parameter.name] = value
        arguments.given.extend([NOT_TOLD] * (len(parameters) - len(call.arguments)))
        self._same_twice(function, call, arguments)
        return arguments

    def _register(self, argument: Expr) -> str:
        """The global that an argument is as it stands."""
        place = self.frame.place(argument[0]) if len(argument) == 1 else None
        if place is None or not place.is_one:
            return ""
        if place.key is None:
            return place.source
        (call, number), path = place.key
        return self.frame.registers.get(number, "") if call == self.frame.number and not path else ""

    def _same_twice(self, function: FunctionSymbol, call: Call, arguments: Arguments) -> None:
        """A variable that is handed out and given a second time may change while the function runs."""
        outs = {key.variable for _, _, key in self._handed_out(function, call)}
        named = [{ref.local for ref in argument if isinstance(ref, Ref)} for argument in call.arguments]
        for variable in outs:
            same = [number for number, locals_ in enumerate(named) if variable.number in locals_]
            for number in same if len(same) > 1 else ():
                arguments.bundles[number] = ANYTHING

    def _handed_out(self, function: FunctionSymbol, call: Call) -> list[tuple[int, Place, Key]]:
        """The resources that a call gives new values: the parameters, and the places of the arguments."""
        found: list[tuple[int, Place, Key]] = []
        for number, (parameter, argument) in enumerate(zip(function.function.parameters, call.arguments, strict=False)):
            place = self.frame.place(argument[0]) if len(argument) == 1 else None
            handed = parameter.modifiers & HANDED_OUT
            if handed and place is not None and place.key is not None and place.holds and not place.element:
                found.append((number, place, place.key))
        return found

    def _forget(self, function: FunctionSymbol, call: Call, state: State) -> None:
        """What a function that is not followed hands out may be anything."""
        for _, place, key in self._handed_out(function, call):
            state.put(key, ANYTHING, self.frame.origin(key), place.subscript)


def _is_one(bundle: Bundle) -> bool:
    """Whether each resource in a value is known to be one."""
    standings = bundle.values()
    return bool(bundle) and all(len(each.sources) == 1 and each.sources != (NONE,) for each in standings)
