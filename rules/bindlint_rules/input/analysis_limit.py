"""BL013: A limit on the work for one shader was reached; the rest is unknown."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL013",
    "analysis-limit",
    "error",
    "A limit on the work for one shader was reached; the rest is unknown",
    "analysis-limit",
    "nesting-limit",
)
