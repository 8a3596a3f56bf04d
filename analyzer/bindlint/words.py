"""Numbers and lists as messages write them."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, word: str) -> str:
    """`1 file`, `3 files`."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def listed(words: Sequence[str], shown: int = 3) -> str:
    """`a, b, c and 2 more`."""
    more = f" and {len(words) - shown} more" if len(words) > shown else ""
    return ", ".join(words[:shown]) + more
