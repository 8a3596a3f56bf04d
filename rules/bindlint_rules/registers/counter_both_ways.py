"""BL127: Hidden counters that one shader moves up and down."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import CounterUse, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    counted = {b.name for b in analysis.bindings if b.view == "structured+counter"}
    first: dict[str, CounterUse] = {}
    reported: set[str] = set()
    for use in analysis.counters:
        if use.name not in counted:
            continue
        other = first.setdefault(use.name, use)
        if other.up != use.up and use.name not in reported:
            reported.add(use.name)
            here, there = ("IncrementCounter", "DecrementCounter")[:: 1 if use.up else -1]
            yield Violation(
                f"`{use.name}`: {here} here and {there} elsewhere: a shader may move the counter of one buffer in one "
                "direction only; use two buffers",
                use.span,
                related=(Related(f"{there} is here", other.span),),
                certainty="likely",
                symbols=(use.name,),
            )


RULE = Rule(
    "BL127",
    "counter-both-ways",
    "error",
    "shader",
    "One counter is both incremented and decremented",
    check,
)
