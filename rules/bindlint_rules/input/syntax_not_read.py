"""BL011: A stretch of source could not be understood and was left out."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL011",
    "syntax-not-read",
    "warning",
    "A stretch of source could not be understood and was left out",
    "syntax",
)
