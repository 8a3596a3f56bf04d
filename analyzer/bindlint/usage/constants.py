"""Constant expressions as array sizes, subscripts and branches use them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from bindlint_grammars.hlsl.tokens import NAME

from bindlint.usage.numbers import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    KINDS,
    LITERAL,
    LITERAL_REAL,
    LONG,
    UINT,
    ULONG,
    Kind,
    Number,
    combined,
    common,
    converted,
    negated,
    reinterpreted,
)

ARGUMENTS = r"<(?:[^<>;?&|]|<[^<>;?&|]*>)*>"
_TOKEN = re.compile(
    r"\s*(?:(0[xX][0-9a-fA-F]+\w*|(?:\d[\w.]*|\.\d\w*)(?:(?<=[eE])[-+]\d\w*)?)"
    rf"|((?:::\s*)?{NAME}(?:\s*(?:{ARGUMENTS}\s*)?::\s*{NAME})*(?:\s*\.\s*{NAME})*)"
    r"|('(?:[^'\\]|\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|.))')"
    r"|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:().,\[\]]))"
)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlL]*)\Z")
_REAL = re.compile(r"((?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+(?=[fFhH]))([fFhHlL]?)\Z")
_REAL_KINDS = {"": LITERAL_REAL, "f": FLOAT, "h": FLOAT, "l": DOUBLE}
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11}
_BOOLEANS = {"true": Number(1, BOOL), "false": Number(0, BOOL)}
_FOLDED = ("min", "max", "asuint")
"""The only calls that the compiler folds in an array size; `min` and `max` of literals and reals only."""
_BINARY = ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
_PRECEDENCE = {operator: level for level, operators in enumerate(_BINARY) for operator in operators.split()}
_MAX_DEPTH = 100
_MAX_DIGITS = 256

Lookup = Callable[[str], "Number | int | None"]
_Token = tuple[str, str]


class Types(Protocol):
    """What names of types mean where an expression stands."""

    @property
    def running(self) -> bool:
        """Whether the expression runs, and so need not be a constant expression."""

    def kind(self, name: str) -> Kind | None:
        """The scalar type of that name."""

    def size(self, operand: str) -> int | None:
        """What `sizeof` makes of a type or of a variable and what follows it."""

    def call(self, name: str, arguments: Sequence[Number | None]) -> Number | None:
        """What a function returns, None where that is not known."""


class _NoExpressionError(Exception):
    """The text is no expression of the kind that is read here."""


def evaluate(text: str, lookup: Lookup, types: Types | None = None) -> int | None:
    """The whole value of `text`, None where it is none or cannot be told; `lookup` gives the values of names.

    What is not known may stand where it does not matter: `false && x` is 0.
    """
    number = evaluate_number(text, lookup, types)
    return None if number is None or number.kind.real else int(number.value)


def evaluate_number(text: str, lookup: Lookup, types: Types | None = None) -> Number | None:
    """The value of `text` with its type, None where it cannot be told."""
    read = _read(text)
    if read is None:
        return None
    tokens, plain_names = read
    if any(lookup(name) is None for name in plain_names):
        return None
    try:
        value, rest = _Parser(tokens, lookup, types).ternary(0, 0)
    except _NoExpressionError:
        return None
    return value if rest == len(tokens) else None


def names_in(text: str) -> Iterator[str]:
    """The names whose values an expression may ask for."""
    read = _read(text)
    for kind, word in read[0] if read is not None else ():
        if kind == "name" and word not in KINDS and word not in _BOOLEANS:
            yield word


@lru_cache(maxsize=1 << 16)
def _read(text: str) -> tuple[list[_Token], tuple[str, ...]] | None:
    """The tokens of a text, and the names without whose values nothing can be told."""
    tokens: list[_Token] = []
    position, text = 0, text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        number, name, character, operator = match.groups()
        if name:
            tokens.append(("name", name if name.isidentifier() else "".join(name.split()).removeprefix("::")))
        elif character:
            tokens.append(("character", character))
        else:
            tokens.append(("number", number) if number else ("operator", operator))
        position = match.end()
    if any(word in ("&&", "||", "?", "sizeof") for _, word in tokens):
        return tokens, ()
    return tokens, tuple(
        word
        for i, (kind, word) in enumerate(tokens)
        if kind == "name" and word not in KINDS and word not in _BOOLEANS and not _may_be_type(tokens, i)
    )


def _may_be_type(tokens: list[_Token], i: int) -> bool:
    """Whether a name may be that of a type, in `(T)x` or `T(x)`, of a function or of an array."""
    before, after = tokens[i - 1][1] if i else "", [word for _, word in tokens[i + 1 : i + 3]]
    if after[:1] == ["("] or tokens[i][1] in ("unsigned", "const"):
        return True
    if after[:1] == ["["]:
        return True
    last = i + 2 < len(tokens) and tokens[i + 2][0]
    return after[:1] == [")"] and before in ("(", "unsigned", "const") and (last != "operator" or after[1] in "(-~!+")


class _Parser:
    """Recursive descent over tokens; a value of None is one that is not known."""

    def __init__(self, tokens: list[_Token], lookup: Lookup, types: Types | None) -> None:
        self.tokens = tokens
        self.lookup = lookup
        self.types = types

    def at(self, i: int) -> str:
        return self.tokens[i][1] if i < len(self.tokens) else ""

    def ternary(self, i: int, depth: int) -> tuple[Number | None, int]:
        if depth > _MAX_DEPTH:
            raise _NoExpressionError
        condition, i = self.binary(0, i, depth + 1)
        if self.at(i) != "?":
            return condition, i
        left, i = self.ternary(i + 1, depth + 1)
        if self.at(i) != ":":
            raise _NoExpressionError
        right, i = self.ternary(i + 1, depth + 1)
        if condition is None:
            return None, i
        chosen = left if condition.value else right
        if left is None or right is None:
            # Both sides make the type.
            return None if self.types is not None and self.types.running else chosen, i
        if chosen is None or left.kind is right.kind:
            return chosen, i
        return converted(chosen, common(left.kind, right.kind)), i

    def binary(self, level: int, i: int, depth: int) -> tuple[Number | None, int]:
        """Operands and the operators between them that bind at least as `level` does."""
        left, i = self.unary(i, depth)
        while (own := _PRECEDENCE.get(self.at(i), -1)) >= level:
            right, after = self.binary(own + 1, i + 1, depth)
            left, i = combined(self.tokens[i][1], left, right), after
        return left, i

    def unary(self, i: int, depth: int) -> tuple[Number | None, int]:
        if i >= len(self.tokens) or depth > _MAX_DEPTH:
            raise _NoExpressionError
        kind, text = self.tokens[i]
        if kind == "number":
            return self.postfix(_literal(text), i + 1)
        if kind == "character":
            return _character(text), i + 1
        if kind == "name":
            return self.name(text, i, depth)
        if text == "(":
            cast, after = self.cast(i + 1)
            if cast is not None:
                value, i = self.unary(after, depth + 1)
                return (None if value is None else converted(value, cast)), i
            return self.postfix(*self.parenthesized(i, depth))
        if text in ("-", "+", "~", "!"):
            value, i = self.unary(i + 1, depth + 1)
            return (None if value is None else negated(text, value)), i
        raise _NoExpressionError

    def parenthesized(self, i: int, depth: int) -> tuple[Number | None, int]:
        """What stands between the parentheses that open at `i`; of several values the last."""
        value, i = self.ternary(i + 1, depth + 1)
        while self.at(i) == ",":
            value, i = self.ternary(i + 1, depth + 1)
        if self.at(i) != ")":
            raise _NoExpressionError
        return value, i + 1

    def cast(self, i: int) -> tuple[Kind | None, int]:
        """The type that stands at `i` with `)` behind it, and the place after that."""
        start = i
        while i < len(self.tokens) and self.tokens[i][0] == "name":
            i += 1
        if i == start or self.at(i) != ")":
            return None, start
        return self.kind(" ".join(w for _, w in self.tokens[start:i] if w != "const")), i + 1

    def kind(self, name: str) -> Kind | None:
        found = KINDS.get(name)
        return self.types.kind(name) if found is None and self.types is not None and name not in _BOOLEANS else found

    def name(self, text: str, i: int, depth: int) -> tuple[Number | None, int]:
        if text == "sizeof":
            return self.sizeof(i + 1, depth)
        if self.at(i + 1) != "(":
            if self.at(i + 1) == "[":
                return self.element(text, i + 1, depth)
            value = _BOOLEANS.get(text) or self.lookup(text)
            return self.postfix(Number(value, LITERAL) if isinstance(value, int) else value, i + 1)
        kind = self.kind(text)
        if kind is not None:
            value, after = self.parenthesized(i + 1, depth)
            known = None if value is None or kind.scoped or value.kind.scoped else converted(value, kind)
            return self.postfix(known, after)
        if text in _FOLDED:
            value, after = self.folded(text, i + 1, depth)
            if value is not None:
                return value, after
        try:
            arguments, after = self.arguments(i + 1, depth)
        except _NoExpressionError:
            return self.postfix(None, i + 1)
        return self.postfix(None if self.types is None else self.types.call(text, arguments), after)

    def element(self, name: str, i: int, depth: int) -> tuple[Number | None, int]:
        """What subscripts and members lead to from a name, at the first subscript."""
        while self.at(i) in ("[", "."):
            if self.at(i) == ".":
                name, i = f"{name}.{self.at(i + 1)}", i + 2
                continue
            start = i
            try:
                subscript, i = self.ternary(i + 1, depth + 1)
            except _NoExpressionError:
                subscript = None
            if subscript is None or subscript.kind.real or self.at(i) != "]":
                return self.postfix(None, start)
            name, i = f"{name}[{int(subscript.value)}]", i + 1
        value = self.lookup(name)
        return self.postfix(Number(value, LITERAL) if isinstance(value, int) else value, i)

    def arguments(self, i: int, depth: int) -> tuple[list[Number | None], int]:
        """The values between the parentheses that open at `i`."""
        if self.at(i + 1) == ")":
            return [], i + 2
        values = []
        while self.at(i) in ("(", ","):
            value, i = self.ternary(i + 1, depth + 1)
            values.append(value)
        if self.at(i) != ")":
            raise _NoExpressionError
        return values, i + 1

    def folded(self, name: str, i: int, depth: int) -> tuple[Number | None, int]:
        values, after = self.arguments(i, depth)
        known = [
            value
            for value in values
            if value is not None and (value.kind.literal or value.kind.real or name == "asuint")
        ]
        if len(known) != len(values) or len(known) != (1 if name == "asuint" else 2):
            return self.postfix(None, after)
        if name == "asuint":
            return self.postfix(reinterpreted(known[0]), after)
        chosen = (min if name == "min" else max)(known, key=lambda number: number.value)
        return self.postfix(converted(chosen, common(known[0].kind, known[1].kind)), after)

    def sizeof(self, i: int, depth: int) -> tuple[Number | None, int]:
        start, open_brackets = i, 0
        while i < len(self.tokens):
            open_brackets += (self.at(i) in ("(", "[")) - (self.at(i) in (")", "]"))
            i += 1
            if not open_brackets and not (self.at(i) == "[" and self.at(start) != "("):
                break
        inside = self.tokens[start + 1 : i - 1] if self.at(start) == "(" else self.tokens[start:i]
        size = self.types.size(" ".join(word for _, word in inside)) if self.types is not None else None
        if size is None:
            # An expression has the size of its type, which a literal does not have.
            try:
                value, _ = _Parser(inside, self.lookup, self.types).ternary(0, depth + 1)
            except _NoExpressionError:
                value = None
            size = None if value is None or value.kind.literal else value.kind.bits // 8
        return None if size is None else Number(size, UINT), i

    def postfix(self, value: Number | None, i: int) -> tuple[Number | None, int]:
        """Members, subscripts and calls: what they give is not known."""
        while self.at(i) in (".", "(", "["):
            value = None
            if self.at(i) == ".":
                i += 2
                continue
            depth = 0
            while i < len(self.tokens):
                depth += (self.at(i) in ("(", "[")) - (self.at(i) in (")", "]"))
                i += 1
                if not depth:
                    break
        return value, i


def _literal(text: str) -> Number | None:
    match = _INTEGER.match(text)
    if match is None:
        real = _REAL.match(text)
        return None if real is None else converted(Number(float(real[1]), LITERAL_REAL), _REAL_KINDS[real[2].lower()])
    digits, suffix = match[1], match[2].lower()
    if len(digits) > _MAX_DIGITS:
        return None
    if digits[:2] in ("0x", "0X"):
        value = int(digits, 16)
    elif digits[:2] in ("0b", "0B"):
        value = int(digits, 2)
    else:
        octal = len(digits) > 1 and digits[0] == "0" and not set(digits) & set("89")
        value = int(digits, 8 if octal else 10)
    kind = {"": LITERAL, "u": UINT}.get(suffix, ULONG if "u" in suffix else LONG)
    return converted(Number(value, LITERAL), kind) if value.bit_length() <= 64 else None


def _character(text: str) -> Number:
    inside = text[1:-1]
    if inside[0] != "\\":
        return Number(ord(inside), INT)
    if inside[1] == "x":
        return Number(int(inside[2:], 16) & 0xFF, INT)
    if inside[1].isdecimal():
        return Number(int(inside[1:], 8) & 0xFF, INT)
    return Number(_ESCAPES.get(inside[1], ord(inside[1])), INT)
