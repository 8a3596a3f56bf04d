"""The text of a function without what surely never runs, for what is told of text alone."""

from __future__ import annotations

from bindlint.usage.bodies.syntax import UNREACHABLE
from bindlint.usage.bodies.tokens import token_places
from bindlint.usage.liveness.needs import Dead
from bindlint.usage.symbols import FunctionSymbol


def live_text(function: FunctionSymbol, dead: Dead) -> str:
    """The body's text, blanks of equal length where it never runs; a character a byte."""
    start, end = function.function.body or (0, 0)
    text = function.unit.text[start:end]
    regions = [r for r in function.body.regions if r.control == UNREACHABLE or (r.control, r.branch) in dead]
    if regions:
        # Offsets are bytes, but tokens were read from characters.
        characters = text.decode("utf-8", "surrogateescape")
        places = token_places(characters)
        for region in regions:
            if region.start < region.end:
                first, last = (
                    len(characters[:at].encode("utf-8", "surrogateescape"))
                    for at in (places[region.start][0], places[region.end - 1][1])
                )
                text = text[:first] + b" " * (last - first) + text[last:]
    return text.decode("latin-1")
