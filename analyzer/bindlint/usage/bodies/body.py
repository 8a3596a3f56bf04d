"""Reads function bodies (and initializers) into steps: a tolerant parser over tokens."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakValueDictionary

from bindlint.nesting import MAX_NESTING
from bindlint.usage.bodies.bag import bag_of
from bindlint.usage.bodies.declarations import DeclarationParser
from bindlint.usage.bodies.expressions import COLON, IDENTIFIER, TooDeepError
from bindlint.usage.bodies.syntax import (
    DEFAULT,
    KEPT,
    UNREACHABLE,
    Body,
    Call,
    Case,
    Expr,
    Local,
    Ref,
    Region,
    Step,
    Switch,
    select_control,
)

_parsed: WeakValueDictionary[tuple[str, tuple[Local, ...], bool], Body] = WeakValueDictionary()
"""Bodies that somebody still has: one that stands in several readings of a file is read once."""


def parse_body(text: str, parameters: tuple[Local, ...], operators: bool = False) -> Body:
    """The steps of a body `{ ... }`; where its nesting is absurd, one step that holds every name in it.

    `operators`: those that structs may have as methods are calls.
    """
    found = _parsed.get((text, parameters, operators))
    if found is None:
        found = _parsed[text, parameters, operators] = _parse(text, parameters, operators)
    return found


def _parse(text: str, parameters: tuple[Local, ...], operators: bool) -> Body:
    parser = _StatementParser(text, parameters, operators)
    try:
        parser.i = 1
        parser.block()
    except (TooDeepError, RecursionError):
        return bag_of(text, parameters)
    return parser.body()


def parse_initializer(text: str, operators: bool = False) -> Body:
    """The same for the initializer of a variable or a default argument: one `return` step."""
    parser = _StatementParser(text, (), operators)
    try:
        parser.add("return", parser.expression())
    except (TooDeepError, RecursionError):
        return bag_of(text, ())
    return parser.body()


class _Label(NamedTuple):
    """A label by its text, the step behind it, its tokens, whether what stands before it goes on to it, its scope."""

    text: int
    step: int
    start: int
    end: int
    falls: bool
    depth: int


class _StatementParser(DeclarationParser):
    def __init__(self, text: str, parameters: tuple[Local, ...], operators: bool = False) -> None:
        super().__init__(text, parameters, operators)
        self.labels: list[_Label] = []
        self.kept_returns = False
        self.falls = False

    # -- statements

    def block(self) -> bool:
        """Statements up to the closing brace; true where nothing behind it can be reached, as behind a jump in it."""
        self.enter_scope()
        reachable = True
        while self.i < self.end and self.tokens[self.i] != "}":
            before, steps, marks = self.i, len(self.steps), len(self.marks)
            if self.tokens[before] in ("case", "default"):
                self.falls = reachable
                reachable = True
            jumped = self.statement()
            if not reachable:
                del self.steps[steps:], self.marks[marks:]
                self.selected = {loop: switch for loop, switch in self.selected.items() if loop < steps}
                self.region(UNREACHABLE, True, before)
            reachable = reachable and not jumped
            if self.i == before:
                self.i += 1
        self.i += 1
        self.leave_scope()
        return not reachable

    def statement(self) -> bool:
        """One statement; true where nothing after it in its block can be reached."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise TooDeepError
        token = self.at()
        while token == "[":
            self.mark(self.at(1))
            self.i = self.matching(self.i)
            token = self.at()
        handler = _STATEMENTS.get(token)
        jumped = bool(handler(self)) if handler is not None else self.simple()
        self.depth -= 1
        return jumped

    def simple(self) -> bool:
        if not self.declaration():
            value = self.expression()
            if value:
                self.add("expression", value)
            self.skip(";")
        return False

    def _braces(self) -> bool:
        self.i += 1
        return self.block()

    def _label(self) -> bool:
        before = self.i
        self.mark(self.at())
        self.i += 1
        if self.tokens[before] == DEFAULT:
            text = self.keep((DEFAULT,))
        else:
            branches = self.branches
            self.expression(COLON)
            self.branches = branches
            text = self.text(before + 1, self.i)
        while self.i < self.end and self.tokens[self.i] != ":":
            self.i += 1
        self.i += 1
        self.labels.append(_Label(text, len(self.steps), before, self.i, self.falls, len(self.hidden)))
        return False

    def _type(self) -> bool:
        """A local type or alias; a struct's declaration may end in variables."""
        start = self.i
        while self.i < self.end and self.tokens[self.i] not in (";", "{", "=", "("):
            self.i += 1
        if self.at() == "{":
            opening = self.i
            end = self.matching(opening)
            if self.tokens[start] != "enum":
                self.local_types.add(self.tokens[start + 1])
                self.local_methods(opening + 1, end)
            self.i = end
            if IDENTIFIER.match(self.at()):
                self.declarators("", set())
                return False
        elif self.tokens[start] in ("struct", "class") and self.i - start > 2:
            self.i = start
            return self.simple()
        else:
            while self.i < self.end and self.at() != ";":
                self.i += 1
        self.skip(";")
        return False

    def local_methods(self, i: int, end: int) -> None:
        """The methods of a local struct: as if they might run where it is declared, and all that they return stayed."""
        outer, returns = self.controls, self.kept_returns
        self.kept_returns = True
        while i < end:
            if self.tokens[i] == "{" and self.tokens[i - 1] in (")", "const"):
                self.controls = (*outer, (self.add("condition"), True))
                self.i = i + 1
                self.block()
                i = self.i
            else:
                i += 1
        self.controls, self.kept_returns = outer, returns

    def condition(self) -> tuple[Expr, int]:
        """`( ... )` with its text."""
        self.skip("(")
        start = self.i
        if self.declaration_in_condition():
            value: Expr = (Ref(self.locals[-1].name, len(self.locals) - 1),)
        else:
            value = self.expression()
        text = self.text(start, self.i)
        self.skip(")")
        return value, text

    def declaration_in_condition(self) -> bool:
        """`if (T x = f())`."""
        return self.at(1) not in ("(", ".", "[", "=") and self.at(2) == "=" and self.declaration()

    def _if(self) -> bool:
        """An `if` with every `else if` after it."""
        outer = self.controls
        others: list[tuple[int, int]] = []
        jumps, scopes = True, 0
        while True:
            if len(self.controls) > MAX_NESTING:
                raise TooDeepError
            self.i += 1
            self.enter_scope()
            scopes += 1
            value, text = self.condition()
            condition = self.add("condition", value, text=text)
            before, start = self.controls, self.i
            self.controls = (*before, (condition, True))
            jumps = self.statement() and jumps
            self.region(condition, True, start)
            if not self.skip("else"):
                jumps = False
                break
            self.controls = (*before, (condition, False))
            others.append((condition, self.i))
            if self.at() != "if":
                jumps = self.statement() and jumps
                break
        for condition, start in reversed(others):
            self.region(condition, False, start)
        for _ in range(scopes):
            self.leave_scope()
        self.controls = outer
        return jumps

    def looped(self, value: Expr, text: int) -> int:
        """The body of a loop or switch whose head is read."""
        loop = self.add("loop", value, text=text)
        outer, loops = self.controls, self.loops
        self.controls, self.loops = (*outer, (loop, True)), (*loops, loop)
        start = self.i
        self.statement()
        self.region(loop, True, start)
        self.controls, self.loops = outer, loops
        return loop

    def _switch(self) -> bool:
        self.i += 1
        value, text = self.condition()
        outer, self.labels = self.labels, []
        self.switches += 1
        loop = self.looped(value, -1)
        self.switches -= 1
        labels, self.labels = self.labels, outer
        # A label may stand in a block, or in a loop, into which the switch then goes.
        if text >= 0 and labels and all(x.text >= 0 and x.depth == len(self.hidden) + 1 for x in labels):
            self.selected[loop] = Switch(text, tuple(self.cases(labels)))
        return False

    def cases(self, labels: list[_Label]) -> Iterator[Case]:
        """What stands behind labels, those that follow each other as one; the place is that behind the last."""
        last = _Label(-1, len(self.steps), self.i - 1, self.i, True, 0)
        texts: list[int] = []
        for label, after in pairwise((*labels, last)):
            texts.append(label.text)
            if after.start > label.end or after is last:
                self.regions.append(Region(select_control(texts[0]), True, label.end, after.start))
                yield Case(tuple(texts), label.step, after.step, after.falls)
                texts.clear()

    def _while(self) -> bool:
        self.i += 1
        self.looped(*self.condition())
        return False

    def _do(self) -> bool:
        self.mark("do")
        self.i += 1
        loop = self.looped((), -1)
        if self.skip("while"):
            value, _ = self.condition()
            self.skip(";")
            step = self.steps[loop]
            self.steps[loop] = Step(step.kind, value, step.controls, step.loops)
        return False

    def _for(self) -> bool:
        self.i += 1
        self.skip("(")
        self.enter_scope()
        known = len(self.locals)
        if not self.skip(";"):
            self.simple()
        start = self.i
        condition = self.expression()
        text = self.first_time(self.text(start, self.i), known)
        self.skip(";")
        after = self.expression()
        self.skip(")")
        loop = self.looped(condition, text)
        if after:
            outer, loops = self.controls, self.loops
            self.controls, self.loops = (*outer, (loop, True)), (*loops, loop)
            self.add("expression", after)
            self.controls, self.loops = outer, loops
        self.leave_scope()
        return False

    def first_time(self, text: int, known: int) -> int:
        """A loop's condition with the values of the locals that its head declares, which are those from `known` on."""
        if text < 0 or known == len(self.locals):
            return text
        words: list[str | int] = []
        for word in self.words[text]:
            if isinstance(word, int) and word >= known and word in self.values:
                words += ("(", "(", self.locals[word].type, ")", "(", *self.words[self.values[word]], ")", ")")
            else:
                words.append(word)
        return self.keep(tuple(words))

    def _return(self) -> bool:
        self.i += 1
        start = self.i
        value = self.expression()
        if self.kept_returns:
            self.skip(";")
            self.add("expression", (Call(KEPT, (value,)),))
            return False
        step = self.add("return", value, text=self.text(start, self.i))
        self.skip(";")
        self.regions.append(Region(step, True, self.i, self.end))
        return True

    def _jump(self) -> bool:
        self.mark(self.at())
        self.i += 1
        self.skip(";")
        self.add("jump")
        return True

    def _discard(self) -> bool:
        self.i += 1
        self.skip(";")
        self.add("discard")
        return False

    def _empty(self) -> bool:
        self.i += 1
        return False


_STATEMENTS = {
    "{": _StatementParser._braces,
    "if": _StatementParser._if,
    "switch": _StatementParser._switch,
    "while": _StatementParser._while,
    "do": _StatementParser._do,
    "for": _StatementParser._for,
    "return": _StatementParser._return,
    "break": _StatementParser._jump,
    "continue": _StatementParser._jump,
    "discard": _StatementParser._discard,
    ";": _StatementParser._empty,
    "case": _StatementParser._label,
    "default": _StatementParser._label,
    "struct": _StatementParser._type,
    "class": _StatementParser._type,
    "enum": _StatementParser._type,
    "typedef": _StatementParser._type,
    "using": _StatementParser._type,
}
