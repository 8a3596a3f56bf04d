"""How often the program changes what it binds to a resource, as the user says it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

import msgspec

from bindlint.errors import UsageError, did_you_mean

Frequency = Literal["per-draw", "per-frame", "static"]
FREQUENCIES: tuple[Frequency, ...] = get_args(Frequency)
"""From often to never, which is the order that root parameters should have."""


def read_frequencies(words: Iterable[str]) -> dict[str, Frequency]:
    """By name of a resource; each word is `NAME=FREQUENCY`, or a TOML file of such lines; the last of a name counts.

    Raises `UsageError` for what is neither, and for a frequency that there is not.
    """
    found: dict[str, Frequency] = {}
    for word in words:
        for name, value in _pairs(word):
            known = next((each for each in FREQUENCIES if each == value), None)
            if known is None:
                choice = did_you_mean(str(value), FREQUENCIES) or f"; it is one of {', '.join(FREQUENCIES)}"
                raise UsageError(f"`{value}` is no frequency of `{name}`{choice}")
            found[name] = known
    return found


def _pairs(word: str) -> Iterator[tuple[str, object]]:
    if os.path.isfile(word):
        try:
            with open(word, "rb") as file:
                yield from msgspec.toml.decode(file.read(), type=dict[str, object]).items()
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"the frequencies in `{word}` cannot be read: {error}") from error
        return
    name, sign, value = (part.strip() for part in word.rpartition("="))
    if not sign or not name:
        raise UsageError(f"`{word}` is neither NAME=FREQUENCY nor a file of such lines")
    yield name, value
