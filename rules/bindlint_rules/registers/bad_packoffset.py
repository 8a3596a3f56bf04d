"""BL115: `packoffset` where none can be, or at a place that does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from bindlint.model.binding import PlacedConstant, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.placed_constants import overlaps

ROW = 16
"""Bytes of one constant register."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for field in analysis.fields:
        if field.packoffset:
            message = f"`{field.owner}.{field.name}`: packoffset places members of a cbuffer, not fields of a struct"
            yield Violation(message, field.span, symbols=(field.owner, field.name))
    packed = [constant for constant in analysis.placed if constant.packed]
    for constant in packed:
        fault = _fault(constant) if constant.place else ""
        if fault:
            message = f"`{constant.name}`: packoffset({constant.place}): {fault}"
            yield Violation(message, constant.span, symbols=(constant.name, constant.place))
    for _, members in groupby(packed, key=lambda constant: constant.buffer):
        yield from _of_buffer([member for member in members if member.buffer != member.name])


def _fault(constant: PlacedConstant) -> str:
    if not constant.buffer:
        return "only members of a cbuffer have one; a constant outside takes register(c#)"
    if constant.buffer == constant.name:
        return f"it belongs on the members of a {constant.written_type}; the buffer itself takes a register"
    if constant.start is None:
        return "no offset; it is c, a number, and maybe one component, as in c3.y"
    component = constant.start % ROW
    if constant.whole and component:
        return f"an array, matrix or struct ({constant.written_type}) begins a register and so takes no component but x"
    if component and component + constant.size > ROW:
        return f"a {constant.written_type} has {constant.size} bytes and runs over the end of the register from there"
    return ""


def _of_buffer(members: list[PlacedConstant]) -> Iterator[Violation]:
    for first, second in overlaps(members):
        yield Violation(
            f"`{second.name}` at {second.place} overlaps `{first.name}` at {first.place} in `{second.buffer}`",
            second.span,
            related=(Related(f"`{first.name}` is at {first.place}, {first.size} bytes long", first.span),),
            symbols=(first.name, second.name),
            # DXC lets two members share a start, which is how some shaders give one value two names.
            severity="warning" if first.start == second.start else None,
        )
    loose = next((member for member in members if not member.place), None)
    if loose is not None:
        placed = next(member for member in members if member.place)
        yield Violation(
            f"`{loose.name}` has no packoffset and `{placed.name}` has one: of the members of `{loose.buffer}` all "
            "have one or none",
            loose.span,
            related=(Related(f"`{placed.name}` is at {placed.place}", placed.span),),
            symbols=(loose.buffer, loose.name),
            severity="warning",
        )


RULE = Rule(
    "BL115",
    "bad-packoffset",
    "error",
    "shader",
    "A packoffset that is misplaced, does not fit or overlaps",
    check,
)
