"""BL110: Registers on loose constants, which do not bind anything."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import NumericGlobal, ShaderAnalysis
from bindlint.model.finding import Severity, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.annotations import annotated, readable, spelled, violation

REGISTER_BYTES = 16
"""A constant register holds four 32-bit values."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for constant in annotated(analysis):
        if not isinstance(constant, NumericGlobal) or constant.buffer:
            continue
        for clause in readable(constant):
            place = f"`{constant.name}` at {spelled(clause)}"
            severity: Severity | None = None
            if clause.space is not None:
                message = f"{place}: a constant outside every cbuffer is part of `$Globals` and cannot name a space"
            elif clause.letter in ("b", "B") and not constant.is_struct:
                message = (
                    f"{place}: this is byte {(clause.number or 0) * REGISTER_BYTES} of `$Globals`, "
                    f"not a constant buffer's register; declare it in a cbuffer at {spelled(clause)}"
                )
                severity = "warning"
            else:
                continue
            yield violation(message, clause.span, (constant.name, spelled(clause)), severity=severity)


RULE = Rule(
    "BL110",
    "register-on-constant",
    "error",
    "shader",
    "A register on a loose constant is an offset into `$Globals`, not a binding",
    check,
)
