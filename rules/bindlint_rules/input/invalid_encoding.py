"""BL006: A file holds bytes that are neither UTF-8 nor UTF-16."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL006",
    "invalid-encoding",
    "info",
    "A file holds bytes that are neither UTF-8 nor UTF-16",
    "invalid-encoding",
    severities={"byte-order-mark": "error"},
)
