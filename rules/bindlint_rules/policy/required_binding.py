"""BL421: A resource that is not where the project wants it, or another in its place."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.policy import Policy
from bindlint.rule import Rule

from bindlint_rules.policy.places import placed, violation


def check(analysis: ShaderAnalysis, policy: Policy) -> Iterator[Violation]:
    names = {required.name for required in policy.required}
    for binding, registers in placed(analysis):
        mine = [required for required in policy.required if required.name == binding.name]
        wanted = " or ".join(str(required.registers) for required in mine)
        if mine and not any(required.registers.contains(registers) for required in mine):
            yield violation(binding, f"`{binding.name}` is at {registers}; the project wants it at {wanted}", wanted)
        for required in policy.required:
            if binding.name not in names and required.registers.intersects(registers):
                yield violation(
                    binding,
                    f"`{binding.name}` is at {registers}; the project keeps {required.registers} for `{required.name}`",
                    str(required.registers),
                )


RULE = Rule(
    "BL421",
    "required-binding",
    "error",
    "policy",
    "A register or name that is not bound as the project wants it",
    check,
)
