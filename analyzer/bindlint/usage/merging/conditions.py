"""Whether an optimizer may know how a condition goes, which loops it may unroll, and what decides a subscript."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import NamedTuple

from bindlint.usage.bodies.syntax import PARAMETER, Assign, Body, Call, Expr, Ref, Step, atoms
from bindlint.usage.liveness.intrinsics import is_numeric
from bindlint.usage.merging.standing import Condition, Doubt
from bindlint.usage.names import SymbolTable
from bindlint.usage.numbers import Number
from bindlint.usage.symbols import FunctionSymbol, VariableSymbol

_NAME = r"[A-Za-z_]\w*(?: \. [A-Za-z_]\w*)*"
_OPERAND = rf"{_NAME}|[0-9]+(?:\.[0-9]*)?[fFuUhH]?"
_QUESTION = re.compile(rf"(?:! )*(?P<left>{_OPERAND})(?: (?P<sign>[<>=!]=|[<>]) (?P<right>{_OPERAND}))?")
_ROUNDS = re.compile(r"\( (?P<first>[^<>!=&|]+) \) (?P<sign><=?|>=?|!=) (?P<last>[^<>!=&|]+)")
_FEW, _MANY = 48, 16
"""A loop without attributes is unrolled where its rounds are few for its size; of so many none is (tried)."""
_SIGNED = ("float", "half", "int", "double", "min16float", "min16int")
_STAY = frozenset(("loop", "fastopt"))
_JUMPS = frozenset(("break", "continue", "case", "default"))


class Given(NamedTuple):
    """What is known of a value: whether an optimizer may know it, the inputs in it, and whether it is one as it is.

    `type` is that of an input.
    """

    doubt: Doubt
    names: frozenset[str]
    plain: bool
    type: str = ""


NOT_TOLD = Given(Doubt.OPEN, frozenset(), False)


class Loop(NamedTuple):
    """A loop as it is met: `rounds` is SETTLED where it may be unrolled, and SURE where it stays a loop."""

    runs: bool
    endless: bool
    rounds: Doubt


class Conditions:
    """Those of one call of a function: `given` are its parameters, `number` tells it from other calls."""

    def __init__(
        self,
        table: SymbolTable,
        function: FunctionSymbol,
        body: Body,
        given: list[Given],
        constants: dict[str, Number],
        number: int,
    ) -> None:
        self.table = table
        self.scope = function.scope
        self.body = body
        self.given = given
        self.constants = constants
        self.number = number
        self.staying: dict[int, Doubt] = {}

    @cached_property
    def words(self) -> dict[int, set[str]]:
        """The attributes of loops, and `do`."""
        loops = [i for i, step in enumerate(self.body.steps) if step.kind == "loop"]
        found: dict[int, set[str]] = {loop: set() for loop in loops}
        for at, word in self.body.marks:
            following = bisect_left(loops, at)
            if word not in _JUMPS and following < len(loops):
                found[loops[following]].add(word.lower())
        return found

    @cached_property
    def changed(self) -> dict[int, dict[int, bool]]:
        """The innermost loops in which locals are assigned, and whether only what is counted goes into them."""
        found: dict[int, dict[int, bool]] = {}
        for step in self.body.steps:
            for atom in atoms(step.value) if step.loops else ():
                if isinstance(atom, Assign):
                    counted = not any(isinstance(inner, Call) for inner in atoms(atom.value))
                    for ref in atom.target:
                        if isinstance(ref, Ref) and ref.local >= 0:
                            loops = found.setdefault(ref.local, {})
                            loops[step.loops[-1]] = loops.get(step.loops[-1], True) and counted
        return found

    @cached_property
    def leaving(self) -> dict[int, list[Step]]:
        """The steps that leave a loop, by the loops around them."""
        breaks = {at for at, word in self.body.marks if word == "break"}
        found: dict[int, list[Step]] = {}
        for index, step in enumerate(self.body.steps):
            if step.loops and (step.kind == "return" or (step.kind == "jump" and index in breaks)):
                for loop in step.loops:
                    found.setdefault(loop, []).append(step)
        return found

    def number_of(self, text: int) -> Number | None:
        return self.table.value(self.body.texts[text], self.scope, self.constants) if text >= 0 else None

    def value_of(self, text: int) -> int | None:
        return self.table.evaluate(self.body.texts[text], self.constants, self.scope) if text >= 0 else None

    def condition(self, value: Expr, text: int, asked: frozenset[str]) -> Condition:
        """What is asked where a condition stands; `asked` are inputs of which something is known there."""
        doubt, names, *_ = self.question(value, text)
        if not names.isdisjoint(asked):
            doubt = min(doubt, Doubt.OPEN)
        written = self.body.texts[text] if text >= 0 else ""
        if PARAMETER.search(written):
            written = f"{written} {sorted(names)} {self.number}"
        return Condition(written, names, doubt)

    def question(self, value: Expr, text: int) -> Given:
        """What is known of an expression."""
        names = self._names(value)
        single = value[0] if len(value) == 1 else None
        if text < 0:
            return self._operand_of(single) if isinstance(single, Ref) else Given(Doubt.OPEN, names, False)
        match = _QUESTION.fullmatch(_bare(self.body.texts[text]))
        if match is None:
            return Given(self._in_rounds(value), names, False)
        left, sign, right = match["left"], match["sign"], match["right"]
        operands = [self._operand(word) for word in (left, right) if word and not word[0].isdigit()]
        doubt = min((o.doubt for o in operands), default=Doubt.OPEN)
        types = {operand.type.rsplit(" ", 1)[-1] for operand in operands}
        if sign and (_is_told(left, sign, right, types) or not all(o.plain for o in operands) or left == right):
            doubt = min(doubt, Doubt.OPEN)
        names = names.union(*(o.names for o in operands))
        plain = not sign and bool(operands) and operands[0].plain and not match[0].startswith("!")
        return Given(doubt if doubt == Doubt.SURE else min(doubt, self._in_rounds(value)), names, plain)

    def index(self, value: Expr, text: int, step: Step) -> Condition:
        """What decides a subscript that is no constant."""
        single = value[0] if len(value) == 1 else None
        names = self._names(value)
        if isinstance(single, Ref) and single.local >= len(self.given) and not single.members:
            loops = self.changed.get(single.local)
            if loops:
                doubt = min(self.staying.get(loop, Doubt.SETTLED) for loop in loops)
                # Behind the end of a loop its counter is no constant, whether or not it is unrolled (tried).
                leaves = any(self._leaves(step, loop) for loop in loops)
                return Condition("", names, max(doubt, Doubt.OPEN) if leaves else doubt)
        found = self.question(value, text)
        doubt = found.doubt if found.plain or found.doubt == Doubt.SETTLED else Doubt.OPEN
        return Condition(self.body.texts[text] if text >= 0 else "", found.names, doubt)

    def loop(self, index: int, step: Step, last: int) -> Loop:
        """How the loop at `index` runs, which ends before `last`."""
        words = self.words[index]
        known = self.value_of(step.text)
        runs = "do" in words or not step.value or bool(known)
        endless = "do" not in words and (not step.value if step.text < 0 else bool(known))
        rounds = self.staying[index] = self._rounds(step, words, known, self.body.steps[index + 1 : last])
        first_only = step.text >= 0 and "( " in self.body.texts[step.text]
        return Loop(runs, endless and not first_only, rounds)

    def _rounds(self, step: Step, words: set[str], known: int | None, inner: tuple[Step, ...]) -> Doubt:
        if "unroll" in words:
            return Doubt.SETTLED
        text = self.body.texts[step.text] if step.text >= 0 else ""
        match = _ROUNDS.fullmatch(text)
        if match is None:
            if known is not None or not step.value or words & _STAY:
                return Doubt.OPEN
            inputs = any(isinstance(a, Ref) and self._operand_of(a).doubt == Doubt.SURE for a in step.value)
            return Doubt.OPEN if inputs else Doubt.SETTLED
        first, last = (self.table.evaluate(match[end], self.constants, self.scope) for end in ("first", "last"))
        if first is None or last is None:
            ends = [self._operand(_bare(match[end])) for end in ("first", "last")]
            return max(end.doubt for end in ends) if all(e.plain or e.doubt != Doubt.SURE for e in ends) else Doubt.OPEN
        rounds = abs(last - first) + ("=" in match["sign"] and match["sign"] != "!=")
        by_one = _steps_by_one(inner, len(step.loops))
        if words & _STAY:
            return Doubt.SETTLED if rounds < 2 else Doubt.SURE if by_one else Doubt.OPEN
        if rounds >= _MANY and by_one:
            return Doubt.SURE
        size = sum(sum(1 for _ in atoms(each.value)) for each in inner)
        return Doubt.SETTLED if rounds * size <= _FEW else Doubt.OPEN

    def _leaves(self, step: Step, loop: int) -> bool:
        """Whether a step stands in a branch that leaves the loop, which is not unrolled as it is told."""
        controls = step.controls
        return bool(controls) and any(
            other.controls == controls
            and controls[-1][0] != loop
            and not any("unroll" in self.words[around] for around in other.loops)
            for other in self.leaving.get(loop, ())
        )

    def _in_rounds(self, value: Expr) -> Doubt:
        """SETTLED where an expression is another constant in each round of a loop that is unrolled."""
        refs = [atom for atom in atoms(value) if isinstance(atom, Ref)]
        if any(self._operand_of(ref).doubt == Doubt.SURE for ref in refs):
            return Doubt.OPEN
        for atom in refs:
            if atom.local >= len(self.given):
                loops = self.changed.get(atom.local, {})
                staying = (self.staying.get(loop, Doubt.SETTLED) for loop, counted in loops.items() if counted)
                if Doubt.SETTLED in staying:
                    return Doubt.SETTLED
        return Doubt.OPEN

    def _names(self, value: Expr) -> frozenset[str]:
        found: set[str] = set()
        for atom in atoms(value):
            if isinstance(atom, Ref):
                found |= self._operand_of(atom).names
        return frozenset(found)

    def _operand_of(self, ref: Ref) -> Given:
        if ref.indices:
            return NOT_TOLD
        if ref.local < 0:
            return self._operand(" . ".join((ref.name, *ref.members)))
        if ref.local < len(self.given):
            return self.given[ref.local]
        return Given(Doubt.OPEN, frozenset((f"{ref.name} {ref.local}",)), False)

    def _operand(self, word: str) -> Given:
        """A name and its members: an input of the shader, or something else."""
        head = word.partition(" ")[0]
        parameter = PARAMETER.fullmatch(head)
        if parameter is not None:
            number = int(parameter[1])
            return self.given[number] if number < len(self.given) else NOT_TOLD
        symbols = [s for s in self.table.visible(head, self.scope) if isinstance(s, VariableSymbol)]
        if not symbols or any(s.static or s.shared or "const" in s.variable.storage for s in symbols):
            return NOT_TOLD
        return Given(Doubt.SURE, frozenset((head,)), True, symbols[0].variable.type.name)


def _steps_by_one(inner: tuple[Step, ...], depth: int) -> bool:
    """Whether all that counts in a loop is counted up or down by one; `depth` loops are around it."""
    steps = [step.value for step in inner if len(step.loops) == depth + 1 and len(step.value) == 1]
    counts = [value[0] for value in steps if isinstance(value[0], Assign) and value[0].reads]
    return any(not count.value for count in counts if isinstance(count, Assign))


def _bare(text: str) -> str:
    """A text without the brackets around it."""
    while text.startswith("("):
        inner = text[1:].strip()
        if not inner.endswith(")") or "(" in inner[:-1] or ")" in inner[:-1]:
            break
        text = inner[:-1].strip()
    return text


def _is_told(left: str, sign: str, right: str, types: set[str]) -> bool:
    """Whether the types of what is compared may decide it: nothing unsigned is below zero."""
    numbers = [word for word in (left, right) if word[0].isdigit()]
    if len(numbers) == 2 or any(len(word.rstrip("fFuUhH")) > 6 for word in numbers):
        return True
    if any(name.startswith("bool") or not is_numeric(name) for name in types):
        return True
    below = (sign in ("<", ">=") and _is_zero(right)) or (sign in (">", "<=") and _is_zero(left))
    return below and not all(name.startswith(_SIGNED) for name in types)


def _is_zero(word: str) -> bool:
    return word[0].isdigit() and not word.rstrip("fFuUhH").strip("0.")
