"""What a call of the shader's own functions does in the body that it stands in: their summaries, in its terms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bindlint.usage.bodies.syntax import Call, Expr, Ref
from bindlint.usage.liveness.defaults import default_argument
from bindlint.usage.liveness.needs import EFFECT, THIS, Input, Need, Needs, Output
from bindlint.usage.liveness.paths import join
from bindlint.usage.liveness.walking import Place
from bindlint.usage.symbols import FunctionSymbol

if TYPE_CHECKING:
    from bindlint.usage.liveness.reading import BodyReader


def invoke(
    reader: BodyReader,
    candidates: list[FunctionSymbol],
    call: Call,
    arguments: list[Needs],
    receiver: Needs,
    target: Expr,
) -> Output:
    """A call of the shader's own functions: their summaries in terms of what is handed to them."""
    base: set[Need] = set()
    fields: dict[str, set[Need]] = {}
    implicit = not target and reader.owner is not None
    if all(function.function.body is None for function in candidates):
        # Defined elsewhere: it may do anything with what it is given.
        needs = receiver.union(*arguments)
        for argument in call.arguments:
            reader.store(argument, needs, only_local=True)
        reader.flow.effect(needs | {EFFECT})
        return Output(needs)
    for function, summary in reader.summarizer.called(candidates, call, reader.values.of, reader.dependencies):

        def translate(needs: Needs, function: FunctionSymbol = function) -> Needs:
            inputs = [need for need in needs if isinstance(need, Input)]
            if not inputs:
                return needs
            found: set[Need] = set(needs.difference(inputs))
            for need in inputs:
                if need.number == THIS:
                    found.update((reader.flow.var(*need),) if implicit else _argument(reader, target, receiver, need))
                elif need.number < len(arguments):
                    found.update(_argument(reader, call.arguments[need.number], arguments[need.number], need))
                else:
                    found |= default_argument(reader, function, need.number)
            return frozenset(found)

        reader.flow.called(summary, translate)
        if summary.effects:
            reader.flow.effect(translate(summary.effects))
        for (symbol, path), needs in summary.writes.items():
            reader.flow.write(symbol, path, translate(needs))
        for number, output in summary.outs.items():
            given = Output(translate(output.base), {f: translate(n) for f, n in output.fields.items()})
            if number == THIS:
                _give(reader, target, given, implicit)
            elif number < len(call.arguments):
                _give(reader, call.arguments[number], given, False)
        if summary.stored and any(_is_output(reader, argument) for argument in call.arguments):
            reader.flow.hidden.append((translate(summary.stored), reader.flow.at))
        for number in summary.handed:
            if number == THIS and implicit:
                reader.flow.hand_over(THIS)
            elif number < len(call.arguments):
                reader.hand_over(target if number == THIS else call.arguments[number])
        base |= translate(summary.result.base)
        for name, needs in summary.result.fields.items():
            fields.setdefault(name, set()).update(translate(needs))
    return Output(frozenset(base), {f: frozenset(n) for f, n in fields.items()})


def _give(reader: BodyReader, target: Expr, output: Output, to_this: bool) -> None:
    place = Place(THIS, "", True) if to_this else reader.local_part(target)
    if place is not None:
        reader.flow.define_output(place.number, place.path, output)
    else:
        reader.store(target, output.whole)


def _is_output(reader: BodyReader, argument: Expr) -> bool:
    """Whether an argument is an `out` parameter of the caller."""
    place = reader.local_part(argument)
    return place is not None and place.number < len(reader.parameters) and place.number not in reader.flow.inputs


def _argument(reader: BodyReader, argument: Expr, needs: Needs, need: Input) -> Iterable[Need]:
    """What an input needs of the argument given for it: only the field asked for, with the kind of access."""
    local = reader.local_part(argument)
    if local is not None:
        return (reader.flow.var(local.number, join(local.path, need.field), need.kind),)
    single = argument[0] if len(argument) == 1 else None
    if isinstance(single, Ref) and (need.kind != "read" or need.field):
        if need.field and single.local < 0:
            single = Ref(single.name, -1, (*single.members, *need.field.split(".")), single.indices, single.texts)
        return reader.reference(single, need.kind)
    return needs
