"""BL423: A resource in a register space that the project keeps for something else."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.policy import Policy
from bindlint.rule import Rule

from bindlint_rules.policy.places import placed, violation


def check(analysis: ShaderAnalysis, policy: Policy) -> Iterator[Violation]:
    for binding, registers in placed(analysis):
        for spaces in policy.reserved_spaces:
            if registers.space in spaces:
                yield violation(
                    binding, f"`{binding.name}` is at {registers}; the project reserves {spaces}", str(spaces)
                )


RULE = Rule(
    "BL423",
    "project-reserved-space",
    "error",
    "policy",
    "A resource in a register space that the project reserves",
    check,
)
