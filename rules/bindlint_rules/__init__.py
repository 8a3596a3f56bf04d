"""The built-in rules of bindlint: one family a folder, one rule a module that exports `RULE`, its page beside it."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import msgspec
from bindlint.rule import Rule


def _collect() -> tuple[Rule, ...]:
    rules = []
    for module_info in pkgutil.walk_packages(__path__, f"{__name__}."):
        module = importlib.import_module(module_info.name)
        rule = getattr(module, "RULE", None)
        if isinstance(rule, Rule):
            rules.append(msgspec.structs.replace(rule, page=str(Path(str(module.__file__)).with_suffix(".md"))))
    return tuple(sorted(rules, key=lambda rule: rule.code))


RULES: tuple[Rule, ...] = _collect()
"""Every built-in rule in the order of its code."""
