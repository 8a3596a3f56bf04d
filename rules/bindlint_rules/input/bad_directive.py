"""BL008: A preprocessing directive, macro call or comment is malformed."""

from __future__ import annotations

from bindlint_rules.input.problems import input_rule

RULE = input_rule(
    "BL008",
    "bad-directive",
    "error",
    "A preprocessing directive, macro call or comment is malformed",
    "bad-directive",
    "bad-condition",
    "bad-paste",
    "macro-arguments",
    "include-in-macro-arguments",
    "unterminated-comment",
)
