"""Exceptions for misuse and configuration, and the nearest name for a misspelt one; nothing about a shader raises."""

from __future__ import annotations

from collections.abc import Iterable


class BindlintError(Exception):
    """Root of everything that bindlint raises; the text is for the user."""


class UsageError(BindlintError):
    """The command line, or what it names, cannot be used."""


def nearest(word: str, candidates: Iterable[str]) -> str:
    """The candidate that `word` is most likely a misspelling of, "" where none is near."""
    from difflib import get_close_matches

    by_lower = {candidate.lower(): candidate for candidate in candidates}
    found = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[found[0]] if found else ""


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """A closing part of a message, such as "; did you mean `ps_6_6`?", or "" where nothing is near."""
    near = nearest(word, candidates)
    return f"; did you mean `{near}`?" if near else ""
