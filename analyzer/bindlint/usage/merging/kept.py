"""Which steps of a body the compiler keeps for what they compute: surely, perhaps, or not at all."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bindlint.usage.bodies.syntax import Assign, Atom, Call, Expr, Ref, Select, ShortCircuit, Step, atoms
from bindlint.usage.liveness.intrinsics import is_numeric, method_kind
from bindlint.usage.liveness.walking import Walker
from bindlint.usage.merging.standing import Doubt
from bindlint.usage.symbols import FunctionSymbol

_ZERO = r"(?:0+(?:\.0*)?|\.0+)[fFhHuULl]?(?![\w.])"
_TIMES_ZERO = re.compile(rf"[*&%]=?\s*\(?\s*-?{_ZERO}|(?<![\w.]){_ZERO}\s*\)?\s*[*&]")
_PASSING = frozenset(("abs", "sqrt", "exp", "saturate", "normalize", "length", "dot", "asfloat", "asuint", "asint"))
"""Functions that cannot do without their arguments."""
_MAX_SWEEPS = 8
"""What is needed only by way of more loops than that counts as not kept."""


def is_passing(name: str) -> bool:
    return name in _PASSING or is_numeric(name)


def most(function: FunctionSymbol) -> Doubt:
    """How sure it may be that what a function computes is kept: it may come to nothing where it multiplies by zero."""
    place = function.function.body
    vanishes = place is not None and _TIMES_ZERO.search(function.unit.slice(place)) is not None
    return Doubt.OPEN if vanishes else Doubt.SURE


class Kept:
    """`result` says whether what the body returns is kept, `outs` the same of parameters that it hands out.

    Nothing is kept more surely than `most`.
    """

    def __init__(
        self, walker: Walker, result: Doubt = Doubt.SETTLED, outs: Mapping[int, Doubt] = {}, most: Doubt = Doubt.SURE
    ) -> None:
        self.walker = walker
        self.body = body = walker.body
        self.result = result
        self.most = most
        self.locals: dict[int, Doubt] = dict(outs)
        self.often = self._assigned_anew()
        self.steps = [Doubt.SETTLED] * len(body.steps)
        for _ in range(_MAX_SWEEPS):
            before = dict(self.locals)
            for index in range(len(body.steps) - 1, -1, -1):
                step = body.steps[index]
                self.steps[index] = kept = min(self._step(step), most)
                self._needed(step.value, Doubt.OPEN if step.kind in ("condition", "loop") else kept)
            if before == self.locals:
                break

    def _assigned_anew(self) -> set[int]:
        """The locals that are assigned more than once, so that a later value may replace one."""
        counts: dict[int, int] = {}
        for step in self.body.steps:
            if step.kind == "assign":
                counts[step.target] = counts.get(step.target, 0) + 1
            for atom in atoms(step.value):
                if isinstance(atom, Assign) and not atom.reads and atom.target:
                    ref = atom.target[-1]
                    if isinstance(ref, Ref) and ref.local >= 0:
                        counts[ref.local] = counts.get(ref.local, 0) + 1
        return {number for number, count in counts.items() if count > 1}

    def _step(self, step: Step) -> Doubt:
        if step.kind == "return":
            return self.result
        if step.kind == "assign":
            return self._local(step.target)
        if step.kind != "expression":
            return Doubt.OPEN
        return self._value(step.value)

    def _local(self, number: int) -> Doubt:
        kept = self.locals.get(number, Doubt.SETTLED)
        return min(kept, Doubt.OPEN) if number in self.often else kept

    def _value(self, value: Expr) -> Doubt:
        """Whether a statement that is an expression is kept for its value."""
        single = value[0] if len(value) == 1 else None
        if isinstance(single, Assign):
            return self.assigned(single)
        return Doubt.SETTLED if isinstance(single, Call | Ref) else Doubt.OPEN

    def assigned(self, atom: Assign) -> Doubt:
        """Whether what is assigned is kept."""
        return min(self._assigned(atom), self.most)

    def _assigned(self, atom: Assign) -> Doubt:
        target = atom.target[-1] if atom.target else None
        if isinstance(target, Ref) and target.members and self.walker.walk(target).element:
            return Doubt.SURE
        if not isinstance(target, Ref) or target.local < 0:
            return Doubt.OPEN
        return self._local(target.local) if not target.members else min(self._local(target.local), Doubt.OPEN)

    def out_arguments(self, call: Call) -> Doubt:
        """Whether something that a call hands out through its arguments is kept."""
        refs = (argument[0] for argument in call.arguments if len(argument) == 1)
        found = [
            self.locals.get(ref.local, Doubt.SETTLED) if ref.local >= 0 else Doubt.OPEN
            for ref in refs
            if isinstance(ref, Ref)
        ]
        return min(max(found, default=Doubt.SETTLED), Doubt.OPEN)

    def _needed(self, expression: Expr, kept: Doubt) -> None:
        """The locals in an expression are as much needed as what is made of them."""
        for atom in expression:
            self._atom(atom, kept)

    def _atom(self, atom: Atom, kept: Doubt) -> None:
        less = min(kept, Doubt.OPEN)
        if isinstance(atom, Ref):
            self._raise(atom.local, less if atom.members else kept)
            for index in atom.indices:
                self._needed(index, less)
        elif isinstance(atom, Select):
            self._needed(atom.condition, less)
            self._needed(atom.yes + atom.no, kept)
        elif isinstance(atom, ShortCircuit):
            for operand in atom.operands:
                self._needed(operand, less)
        elif isinstance(atom, Assign):
            own = max(self.assigned(atom), less)
            self._needed(atom.value, own)
            for index in (index for ref in atom.target if isinstance(ref, Ref) for index in ref.indices):
                self._needed(index, Doubt.OPEN)
        else:
            self._call(atom, kept)

    def _call(self, call: Call, kept: Doubt) -> None:
        passing = call.receiver is None and not call.members and is_passing(call.name)
        if passing:
            for argument in call.arguments:
                self._needed(argument, kept)
            return
        own = self.arguments(call, kept)
        for argument in (*call.arguments, call.receiver or ()):
            self._needed(argument, own)

    def arguments(self, call: Call, kept: Doubt) -> Doubt:
        """Whether what is handed to a function that is not the shader's, or to a method, is kept."""
        if call.receiver is None:
            return kept if not call.members and is_passing(call.name) else Doubt.OPEN
        kind = method_kind(call.name)
        if kind in ("write", "counter"):
            return Doubt.SURE if kind == "write" and "Feedback" not in call.name else Doubt.OPEN
        # One that only reads has no effect.
        return min(kept, Doubt.OPEN)

    def _raise(self, number: int, kept: Doubt) -> None:
        if number >= 0 and kept > self.locals.get(number, Doubt.SETTLED):
            self.locals[number] = kept
