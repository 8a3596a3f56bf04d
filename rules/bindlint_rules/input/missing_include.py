"""BL001: An include file is not there: what it declares is unknown."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL001",
    "missing-include",
    "error",
    "An include file is not there: what it declares is unknown",
    "missing-include",
)
