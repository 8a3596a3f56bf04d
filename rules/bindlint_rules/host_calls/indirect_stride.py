"""BL611: The stride of a command signature is too small for its arguments, or not in whole DWORDs."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.indirect import argument_words, signature_name, size

ALIGNMENT = 4
"""Bytes; DirectX-Specs d3d/IndirectDrawing.md."""


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for signature in host.command_signatures:
        stride, arguments = signature.stride, signature.arguments
        if stride is None:
            continue
        message = ""
        sizes = [size(argument) for argument in arguments or ()]
        # What an unknown argument takes makes the rest no smaller.
        least = sum(each or 0 for each in sizes)
        if stride < least:
            parts = ", ".join(
                f"{argument_words(argument).partition(' ')[0]} {each}"
                for argument, each in zip(arguments or (), sizes, strict=True)
                if each
            )
            rest = " or more" if None in sizes else ""
            message = f"is {stride} bytes, but its arguments take {least}{rest} ({parts})"
        elif stride % ALIGNMENT:
            message = f"is {stride} bytes, which is no multiple of {ALIGNMENT}"
        if message:
            text = f"the stride of {signature_name(signature)} {message}"
            yield Violation(text, signature.span, symbols=(signature.function, signature.name))


RULE = Rule(
    "BL611",
    "indirect-stride",
    "error",
    "host",
    "A command signature's stride that its arguments do not fit into",
    check,
)
