"""BL116: Register spaces that belong to drivers and to the system."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

FIRST_RESERVED = 0xFFFFFFF0
FIRST_OF_SYSTEM = 0xFFFFFFF8
"""D3D12_DRIVER_RESERVED_REGISTER_SPACE_VALUES_START and ..._OS_..._START in d3d12.h; both ranges run to the next."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    used = {(binding.name, binding.resource.span) for binding in analysis.bindings if binding.used}
    for resource in analysis.resources:
        if resource.space is None or resource.space < FIRST_RESERVED:
            continue
        owner = "drivers" if resource.space < FIRST_OF_SYSTEM else "the system"
        yield Violation(
            f"`{resource.name}` is in space{resource.space}, which is reserved for {owner}: no root signature may bind "
            f"it; the last space for shaders is space{FIRST_RESERVED - 1}",
            resource.span,
            symbols=(resource.name, str(resource.space)),
            certainty="likely",
            severity=None if (resource.name, resource.span) in used else "info",
        )


RULE = Rule(
    "BL116",
    "reserved-space",
    "error",
    "shader",
    "A register space that is reserved for drivers or the system",
    check,
)
