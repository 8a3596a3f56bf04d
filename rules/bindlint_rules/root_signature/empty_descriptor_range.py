"""BL205: A range without descriptors, a table without ranges, root constants without a constant."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootParameter, RootSignature
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import RANGE_KEYWORDS, parameter_name


def check(signature: RootSignature) -> Iterator[Violation]:
    for parameter in signature.parameters:
        symbols = (signature.name, f"parameter {parameter.index}")
        if parameter.kind == "constants" and parameter.count == 0:
            message = f"{parameter_name(parameter)} holds no constants: num32BitConstants is 0"
            yield Violation(message, parameter.span, symbols=symbols, severity="warning")
        elif parameter.kind == "table":
            yield from _in_table(parameter, symbols)


def _in_table(parameter: RootParameter, symbols: tuple[str, ...]) -> Iterator[Violation]:
    if not parameter.ranges:
        yield Violation(
            f"the descriptor table of parameter {parameter.index} has no ranges", parameter.span, symbols=symbols
        )
    for index, part in enumerate(parameter.ranges):
        if part.count == 0:
            name = f"{RANGE_KEYWORDS[part.cls]} {part.cls}{part.register}"
            message = f"range {index} ({name}) of parameter {parameter.index} has no descriptors: numDescriptors is 0"
            yield Violation(message, part.span, symbols=(*symbols, f"range {index}"))


RULE = Rule(
    "BL205",
    "empty-descriptor-range",
    "error",
    "root-signature",
    "A descriptor range or table that holds nothing",
    check,
)
