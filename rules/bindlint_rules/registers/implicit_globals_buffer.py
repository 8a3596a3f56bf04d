"""BL113: The hidden constant buffer of everything that is declared outside all cbuffers."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

SHOWN = 20
"""Further members that are pointed at."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    hidden = next((b for b in analysis.bindings if b.resource.origin == "$Globals"), None)
    used = [member for member in analysis.globals if member.used]
    if hidden is None or hidden.registers is None or not used:
        return
    first, *others = used
    more = f" and {len(others)} more stand" if others else " stands"
    yield Violation(
        f"`{first.name}`{more} outside every cbuffer and so in the hidden buffer `$Globals`, which takes "
        f"{hidden.registers}; declare a cbuffer with a register",
        first.span,
        related=tuple(Related(f"`{member.name}` is in `$Globals`", member.span) for member in others[:SHOWN]),
        certainty="likely",
        symbols=("$Globals", str(hidden.registers)),
    )


RULE = Rule(
    "BL113",
    "implicit-globals-buffer",
    "info",
    "shader",
    "Constants outside every cbuffer take a register of their own",
    check,
)
