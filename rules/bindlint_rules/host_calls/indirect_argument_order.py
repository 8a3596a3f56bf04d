"""BL609: Arguments of a command signature in an order that D3D12 does not take, or twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bindlint.model.device import HostCommandSignature, IndirectArgument
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.model.source import Span
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import places
from bindlint_rules.host_calls.indirect import COMMANDS, argument_words, is_root, signature_name

Fault = tuple[str, Span, tuple[tuple[str, Span], ...]]


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for signature in host.command_signatures:
        if signature.arguments is not None:
            for message, span, notes in (*_root_order(signature.arguments), *_command(signature)):
                symbols = (signature.function, signature.name, message)
                yield Violation(f"in {signature_name(signature)}, {message}", span, places(*notes), symbols=symbols)


def _root_order(arguments: tuple[IndirectArgument, ...]) -> Iterator[Fault]:
    """Root arguments rise by root parameter, and constants of one parameter by their offset, without overlap."""
    roots = [argument for argument in arguments if is_root(argument) and argument.index is not None]
    for one, other in pairwise(roots):
        assert one.index is not None and other.index is not None
        notes = ((argument_words(one), one.span),)
        if other.index < one.index:
            message = (
                f"{argument_words(other)} comes after that for {one.index}; root arguments rise by their parameter"
            )
            yield message, other.span, notes
        elif other.index == one.index and other.kind == one.kind == "constants":
            yield from _constants(one, other)
        elif other.index == one.index:
            yield f"root parameter {one.index} is changed twice, by {argument_words(other)} too", other.span, notes


def _constants(one: IndirectArgument, other: IndirectArgument) -> Iterator[Fault]:
    if one.offset is None or other.offset is None:
        return
    notes = ((f"constants of root parameter {one.index} from {one.offset} on", one.span),)
    at = f"the constants of root parameter {one.index} from {other.offset} on"
    if other.offset < one.offset:
        yield f"{at} come after those from {one.offset} on; they rise by their offset", other.span, notes
    elif one.count is not None and other.offset < one.offset + one.count:
        yield f"{at} overlap those at {one.offset}-{one.offset + one.count - 1}", other.span, notes


def _command(signature: HostCommandSignature) -> Iterator[Fault]:
    """One draw or dispatch, and nothing after it."""
    arguments = signature.arguments or ()
    if not arguments or any(argument.kind is None for argument in arguments):
        return
    commands = [argument for argument in arguments if argument.kind in COMMANDS]
    if not commands:
        yield "no argument draws or dispatches: the last one has to", signature.span, ()
    elif len(commands) > 1:
        first = ((argument_words(commands[0]), commands[0].span),)
        yield (
            f"{argument_words(commands[1])} is a second command: there is one, and it is last",
            commands[1].span,
            first,
        )
    elif arguments[-1] is not commands[0]:
        after = ((argument_words(arguments[-1]), arguments[-1].span),)
        yield f"{argument_words(commands[0])} is not the last argument", commands[0].span, after


RULE = Rule(
    "BL609",
    "indirect-argument-order",
    "error",
    "host",
    "Arguments of a command signature in the wrong order, or twice",
    check,
)
