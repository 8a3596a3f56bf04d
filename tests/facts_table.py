"""The table of known facts about bindings, as it stands between two marks in rules/README.md: which rules hold each."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from bindlint.rule import Rule

START, END = "<!-- facts: made by `pytest --update` -->", "<!-- end of facts -->"
FACTS = Path(__file__).with_name("facts.toml")

GROUPS = {
    "REG": 24, "TYP": 12, "GLB": 8, "STR": 9, "OVL": 6, "SPC": 2, "RNG": 9, "UNB": 6, "AUT": 28, "USE": 8,
    "RSG": 15, "RSV": 16, "RSF": 14, "RSS": 12, "RSC": 5, "CMP": 21, "TIR": 10,
    "HEAP": 9, "CPY": 6, "API": 8, "PIP": 6, "DXR": 11, "WG": 1,
}  # fmt: skip
"""How many facts each group of the catalogue has, numbered from 01."""

Held = list[str] | str
"""The codes of the rules that hold a fact, or why none has to."""


def read_facts() -> dict[str, dict[str, Held]]:
    """By section, by id, in the order of the file."""
    return tomllib.loads(FACTS.read_text(encoding="utf-8"))


def known_ids() -> set[str]:
    return {f"{group}-{number:02}" for group, count in GROUPS.items() for number in range(1, count + 1)}


def facts_table(rules: Iterable[Rule], readme: Path) -> str:
    """One row a fact: its rules, linked to their pages from where `readme` stands, or the reason."""
    pages = {rule.code: (rule.name, Path(os.path.relpath(rule.page, readme.parent)).as_posix()) for rule in rules}
    rows = ["| about | fact | held by |", "| --- | --- | --- |"]
    for section, facts in read_facts().items():
        for fact, held in facts.items():
            if isinstance(held, list):
                held = ", ".join(f"{code} [{pages[code][0]}]({pages[code][1]})" for code in held)
            rows.append(f"| {section.replace('-', ' ')} | {fact} | {held} |")
    return "\n".join(rows)


def with_facts(text: str, table: str) -> str:
    """The README's text with the table between its marks replaced."""
    return re.sub(f"(?s)({re.escape(START)}\n).*?(\n{re.escape(END)})", lambda match: match[1] + table + match[2], text)
