"""BL206: A descriptor range that runs past the last register or past the end of a table."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.registers import MAX_REGISTER
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import Slot, layout
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import RANGE_KEYWORDS


def check(signature: RootSignature) -> Iterator[Violation]:
    for parameter in signature.parameters:
        unbounded = False
        for index, slot in enumerate(layout(parameter.ranges)):
            for fault in _faults(slot, unbounded):
                name = f"range {index} ({RANGE_KEYWORDS[slot.range.cls]} {slot.range.cls}{slot.range.register})"
                yield Violation(
                    f"{name} of parameter {parameter.index} {fault}",
                    slot.range.span,
                    symbols=(signature.name, f"parameter {parameter.index}", f"range {index}"),
                )
            unbounded = unbounded or slot.range.count is None


def _faults(slot: Slot, unbounded: bool) -> Iterator[str]:
    """`unbounded` where a range before it is: then the rule `unbounded-not-last` says what is wrong."""
    count = slot.range.count
    if slot.start > MAX_REGISTER and not unbounded:
        yield f"is appended behind descriptor {MAX_REGISTER} of its table, which is the last possible one"
    if count is None or slot.start > MAX_REGISTER:
        return
    if slot.range.register + count - 1 > MAX_REGISTER:
        room = MAX_REGISTER - slot.range.register + 1
        yield f"has {count} descriptors, but only {room} registers are left up to {slot.range.cls}{MAX_REGISTER}"
    if slot.last > MAX_REGISTER:
        yield f"runs from descriptor {slot.start} to {slot.last} of its table; the last possible one is {MAX_REGISTER}"


RULE = Rule(
    "BL206",
    "range-overflow",
    "error",
    "root-signature",
    "A descriptor range runs past the last register",
    check,
)
