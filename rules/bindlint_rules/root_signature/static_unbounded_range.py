"""BL213: An unbounded range of static descriptors."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import DESCRIPTORS_VOLATILE
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import range_name


def check(signature: RootSignature) -> Iterator[Violation]:
    # In version 1.0 there are no flags, and all descriptors are volatile.
    if signature.version == "1.0":
        return
    for parameter in signature.parameters:
        for index, part in enumerate(parameter.ranges):
            if part.count is None and not part.flags & DESCRIPTORS_VOLATILE:
                yield Violation(
                    f"{range_name(parameter, index)} is unbounded without DESCRIPTORS_VOLATILE: every descriptor up to "
                    "the end of the heap must be valid when the table is set, and stay so",
                    part.span,
                    symbols=(signature.name, range_name(parameter, index)),
                )


RULE = Rule(
    "BL213",
    "static-unbounded-range",
    "warning",
    "root-signature",
    "An unbounded range whose descriptors are static",
    check,
)
