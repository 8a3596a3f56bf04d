"""BL009: The shader's own `#error` or `#warning` is reached."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL009",
    "error-directive",
    "error",
    "The shader's own `#error` or `#warning` is reached",
    "error-directive",
    severities={"warning-directive": "info"},
)
