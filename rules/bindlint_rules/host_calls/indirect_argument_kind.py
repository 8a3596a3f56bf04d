"""BL610: An argument of a command signature for a root parameter of another kind, or for none."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import IndirectArgument
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile, HostSignature
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import indices, parameter_at, parameter_words, places, signature_words
from bindlint_rules.host_calls.indirect import ROOT_KINDS, argument_words, is_root, root_words


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for made in host.command_signatures:
        signature = project.signature(made.signature) if made.signature is not None else None
        if signature is None or made.signature is None:
            continue
        name = signature_words(signature, made.signature)
        for argument in made.arguments or ():
            fault = _fault(argument, signature, name) if is_root(argument) else ""
            if fault:
                parameter = parameter_at(signature, argument.index)
                notes = [(parameter_words(parameter), parameter.span)] if parameter is not None else []
                yield Violation(
                    fault,
                    argument.span,
                    places(*notes, (f"{name} is built here", signature.span)),
                    symbols=(made.function, made.name, argument_words(argument)),
                )


def _fault(argument: IndirectArgument, signature: HostSignature, name: str) -> str:
    index, count = argument.index, signature.parameter_count
    if index is None:
        return ""
    if count is not None and index >= count:
        return f"{argument_words(argument)} is out of range: {name} has {indices(count)}"
    parameter = parameter_at(signature, index)
    if parameter is None or argument.kind is None:
        return ""
    if parameter.kind != ROOT_KINDS[argument.kind]:
        never = ", which no indirect argument changes" if parameter.kind == "table" else ""
        found = f"{parameter_words(parameter)} of {name}"
        return f"{argument_words(argument)} sets {root_words(argument)}, but there is {found}{never}"
    if argument.kind in ("constants", "incrementing-constant") and "count" not in parameter.unknown:
        offset = argument.offset or 0
        last = offset + (1 if argument.kind == "incrementing-constant" else argument.count or 1) - 1
        if last >= parameter.count:
            return (
                f"{argument_words(argument)} sets constants {offset}-{last}, but {parameter_words(parameter)} of "
                f"{name} has {parameter.count}"
            )
    return ""


RULE = Rule(
    "BL610",
    "indirect-argument-kind",
    "error",
    "host",
    "An argument of a command signature that its root parameter does not take",
    check,
)
