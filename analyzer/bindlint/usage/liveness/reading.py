"""Reads the steps of one body with the meaning of its names: what each defines, needs and affects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bindlint.model.binding import AccessKind
from bindlint.model.resource_types import BUFFER_VIEWS
from bindlint.usage.bodies.operators import CALL_OPERATOR, METHODS
from bindlint.usage.bodies.syntax import Assign, Body, Call, Expr, Ref, Select, ShortCircuit, Step
from bindlint.usage.liveness.built_in import built_in_method, intrinsic
from bindlint.usage.liveness.calls import invoke
from bindlint.usage.liveness.certainty import Certainty
from bindlint.usage.liveness.flow import Flow
from bindlint.usage.liveness.intrinsics import FUNCTIONS
from bindlint.usage.liveness.needs import (
    EFFECT,
    HEAPS,
    NOTHING,
    THIS,
    Global,
    Heap,
    Need,
    Needs,
    Output,
    Summary,
    Use,
)
from bindlint.usage.liveness.operators import called_object, operator_call
from bindlint.usage.liveness.standing import stand
from bindlint.usage.liveness.switches import told
from bindlint.usage.liveness.values import Values
from bindlint.usage.liveness.walking import Place, Walker
from bindlint.usage.names import ResolvedType, SymbolTable
from bindlint.usage.numbers import Number
from bindlint.usage.symbols import FunctionSymbol, Symbol, VariableSymbol, by_count

if TYPE_CHECKING:
    from bindlint.usage.liveness.summary import Constants, Summarizer


class BodyReader:
    """One body under one meaning; `constants` are the values that the call fixes, by name in the body's texts."""

    def __init__(
        self, summarizer: Summarizer, function: FunctionSymbol, body: Body, constants: dict[str, Number]
    ) -> None:
        self.summarizer = summarizer
        self.table: SymbolTable = summarizer.table
        self.function = function
        self.body = body
        self.parameters = function.function.parameters
        self.scope = function.scope
        self.owner = self.table.owner(function)
        self.walker = Walker(self.table, body, self.scope, self.owner)
        given = {n for n, p in enumerate(self.parameters) if p.modifiers & {"in", "out", "inout"} != {"out"}}
        self.flow = Flow(body.steps, {THIS, *given})
        self.dependencies: dict[tuple[FunctionSymbol, Constants], Summary] = {}
        self.touches: set[Symbol] = set()
        self.values = Values(self, constants)

    def summary(self) -> Summary:
        flow, certainty = self.flow, Certainty(self)
        for index, step in enumerate(self.body.steps):
            if flow.is_dead(index):
                continue
            flow.begin(index)
            self.step(index, step)
            certainty.step(step)
            if step.kind == "return" and self.body.ends_at(index, flow.dead, flow.passed):
                flow.dead.add((index, True))
                break
        summary = Summary()
        summary.fed = stand(flow)
        summary.circles = flow.circles()
        if flow.effects:
            summary.effects = flow.closure(flow.effects)
        summary.result = flow.result()
        written = self._written()
        for number in written:
            summary.outs[number] = flow.output(number)
        summary.overwritten = frozenset((number, field) for number in written for field in flow.overwritten(number))
        summary.stored = flow.stored(number for number in written if number not in flow.inputs)
        summary.handed = frozenset(flow.handed.keys() & {THIS, *written})
        summary.leaves = flow.leaves
        summary.writes = {place: flow.closure(seeds) for place, seeds in flow.writes.items()}
        summary.calls = tuple((called, inner) for (called, _), inner in self.dependencies.items())
        summary.touches = frozenset(self.touches)
        summary.sure, summary.sure_result = frozenset(certainty.effects), frozenset(certainty.result)
        summary.loops = bool(flow.looping)
        summary.branches = bool(flow.branching)
        summary.dead = frozenset(flow.dead)
        summary.value = self.values.returned()
        del self.values  # It leads back here.
        return summary

    def _written(self) -> list[int]:
        """Parameters through which something comes out: `out`, `inout`, mesh outputs and payloads, and `this`."""
        through = {"out", "inout", "vertices", "indices", "primitives", "payload"}
        found = [i for i, p in enumerate(self.parameters) if through & p.modifiers]
        if self.owner is not None and self.flow.is_stored(THIS):
            found.append(THIS)
        return found

    # -- steps

    def step(self, index: int, step: Step) -> None:
        if step.kind == "assign":
            self.define_from(step.target, "", step.value)
            return
        if index in self.body.switches and told(self, index, self.body.switches[index]):
            return
        if step.kind != "return" and step.text >= 0 and self.values.decides(index, step):
            return
        single = step.value[0] if len(step.value) == 1 else None
        if step.kind == "return" and isinstance(single, Call):
            self.flow.returns.append((self._taken(single), index))
            return
        needs = self.needs(step.value)
        if step.kind == "return" and (step.value or self.function.function.return_type.name != "void"):
            place = self.local_part(step.value)
            var = None if place is None else self.flow.var(place.number, place.path, "read")
            self.flow.returns.append((Output(needs) if var is None else var, index))
        elif step.kind in ("condition", "loop"):
            self.flow.conditions[index] = needs
            if step.kind == "loop":
                if index in self.flow.looping:
                    self.flow.asking.add(index)
                self.flow.looping.add(index)
        elif step.kind == "discard":
            self.flow.effect(frozenset((EFFECT,)))

    def define_from(self, number: int, field: str, value: Expr) -> None:
        """`number.field = value`; copies of variables and results of functions keep their fields apart."""
        single = value[0] if len(value) == 1 else None
        if isinstance(single, Call):
            self.flow.define_output(number, field, self._taken(single))
            return
        local = self.local_part(value)
        if local is not None:
            self.flow.copy(number, field, self.flow.var(local.number, local.path, "read"))
            return
        needs = self.needs(value)
        if isinstance(single, Ref) and len(needs) == 1:
            (need,) = needs
            if isinstance(need, Use):
                self.flow.copy(number, field, need)
                return
        self.flow.define(number, field, needs)

    def _taken(self, call: Call) -> Output:
        """What is taken of a call's result needs, field by field where it is the whole."""
        output = self.call(call)
        return Output(output.field(self.result_path(call))) if call.members else output

    def local_part(self, value: Expr) -> Place | None:
        """The local variable, or the field of one, that an expression names and nothing else."""
        single = value[0] if len(value) == 1 else None
        place = self.walker.place(single) if isinstance(single, Ref) else None
        return place if place is not None and place.whole else None

    # -- expressions

    def needs(self, expression: Expr) -> Needs:
        if not expression:
            return NOTHING
        found: set[Need] = set()
        for atom in expression:
            if isinstance(atom, Ref):
                if atom.local >= 0 and not atom.members:
                    found.add(self.flow.var(atom.local, "", "read"))
                else:
                    found |= self.reference(atom, "read")
            elif isinstance(atom, Call):
                found |= self.call(atom).field(self.result_path(atom))
            elif isinstance(atom, Select):
                chosen = self.values.chosen(atom)
                if chosen is None:
                    outer, condition = self.flow.chosen, self.needs(atom.condition)
                    self.flow.chosen = outer | condition
                    found |= condition | self.needs(atom.yes) | self.needs(atom.no)
                    self.flow.chosen = outer
                else:
                    found |= self.needs(chosen)
            elif isinstance(atom, ShortCircuit):
                found |= self._short_circuit(atom.operands)
            else:
                found |= self.assign(atom)
        return frozenset(found)

    def _short_circuit(self, operands: tuple[Expr, ...]) -> Needs:
        outer, found = self.flow.chosen, NOTHING
        for operand in operands:
            found |= self.needs(operand)
            self.flow.chosen = outer | found
        self.flow.chosen = outer
        return found

    def reference(self, ref: Ref, kind: AccessKind) -> set[Need]:
        found: set[Need] = set()
        for index in ref.indices:
            found |= self.needs(index)
        if ref.indices:
            for operator in self.walker.walk(ref).operators:
                call = Call(operator.function.name, ref.indices[-1:])
                found |= invoke(self, [operator], call, [NOTHING], frozenset(found), (Ref(ref.name, ref.local),)).whole
        place = self.walker.place(ref)
        if place is not None:
            self._look_for_moving(place.number, ref)
            found.add(self.flow.var(place.number, place.path, kind))
            return found
        symbol = self.walker.variable(ref.name)
        if symbol is not None:
            found |= self._global_needs(symbol, ref, kind)
            self.flow.loaded.add(symbol)
            for special in self.table.specialised(ref.name, symbol.scope) if symbol.variable.template else ():
                if isinstance(special, VariableSymbol):
                    found |= self._global_needs(special, ref, kind)
        elif ref.name in HEAPS:
            found.add(Heap(ref.name))
        return found

    def _global_needs(self, symbol: VariableSymbol, ref: Ref, kind: AccessKind) -> set[Need]:
        """A global: itself, the cbuffer that it is in, or the part of a struct instance that members lead to."""
        self.touches.add(symbol)
        resolved = self.table.resolve_type(symbol.variable.type, symbol.scope)
        if symbol.static or symbol.shared:
            if ref.texts and self._unknown(ref):
                self.flow.shifting.add(symbol)
            return {Global(symbol, ".".join(self.walker.fields(resolved, ref.members)))}
        path: tuple[str, ...] = ()
        in_block = symbol.block is not None
        if resolved.struct is not None or (
            resolved.resource is not None and (in_block or resolved.resource.name in BUFFER_VIEWS)
        ):
            texts = iter(ref.texts)
            path = tuple(self._subscript(next(texts, -1)) if m == "[]" else m for m in ref.members)
        return {Use(symbol, path, kind)}

    def _subscript(self, text: int) -> str:
        value = self.values.of(text)
        return "*" if value is None or value.kind.real else str(int(value.value))

    def assign(self, atom: Assign) -> Needs:
        if not atom.target:
            return self.needs(atom.value)
        rest = self.needs(atom.target[:-1])
        target = atom.target[-1]
        if not isinstance(target, Ref):
            needs = self.needs(atom.value) | rest | self.needs((target,))
            self.flow.effect(needs | {EFFECT})
            return needs
        if self.walker.walk(target).element:
            needs = self.needs(atom.value) | rest | self.reference(target, "write")
            self.flow.effect(needs)
            return needs
        indices = NOTHING.union(*(self.needs(i) for i in target.indices))
        place = self.walker.place(target)
        if place is not None:
            number, field, whole = place
            if whole and not rest:
                self.define_from(number, field, atom.value)
            else:
                needs = self.needs(atom.value) | rest | indices
                # An element of a row takes the rest of the row along.
                dimensions = self.body.locals[number].dimensions if number >= 0 else 0
                self._look_for_moving(number, target)
                if target.indices and (atom.reads or len(target.indices) > dimensions + 1):
                    needs |= {self.flow.var(number, field, "read")}
                self.flow.define(number, field, needs)
            return frozenset((self.flow.var(number, field, "read"),))
        needs = self.needs(atom.value) | rest | indices
        symbol = self.walker.variable(target.name)
        if symbol is None:
            # Perhaps a field, in a method of a local struct.
            self.flow.effect(needs | {EFFECT})
            return needs
        read = self._global_needs(symbol, target, "read")
        self._write(symbol, target, needs)
        if atom.reads:
            self.flow.loaded.add(symbol)
        return needs | read

    def _look_for_moving(self, number: int, ref: Ref) -> None:
        """Where a subscript is not known the local has to stay in memory."""
        if ref.texts and self._unknown(ref):
            self.flow.moving.add(number)

    def _unknown(self, ref: Ref) -> bool:
        return any(self.values.of(text) is None for text in ref.texts)

    def _write(self, symbol: VariableSymbol, target: Ref, needs: Needs) -> None:
        """A static or groupshared variable takes a value; others cannot. What is shared stays, read or not."""
        if symbol.shared:
            self.flow.effect(needs | {EFFECT})
        if symbol.static or symbol.shared:
            resolved = self.table.resolve_type(symbol.variable.type, symbol.scope)
            self.flow.write(symbol, ".".join(self.walker.fields(resolved, target.members)), needs)

    # -- calls

    def call(self, call: Call) -> Output:
        arguments = [self.needs(a) for a in call.arguments]
        if call.receiver is not None:
            return self.method(call, call.receiver, arguments)
        candidates = self.summarizer.candidates(call.name, len(arguments), self.scope)
        if candidates:
            output = invoke(self, candidates, call, arguments, NOTHING, ())
            return Output(output.whole | intrinsic(self, call, arguments)) if call.name in FUNCTIONS else output
        if called := called_object(self, call):
            return operator_call(self, Call(CALL_OPERATOR, call.arguments, call.texts), called, arguments)
        return Output(intrinsic(self, call, arguments))

    def store(self, target: Expr, needs: Needs, only_local: bool = False) -> None:
        """An lvalue handed to a function takes `needs`; with `only_local` nothing but a local variable does."""
        ref = target[-1] if target else None
        if not isinstance(ref, Ref):
            if ref is not None and not only_local:
                self.flow.effect(needs | self.needs(target) | {EFFECT})
            return
        if self.walker.walk(ref).element:
            if not only_local:
                self.flow.effect(needs | self.reference(ref, "write"))
            return
        place = self.walker.place(ref)
        if place is not None:
            self._look_for_moving(place.number, ref)
            if ref.indices:
                needs = needs.union(*map(self.needs, ref.indices))
                needs |= {self.flow.var(place.number, place.path, "read")}
            self.flow.define(place.number, place.path, needs)
            return
        symbol = self.walker.variable(ref.name)
        if symbol is not None:
            self._write(symbol, ref, needs.union(*map(self.needs, ref.indices)))

    def hand_over(self, payload: Expr) -> None:
        """A local, or a field of one, goes to another shader."""
        root = payload[0] if len(payload) == 1 else None
        place = self.walker.place(root) if isinstance(root, Ref) else None
        if place is not None:
            self.flow.hand_over(place.number)

    def method(self, call: Call, receiver: Expr, arguments: list[Needs]) -> Output:
        """A method call; where the receiver's type cannot be told, whatever method of that name may be meant."""
        if call.name in METHODS:
            return operator_call(self, call, receiver, arguments)
        resolved = self.type_of_expression(receiver)
        if resolved is not None and resolved.argument and resolved.resource and resolved.resource.name in BUFFER_VIEWS:
            resolved = self.table.resolve_type(resolved.argument, self.scope)
        if resolved is not None and resolved.struct is not None:
            found = by_count(self.table.methods(resolved.struct, call.name), len(arguments))
            if found:
                return invoke(self, found, call, arguments, self.needs(receiver), receiver)
            if called := called_object(self, call):
                return operator_call(self, Call(CALL_OPERATOR, call.arguments, call.texts), called, arguments)
        built_in = built_in_method(self, call, receiver, arguments, resolved)
        if resolved is None or resolved.struct is not None:
            # A struct that has no such method has a parameter of its template as base.
            symbols = self.table.names.get(call.name, ())
            found = by_count((s for s in symbols if isinstance(s, FunctionSymbol) and s.function.owner), len(arguments))
            if found:
                own = invoke(self, found, call, arguments, self.needs(receiver), receiver)
                return Output(own.whole | built_in)
        return Output(built_in)

    def type_of_expression(self, expression: Expr) -> ResolvedType | None:
        """The type of a receiver, None where it cannot be told."""
        single = expression[0] if len(expression) == 1 else None
        if isinstance(single, Ref):
            return self.walker.walk(single).resolved
        if not isinstance(single, Call) or single.members or single.receiver is not None:
            return None
        return self._result_type(single)

    def _result_type(self, call: Call) -> ResolvedType | None:
        for function in self.summarizer.candidates(call.name, len(call.arguments), self.scope):
            resolved = self.table.resolve_type(function.function.return_type, function.scope)
            if resolved.struct is not None or resolved.resource is not None:
                return resolved
        return None

    def result_path(self, call: Call) -> str:
        """The field that is taken of a call's result; "" for all of it."""
        if not call.members:
            return ""
        return ".".join(self.walker.fields(None if call.receiver else self._result_type(call), call.members))
