"""Integer constant expressions as array sizes, subscripts and branches use them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

_TOKEN = re.compile(
    r"\s*(?:(\d[\w.]*|\.\d\w*)|([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)"
    r"|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:().,\[\]]))"
)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlL]*)\Z")
_UNSIGNED = 0xFFFFFFFF
_CASTS = frozenset(
    ("int", "uint", "dword", "uint32_t", "int32_t", "uint16_t", "int16_t", "int64_t", "uint64_t", "bool", "min16uint")
)
_BOOLEANS = {"true": 1, "false": 0}
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_MAX_DEPTH = 100
_MAX_BITS = 256

Lookup = Callable[[str], int | None]


class _NoExpressionError(Exception):
    """The text is no expression of the kind that is read here."""


def evaluate(text: str, lookup: Lookup) -> int | None:
    """The value of `text`, None where it cannot be told; `lookup` gives the values of names.

    What is not known may stand where it does not matter: `false && x` is 0.
    """
    read = _read(text)
    if read is None:
        return None
    tokens, plain_names = read
    if any(lookup(name) is None for name in plain_names):
        return None
    try:
        value, rest = _Parser(tokens, lookup).ternary(0, 0)
    except _NoExpressionError:
        return None
    if rest != len(tokens) or value is None:
        return None
    return value & _UNSIGNED if any(kind == "number" and _is_unsigned(word) for kind, word in tokens) else value


def _is_unsigned(literal: str) -> bool:
    """Whether a literal makes 32-bit unsigned arithmetic of what it stands in, by its suffix or its size."""
    match = _INTEGER.match(literal)
    if match is None or "l" in match[2].lower():
        return False
    value = _integer(literal)
    return "u" in match[2].lower() or (value is not None and 0x80000000 <= value <= _UNSIGNED)


def names_in(text: str) -> Iterator[str]:
    """The names whose values an expression may ask for."""
    read = _read(text)
    for kind, word in read[0] if read is not None else ():
        if kind == "name" and word not in _CASTS and word not in _BOOLEANS:
            yield word


@lru_cache(maxsize=1 << 16)
def _read(text: str) -> tuple[list[tuple[str, str]], tuple[str, ...]] | None:
    """The tokens of a text, and the names without whose values nothing can be told."""
    tokens: list[tuple[str, str]] = []
    position, text = 0, text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        number, name, operator = match.groups()
        if name:
            tokens.append(("name", name if "::" not in name else "".join(name.split())))
        else:
            tokens.append(("number", number) if number else ("operator", operator))
        position = match.end()
    if any(word in ("&&", "||", "?") for _, word in tokens):
        return tokens, ()
    return tokens, tuple(
        word for kind, word in tokens if kind == "name" and word not in _CASTS and word not in _BOOLEANS
    )


class _Parser:
    """Recursive descent over tokens; a value of None is one that is not known."""

    def __init__(self, tokens: list[tuple[str, str]], lookup: Lookup) -> None:
        self.tokens = tokens
        self.lookup = lookup

    def at(self, i: int) -> str:
        return self.tokens[i][1] if i < len(self.tokens) else ""

    def ternary(self, i: int, depth: int) -> tuple[int | None, int]:
        if depth > _MAX_DEPTH:
            raise _NoExpressionError
        condition, i = self.binary(0, i, depth + 1)
        if self.at(i) != "?":
            return condition, i
        left, i = self.ternary(i + 1, depth + 1)
        if self.at(i) != ":":
            raise _NoExpressionError
        right, i = self.ternary(i + 1, depth + 1)
        return (None if condition is None else left if condition else right), i

    def binary(self, level: int, i: int, depth: int) -> tuple[int | None, int]:
        if level == len(_LEVELS):
            return self.unary(i, depth)
        left, i = self.binary(level + 1, i, depth)
        while i < len(self.tokens) and self.tokens[i][0] == "operator" and self.at(i) in _LEVELS[level]:
            operator = self.at(i)
            right, i = self.binary(level + 1, i + 1, depth)
            left = _apply(operator, left, right)
        return left, i

    def unary(self, i: int, depth: int) -> tuple[int | None, int]:
        if i >= len(self.tokens) or depth > _MAX_DEPTH:
            raise _NoExpressionError
        kind, text = self.tokens[i]
        if kind == "number":
            return self.postfix(_integer(text), i + 1)
        if kind == "name":
            if text in _CASTS and self.at(i + 1) == "(":
                return self.unary(i + 1, depth + 1)
            value = _BOOLEANS.get(text)
            return self.postfix(self.lookup(text) if value is None else value, i + 1)
        if text == "(":
            if self.at(i + 1) in _CASTS and self.at(i + 2) == ")":
                return self.unary(i + 3, depth + 1)
            value, i = self.ternary(i + 1, depth + 1)
            if self.at(i) != ")":
                raise _NoExpressionError
            return self.postfix(value, i + 1)
        if text in ("-", "+", "~", "!"):
            value, i = self.unary(i + 1, depth + 1)
            if value is None:
                return None, i
            return {"-": -value, "+": value, "~": ~value, "!": int(not value)}[text], i
        raise _NoExpressionError

    def postfix(self, value: int | None, i: int) -> tuple[int | None, int]:
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


def _integer(text: str) -> int | None:
    match = _INTEGER.match(text)
    if match is None:
        return None
    digits = match.group(1)
    if digits[:2] in ("0x", "0X"):
        return int(digits, 16)
    if digits[:2] in ("0b", "0B"):
        return int(digits, 2)
    octal = len(digits) > 1 and digits[0] == "0" and not set(digits) & set("89")
    return int(digits, 8 if octal else 10) if len(digits) < _MAX_BITS else None


def _apply(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        known = right if left is None else left
        if operator == "&&" and known == 0:
            return 0
        return 1 if operator == "||" and known else None
    if operator in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    if operator in ("<<", ">>"):
        if not 0 <= right < 64 or left.bit_length() > _MAX_BITS:
            return None
        return left << right if operator == "<<" else left >> right
    return int(_OPERATORS[operator](left, right))


_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "||": lambda left, right: bool(left) or bool(right),
    "&&": lambda left, right: bool(left) and bool(right),
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
    "&": lambda left, right: left & right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
    "<=": lambda left, right: left <= right,
    ">=": lambda left, right: left >= right,
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}
