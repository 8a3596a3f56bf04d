"""The value of an `#if` expression: C's operators over 64-bit integers, signed unless something unsigned takes part."""

from __future__ import annotations

import re

from bindlint_grammars.hlsl.expansion import ConditionError
from bindlint_grammars.hlsl.tokens import IDENTIFIER, LITERAL, NUMBER, Token

_Value = tuple[int, bool]
_INTEGER = re.compile(rb"(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(0[0-7]*)|([1-9]\d*))((?:ll?|LL?)[uU]|[uU]?(?:ll?|LL?)?)")
_BINARY = {
    b",": 1, b"?": 2, b"||": 3, b"&&": 4, b"|": 5, b"^": 6, b"&": 7, b"==": 8, b"!=": 8,
    b"<": 9, b">": 9, b"<=": 9, b">=": 9, b"<<": 10, b">>": 10, b"+": 11, b"-": 11, b"*": 12, b"/": 12, b"%": 12,
}  # fmt: skip
_ESCAPES = {b"n": 10, b"t": 9, b"r": 13, b"a": 7, b"b": 8, b"f": 12, b"v": 11}
_ESCAPE = re.compile(rb"\\x([0-9a-fA-F]+)|\\([0-7]{1,3})|\\(.)|(.)", re.DOTALL)
_MASK = (1 << 64) - 1
_MAX_DIGITS = 65


def evaluate(tokens: list[Token], nesting: int) -> bool:
    """Whether the expanded condition holds. `nesting` bounds its parentheses. Raises ConditionError."""
    parser = _Parser(tokens, nesting)
    try:
        value, _ = parser.expression(2, True)
    except RecursionError as error:
        raise NestingError("operators and parentheses of the condition are nested too deep") from error
    if parser.at < len(tokens):
        raise ConditionError(f"`{_shown(tokens[parser.at])}` cannot stand in a condition there")
    return value != 0


class NestingError(ConditionError):
    """More parentheses than the limits allow: what the condition says is unknown."""


class _Parser:
    def __init__(self, tokens: list[Token], nesting: int) -> None:
        self.tokens = tokens
        self.at = 0
        self.nesting = self.limit = nesting

    def expression(self, lowest: int, live: bool) -> _Value:
        """Everything that binds at least as tightly as `lowest`; in a dead operand division by zero is no error."""
        left = self.unary(live)
        while self.at < len(self.tokens):
            operator = self.tokens[self.at].text
            strength = _BINARY.get(operator, 0)
            if strength < lowest or not strength:
                return left
            self.at += 1
            if operator == b"?":
                left = self.choice(left, live)
                continue
            needed = live and not ((operator == b"||" and left[0]) or (operator == b"&&" and not left[0]))
            left = _apply(operator, left, self.expression(strength + 1, needed), needed)
        return left

    def choice(self, condition: _Value, live: bool) -> _Value:
        self.deeper()
        first = self.expression(2, live and condition[0] != 0)
        if self.at >= len(self.tokens) or self.tokens[self.at].text != b":":
            raise ConditionError("`:` is missing after `?`")
        self.at += 1
        second = self.expression(2, live and condition[0] == 0)
        self.nesting += 1
        return _wrap((first if condition[0] else second)[0], first[1] or second[1])

    def unary(self, live: bool) -> _Value:
        signs = []
        while self.at < len(self.tokens) and self.tokens[self.at].text in (b"!", b"-", b"+", b"~"):
            signs.append(self.tokens[self.at].text)
            self.at += 1
        value, unsigned = self.primary(live)
        for sign in reversed(signs):
            if sign == b"!":
                value, unsigned = int(not value), False
            elif sign == b"-":
                value, unsigned = _wrap(-value, unsigned)
            elif sign == b"~":
                value, unsigned = _wrap(~value, unsigned)
        return value, unsigned

    def primary(self, live: bool) -> _Value:
        if self.at >= len(self.tokens):
            raise ConditionError("the condition is incomplete")
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == NUMBER:
            return _integer(token, live)
        if token.kind == IDENTIFIER:
            return int(token.text == b"true"), False
        if token.kind == LITERAL and token.text.startswith(b"'"):
            return _character(token.text), False
        if token.text != b"(":
            raise ConditionError(f"`{_shown(token)}` cannot stand in a condition there")
        self.deeper()
        value = self.expression(1, live)
        if self.at >= len(self.tokens) or self.tokens[self.at].text != b")":
            raise ConditionError("`)` is missing in the condition")
        self.at += 1
        self.nesting += 1
        return value

    def deeper(self) -> None:
        self.nesting -= 1
        if self.nesting < 0:
            raise NestingError(f"the condition is nested more than {self.limit} deep; it is taken for false")


