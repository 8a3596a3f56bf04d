"""BL005: A file cannot be read, or is larger than the limit."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL005",
    "unreadable-file",
    "error",
    "A file cannot be read, or is larger than the limit",
    "unreadable-file",
    "file-too-large",
)
