"""Reads declarations of local variables: tells them from expressions, and makes steps of their initializers."""

from __future__ import annotations

from bindlint.usage.bodies.expressions import COMMA, IDENTIFIER, OPENING, ExpressionParser
from bindlint.usage.bodies.syntax import Expr, Local

_NOT_TYPES = frozenset(
    "return else case do in out inout goto throw new sizeof break continue discard default".split()  # noqa: SIM905
)
_QUALIFIERS = frozenset(
    "const static volatile precise uniform groupshared row_major column_major snorm unorm nointerpolation linear"  # noqa: SIM905
    " centroid noperspective typename globallycoherent reordercoherent inline unsigned signed extern".split()
)
_DECLARATOR_ENDS = frozenset(("=", ";", ",", "[", ":", "{", ")"))
_MAX_TYPE_TOKENS = 60


class DeclarationParser(ExpressionParser):
    """Declarations, where an expression may stand as well."""

    def __init__(self, text: str, parameters: tuple[Local, ...], operators: bool = False) -> None:
        super().__init__(text, parameters, operators)
        self.const_locals: set[int] = set()
        self.local_types: set[str] = set()
        """Structs that are declared in the body; what they hold is not known."""

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
        if "unsigned" in qualifiers and words == ["int"]:
            words = ["uint"]
        self.free.add(words[-1])
        self.free.update(t for t in argument if IDENTIFIER.match(t))
        self.i = i
        self.declarators("" if words[0] in self.local_types else "".join(words + argument), qualifiers)
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
        elif "static" in qualifiers:
            self.static_locals.add(number)
        self.locals.append(Local(name, type_name, dimensions))
        self.declare(name, number)
        if initialized:
            self.add("assign", value, number)
