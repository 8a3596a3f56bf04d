"""What bindlint says: findings of rules, and problems that kept something from being analysed."""

from __future__ import annotations

from typing import Literal

import msgspec

from bindlint.errors import LONGEST_MESSAGE, shortened
from bindlint.model.source import Span

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("info", "warning", "error")
"""From mild to grave."""

Certainty = Literal["certain", "likely", "unknown"]
"""certain: follows from declarations; likely: depends on what the optimizer keeps; unknown: something was not read."""


def weakest(*certainties: Certainty) -> Certainty:
    """How certain it is what hangs on several things."""
    return max(certainties, key=("certain", "likely", "unknown").index)


class Related(msgspec.Struct, frozen=True):
    """Another place that a finding is about."""

    message: str
    span: Span

    def __post_init__(self) -> None:
        _shorten(self)


class Edit(msgspec.Struct, frozen=True):
    """Replace a span's text by another.

    `replaces` is what must stand there, blanks aside: where it does not, a macro had a hand in it, and the edit is not
    offered. "" asks for nothing.
    """

    span: Span
    text: str
    replaces: str = ""


class Fix(msgspec.Struct, frozen=True):
    """A mend that a rule proposes; `safe` where it cannot change what a correct program does."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


class Violation(msgspec.Struct, frozen=True):
    """What a rule yields: the fault without the rule's name. `symbols` (names, registers) make the fingerprint."""

    message: str
    span: Span
    related: tuple[Related, ...] = ()
    certainty: Certainty = "certain"
    symbols: tuple[str, ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None
    """Only where one rule has cases of different gravity; None takes the rule's own."""

    def __post_init__(self) -> None:
        _shorten(self)


class Finding(msgspec.Struct, frozen=True):
    """A violation with the rule that found it and the severity that the configuration gives."""

    code: str
    name: str
    severity: Severity
    violation: Violation


MISSING_ENTRY = "missing-entry"
"""The kind of problem that leaves nothing to check: what was asked for by name is not in the shader."""


class Problem(msgspec.Struct, frozen=True):
    """Something about the input that was met while reading it: a missing include, a broken directive, bad bytes.

    `kind` is one of the words that `input` rules look for, such as "missing-include" or "macro-limit".
    `partial` says that something may have gone unread because of it.
    """

    kind: str
    message: str
    span: Span
    partial: bool = True
    related: tuple[Related, ...] = ()

    def __post_init__(self) -> None:
        _shorten(self)


def _shorten(said: Violation | Related | Problem) -> None:
    """Names and text out of a hostile source make no message that nobody can read."""
    if len(said.message) > LONGEST_MESSAGE:
        msgspec.structs.force_setattr(said, "message", shortened(said.message))
