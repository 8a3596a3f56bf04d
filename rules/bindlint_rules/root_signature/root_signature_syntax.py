"""BL201: A root-signature string that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.rule import Rule


def check(signature: RootSignature) -> Iterator[Violation]:
    for fault in signature.faults:
        yield Violation(fault.message, fault.span, symbols=(signature.name, fault.message))


RULE = Rule(
    "BL201",
    "root-signature-syntax",
    "error",
    "root-signature",
    "A root-signature string that cannot be read",
    check,
)
