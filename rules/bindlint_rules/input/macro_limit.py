"""BL010: Macros expand beyond the limit."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL010",
    "macro-limit",
    "error",
    "Macros expand beyond the limit",
    "macro-limit",
)
