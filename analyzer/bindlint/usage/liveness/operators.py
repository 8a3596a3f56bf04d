"""Calls of operators that structs have as methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bindlint.usage.bodies.syntax import Call, Expr, Ref, extended
from bindlint.usage.liveness.calls import invoke
from bindlint.usage.liveness.needs import Needs, Output
from bindlint.usage.names import ResolvedType
from bindlint.usage.symbols import FunctionSymbol, by_count

if TYPE_CHECKING:
    from bindlint.usage.liveness.reading import BodyReader

_NUMBER = ResolvedType("float")


def operator_call(reader: BodyReader, call: Call, receiver: Expr, arguments: list[Needs]) -> Output:
    """What comes out of an operator: of the left operand's method, or of both operands where there is none.

    Where the type of the left operand cannot be told, any operator of that name may be meant.
    """
    resolved = _operand_type(reader, receiver)
    found = _methods(reader, call, resolved)
    needs = reader.needs(receiver)
    if not found:
        return Output(needs.union(*arguments))
    output = invoke(reader, found, call, arguments, needs, receiver)
    return Output(output.whole.union(needs, *arguments)) if resolved is None else output


def called_object(reader: BodyReader, call: Call) -> Expr:
    """The object with a call operator that a call names as if it were a function; nothing where it names none."""
    if not reader.table.operators:
        return ()
    if call.receiver is None:
        ref = Ref(call.name, -1)
        named = reader.walker.variable(call.name) is not None or reader.walker.own_members(ref) is not None
        return (ref,) if named else ()
    owner = reader.type_of_expression(call.receiver)
    if owner is None or owner.struct is None or reader.table.field(owner.struct, call.name) is None:
        return ()
    return extended(call.receiver, [call.name], [], [])


def _methods(reader: BodyReader, call: Call, resolved: ResolvedType | None) -> list[FunctionSymbol]:
    if resolved is None:
        symbols = reader.table.names.get(call.name, ())
        return by_count((s for s in symbols if isinstance(s, FunctionSymbol)), len(call.arguments))
    return (
        []
        if resolved.struct is None
        else by_count(reader.table.methods(resolved.struct, call.name), len(call.arguments))
    )


def _operand_type(reader: BodyReader, operand: Expr) -> ResolvedType | None:
    """The type of an operand, None where it cannot be told; HLSL's own functions and operators give numbers."""
    single = operand[0] if len(operand) == 1 else None
    if not isinstance(single, Call) or single.members:
        return reader.type_of_expression(operand)
    if single.receiver is None:
        known = reader.summarizer.candidates(single.name, len(single.arguments), reader.scope)
        return reader.type_of_expression(operand) if known else _NUMBER
    owner = _operand_type(reader, single.receiver)
    if owner is not None and owner.resource is not None:
        element = reader.table.resolve_type(owner.argument, reader.scope) if owner.argument is not None else _NUMBER
        return element if element.struct is not None else _NUMBER
    if owner is None or owner.struct is None:
        return owner
    method = next(iter(_methods(reader, single, owner)), None)
    return _NUMBER if method is None else reader.table.member_type(owner, method.function.return_type)
