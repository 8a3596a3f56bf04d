"""BL603: A call sets more root constants than the root parameter has."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import arguments, parameter_words, places


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for argument in arguments(host, project):
        call, parameter = argument.call, argument.parameter
        if parameter is None or parameter.kind != "constants" or call.parameter != "constants":
            continue
        if "count" in parameter.unknown:
            continue
        # What is not known of the two makes the stretch no shorter.
        offset = call.offset or 0
        count = 1 if call.count is None else call.count
        if count < 1 or offset + count <= parameter.count:
            continue
        what = f"constants {offset}-{offset + count - 1}" if count > 1 else f"constant {offset}"
        if call.offset is None:
            what = f"{count} constants"
        name = argument.name
        yield Violation(
            f"`{call.name}` sets {what}, but {parameter_words(parameter)} of {name} has {parameter.count}"
            f"{_bytes_given(call.count, parameter.count)}",
            call.span,
            places((parameter_words(parameter), parameter.span), (f"{name} is set here", argument.bound.span)),
            symbols=(call.function, call.name, str(call.index)),
        )


def _bytes_given(given: int | None, declared: int) -> str:
    return "; the count is in 32-bit values, not in bytes" if given == 4 * declared else ""


RULE = Rule(
    "BL603",
    "root-constants-overrun",
    "error",
    "host",
    "A call sets more root constants than the root parameter has",
    check,
)
