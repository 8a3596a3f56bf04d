"""The pages of rules as readers of reports see them: without the marks that make them tests."""

from __future__ import annotations

import re
from pathlib import Path

from bindlint.rule import Rule

_MARKS = re.compile(r"[ \t]*// expect:.*$", re.M)


def shown_page(rule: Rule) -> str:
    """The rule's page; its summary where there is none, or it cannot be read."""
    try:
        text = Path(rule.page).read_text(encoding="utf-8") if rule.page else ""
    except OSError:
        text = ""
    return _MARKS.sub("", text) or f"# {rule.name} ({rule.code})\n\n{rule.summary}.\n"


def lead_of(page: str) -> str:
    """The first paragraph after the title, on one line."""
    paragraphs = page.split("\n\n", 2)
    return " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else ""
