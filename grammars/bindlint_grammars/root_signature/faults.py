"""Words for what is wrong with a root-signature string: what stands there, and what was expected."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple


class Fault(NamedTuple):
    """A syntax fault at the characters `start` to `end` (exclusive)."""

    start: int
    end: int
    message: str


KEYWORDS = {
    "ROOT_FLAGS": ("RootFlags",),
    "ROOT_CONSTANTS": ("RootConstants",),
    "CBV": ("CBV",),
    "SRV": ("SRV",),
    "UAV": ("UAV",),
    "DESCRIPTOR_TABLE": ("DescriptorTable",),
    "SAMPLER": ("Sampler",),
    "STATIC_SAMPLER": ("StaticSampler",),
    "SPACE": ("space",),
    "VISIBILITY": ("visibility",),
    "NUM_CONSTANTS": ("num32BitConstants",),
    "NUM_DESCRIPTORS": ("numDescriptors",),
    "UNBOUNDED": ("unbounded",),
    "OFFSET": ("offset",),
    "APPEND": ("DESCRIPTOR_RANGE_OFFSET_APPEND",),
    "FLAGS": ("flags",),
    "FILTER": ("filter",),
    "ADDRESS": ("addressU", "addressV", "addressW"),
    "COMPARISON": ("comparisonFunc",),
    "BORDER": ("borderColor",),
    "MAX_ANISOTROPY": ("maxAnisotropy",),
    "LEVEL": ("mipLODBias", "minLOD", "maxLOD"),
    "ZERO": ("0",),
    "COMMA": (",",),
    "LPAR": ("(",),
    "RPAR": (")",),
    "EQUAL": ("=",),
    "OR": ("|",),
}
"""How each terminal of the grammar that stands for certain words is written."""

_KINDS = {
    "$END": "the end",
    "B_REGISTER": "a `b` register",
    "T_REGISTER": "a `t` register",
    "U_REGISTER": "a `u` register",
    "S_REGISTER": "an `s` register",
    "UINT": "a whole number from 0 to 4294967295",
    "NUMBER": "a number",
}
_ORDER = {terminal: place for place, terminal in enumerate([*_KINDS, *KEYWORDS])}
_FOUND = re.compile(r"[A-Za-z_]\w*|[+-]?[0-9.][\w.]*(?:(?<=[eE])[+-]\w*)?|.", re.DOTALL | re.ASCII)
_UNPRINTABLE = {"\t": "a tab", "\n": "a line break", "\r": "a line break"}


def syntax_fault(text: str, start: int, accepted: Collection[str], name_kind: str) -> Fault:
    """The fault at `start`, where only the terminals `accepted` could stand; a name there would be `name_kind`."""
    match = _FOUND.match(text, start)
    word = match[0][:127] if match else ""
    words = [_KINDS[t] for t in sorted(accepted & _KINDS.keys(), key=_ORDER.__getitem__)]
    spellings = [s for t in sorted(accepted & KEYWORDS.keys(), key=_ORDER.__getitem__) for s in KEYWORDS[t]]
    if "NAME" in accepted:
        words.append(name_kind)
    words.extend(f"`{spelling}`" for spelling in spellings)
    found = _UNPRINTABLE.get(word, f"`{word}`") if word else "the end of the string"
    message = f"expected {either(words)}, found {found}{_hint(word, spellings, accepted)}"
    return Fault(start, start + max(len(word), 1) if word else start, message)


def _hint(word: str, spellings: Collection[str], accepted: Collection[str]) -> str:
    if word in _UNPRINTABLE:
        return "; only spaces may stand between the words of a root signature"
    if re.fullmatch(r"[BTUS][0-9]\w*", word) and f"{word[0]}_REGISTER" in accepted:
        return f"; registers are written in lower case: `{word.lower()}`"
    return _suggestion(word, [s for s in spellings if s.isidentifier()])


def _suggestion(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), by_lower, 1, 0.75)
    return f"; did you mean `{by_lower[near[0]]}`?" if near else ""


def either(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1] if words else ""]))


def unknown_name(word: str, kind: str, known: Collection[str], start: int, end: int) -> Fault:
    return Fault(start, end, f"`{word}` is not {kind}{_suggestion(word, known)}")
