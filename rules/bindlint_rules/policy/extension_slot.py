"""BL424: The slot of a vendor's shader extension taken, missed, or absent from the root signature."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.policy import ExtensionSlot, Policy
from bindlint.model.root_signature import STAGE_VISIBILITY
from bindlint.rule import Rule

from bindlint_rules.policy.places import placed, violation

TITLES = {"nvapi": "NVAPI", "ags": "AGS"}


def check(analysis: ShaderAnalysis, policy: Policy) -> Iterator[Violation]:
    for slot in policy.extension_slots:
        title = TITLES[slot.name]
        for binding, registers in placed(analysis):
            if binding.name != slot.resource:
                if registers.intersects(slot.registers):
                    yield violation(
                        binding, f"`{binding.name}` is at {registers}, the slot of {title}'s `{slot.resource}`", title
                    )
            elif registers != slot.registers:
                yield violation(
                    binding,
                    f"`{binding.name}` is at {registers}, but the program tells {title} to look at {slot.registers}",
                    title,
                )
            elif binding.used and _absent(analysis, slot):
                yield violation(
                    binding,
                    f"{title}'s `{binding.name}` needs a range for {registers} in the root signature, although nothing "
                    "is ever bound there",
                    title,
                )


def _absent(analysis: ShaderAnalysis, slot: ExtensionSlot) -> bool:
    """Whether there is a root signature and it shows the stage nothing at the slot."""
    signature = analysis.signature
    if signature is None or signature.faults:
        return False
    seen = ("ALL", STAGE_VISIBILITY.get(analysis.stage, "ALL"))
    return not any(c.visibility in seen and c.registers.contains(slot.registers) for c in signature.claims)


RULE = Rule(
    "BL424",
    "extension-slot",
    "error",
    "policy",
    "The slot of NVAPI or AGS taken, missed or not in the root signature",
    check,
)
