"""BL007: `#if`, `#else` and `#endif` do not match up."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL007",
    "unbalanced-conditional",
    "error",
    "`#if`, `#else` and `#endif` do not match up",
    "unbalanced-conditional",
)
