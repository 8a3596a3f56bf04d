"""BL204: A descriptor table that holds samplers and other descriptors."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import mixes_samplers
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import RANGE_KEYWORDS


def check(signature: RootSignature) -> Iterator[Violation]:
    for parameter in filter(mixes_samplers, signature.parameters):
        first = parameter.ranges[0]
        odd = next(part for part in parameter.ranges if (part.cls == "s") != (first.cls == "s"))
        first_name, odd_name = (f"{RANGE_KEYWORDS[part.cls]} {part.registers}" for part in (first, odd))
        yield Violation(
            f"{odd_name} cannot share a table with {first_name} (parameter {parameter.index}): "
            "samplers live in a descriptor heap of their own; give them their own table",
            odd.span,
            related=(Related(first_name, first.span),),
            symbols=(signature.name, f"parameter {parameter.index}"),
        )


RULE = Rule(
    "BL204",
    "sampler-mixed-table",
    "error",
    "root-signature",
    "A descriptor table holds samplers and other descriptors",
    check,
)
