"""What the pages of rules say of other tools' messages: ids of D3D12's debug layer, and texts of compilers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from bindlint.rule import Rule

_SOURCE = re.compile(r"^## Source$(.*)", re.M | re.S)
_ID = re.compile(r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+) \((\d{2,4}(?:, \d{2,4})*)\)")
_FXC = re.compile(r"\bX\d{4}\b")
_TEXT = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z_]+")
_RUN = 3
"""Words that must stand in a row in both texts for one to be taken for the other."""


class PageIndex(msgspec.Struct, frozen=True):
    """For each rule what its page names under `## Source`.

    `ids` are the rules of each id of D3D12 ("690") and of FXC ("X3721"), `names` those of D3D12 by their names; `runs`
    are the word runs of the texts of each rule.
    """

    ids: dict[str, tuple[Rule, ...]]
    names: dict[str, str]
    runs: tuple[tuple[Rule, frozenset[tuple[str, ...]]], ...]

    def by_id(self, text: str) -> tuple[Rule, ...]:
        """The rules of the message id that the text gives: `D3D12:690`, `#690`, `690`, its name, FXC's `X3721`."""
        number = re.search(r"(?:^|D3D12\s*[: ]\s*#?|#)(\d{2,4})\b|\b(X\d{4})\b", text.strip(), re.I)
        if number is not None:
            found = self.ids.get((number[1] or number[2]).upper())
            if found is not None:
                return found
        words = set(re.findall(r"[A-Z][A-Z0-9_]+", text.upper().replace("D3D12_MESSAGE_ID_", "")))
        exact = next((self.names[word] for word in words if word in self.names), None)
        if exact is not None:
            return self.ids[exact]
        (only, *more) = words or {""}
        ending = {number for name, number in self.names.items() if only and not more and name.endswith(f"_{only}")}
        return tuple(dict.fromkeys(rule for number in sorted(ending) for rule in self.ids[number]))

    def by_message(self, text: str) -> tuple[Rule, ...]:
        """The rules whose pages quote what stands in a pasted message, without those that are far less likely.

        Three words in a row that both have count the more, the fewer pages have them.
        """
        there = _runs(text)
        pages = Counter(run for _, runs in self.runs for run in runs & there)
        scores = [(sum(1 / pages[run] for run in runs & there), rule) for rule, runs in self.runs]
        best = max((score for score, _ in scores), default=0)
        found = [(score, rule) for score, rule in scores if score and score >= best / 2]
        return tuple(rule for _, rule in sorted(found, key=lambda each: (-each[0], each[1].code)))


def page_text(rule: Rule) -> str:
    """The page of the rule, "" where it has none or it cannot be read."""
    try:
        return Path(rule.page).read_text(encoding="utf-8") if rule.page else ""
    except OSError:
        return ""


def read_pages(rules: Iterable[Rule]) -> PageIndex:
    """What the pages of the rules name, for looking it up."""
    ids: dict[str, list[Rule]] = {}
    names: dict[str, str] = {}
    runs: list[tuple[Rule, frozenset[tuple[str, ...]]]] = []
    for rule in rules:
        section = _SOURCE.search(page_text(rule))
        if section is None:
            continue
        for name, numbers in _ID.findall(section[1]):
            for number in numbers.split(", "):
                names[name] = number
                ids.setdefault(number, []).append(rule)
        for code in _FXC.findall(section[1]):
            ids.setdefault(code, []).append(rule)
        runs.append((rule, frozenset(run for text in _TEXT.findall(section[1]) for run in _runs(text))))
    return PageIndex({number: tuple(dict.fromkeys(found)) for number, found in ids.items()}, names, tuple(runs))


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(_word_runs(text))


def _word_runs(text: str) -> Iterator[tuple[str, ...]]:
    """Each three words in a row; `...` stands for anything, so that no run goes over it."""
    for part in text.split("..."):
        words = [word.lower() for word in _WORD.findall(part)]
        yield from (tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
