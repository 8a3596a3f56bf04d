"""The built-in rules of bindlint: one family a folder, one rule a module that exports `RULE`, its page beside it."""

from __future__ import annotations

from bindlint.rule import Rule, collect

RULES: tuple[Rule, ...] = collect(__name__, __path__)
"""Every built-in rule in the order of its code."""
