"""BL003: Files include each other without end, or deeper than the limit."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL003",
    "include-depth",
    "error",
    "Files include each other without end, or deeper than the limit",
    "include-cycle",
)
