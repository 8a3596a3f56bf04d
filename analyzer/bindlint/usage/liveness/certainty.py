"""What a function surely uses: effects on resources that run whenever it does, and that no optimizer may drop.

Nothing under a condition counts, nothing after a conditional return, a loop or a call that loops (a loop without end
makes unreachable what follows), and no value that goes through arithmetic. DXC keeps every store, atomic operation and
counter operation on a UAV that is reached (tried: stores of what was loaded, additions of zero).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bindlint.model.binding import AccessKind
from bindlint.usage.bodies.syntax import Assign, Atom, Call, Expr, Ref, Step
from bindlint.usage.liveness.intrinsics import FUNCTIONS, has_effect, is_numeric, method_kind
from bindlint.usage.liveness.needs import Input, Need, Summary, Use
from bindlint.usage.liveness.paths import join
from bindlint.usage.liveness.walking import Place
from bindlint.usage.names import ResolvedType

if TYPE_CHECKING:
    from bindlint.usage.liveness.reading import BodyReader


class Certainty:
    """Follows the steps of one body; `effects` and `result` are what stays whoever calls, and what is returned."""

    def __init__(self, reader: BodyReader) -> None:
        self.reader = reader
        self.effects: set[Need] = set()
        self.result: set[Need] = set()
        self.open = True

    def step(self, step: Step) -> None:
        """To be called after the reader has read the step."""
        if step.overwrites:
            for place in self._overwritten(step.value[0]):
                self.reader.flow.overwrite(place.number, place.path)
        if step.kind == "loop" or (step.kind == "return" and step.controls) or self.reader.flow.looping:
            self.open = False
        if not self.open or step.controls or not step.plain:
            return
        if step.kind == "return":
            self.result |= self._value(step.value)
            self.effects |= self._called(step.value)
        elif step.kind == "assign":
            self.effects |= self._called(step.value)
        elif step.kind == "expression":
            (atom,) = step.value
            if isinstance(atom, Assign):
                self._assigned(atom)
            elif isinstance(atom, Call):
                self._effect(atom)

    def _overwritten(self, atom: Atom) -> Iterator[Place]:
        """What a step that is one assignment or one call surely gives a new value."""
        reader = self.reader
        if isinstance(atom, Assign):
            place = None if atom.reads else reader.local_part(atom.target)
            if place is not None:
                yield place
        elif isinstance(atom, Call) and atom.receiver is None:
            called = self._one_called(atom)
            for number, field in called.overwritten if called is not None else ():
                place = reader.local_part(atom.arguments[number]) if 0 <= number < len(atom.arguments) else None
                if place is not None:
                    yield Place(place.number, join(place.path, field), True)

    def _assigned(self, atom: Assign) -> None:
        if atom.plain:
            self.effects |= self._called(atom.value)
        target = atom.target[0] if len(atom.target) == 1 else None
        if isinstance(target, Ref) and self.reader.walker.walk(target).element:
            self.effects |= self._resource(target, "write")
            if atom.plain and not atom.reads:
                self.effects |= self._value(atom.value)

    def _effect(self, call: Call) -> None:
        if call.receiver is None:
            self.effects |= self._called((call,))
            target = call.arguments[0] if call.name.startswith("Interlocked") and call.arguments else ()
            if len(target) == 1 and isinstance(target[0], Ref) and self.reader.walker.walk(target[0]).element:
                self.effects |= self._resource(target[0], "write")
            return
        kind = method_kind(call.name)
        if kind in ("write", "counter") and "Feedback" not in call.name and len(call.receiver) == 1:
            (receiver,) = call.receiver
            if isinstance(receiver, Ref):
                self.effects |= self._resource(receiver, kind)

    def _value(self, value: Expr) -> set[Need]:
        """What a value that is kept surely needs: one load, or one constant, as it is."""
        atom = value[0] if len(value) == 1 else None
        if isinstance(atom, Ref):
            if self.reader.walker.walk(atom).element:
                return self._resource(atom, "read")
            symbol = self.reader.walker.variable(atom.name) if atom.local < 0 else None
            if symbol is None or symbol.static or symbol.shared or atom.indices:
                return set()
            resolved = self.reader.table.resolve_type(symbol.variable.type, symbol.scope)
            return {Use(symbol, (), "read")} if is_numeric(resolved.name) else set()
        if not isinstance(atom, Call):
            return set()
        if atom.receiver is None:
            return self._called(value, result=True)
        kind = method_kind(atom.name)
        if kind not in ("read", "sample") or len(atom.receiver) != 1 or not isinstance(atom.receiver[0], Ref):
            return set()
        found = self._resource(atom.receiver[0], kind)
        sampler = atom.arguments[0] if kind == "sample" and atom.arguments else ()
        if found and len(sampler) == 1 and isinstance(sampler[0], Ref):
            found |= self._resource(sampler[0], "read")
        return found

    def _resource(self, ref: Ref, kind: AccessKind) -> set[Need]:
        """A global resource, or a parameter that is one and nothing else; stores of empty structs store nothing."""
        reader = self.reader
        if ref.local >= 0:
            given = ref.local < len(reader.parameters) and not reader.flow.is_stored(ref.local)
            if not given or not self._is_resource(reader.walker.local_type(ref.local)):
                return set()
            return {Input(ref.local, "", kind)}
        symbol = reader.walker.variable(ref.name)
        if symbol is None or symbol.static or symbol.block is not None or reader.walker.own_members(ref) is not None:
            return set()
        resolved = reader.table.resolve_type(symbol.variable.type, symbol.scope)
        return {Use(symbol, (), kind)} if self._is_resource(resolved) else set()

    def _is_resource(self, resolved: ResolvedType) -> bool:
        if resolved.resource is None:
            return False
        element = None if resolved.argument is None else self.reader.table.resolve_type(resolved.argument).struct
        return element is None or bool(element.struct.fields)

    def _called(self, value: Expr, result: bool = False) -> set[Need]:
        """What a call of one function of the shader surely touches, or what its result surely needs."""
        call = value[0] if len(value) == 1 else None
        if not isinstance(call, Call) or call.receiver is not None:
            return set()
        summary = self._one_called(call)
        if summary is None:
            return set()
        found: set[Need] = set()
        for need in summary.sure_result if result else summary.sure:
            if isinstance(need, Use):
                found.add(need)
            elif isinstance(need, Input) and need.number < len(call.arguments):
                argument = call.arguments[need.number]
                if len(argument) == 1 and isinstance(argument[0], Ref):
                    found |= self._resource(argument[0], need.kind)
        return found

    def _one_called(self, call: Call) -> Summary | None:
        """What the one function does that a call may mean; None where it may mean several, or none of the shader's."""
        reader = self.reader
        candidates = reader.summarizer.candidates(call.name, len(call.arguments), reader.scope)
        built_in = call.name in FUNCTIONS or has_effect(call.name)
        if len(candidates) != 1 or candidates[0].function.body is None or built_in:
            return None
        (function,) = candidates
        return reader.summarizer.summary(function, reader.summarizer.constants_for(function, call, reader.values.of))
