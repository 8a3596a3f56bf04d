"""BL601: A call sets a root parameter that the root signature does not have."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.host import HostFile, HostSignature
from bindlint.model.root_signature import ParameterKind
from bindlint.model.source import Span
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import arguments, indices, parameter_words, places


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for argument in arguments(host, project):
        call, signature = argument.call, argument.signature
        count = signature.parameter_count
        if call.index is None or count is None or call.index < count:
            continue
        name = argument.name
        hint, place = _meant(signature, call.index, call.parameter)
        yield Violation(
            f"`{call.name}` sets root parameter {call.index}, but {name} has {indices(count)}{hint}",
            call.index_span,
            places(*place, (f"{name} is set here", argument.bound.span), (f"{name} is built here", signature.span)),
            symbols=(call.function, call.name, str(call.index)),
        )


def _meant(
    signature: HostSignature, index: int, kind: ParameterKind | None
) -> tuple[str, tuple[tuple[str, Span], ...]]:
    """What else the index may be the number of: a register, or the DWORD where a parameter begins."""
    at = 0
    begins = None
    for parameter in signature.signature.parameters:
        lowest = [registers for registers in parameter.registers if registers.lower == index]
        if parameter.kind == kind and lowest:
            hint = f"; {lowest[0]} (HLSL slot) is root parameter {parameter.index} (API slot)"
            return hint, ((parameter_words(parameter), parameter.span),)
        if parameter.kind == kind and at == index and signature.is_complete:
            begins = parameter
        at += parameter.cost
    if begins is None:
        return "", ()
    hint = f"; DWORD {index} is where parameter {begins.index} begins, and the index counts parameters"
    return hint, ((parameter_words(begins), begins.span),)


RULE = Rule(
    "BL601",
    "root-index-out-of-range",
    "error",
    "host",
    "A call sets a root parameter that the root signature does not have",
    check,
)
