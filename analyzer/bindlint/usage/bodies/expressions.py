"""Reads expressions of function bodies into bags of atoms."""

from __future__ import annotations

import re
from string import digits, punctuation

from bindlint_grammars.hlsl.tokens import NAME

from bindlint.nesting import MAX_NESTING
from bindlint.usage.bodies.operators import CALL_OPERATOR, OPERATORS, folded
from bindlint.usage.bodies.syntax import (
    KEPT,
    UNKNOWN,
    Assign,
    Atom,
    Body,
    Call,
    Expr,
    Local,
    Ref,
    Region,
    Select,
    Step,
    StepKind,
    Switch,
    extended,
    select_control,
    short_circuit,
)
from bindlint.usage.bodies.texts import MAX_TEXT, SHORT_CIRCUITS, Texts
from bindlint.usage.bodies.tokens import TOKEN

IDENTIFIER = re.compile(NAME + r"\Z")
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
OPENING = {"(": ")", "[": "]", "{": "}"}
_MARKS = frozenset(punctuation + digits) - {"_", "$"}
"""What begins a token that is no name."""
CLOSING = frozenset((")", "]", "}", ";"))
"""What no expression goes beyond."""
COMMA = CLOSING | {","}
COLON = CLOSING | {":"}
_BEHIND_ARGUMENTS = COMMA | {"(", "::", "="}
"""What may follow the `>` of template arguments; all but `(` and `::` cannot follow a comparison's."""
_HANGING = frozenset(("::", "<", "(", ".", "["))


class TooDeepError(Exception):
    """Nesting beyond what a shader has: the body is then taken as one bag of names."""


