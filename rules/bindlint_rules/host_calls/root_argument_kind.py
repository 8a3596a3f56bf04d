"""BL602: A call sets another kind of root argument than the root parameter is."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HostCall
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile, HostSignature
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import (
    KINDS,
    arguments,
    parameter_words,
    places,
    registers_words,
    setter,
)


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for argument in arguments(host, project):
        call, parameter = argument.call, argument.parameter
        if parameter is None or call.parameter in (None, parameter.kind) or call.bind_point is None:
            continue
        name = argument.name
        yield Violation(
            f"`{call.name}` sets {KINDS[call.parameter]}, but {parameter_words(parameter)} of {name} takes "
            f"`{setter(call.bind_point, parameter.kind)}`{_fitting(call, argument.signature)}",
            call.index_span,
            places((parameter_words(parameter), parameter.span), (f"{name} is set here", argument.bound.span)),
            symbols=(call.function, call.name, str(call.index)),
        )


def _fitting(call: HostCall, signature: HostSignature) -> str:
    """The parameter that the call would fit: the one whose register is the index, or else the only one."""
    fitting = [p for p in signature.signature.parameters if p.kind == call.parameter]
    named = [p for p in fitting if any(registers.lower == call.index for registers in p.registers)]
    if named:
        return f"; {registers_words(named[0])} (HLSL slot) is root parameter {named[0].index} (API slot)"
    if len(fitting) == 1 and signature.is_complete:
        return f"; {registers_words(fitting[0])} is root parameter {fitting[0].index}"
    return ""


RULE = Rule(
    "BL602",
    "root-argument-kind",
    "error",
    "host",
    "A call sets another kind of root argument than the root parameter is",
    check,
)
