"""BL214: A root signature that binds the register 4294967295, which stands for "none"."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.registers import MAX_REGISTER
from bindlint.model.root_signature import RootSignature
from bindlint.rule import Rule


def check(signature: RootSignature) -> Iterator[Violation]:
    for claim in signature.claims:
        registers = claim.registers
        if registers.lower == MAX_REGISTER:
            yield Violation(
                f"{registers.cls}{MAX_REGISTER} in {claim.place} can be bound to nothing: "
                "in a shader that number means that the compiler chooses one",
                claim.span,
                symbols=(signature.name, f"{claim.place} {registers}"),
            )


RULE = Rule(
    "BL214",
    "last-register-bound",
    "warning",
    "root-signature",
    "A root signature binds register 4294967295",
    check,
)
