"""BL002: An include is found only where the case of names does not matter."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL002",
    "include-case",
    "warning",
    "An include is found only where the case of names does not matter",
    "include-case",
)
