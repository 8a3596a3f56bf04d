"""Reads function bodies (and initializers) into steps: a tolerant parser over tokens."""

from __future__ import annotations

from weakref import WeakValueDictionary

from bindlint.nesting import MAX_NESTING
from bindlint.usage.bodies.bag import bag_of
from bindlint.usage.bodies.expressions import COMMA, IDENTIFIER, OPENING, ExpressionParser, TooDeepError
from bindlint.usage.bodies.syntax import UNREACHABLE, Body, Expr, Local, Ref, Region, Step

_NOT_TYPES = frozenset(
    "return else case do in out inout goto throw new sizeof break continue discard default".split()  # noqa: SIM905
)
_QUALIFIERS = frozenset(
    "const static volatile precise uniform groupshared row_major column_major snorm unorm nointerpolation linear"  # noqa: SIM905
    " centroid noperspective typename globallycoherent reordercoherent inline unsigned signed extern".split()
)
_DECLARATOR_ENDS = frozenset(("=", ";", ",", "[", ":", "{", ")"))
_MAX_TYPE_TOKENS = 60


_parsed: WeakValueDictionary[tuple[str, tuple[Local, ...]], Body] = WeakValueDictionary()
"""Bodies that somebody still has: one that stands in several readings of a file is read once."""


def parse_body(text: str, parameters: tuple[Local, ...]) -> Body:
    """The steps of a body `{ ... }`; where its nesting is absurd, one step that holds every name in it."""
    found = _parsed.get((text, parameters))
    if found is None:
        found = _parsed[text, parameters] = _parse(text, parameters)
    return found


def _parse(text: str, parameters: tuple[Local, ...]) -> Body:
    parser = _StatementParser(text, parameters)
    try:
        parser.i = 1
        parser.block()
    except (TooDeepError, RecursionError):
        return bag_of(text, parameters)
    return parser.body()


def parse_initializer(text: str) -> Body:
    """The same for the initializer of a variable or a default argument: one `return` step."""
    parser = _StatementParser(text, ())
    try:
        parser.add("return", parser.expression())
    except (TooDeepError, RecursionError):
        return bag_of(text, ())
    return parser.body()


