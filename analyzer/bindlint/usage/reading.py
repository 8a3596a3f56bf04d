"""Reads the steps of one body with the meaning of its names: what each defines, needs and affects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bindlint.model.binding import AccessKind
from bindlint.model.resource_types import BUFFER_VIEWS
from bindlint.usage.flow import Flow
from bindlint.usage.intrinsics import OUT_ARGUMENTS, has_effect, method_kind
from bindlint.usage.names import ResolvedType, SymbolTable
from bindlint.usage.needs import (
    EFFECT,
    HEAPS,
    NOTHING,
    THIS,
    Global,
    Heap,
    Input,
    Need,
    Needs,
    Output,
    Summary,
    Use,
    Var,
)
from bindlint.usage.symbols import FunctionSymbol, Symbol, VariableSymbol, by_count
from bindlint.usage.syntax import Assign, Body, Call, Expr, Ref, Select, Step
from bindlint.usage.walking import Walker, field_of

if TYPE_CHECKING:
    from bindlint.usage.summary import Summarizer


class BodyReader:
    """One body under one meaning; `constants` are the values that the call fixes, by name in the body's texts."""

    def __init__(self, summarizer: Summarizer, function: FunctionSymbol, body: Body, constants: dict[str, int]) -> None:
        self.summarizer = summarizer
        self.table: SymbolTable = summarizer.table
        self.function = function
        self.body = body
        self.constants = constants
        self.parameters = function.function.parameters
        self.scope = function.scope
        self.owner = self.table.owner(function)
        self.walker = Walker(self.table, body, self.scope, self.owner)
        self.flow = Flow(body.steps, self._is_input)
        self.calls: dict[FunctionSymbol, Summary] = {}
        self.touches: set[Symbol] = set()

    def _is_input(self, number: int) -> bool:
        if number == THIS:
            return True
        if not 0 <= number < len(self.parameters):
            return False
        modifiers = self.parameters[number].modifiers
        return not ("out" in modifiers and "in" not in modifiers and "inout" not in modifiers)

    def summary(self) -> Summary:
        flow = self.flow
        for index, step in enumerate(self.body.steps):
            if flow.is_dead(step):
                continue
            flow.at = index
            self.step(index, step)
            if step.kind == "return" and all((c, not branch) in flow.dead for c, branch in step.controls):
                break
        summary = Summary()
        if flow.effects:
            summary.effects = flow.closure(flow.effects)
        summary.result = flow.result()
        for number in self._written():
            summary.outs[number] = flow.output(number)
        for symbol, seeds in flow.writes.items():
            summary.writes[symbol] = flow.closure(seeds)
        summary.calls = tuple(self.calls.items())
        summary.touches = frozenset(self.touches)
        return summary

    def _written(self) -> list[int]:
        """Parameters through which something comes out: `out`, `inout`, mesh outputs and payloads, and `this`."""
        through = {"out", "inout", "vertices", "indices", "primitives", "payload"}
        found = [i for i, p in enumerate(self.parameters) if through & p.modifiers]
        if self.owner is not None and (THIS in self.flow.definitions or THIS in self.flow.copies):
            found.append(THIS)
        return found

    # -- steps

    def value_of(self, text: int) -> int | None:
        """The value of one of the body's texts, None where it is not known."""
        if text < 0 or not self.body.texts[text]:
            return None
        return self.table.evaluate(self.body.texts[text], self.constants)

    def step(self, index: int, step: Step) -> None:
        if step.kind == "assign":
            self.define_from(step.target, "", step.value)
            return
        known = self.value_of(step.text) if step.text >= 0 else None
        if known is not None:
            # A loop that runs is not known to end: only one that never starts is dead.
            self.flow.dead.add((index, not known))
            if step.kind == "condition" or not known:
                return
        needs = self.needs(step.value)
        if step.kind == "return":
            self.flow.returns.append((step.value, needs, index))
        elif step.kind in ("condition", "loop"):
            self.flow.conditions[index] = needs
        elif step.kind == "discard":
            self.flow.effect(frozenset((EFFECT,)))

    def define_from(self, number: int, field: str, value: Expr) -> None:
        """`number.field = value`; copies of whole locals and results of functions keep their fields apart."""
        single = value[0] if len(value) == 1 else None
        if isinstance(single, Ref) and single.local >= 0 and not single.members and not field:
            self.flow.copy(number, single.local)
        elif isinstance(single, Call) and not single.members:
            self.flow.define_output(number, field, self.call(single))
        else:
            self.flow.define(number, field, self.needs(value))

    # -- expressions

    def needs(self, expression: Expr) -> Needs:
        if not expression:
            return NOTHING
        found: set[Need] = set()
        for atom in expression:
            if isinstance(atom, Ref):
                found |= self.reference(atom, "read")
            elif isinstance(atom, Call):
                found |= self.call(atom).field(field_of(atom.members))
            elif isinstance(atom, Select):
                known = self.value_of(atom.text)
                if known is None:
                    found |= self.needs(atom.condition)
                if known is None or known:
                    found |= self.needs(atom.yes)
                if not known:
                    found |= self.needs(atom.no)
            else:
                found |= self.assign(atom)
        return frozenset(found)

    def reference(self, ref: Ref, kind: AccessKind) -> set[Need]:
        found: set[Need] = set()
        for index in ref.indices:
            found |= self.needs(index)
        if ref.indices:
            for operator in self.walker.walk(ref).operators:
                call = Call(operator.function.name, ref.indices[-1:])
                found |= self.invoke([operator], call, [NOTHING], frozenset(found), (Ref(ref.name, ref.local),)).whole
        if ref.local >= 0:
            found.add(Var(ref.local, field_of(ref.members), kind))
            return found
        if ref.name in HEAPS:
            found.add(Heap(ref.name))
            return found
        field = self.walker.own_field(ref)
        if field is not None:
            found.add(Var(THIS, field, kind))
            return found
        symbol = self.walker.variable(ref.name)
        if symbol is not None:
            found |= self._global_needs(symbol, ref, kind)
        return found

    def _global_needs(self, symbol: VariableSymbol, ref: Ref, kind: AccessKind) -> set[Need]:
        """A global: itself, the cbuffer that it is in, or the part of a struct instance that members lead to."""
        if symbol.static or symbol.shared:
            return {Global(symbol)}
        resolved = self.table.resolve_type(symbol.variable.type, symbol.scope)
        path: tuple[str, ...] = ()
        if resolved.struct is not None or (resolved.resource is not None and resolved.resource.name in BUFFER_VIEWS):
            texts = iter(ref.texts)
            path = tuple(self._subscript(next(texts, -1)) if m == "[]" else m for m in ref.members)
        found: set[Need] = {Use(symbol, path, kind)}
        if symbol.block is not None and resolved.resource is None:
            found.add(Use(symbol.block, (), kind))
            self.touches.add(symbol.block)
        self.touches.add(symbol)
        return found

    def _subscript(self, text: int) -> str:
        value = self.value_of(text)
        return "*" if value is None else str(value)

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
        own = self.walker.own_field(target) if target.local < 0 else None
        if target.local >= 0 or own is not None:
            number, field = (target.local, field_of(target.members)) if own is None else (THIS, own)
            if rest or indices or own is not None:
                self.flow.define(number, field, self.needs(atom.value) | rest | indices)
            else:
                self.define_from(number, field, atom.value)
            return frozenset((Var(number, field, "read"),))
        needs = self.needs(atom.value) | rest | indices
        symbol = self.walker.variable(target.name)
        if symbol is None:
            return needs
        if symbol.static or symbol.shared:
            self.flow.write(symbol, needs)
        return needs | self._global_needs(symbol, target, "read")

    # -- calls

    def call(self, call: Call) -> Output:
        arguments = [self.needs(a) for a in call.arguments]
        if call.receiver is not None:
            return self.method(call, call.receiver, arguments)
        candidates = self.summarizer.candidates(call.name, len(arguments), self.scope)
        if candidates:
            return self.invoke(candidates, call, arguments, NOTHING, ())
        return Output(self.intrinsic(call, arguments))

    def intrinsic(self, call: Call, arguments: list[Needs]) -> Needs:
        everything = NOTHING.union(*arguments)
        last = call.name.rsplit("::", 1)[-1]
        if last.startswith("Interlocked") and call.arguments:
            self.store(call.arguments[0], everything)
            if len(arguments) >= 3:
                self.store(call.arguments[-1], everything, only_local=True)
            return everything
        for position in OUT_ARGUMENTS.get(last, ()):
            if position < len(arguments):
                self.store(call.arguments[position], everything)
        if has_effect(call.name):
            self.flow.effect(everything | {EFFECT})
        return everything

    def store(self, target: Expr, needs: Needs, only_local: bool = False) -> None:
        """An lvalue handed to a function takes `needs`; with `only_local` nothing but a local variable does."""
        ref = target[-1] if target else None
        if not isinstance(ref, Ref):
            if ref is not None and not only_local:
                self.flow.effect(needs | self.needs(target) | {EFFECT})
        elif self.walker.walk(ref).element:
            if not only_local:
                self.flow.effect(needs | self.reference(ref, "write"))
        elif ref.local >= 0:
            self.flow.define(ref.local, field_of(ref.members), needs)
        else:
            own = self.walker.own_field(ref)
            symbol = self.walker.variable(ref.name)
            if own is not None:
                self.flow.define(THIS, own, needs)
            elif symbol is not None and (symbol.static or symbol.shared):
                self.flow.write(symbol, needs)

    def method(self, call: Call, receiver: Expr, arguments: list[Needs]) -> Output:
        """A method call; where the receiver's type cannot be told, whatever method of that name may be meant."""
        resolved = self.type_of_expression(receiver)
        if resolved is not None and resolved.struct is not None:
            found = by_count(self.table.methods(resolved.struct, call.name), len(arguments))
            if found:
                return self.invoke(found, call, arguments, self.needs(receiver), receiver)
        built_in = self.built_in_method(call, receiver, arguments, resolved)
        if resolved is None:
            symbols = self.table.names.get(call.name, ())
            found = by_count((s for s in symbols if isinstance(s, FunctionSymbol) and s.function.owner), len(arguments))
            if found:
                own = self.invoke(found, call, arguments, self.needs(receiver), receiver)
                return Output(own.whole | built_in)
        return Output(built_in)

    def built_in_method(
        self, call: Call, receiver: Expr, arguments: list[Needs], resolved: ResolvedType | None
    ) -> Needs:
        """A method of a resource or of another of HLSL's objects."""
        root = receiver[0] if len(receiver) == 1 else None
        kind = method_kind(call.name)
        everything = NOTHING.union(*arguments)
        if isinstance(root, Ref):
            needs = everything | self.reference(root, kind)
            if root.local >= 0 and (resolved is None or resolved.resource is None):
                self.flow.define(root.local, "", everything)
        else:
            needs = everything | self.needs(receiver)
        if kind == "query":
            for argument in call.arguments:
                self.store(argument, needs, only_local=True)
        elif call.arguments and kind in ("read", "sample"):
            self._status(call.arguments[-1], needs)
        is_resource = resolved is None or resolved.resource is not None
        if (is_resource and kind in ("write", "counter")) or has_effect(call.name):
            self.flow.effect(needs | {EFFECT})
            if call.name.startswith("Interlocked") and len(call.arguments) >= 3:
                self.store(call.arguments[-1], needs, only_local=True)
        return needs

    def _status(self, argument: Expr, needs: Needs) -> None:
        """The status that a load or sample writes: a variable that nothing has given a value yet."""
        single = argument[0] if len(argument) == 1 else None
        if not isinstance(single, Ref) or single.local < len(self.parameters) or single.members:
            return
        if single.local not in self.flow.definitions and single.local not in self.flow.copies:
            self.flow.define(single.local, "", needs)

    def type_of_expression(self, expression: Expr) -> ResolvedType | None:
        """The type of a receiver, None where it cannot be told."""
        single = expression[0] if len(expression) == 1 else None
        if isinstance(single, Ref):
            return self.walker.walk(single).resolved
        if not isinstance(single, Call) or single.members or single.receiver is not None:
            return None
        for function in self.summarizer.candidates(single.name, len(single.arguments), self.scope):
            resolved = self.table.resolve_type(function.function.return_type, function.scope)
            if resolved.struct is not None or resolved.resource is not None:
                return resolved
        return None

    def invoke(
        self, candidates: list[FunctionSymbol], call: Call, arguments: list[Needs], receiver: Needs, target: Expr
    ) -> Output:
        """A call of the shader's own functions: their summaries in terms of what is handed to them."""
        base: set[Need] = set()
        fields: dict[str, set[Need]] = {}
        implicit = not target and self.owner is not None
        if all(function.function.body is None for function in candidates):
            # Defined elsewhere: it may do anything with what it is given.
            needs = receiver.union(*arguments)
            for argument in call.arguments:
                self.store(argument, needs, only_local=True)
            self.flow.effect(needs | {EFFECT})
            return Output(needs)
        for function in candidates:
            summary = self.summarizer.summary(function, self.summarizer.constants_for(function, call, self.value_of))
            self.calls[function] = summary

            def translate(needs: Needs, function: FunctionSymbol = function) -> Needs:
                found: set[Need] = set()
                for need in needs:
                    if not isinstance(need, Input):
                        found.add(need)
                    elif need.number == THIS:
                        found.update((Var(*need),) if implicit else self._argument(target, receiver, need))
                    elif need.number < len(arguments):
                        found.update(self._argument(call.arguments[need.number], arguments[need.number], need))
                    else:
                        found |= self._default(function, need.number)
                return frozenset(found)

            if summary.effects:
                self.flow.effect(translate(summary.effects))
            for symbol, needs in summary.writes.items():
                self.flow.write(symbol, translate(needs))
            for number, output in summary.outs.items():
                given = Output(translate(output.base), {f: translate(n) for f, n in output.fields.items()})
                if number == THIS:
                    self._give(target, given, implicit)
                elif number < len(call.arguments):
                    self._give(call.arguments[number], given, False)
            base |= translate(summary.result.base)
            for name, needs in summary.result.fields.items():
                fields.setdefault(name, set()).update(translate(needs))
        return Output(frozenset(base), {f: frozenset(n) for f, n in fields.items()})

    def _give(self, target: Expr, output: Output, to_this: bool) -> None:
        ref = target[-1] if target else None
        if to_this:
            self.flow.define_output(THIS, "", output)
        elif isinstance(ref, Ref) and ref.local >= 0 and not ref.members:
            self.flow.define_output(ref.local, "", output)
        else:
            self.store(target, output.whole)

    def _argument(self, argument: Expr, needs: Needs, need: Input) -> Iterable[Need]:
        """What an input needs of the argument given for it: only the field asked for, with the kind of access."""
        single = argument[0] if len(argument) == 1 else None
        if isinstance(single, Ref):
            if single.local >= 0 and not single.members:
                return (Var(single.local, need.field, need.kind),)
            if need.kind != "read":
                return self.reference(single, need.kind)
        return needs

    def _default(self, function: FunctionSymbol, number: int) -> Needs:
        default = function.default(number)
        return NOTHING if default is None else self.needs(default.steps[0].value)