class ExpressionParser(Texts):
    """Tokens, scopes and the expressions over them; what is read is collected for a `Body`."""

    def __init__(self, text: str, parameters: tuple[Local, ...], operators: bool = False) -> None:
        super().__init__(TOKEN.findall(text), parameters)
        self.end = len(self.tokens)
        self.i = 0
        self.depth = 0
        self.steps: list[Step] = []
        self.hidden: list[list[tuple[str, int | None]]] = []
        self.controls: tuple[tuple[int, bool], ...] = ()
        self.loops: tuple[int, ...] = ()
        self.free: set[str] = set()
        self.methods: set[str] = set()
        self.static_locals: set[int] = set()
        """Locals whose values later calls may find; what they are given stays."""
        self.operators: list[tuple[int, int, str]] | None = [] if operators else None
        """Operators that are no calls yet, where structs have some: depth, number of atoms before, spelling."""
        self.passed: set[tuple[int, str, int, int]] = set()
        self.plain = False
        self.switches = 0
        self.branches = False
        self.regions: list[Region] = []
        self.marks: list[tuple[int, str]] = []
        self.selected: dict[int, Switch] = {}

    # -- results

    def body(self) -> Body:
        handed_on = {number for number, *_ in self.passed if number >= self.parameters}
        self.assigned |= handed_on - {n for n in self.values if n in self.unchanging}
        constants: set[int] = set()
        returned: set[int] = set()
        results = {step.text for step in self.steps if step.kind == "return"}
        deciding = dict.fromkeys(words for number, words in enumerate(self.words) if number not in results)
        known = {words: self.substituted(words, constants, 0) for words in deciding}
        known |= {words: self.substituted(words, returned, 0) for words in self.words if words not in known}
        telling = (words for words, text in known.items() if text != UNKNOWN)
        return Body(
            tuple(self.steps),
            tuple(self.locals),
            frozenset(self.free),
            frozenset(self.methods),
            tuple([known[words] for words in self.words]),
            frozenset(constants),
            frozenset(p for p in self.passed if p[0] in constants or p[0] in returned),
            tuple(self.regions),
            marks=tuple(self.marks),
            switches=self.selected,
            named=frozenset(word for words in telling for word in words if word in self.free),
            returned=frozenset(returned),
        )

    @property
    def unchanging(self) -> frozenset[int]:
        """Locals declared `const`; which they are is the statement parser's knowledge."""
        return frozenset()

    def add(self, kind: StepKind, value: Expr = (), target: int = -1, text: int = -1) -> int:
        overwrites = kind == "expression" and self.plain and not self.switches
        branches = kind in ("condition", "loop") or self.branches
        self.branches = False
        self.steps.append(Step(kind, value, self.controls, self.loops, target, text, self.plain, overwrites, branches))
        return len(self.steps) - 1

    def region(self, control: int, branch: bool, start: int) -> None:
        """The tokens from `start` to here run under that branch."""
        self.regions.append(Region(control, branch, start, self.i))

    def mark(self, word: str) -> None:
        """A word that no step tells stands before the next step."""
        self.marks.append((len(self.steps), word))

    # -- tokens and names

    def declare(self, name: str, number: int) -> None:
        """A local becomes visible until its scope is left."""
        self.hidden[-1].append((name, self.visible.get(name)))
        self.visible[name] = number

    def enter_scope(self) -> None:
        self.hidden.append([])

    def leave_scope(self) -> None:
        for name, before in reversed(self.hidden.pop()):
            if before is None:
                del self.visible[name]
            else:
                self.visible[name] = before

    def find(self, name: str) -> int:
        return self.visible.get(name, -1)

    def at(self, offset: int = 0) -> str:
        i = self.i + offset
        return self.tokens[i] if i < self.end else ""

    def skip(self, token: str) -> bool:
        if self.i < self.end and self.tokens[self.i] == token:
            self.i += 1
            return True
        return False

    # -- expressions

    def expression(self, stops: frozenset[str] = CLOSING) -> Expr:
        """A bag of atoms up to a stop token at this level; `stops` are those of `CLOSING` and others."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise TooDeepError
        atoms: list[Atom] = []
        plain = True
        part, part_start = 0, self.i
        cuts: list[int] = []
        tokens, end = self.tokens, self.end
        while self.i < end:
            token = tokens[self.i]
            if token in stops:
                break
            if token[0] not in _MARKS:
                self.chain(atoms)
            elif token in ("(", "{"):
                self.i += 1
                inner = self.bracketed(OPENING[token])
                plain = plain and self.plain
                self.postfix(inner, atoms)
            elif token in _ASSIGNMENTS:
                self.i += 1
                value = self.expression(stops | COMMA)
                atoms[part:] = [self.assignment(tuple(atoms[part:]), value, token != "=", self.plain)]
            elif token in ("++", "--"):
                self.i += 1
                self.increment(atoms, part)
            elif token == "?":
                plain = False
                short_circuit(atoms, part, cuts)
                if self.operators:
                    self.fold(atoms, part)
                atoms[part:] = [self.select(tuple(atoms[part:]), self.text(part_start, self.i), stops)]
            elif token == ",":
                self.i += 1
                short_circuit(atoms, part, cuts)
                if self.operators:
                    self.fold(atoms, part)
                part, part_start = len(atoms), self.i
            elif token == "[":
                self.i += 1
                atoms += self.bracketed("]")
            else:
                plain = False
                self.i += 1
                if token in SHORT_CIRCUITS:
                    self.branches = True
                if self.operators is not None:
                    self.operators.append((self.depth, len(atoms), token))
                elif token in SHORT_CIRCUITS:
                    cuts.append(len(atoms))
        if self.operators:
            self.fold(atoms, part)
        self.depth -= 1
        if cuts:
            short_circuit(atoms, part, cuts)
        self.plain = plain and len(atoms) == 1
        return tuple(atoms)

    def fold(self, atoms: list[Atom], part: int) -> None:
        """What stands behind `part` with its operators as calls, where structs may have them as methods."""
        marks: list[tuple[int, str]] = []
        while self.operators and self.operators[-1][0] == self.depth:
            _, position, operator = self.operators.pop()
            if operator in OPERATORS:
                marks.append((position - part, operator))
                self.methods.add(f"operator{operator}")
        if marks:
            atoms[part:] = folded(atoms[part:], marks[::-1])

    def bracketed(self, closing: str) -> Expr:
        """Everything up to the closing bracket, which is passed over."""
        inner = self.expression()
        while self.i < self.end and not self.skip(closing):
            self.i += 1
            inner += self.expression()
        return inner

    def assignment(self, target: Expr, value: Expr, reads: bool, plain: bool = False) -> Assign:
        last = target[-1] if target else None
        if isinstance(last, Ref) and last.local >= 0:
            self.assigned.add(last.local)
            if last.local in self.static_locals and value:
                value = (Call(KEPT, (value,)),)
        return Assign(target, value, reads, plain)

    def select(self, condition: Expr, text: int, stops: frozenset[str]) -> Select:
        self.i += 1
        self.branches = True
        start = self.i
        yes = self.expression(COLON)
        self.region(select_control(text), True, start)
        self.skip(":")
        start = self.i
        no = self.expression(stops | COMMA)
        self.region(select_control(text), False, start)
        return Select(text, condition, yes, no)

    def increment(self, atoms: list[Atom], part: int) -> None:
        """`x++` takes the last atom; `++x` reads the next chain."""
        previous = self.tokens[self.i - 2] if self.i >= 2 else ""
        if len(atoms) > part and (previous in ("]", ")") or previous[:1].isdecimal() or IDENTIFIER.match(previous)):
            atoms[-1] = self.assignment((atoms[-1],), (), True)
            return
        inner: list[Atom] = []
        if self.skip("("):
            inner += self.bracketed(")")
        elif IDENTIFIER.match(self.at()):
            self.chain(inner)
        atoms.append(self.assignment(tuple(inner), (), True))

    def chain(self, atoms: list[Atom]) -> None:
        """An identifier and everything that hangs on it."""
        i = self.i
        name = self.tokens[i]
        outermost = self.tokens[i - 1] == "::"  # what stands before the `::` of `A::b` begins a chain itself
        self.i = i = i + 1
        if i >= self.end or self.tokens[i] not in _HANGING:
            local = -1 if outermost else self.visible.get(name, -1)
            if local < 0:
                self.free.add(name)
            atoms.append(Ref(self.outermost(name, i) if outermost else name, local))
            return
        while self.at() == "::" and self.i + 1 < self.end:
            name += "::" + self.at(1)
            self.i += 2
        local = -1 if outermost else self.find(name)
        if local < 0:
            self.free.add(name.rsplit("::", 1)[-1])
            name = self.outermost(name, i) if outermost else name
        template = self.template_arguments() if self.at() == "<" and local < 0 else ()
        if self.at() == "::":
            # What stands behind `A<T>::` begins a chain itself.
            self.i += 1
        elif self.at() == "(":
            self.i += 1
            called = self.operators is not None and local >= 0
            call = self.call(CALL_OPERATOR, (Ref(name, local),), ()) if called else self.call(name, None, template)
            self.postfix((call,), atoms)
        else:
            self.postfix((Ref(name, local),), atoms)

    def outermost(self, name: str, i: int) -> str:
        """A name behind the `::` before the token before `i`; behind `A<T>::` it is looked for alone."""
        return name if self.tokens[i - 3] == ">" else f"::{name}"

    def template_arguments(self) -> tuple[int, ...]:
        """Explicit template arguments, passed over; nothing where `<` is a comparison."""
        i, depth = self.i, 0
        starts = [self.i + 1]
        while i < self.end and i - self.i < MAX_TEXT:
            token = self.tokens[i]
            depth += (token == "<") - (token == ">")
            if depth == 0:
                break
            if token == "(":
                i = self._constant_parenthesis(i)
                continue
            if token in (";", "{", "}", ")", "&&", "||", "="):
                return ()
            if token == "," and depth == 1:
                starts.append(i + 1)
            i += 1
        if depth or i + 1 >= self.end or self.tokens[i + 1] not in _BEHIND_ARGUMENTS:
            return ()
        self.free.update(t for t in self.tokens[self.i : i] if IDENTIFIER.match(t))
        found = tuple(self.text(a, b) for a, b in zip(starts, [*(s - 1 for s in starts[1:]), i], strict=True))
        self.i = i + 1
        return found

    def _constant_parenthesis(self, i: int) -> int:
        """The index behind the parenthesis that opens at `i`; the end of the body where a local stands in it."""
        depth = 0
        while i < self.end:
            token = self.tokens[i]
            depth += (token == "(") - (token == ")")
            i += 1
            if not depth:
                return i
            if token in self.visible:
                break
        return self.end

    def call(self, name: str, receiver: Expr | None, template: tuple[int, ...]) -> Call:
        """A call, the position after its `(`."""
        found: list[Expr] = []
        texts: list[int] = []
        if not self.skip(")"):
            while True:
                start = self.i
                found.append(self.expression(COMMA))
                texts.append(self.text(start, self.i))
                if not self.skip(","):
                    break
            self.skip(")")
        if receiver is not None:
            self.methods.add(name)
        for position, argument in enumerate(found):
            single = argument[0] if len(argument) == 1 else None
            if isinstance(single, Ref) and single.local >= 0:
                self.passed.add((single.local, name, position, len(found)))
        return Call(name, tuple(found), tuple(texts), receiver, template)

    def postfix(self, base: Expr, atoms: list[Atom]) -> None:
        """What hangs on a name, a call or a parenthesis: members, subscripts, further calls."""
        members: list[str] = []
        indices: list[Expr] = []
        texts: list[int] = []
        calls = 0
        while True:
            token = self.at()
            if token == ".":
                member = self.at(1)
                self.i += 2
                template = self.template_arguments() if self.at() == "<" else ()
                if self.at() == "(":
                    self.i += 1
                    calls += 1
                    if calls > MAX_NESTING:
                        raise TooDeepError
                    base = (self.call(member, extended(base, members, indices, texts), template),)
                    members, indices, texts = [], [], []
                    continue
                members.append(member)
            elif token == "[":
                self.i += 1
                start = self.i
                indices.append(self.bracketed("]"))
                texts.append(self.text(start, self.i - 1))
                members.append("[]")
            elif token == "(" and self.operators is not None:
                self.i += 1
                base = (self.call(CALL_OPERATOR, extended(base, members, indices, texts), ()),)
                members, indices, texts = [], [], []
            else:
                break
        atoms.extend(extended(base, members, indices, texts))