class _StatementParser(ExpressionParser):
    def __init__(self, text: str, parameters: tuple[Local, ...]) -> None:
        super().__init__(text, parameters)
        self.const_locals: set[int] = set()

    @property
    def unchanging(self) -> frozenset[int]:
        return frozenset(self.const_locals)

    def matching(self, i: int) -> int:
        """The index after the bracket that closes the one at `i`."""
        depth = 0
        while i < self.end:
            token = self.tokens[i]
            if token in OPENING:
                depth += 1
            elif token in (")", "]", "}"):
                depth -= 1
                if depth == 0:
                    return i + 1
            i += 1
        return self.end

    # -- statements

    def block(self) -> None:
        """Statements up to the closing brace; what follows a jump in the same block cannot be reached."""
        self.enter_scope()
        reachable = True
        while self.i < self.end and self.tokens[self.i] != "}":
            before, steps, marks = self.i, len(self.steps), len(self.marks)
            label = self.tokens[before] in ("case", "default")
            reachable = reachable or label
            jumped = self.statement()
            if not reachable:
                del self.steps[steps:], self.marks[marks:]
                self.region(UNREACHABLE, True, before)
            reachable = reachable and not jumped
            if self.i == before:
                self.i += 1
        self.i += 1
        self.leave_scope()

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
        self.block()
        return False

    def _label(self) -> bool:
        self.mark(self.at())
        while self.i < self.end and self.tokens[self.i] != ":":
            self.i += 1
        self.i += 1
        return False

    def _type(self) -> bool:
        """A local type or alias: passed over, but for the variables that a struct's declaration ends in."""
        start = self.i
        while self.i < self.end and self.tokens[self.i] not in (";", "{", "=", "("):
            self.i += 1
        if self.at() == "{":
            self.i = self.matching(self.i)
            if IDENTIFIER.match(self.at()):
                self.declarators(self.tokens[start + 1] if IDENTIFIER.match(self.tokens[start + 1]) else "", set())
                return False
        elif self.tokens[start] in ("struct", "class") and self.i - start > 2:
            self.i = start
            return self.simple()
        else:
            while self.i < self.end and self.at() != ";":
                self.i += 1
        self.skip(";")
        return False

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
        value, _ = self.condition()
        self.switches += 1
        self.looped(value, -1)
        self.switches -= 1
        return False

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
                words += ("(", *self.words[self.values[word]], ")")
            else:
                words.append(word)
        return self.keep(tuple(words))

    def _return(self) -> bool:
        self.i += 1
        value = self.expression()
        self.skip(";")
        self.regions.append(Region(self.add("return", value), True, self.i, self.end))
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

    # -- declarations

    def declaration(self) -> bool:
        """`[qualifiers] type name [dims] [= value] {, name ...};` -- leaves the position alone where it is none."""
        i, qualifiers = self.i, set()
        while i < self.end and self.tokens[i] in _QUALIFIERS:
            qualifiers.add(self.tokens[i])
            i += 1
        if i < self.end and self.tokens[i] in ("struct", "class"):
            i += 1
        if i >= self.end or not IDENTIFIER.match(self.tokens[i]) or self.tokens[i] in _NOT_TYPES:
            return False
        words = [self.tokens[i]]
        i += 1
        while i + 1 < self.end and self.tokens[i] == "::":
            words += ("::", self.tokens[i + 1])
            i += 2
        argument: list[str] = []
        if i < self.end and self.tokens[i] == "<":
            end = self._template_end(i)
            if end < 0:
                return False
            argument = self.tokens[i : end + 1]
            i = end + 1
        if i < self.end and self.tokens[i] == "::":
            return self._nested_declaration(i, qualifiers)
        while i < self.end and self.tokens[i] in _QUALIFIERS:
            qualifiers.add(self.tokens[i])
            i += 1
        if i + 1 >= self.end or not IDENTIFIER.match(self.tokens[i]) or self.tokens[i + 1] not in _DECLARATOR_ENDS:
            return False
        self.free.add(words[-1])
        self.free.update(t for t in argument if IDENTIFIER.match(t))
        self.i = i
        self.declarators("".join(words + argument), qualifiers)
        return True

    def _nested_declaration(self, i: int, qualifiers: set[str]) -> bool:
        """`Outer<T>::Inner<U> name`, a type that depends on a template's arguments: not known."""
        while i + 1 < self.end and self.tokens[i] == "::":
            i += 2 + (self.tokens[i + 1] == "template")
            if i < self.end and self.tokens[i] == "<":
                i = self._template_end(i) + 1
        if i < 1 or i + 1 >= self.end or not IDENTIFIER.match(self.tokens[i]):
            return False
        if self.tokens[i + 1] not in _DECLARATOR_ENDS:
            return False
        self.i = i
        self.declarators("", qualifiers)
        return True

    def declarators(self, type_name: str, qualifiers: set[str]) -> None:
        self.declarator(type_name, qualifiers)
        while self.skip(","):
            self.declarator(type_name, qualifiers)
        while self.i < self.end and self.at() not in (";", "}", ")"):
            self.i += 1
        if self.at() != ")":
            self.skip(";")

    def _template_end(self, i: int) -> int:
        """The index of the `>` that closes the `<` at `i`, -1 where it is no template argument list."""
        depth = 0
        for j in range(i, min(i + _MAX_TYPE_TOKENS, self.end)):
            token = self.tokens[j]
            depth += (token == "<") - (token == ">")
            if depth == 0:
                return j
            if token in (";", "{", "}", "&&", "||"):
                return -1
        return -1

    def declarator(self, type_name: str, qualifiers: set[str]) -> None:
        name = self.at()
        self.i += 1
        dimensions = 0
        while self.skip("["):
            dimensions += 1
            self.bracketed("]")
        if self.at() == ":":
            while self.i < self.end and self.at() not in ("=", ";", ",", "{", ")"):
                self.i = self.matching(self.i) if self.at() == "(" else self.i + 1
        number = len(self.locals)
        value: Expr = ()
        initialized = self.at() in ("=", "{")
        if initialized:
            self.skip("=")
            start = self.i
            value = self.expression(COMMA)
            text = self.text(start, self.i)
            if text >= 0 and not dimensions:
                self.values[number] = text
        if "const" in qualifiers:
            self.const_locals.add(number)
        self.locals.append(Local(name, type_name, dimensions))
        self.declare(name, number)
        if initialized:
            self.add("assign", value, number)


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
