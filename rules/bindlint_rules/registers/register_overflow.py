"""BL105: Arrays that run over the last register of a space."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.registers import MAX_REGISTER
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    used = {(binding.resource.name, binding.resource.span) for binding in analysis.bindings if binding.used}
    for resource in analysis.resources:
        lower, count = resource.lower, resource.count
        # The very last number is not a register but the compiler's mark for "none" (rule register-sentinel).
        if lower is None or lower == MAX_REGISTER or count is None or lower + count - 1 <= MAX_REGISTER:
            continue
        is_used = (resource.name, resource.span) in used
        cls = resource.cls
        highest = MAX_REGISTER - count + 1
        hint = f"the highest base for it is {cls}{highest}" if highest >= 0 else "no base has room for it"
        message = (
            f"`{resource.name}` has {count} elements and starts at {cls}{lower}: it runs over the last register, "
            f"{cls}{MAX_REGISTER}; {hint}"
        )
        yield Violation(
            message,
            resource.span,
            certainty="likely" if is_used else "certain",
            symbols=(resource.name, str(lower), str(count)),
            severity=None if is_used else "info",
        )


RULE = Rule(
    "BL105",
    "register-overflow",
    "error",
    "shader",
    "An array runs over the last register of its space",
    check,
)
