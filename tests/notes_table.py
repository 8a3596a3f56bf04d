"""The table of what the notes behind bindlint say, as it stands between two marks in rules/README.md."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from bindlint.rule import Rule

START, END = "<!-- notes: made by `pytest --update` -->", "<!-- end of notes -->"
NOTES = Path(__file__).with_name("notes.toml")
TOPICS = Path(__file__).parents[1] / "analyzer" / "bindlint" / "data" / "topics"

Held = list[str] | str
"""The codes of the rules that hold a statement, `topic:NAME`, or why nothing about it can be checked."""


def read_notes() -> dict[str, dict[str, Held]]:
    """By note, by statement, in the order of the file."""
    return tomllib.loads(NOTES.read_text(encoding="utf-8"))


def topic_of(held: Held) -> Path | None:
    """The page of the topic that tells a statement."""
    name = held.removeprefix("topic:") if isinstance(held, str) and held.startswith("topic:") else ""
    return TOPICS / f"{name}.md" if name else None


def notes_table(rules: Iterable[Rule], readme: Path) -> str:
    """One row a statement, with links from where `readme` stands."""

    def link(path: Path) -> str:
        return Path(os.path.relpath(path, readme.parent)).as_posix()

    pages = {rule.code: f"{rule.code} [{rule.name}]({link(Path(rule.page))})" for rule in rules}
    rows = ["| note | statement | held by |", "| --- | --- | --- |"]
    for note, statements in read_notes().items():
        for statement, held in statements.items():
            topic = topic_of(held)
            if isinstance(held, list):
                held = ", ".join(pages[code] for code in held)
            elif topic is not None:
                held = f"told by `bindlint explain {topic.stem}` ([page]({link(topic)}))"
            rows.append(f"| {note} | {statement} | {held} |")
    return "\n".join(rows)


def with_notes(text: str, table: str) -> str:
    """The README's text with the table between its marks replaced."""
    return re.sub(f"(?s)({re.escape(START)}\n).*?(\n{re.escape(END)})", lambda match: match[1] + table + match[2], text)
