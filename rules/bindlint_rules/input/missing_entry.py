"""BL012: The entry point that was asked for does not exist."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL012",
    "missing-entry",
    "error",
    "The entry point that was asked for does not exist",
    "missing-entry",
)
