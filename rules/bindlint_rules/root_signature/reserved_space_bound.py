"""BL208: A root signature that binds registers in a reserved space."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import RESERVED_SPACES
from bindlint.rule import Rule


def check(signature: RootSignature) -> Iterator[Violation]:
    for claim in signature.claims:
        if claim.registers.space in RESERVED_SPACES:
            yield Violation(
                f"{claim.registers} in {claim.place} lies in a reserved space: "
                f"spaces from {RESERVED_SPACES.start} ({RESERVED_SPACES.start:#x}) on belong to drivers and the system",
                claim.span,
                symbols=(signature.name, f"{claim.place} {claim.registers}"),
            )


RULE = Rule(
    "BL208",
    "reserved-space-bound",
    "error",
    "root-signature",
    "A root signature binds a reserved register space",
    check,
)
