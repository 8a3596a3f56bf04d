"""BL422: A resource on registers that the project keeps free."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.policy import Policy
from bindlint.rule import Rule

from bindlint_rules.policy.places import placed, violation


def check(analysis: ShaderAnalysis, policy: Policy) -> Iterator[Violation]:
    for binding, registers in placed(analysis):
        for reserved in policy.reserved_registers:
            if reserved.intersects(registers):
                yield violation(
                    binding, f"`{binding.name}` is at {registers}; the project reserves {reserved}", str(reserved)
                )


RULE = Rule(
    "BL422",
    "project-reserved-register",
    "error",
    "policy",
    "A resource on registers that the project reserves",
    check,
)
