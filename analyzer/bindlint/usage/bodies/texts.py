"""The texts of a body's expressions that may decide something, with what its locals are known to be."""

from __future__ import annotations

from bindlint.usage.bodies.syntax import UNKNOWN, Local, parameter_name

SHORT_CIRCUITS = frozenset(("&&", "||", "?"))
"""Operators that may have a value although one side of them is not known."""

MAX_TEXT = 40
"""Tokens of a text; longer ones decide nothing."""

_MAX_SUBSTITUTION = 8


class Texts:
    """Texts as words, by number: locals in them are the numbers of what they mean where the text stands.

    `values` are the texts of first values by local, `assigned` the locals that take others.
    """

    def __init__(self, tokens: list[str], parameters: tuple[Local, ...]) -> None:
        self.tokens = tokens
        self.locals: list[Local] = list(parameters)
        self.parameters = len(parameters)
        self.visible: dict[str, int] = {p.name: n for n, p in enumerate(parameters) if p.name}
        self.words: list[tuple[str | int, ...]] = []
        self.values: dict[int, int] = {}
        self.assigned: set[int] = set()

    def substituted(self, words: tuple[str | int, ...], constants: set[int], depth: int) -> str:
        """A text with its locals replaced by what they are known to be."""
        if not self.tells(words):
            return UNKNOWN
        out: list[str] = []
        for word in words:
            if isinstance(word, str):
                out.append(word)
            elif word in self.assigned or depth > _MAX_SUBSTITUTION:
                out.append(UNKNOWN)
            elif word < self.parameters:
                constants.add(word)
                out.append(parameter_name(word))
            elif word in self.values:
                value = self.substituted(self.words[self.values[word]], constants, depth + 1)
                out.append(f"(({self.locals[word].type})({value}))")
            else:
                out.append(UNKNOWN)
        text = " ".join(out)
        return text if len(text) < 2000 else UNKNOWN

    def tells(self, words: tuple[str | int, ...]) -> bool:
        """Whether all locals in a text may have known values, or need not."""
        for word in words:
            if isinstance(word, int):
                given = word < self.parameters or word in self.values
                if word in self.assigned or not given:
                    return not SHORT_CIRCUITS.isdisjoint(words)
        return True

    def text(self, start: int, end: int) -> int:
        """The number of a text over tokens, -1 where it is empty or too long to decide anything."""
        if end - start == 1:
            token = self.tokens[start]
            return self.keep((self.visible.get(token, token),))
        if not 0 < end - start <= MAX_TEXT:
            return -1
        visible, before = self.visible, ""
        words: list[str | int] = []
        for token in self.tokens[start:end]:
            words.append(token if before in (".", "::") else visible.get(token, token))
            before = token
        return self.keep(tuple(words))

    def keep(self, words: tuple[str | int, ...]) -> int:
        self.words.append(words)
        return len(self.words) - 1
