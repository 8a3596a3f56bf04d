"""Operators that structs may have as methods, made calls of them."""

from __future__ import annotations

from bindlint.nesting import MAX_NESTING
from bindlint.usage.bodies.syntax import Atom, Call

OPERATORS = {
    **dict.fromkeys("*/%", 9),
    **dict.fromkeys("+-", 8),
    **dict.fromkeys(("<", ">", "<=", ">="), 7),
    **dict.fromkeys(("==", "!="), 6),
    "&": 5,
    "^": 4,
    "|": 3,
    "&&": 2,
    "||": 1,
}
"""Binary operators that DXC lets a struct define (HLSL 2021), with how tightly they bind."""

CALL_OPERATOR = "operator()"
METHODS = frozenset((CALL_OPERATOR, *(f"operator{operator}" for operator in OPERATORS)))
"""What the methods are named; `[]` is no call here but a step on the way of a reference."""


def folded(atoms: list[Atom], marks: list[tuple[int, str]]) -> list[Atom]:
    """Atoms with the operators between them as calls; `marks` are (number of atoms before it, operator).

    An operator before which no atom stands is a sign, or has a literal before it, which has no methods.
    """
    if len(marks) > MAX_NESTING:
        return [Call(f"operator{each}", (tuple(atoms),), (), tuple(atoms)) for _, each in marks[:MAX_NESTING]]
    start = 0
    open_: list[tuple[list[Atom], str]] = []
    for end, operator in marks:
        if end > start:
            left = _closed(open_, atoms[start:end], OPERATORS[operator])
            open_.append((left, operator))
            start = end
    return _closed(open_, atoms[start:], 0)


def _closed(open_: list[tuple[list[Atom], str]], right: list[Atom], level: int) -> list[Atom]:
    """The operand that `right` is the end of, where what follows binds as tightly as `level` says."""
    while open_ and OPERATORS[open_[-1][1]] >= level:
        left, operator = open_.pop()
        right = [Call(f"operator{operator}", (tuple(right),), (), tuple(left))]
    return right
