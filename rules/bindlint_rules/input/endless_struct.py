"""BL014: A struct that contains itself."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL014",
    "endless-struct",
    "error",
    "A struct contains itself, so that what it holds has no end",
    "endless-struct",
)
