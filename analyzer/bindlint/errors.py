"""Exceptions for misuse and configuration, and the nearest name for a misspelt one; nothing about a shader raises."""

from __future__ import annotations

from collections.abc import Iterable


class BindlintError(Exception):
    """Root of everything that bindlint raises; the text is for the user."""


class UsageError(BindlintError):
    """The command line, or what it names, cannot be used."""


LONGEST_MESSAGE = 1000
"""Characters; what a message quotes out of a hostile input may have millions."""


def shortened(message: str) -> str:
    """The message, its middle left out where it is longer than anyone reads."""
    if len(message) <= LONGEST_MESSAGE:
        return message
    kept = LONGEST_MESSAGE // 2
    return f"{message[:kept]}... ({len(message) - 2 * kept} characters left out) ...{message[-kept:]}"


def nearest(word: str, candidates: Iterable[str]) -> str:
    """The candidate that `word` is most likely a misspelling of, "" where none is near."""
    from difflib import get_close_matches

    if len(word) > LONGEST_MESSAGE:
        return ""
    by_lower = {candidate.lower(): candidate for candidate in candidates}
    found = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[found[0]] if found else ""


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """A closing part of a message, such as "; did you mean `ps_6_6`?", or "" where nothing is near."""
    near = nearest(word, candidates)
    return f"; did you mean `{near}`?" if near not in ("", word) else ""
