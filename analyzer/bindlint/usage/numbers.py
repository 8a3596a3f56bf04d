"""Numbers of HLSL's scalar types and what operators make of them, as the compiler folds constants."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from typing import NamedTuple


class Kind(NamedTuple):
    """A scalar type. Literals have types of their own, which give way to every other."""

    rank: int
    bits: int
    signed: bool = True
    real: bool = False
    literal: bool = False
    scoped: bool = False
    """Of a scoped enum: only casts make a number of it."""
    listed: bool = False
    """Of another enum: a number, but DXC takes what is negated of it as unsigned where it meets a real (tried)."""


class Number(NamedTuple):
    """A value with its type; those of whole types are integers."""

    value: float
    kind: Kind


BOOL = Kind(0, 32, False)
LITERAL = Kind(1, 64, literal=True)
SHORT, USHORT = Kind(2, 16), Kind(2, 16, False)
INT, UINT = Kind(3, 32), Kind(3, 32, False)
SCOPED = Kind(3, 32, scoped=True)
ENUM = Kind(3, 32, listed=True)
LONG, ULONG = Kind(4, 64), Kind(4, 64, False)
LITERAL_REAL = Kind(5, 64, real=True, literal=True)
HALF = Kind(6, 16, real=True)
FLOAT = Kind(7, 32, real=True)
DOUBLE = Kind(8, 64, real=True)

KINDS: dict[str, Kind] = {
    "bool": BOOL,
    **dict.fromkeys(("int", "int32_t"), INT),
    **dict.fromkeys(("uint", "dword", "uint32_t", "unsigned int"), UINT),
    **dict.fromkeys(("int16_t", "min16int", "min12int"), SHORT),
    **dict.fromkeys(("uint16_t", "min16uint"), USHORT),
    "int64_t": LONG,
    "uint64_t": ULONG,
    **dict.fromkeys(("float", "float32_t", "half", "min16float", "min10float"), FLOAT),
    "float16_t": HALF,
    **dict.fromkeys(("double", "float64_t"), DOUBLE),
}

_FORMATS = {HALF: "<e", FLOAT: "<f"}


def converted(number: Number, kind: Kind) -> Number | None:
    """The number as another type; None where a real is too large for a whole type."""
    value = number.value
    if kind.real:
        return _rounded(float(value), kind)
    if kind is BOOL:
        return Number(int(bool(value)), BOOL)
    if number.kind.real:
        if not math.isfinite(value):
            return None
        whole = int(value)
        return Number(whole, kind) if whole == _wrapped(whole, kind) else None
    return Number(_wrapped(int(value), kind), kind)


def _rounded(value: float, kind: Kind) -> Number | None:
    try:
        packing = _FORMATS.get(kind)
        return Number(struct.unpack(packing, struct.pack(packing, value))[0] if packing else value, kind)
    except (OverflowError, struct.error):
        return None


def _wrapped(value: int, kind: Kind) -> int:
    value &= (1 << kind.bits) - 1
    return value - (1 << kind.bits) if kind.signed and value >> (kind.bits - 1) else value


def _checked(value: int, kind: Kind) -> Number | None:
    """The result of whole arithmetic: unsigned types wrap, and what signed ones cannot hold is no constant."""
    wrapped = _wrapped(value, kind)
    return Number(wrapped, kind) if wrapped == value or not kind.signed else None


def common(left: Kind, right: Kind) -> Kind:
    """The type in which two numbers meet."""
    if left.real or right.real:
        kind = max(left, right, key=lambda k: (k.real, k.rank))
        other = right if kind is left else left
        return FLOAT if kind.literal and not (other.literal or other is BOOL) else kind
    if {left, right} <= {BOOL, LITERAL} and BOOL in (left, right):
        return INT
    kind = min(left, right, key=lambda k: (-k.rank, k.signed))
    return INT if kind is ENUM else kind


def negated(symbol: str, number: Number) -> Number | None:
    """A prefix operator: `-`, `+`, `~` or `!`."""
    if number.kind.scoped or (number.kind.listed and symbol == "-"):
        return None
    if symbol == "!":
        return Number(int(not number.value), BOOL)
    kind = INT if number.kind is BOOL else number.kind
    if kind.real:
        return None if symbol == "~" else Number(-number.value if symbol == "-" else number.value, kind)
    value = int(number.value)
    return _checked({"-": -value, "+": value, "~": ~value}[symbol], kind)


def combined(symbol: str, left: Number | None, right: Number | None) -> Number | None:
    """A binary operator; what is not known may stand where it does not matter."""
    if any(side is not None and side.kind.scoped for side in (left, right)) and symbol not in ("==", "!="):
        return None
    if symbol in ("&&", "||"):
        decisive = symbol == "||"
        if any(side is not None and bool(side.value) is decisive for side in (left, right)):
            return Number(int(decisive), BOOL)
        return None if left is None or right is None else Number(int(not decisive), BOOL)
    if left is None or right is None:
        return None
    if symbol in ("<<", ">>"):
        return None if left.kind.real or right.kind.real else _shifted(symbol, left, right)
    if {left.kind.bits, right.kind.bits} == {16, 64} and not (left.kind.literal or right.kind.literal):
        # Where minimum precision meets 64 bits DXC does not always take the larger type (tried).
        return None
    kind = common(left.kind, right.kind)
    one, other = converted(left, kind), converted(right, kind)
    if one is None or other is None:
        return None
    if symbol in _COMPARISONS:
        return Number(int(_COMPARISONS[symbol](one.value, other.value)), BOOL)
    if kind.real:
        return _real(symbol, one.value, other.value, kind)
    a, b = int(one.value), int(other.value)
    if symbol not in ("/", "%"):
        return _checked(_ARITHMETIC[symbol](a, b), kind)
    if b == 0:
        return None
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return _checked(quotient if symbol == "/" else a - quotient * b, kind)


def _shifted(symbol: str, left: Number, right: Number) -> Number | None:
    kind = INT if left.kind is BOOL else left.kind
    value, steps = int(left.value), int(right.value)
    if not 0 <= steps < kind.bits:
        return None
    if symbol == ">>":
        return Number(value >> steps, kind)
    if kind.signed and (value < 0 or value.bit_length() + steps > kind.bits):
        return None
    return Number(_wrapped(value << steps, kind), kind)


def _real(symbol: str, left: float, right: float, kind: Kind) -> Number | None:
    if symbol == "/":
        return _rounded(left / right, kind) if right else None
    return _rounded(_ARITHMETIC[symbol](left, right), kind) if symbol in ("+", "-", "*") else None


def reinterpreted(number: Number) -> Number | None:
    """What `asuint` gives."""
    if number.kind.real:
        rounded = _rounded(float(number.value), FLOAT)
        return None if rounded is None else Number(struct.unpack("<I", struct.pack("<f", rounded.value))[0], UINT)
    return converted(number, UINT)


_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_ARITHMETIC: dict[str, Callable[..., int]] = {
    "|": operator.or_,
    "^": operator.xor,
    "&": operator.and_,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
