"""BL207: Ranges that follow an unbounded one in their table."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Severity, Violation
from bindlint.model.registers import MAX_REGISTER
from bindlint.model.root_signature import DescriptorRange, RootParameter, RootSignature
from bindlint.model.root_signature_checks import Slot, layout
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import RANGE_KEYWORDS


def check(signature: RootSignature) -> Iterator[Violation]:
    for parameter in signature.parameters:
        unbounded: DescriptorRange | None = None
        for index, slot in enumerate(layout(parameter.ranges)):
            if unbounded is not None:
                yield _violation(signature, parameter, index, slot, unbounded)
            if slot.range.count is None and unbounded is None:
                unbounded = slot.range


def _violation(
    signature: RootSignature, parameter: RootParameter, index: int, slot: Slot, unbounded: DescriptorRange
) -> Violation:
    name = f"{RANGE_KEYWORDS[slot.range.cls]} {slot.range.registers}"
    earlier = f"{RANGE_KEYWORDS[unbounded.cls]} {unbounded.registers}"
    severity: Severity | None = None
    if slot.start > MAX_REGISTER:
        message = f"{name} cannot be appended after the unbounded range {earlier}; give it an offset or its own table"
    else:
        # Unbounded ranges that lie over one another are how one table shows a whole heap under several types.
        severity = "info" if slot.range.cls == unbounded.cls or slot.range.count is None else "warning"
        message = f"{name} lies over the unbounded range {earlier}, which by the documentation comes last in its table"
    return Violation(
        f"{message} (parameter {parameter.index}, range {index})",
        slot.range.span,
        related=(Related(f"the unbounded range {earlier}", unbounded.span),),
        symbols=(signature.name, f"parameter {parameter.index}", f"range {index}"),
        severity=severity,
    )


RULE = Rule(
    "BL207",
    "unbounded-not-last",
    "error",
    "root-signature",
    "A range follows an unbounded one in its table",
    check,
)