def _apply(operator: bytes, left: _Value, right: _Value, live: bool) -> _Value:
    a, b = left[0], right[0]
    if operator == b"||":
        return int(bool(a or b)), False
    if operator == b"&&":
        return int(bool(a and b)), False
    if operator == b",":
        return right
    if operator in (b"<<", b">>"):
        # Of the amount that is shifted right only 32 bits count.
        return _wrap((a << b if 0 <= b < 64 else 0) if operator == b"<<" else a >> min(b & 0xFFFFFFFF, 63), left[1])
    unsigned = left[1] or right[1]
    if unsigned:
        a, b = a & _MASK, b & _MASK
    match operator:
        case b"==":
            return int(a == b), False
        case b"!=":
            return int(a != b), False
        case b"<":
            return int(a < b), False
        case b">":
            return int(a > b), False
        case b"<=":
            return int(a <= b), False
        case b">=":
            return int(a >= b), False
        case b"+":
            return _wrap(a + b, unsigned)
        case b"-":
            return _wrap(a - b, unsigned)
        case b"*":
            return _wrap(a * b, unsigned)
        case b"|":
            return _wrap(a | b, unsigned)
        case b"^":
            return _wrap(a ^ b, unsigned)
        case b"&":
            return _wrap(a & b, unsigned)
    if not b:
        if live:
            raise ConditionError("division by zero in the condition")
        return 0, unsigned
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return _wrap(quotient if operator == b"/" else a - quotient * b, unsigned)


def _wrap(value: int, unsigned: bool) -> _Value:
    value &= _MASK
    return (value if unsigned or value < 1 << 63 else value - (1 << 64)), unsigned


def _integer(token: Token, live: bool) -> _Value:
    match = _INTEGER.fullmatch(token.text)
    if match is None:
        raise ConditionError(f"`{_shown(token)}` is no integer")
    sixteen, two, eight, ten, suffix = match.groups()
    digits, base = next((digits, base) for digits, base in ((sixteen, 16), (two, 2), (eight, 8), (ten, 10)) if digits)
    # No more digits are read than any integer of 64 bits has.
    value = int(digits.lstrip(b"0")[:_MAX_DIGITS] or b"0", base)
    if value > _MASK and live:
        raise ConditionError("an integer of the condition is too large")
    return _wrap(value, b"u" in suffix.lower() or value > _MASK >> 1)


def _character(text: bytes) -> int:
    """One is a signed byte, several are the bytes of a 32-bit integer."""
    found = []
    for match in _ESCAPE.finditer(text[1:-1]):
        hexadecimal, octal, escape, plain = match.groups()
        if hexadecimal:
            found.append(int(hexadecimal[-2:], 16))
        elif octal:
            found.append(int(octal, 8) & 0xFF)
        else:
            found.append(_ESCAPES.get(escape, ord(escape)) if escape else ord(plain))
    return int.from_bytes(bytes(found[-4:]), signed=len(found) not in (2, 3))


def _shown(token: Token) -> str:
    return token.text[:40].decode("utf-8", "replace")
