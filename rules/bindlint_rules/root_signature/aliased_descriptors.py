"""BL212: Ranges of different types over the same descriptors of a table."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.model.registers import RegisterClass
from bindlint.model.root_signature import RootParameter, RootSignature
from bindlint.model.root_signature_checks import Slot, layout
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import RANGE_KEYWORDS

Placed = tuple[int, Slot]


def check(signature: RootSignature) -> Iterator[Violation]:
    for parameter in signature.parameters:
        for pair in _clashes(parameter):
            (_, first), (index, second) = sorted(pair, key=lambda placed: placed[0])
            # Whatever follows an unbounded range is for the rule `unbounded-not-last`.
            if first.range.count is not None:
                yield _violation(signature, parameter, first, second, index)


def _violation(signature: RootSignature, parameter: RootParameter, first: Slot, second: Slot, index: int) -> Violation:
    names = [f"{RANGE_KEYWORDS[slot.range.cls]} {slot.range.registers}" for slot in (first, second)]
    return Violation(
        f"{names[1]} and {names[0]} lie over the same descriptors, from {max(first.start, second.start)} on "
        f"(parameter {parameter.index}); ranges of different types must not",
        second.range.span,
        related=(Related(names[0], first.range.span),),
        symbols=(signature.name, f"parameter {parameter.index}", f"range {index}"),
        severity="warning" if second.range.count is None else None,
    )


def _clashes(parameter: RootParameter) -> Iterator[tuple[Placed, Placed]]:
    """Each range that begins before another class's furthest one ends, with that one."""
    furthest: dict[RegisterClass, Placed] = {}
    for index, slot in sorted(enumerate(layout(parameter.ranges)), key=lambda placed: placed[1].start):
        cls = slot.range.cls
        for other in [placed for other_cls, placed in furthest.items() if other_cls != cls]:
            if other[1].last >= slot.start:
                yield other, (index, slot)
                break
        if cls not in furthest or furthest[cls][1].last < slot.last:
            furthest[cls] = (index, slot)


RULE = Rule(
    "BL212",
    "aliased-descriptors",
    "error",
    "root-signature",
    "Ranges of different types over the same descriptors",
    check,
)
