"""What a call of one of HLSL's own functions or methods does in the body that it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bindlint.usage.bodies.syntax import Call, Expr, Ref
from bindlint.usage.liveness.intrinsics import (
    LEAVING,
    LEVEL_COUNTS,
    OUT_ARGUMENTS,
    PAYLOADS,
    has_effect,
    method_kind,
    status_position,
)
from bindlint.usage.liveness.needs import EFFECT, NOTHING, Needs
from bindlint.usage.names import ResolvedType

if TYPE_CHECKING:
    from bindlint.usage.liveness.reading import BodyReader


def intrinsic(reader: BodyReader, call: Call, arguments: list[Needs]) -> Needs:
    """A function: what its result needs. Arguments that it writes take everything that it is given."""
    everything = NOTHING.union(*arguments)
    last = call.name.rsplit("::", 1)[-1]
    if last.startswith("Interlocked") and call.arguments:
        reader.store(call.arguments[0], everything)
        if len(arguments) >= 3:
            reader.store(call.arguments[-1], everything)
        return everything
    if last in PAYLOADS and call.arguments:
        reader.hand_over(call.arguments[-1])
    reader.flow.leaves = reader.flow.leaves or last in LEAVING
    for position in OUT_ARGUMENTS.get(last, ()):
        if position < len(arguments):
            reader.store(call.arguments[position], everything)
    if has_effect(call.name):
        reader.flow.effect(everything | {EFFECT})
    return everything


def built_in_method(
    reader: BodyReader, call: Call, receiver: Expr, arguments: list[Needs], resolved: ResolvedType | None
) -> Needs:
    """A method of a resource or of another of HLSL's objects."""
    root = receiver[0] if len(receiver) == 1 else None
    kind = method_kind(call.name)
    everything = NOTHING.union(*arguments)
    if isinstance(root, Ref):
        needs = everything | reader.reference(root, kind)
        place = reader.walker.place(root)
        if place is not None and (resolved is None or resolved.resource is None):
            reader.flow.define(place.number, place.path, everything)
            if place.number >= 0 and not reader.body.locals[place.number].type:
                # What a method of a local struct does with its object is not known.
                reader.flow.effect(needs | {EFFECT})
    else:
        needs = everything | reader.needs(receiver)
    type_name = resolved.resource.name if resolved is not None and resolved.resource is not None else ""
    if kind == "query":
        for number, argument in enumerate(call.arguments):
            # The second is a stride, which the compiler knows.
            given = NOTHING if number == 1 and type_name.endswith("StructuredBuffer") else needs
            asked = number == 0 and len(call.arguments) == LEVEL_COUNTS.get(type_name, 0)
            reader.store(argument, given, only_local=asked or not type_name)
    elif kind in ("read", "sample"):
        position = status_position(call.name, type_name, len(call.arguments))
        if position is not None:
            reader.store(call.arguments[position], needs, only_local=not type_name)
    is_resource = resolved is None or resolved.resource is not None
    if (is_resource and kind in ("write", "counter")) or has_effect(call.name):
        reader.flow.effect(needs | {EFFECT})
        if call.name.startswith("Interlocked") and len(call.arguments) >= 3:
            reader.store(call.arguments[-1], needs)
    return needs
