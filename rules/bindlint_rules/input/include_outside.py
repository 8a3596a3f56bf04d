"""BL004: An include leads out of the folders that may be read."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL004",
    "include-outside",
    "error",
    "An include leads out of the folders that may be read",
    "include-outside",
)
