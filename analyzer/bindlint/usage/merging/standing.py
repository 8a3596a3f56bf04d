"""The globals that one resource variable may stand for, and how sure it is that more than one is met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from bindlint.model.source import Span
from bindlint.usage.symbols import FunctionSymbol


class Doubt(IntEnum):
    """Whether the compiler meets it: it surely does, an optimizer may settle it, or most likely has."""

    SETTLED = 0
    OPEN = 1
    SURE = 2


NONE = ""
"""Stands among sources where nothing was assigned."""
UNKNOWN = "?"
"""Stands among sources for what is not followed."""


class Condition(NamedTuple):
    """What decides between two ways: its text, the inputs in it, and whether an optimizer may know the outcome."""

    text: str
    names: frozenset[str]
    doubt: Doubt


UNTOLD = Condition("", frozenset(), Doubt.OPEN)


_MAX_CHOSEN = 64
"""Of what more conditions chose nothing is sure."""


class Origin(NamedTuple):
    """The variable in which sources met ("" for a function's result), and where it stands if that is known."""

    function: FunctionSymbol
    name: str
    span: Span | None = None


class Standing(NamedTuple):
    """The resources that one variable may stand for, and the conditions that chose between them."""

    sources: tuple[str, ...]
    doubt: Doubt = Doubt.SURE
    chosen: frozenset[Condition] = frozenset()
    origin: Origin | None = None

    def is_as(self, other: Standing | None) -> bool:
        """Whether both are the same but for their doubt."""
        return other is not None and (self.sources, self.chosen) == (other.sources, other.chosen)

    def under(self, condition: Condition) -> Standing:
        """The same behind a condition: where that has to do with the choice, one may tell of the other."""
        related = [c for c in self.chosen if not c.names.isdisjoint(condition.names)]
        if not related:
            return self
        doubt = Doubt.SETTLED if any(c.text == condition.text for c in related) else Doubt.OPEN
        return self._replace(doubt=min(self.doubt, doubt))


Path = tuple[str, ...]
"""Fields and subscripts inside a variable; "*" is a subscript that is no constant."""
ANY = "*"

Bundle = Mapping[Path, Standing]
"""What a value stands for: a resource under the empty path, the resources of a struct or an array under theirs."""
NOT_FOLLOWED = Standing((UNKNOWN,))
ANYTHING: Bundle = {(): NOT_FOLLOWED}


def matches(path: Path, pattern: Path) -> bool:
    return len(path) == len(pattern) and all(ANY in (a, b) or a == b for a, b in zip(path, pattern, strict=True))


def unassigned(origin: Origin) -> Standing:
    return Standing((NONE,), origin=origin)


def met(standings: list[Standing], condition: Condition, origin: Origin | None) -> Standing:
    """One of several, whichever way the condition goes."""
    first = standings[0]
    if all(first.is_as(other) for other in standings):
        return first._replace(doubt=max(s.doubt for s in standings))
    sources = tuple(sorted(dict.fromkeys(name for s in standings for name in s.sources), key=lambda name: not name))
    if len(sources) == 1:
        return Standing(sources, origin=first.origin)
    doubt = min(condition.doubt, *(s.doubt for s in standings))
    chosen = frozenset((condition,)).union(*(s.chosen for s in standings))
    if len(chosen) > _MAX_CHOSEN:
        doubt, chosen = min(doubt, Doubt.OPEN), frozenset()
    earlier = (s.origin for s in standings if len(s.sources) > 1 and s.origin)
    return Standing(sources, doubt, chosen, next(earlier, origin))


def joined(bundles: Sequence[Bundle], condition: Condition, origin: Origin) -> Bundle:
    """One of several values."""
    paths = dict.fromkeys(path for bundle in bundles for path in bundle)
    return {path: met([b.get(path) or unassigned(origin) for b in bundles], condition, origin) for path in paths}
