"""The table of all rules, as it stands between two marks in a README; tests rewrite it with `--update`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from bindlint.rule import Rule

START, END = "<!-- rules: made by `pytest --update` -->", "<!-- end of rules -->"


def rule_table(rules: Iterable[Rule], readme: Path) -> str:
    """Code, name (linked to the page from where `readme` stands), severity and summary of each rule."""
    rows = ["| code | rule | severity | what it finds |", "| --- | --- | --- | --- |"]
    for rule in rules:
        page = Path(os.path.relpath(rule.page, readme.parent)).as_posix()
        severity = rule.severity if rule.enabled else f"off, or {rule.severity}"
        rows.append(f"| {rule.code} | [{rule.name}]({page}) | {severity} | {rule.summary} |")
    return "\n".join(rows)


def with_table(text: str, table: str) -> str:
    """The README's text with the table between its marks replaced."""
    return re.sub(f"(?s)({re.escape(START)}\n).*?(\n{re.escape(END)})", lambda match: match[1] + table + match[2], text)
