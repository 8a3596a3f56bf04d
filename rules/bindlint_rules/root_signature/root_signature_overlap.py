"""BL202: Parts of a root signature that bind the same register for one stage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from bindlint.model.finding import Violation
from bindlint.model.root_signature import Claim, RootSignature
from bindlint.model.root_signature_checks import overlap_groups
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import claimed, shared


def check(signature: RootSignature) -> Iterator[Violation]:
    for group in overlap_groups(signature.claims):
        yield _violation(signature, group)


def _violation(signature: RootSignature, group: list[Claim]) -> Violation:
    first, second = next((one, other) for one, other in combinations(group, 2) if one.conflicts(other))
    message = f"{second.registers} in {second.place} overlaps {first.registers} in {first.place}"
    if first.registers != second.registers:
        message += f": both bind {shared(first.registers, second.registers)}"
    if first.visibility != second.visibility:
        message += f"; visibility ALL includes {second.visibility if first.visibility == 'ALL' else first.visibility}"
    if len(group) > 2:
        message += f"; {len(group)} parts of the root signature overlap here"
    return Violation(
        message,
        second.span,
        related=claimed(claim for claim in group if claim is not second),
        symbols=(signature.name, *(f"{claim.place} {claim.registers}" for claim in group)),
    )


RULE = Rule(
    "BL202",
    "root-signature-overlap",
    "error",
    "root-signature",
    "Two parts of a root signature bind the same register",
    check,
)
