"""BL413: A register past the last slot that shader models up to 5.0 have."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.registers import RegisterClass
from bindlint.rule import Rule

from bindlint_rules.targets.shader_model import profile_below

SLOTS: dict[RegisterClass, int] = {"b": 14, "t": 128, "s": 16, "u": 64}
"""D3D11_COMMONSHADER_CONSTANT_BUFFER_API_SLOT_COUNT, _INPUT_RESOURCE_SLOT_COUNT, _SAMPLER_SLOT_COUNT, and
D3D11_1_UAV_SLOT_COUNT (d3d11.h)."""

LEGACY_UAV_SLOTS = 8
"""D3D11_PS_CS_UAV_REGISTER_COUNT: what there is before feature level 11.1."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    profile = profile_below(analysis, (5, 1))
    if profile is None:
        return
    for binding in analysis.bindings:
        registers = binding.registers
        if registers is None or registers.upper is None or not binding.used:
            continue
        slots = SLOTS[registers.cls]
        legacy = registers.cls == "u" and LEGACY_UAV_SLOTS <= registers.last < slots
        if registers.last < slots and not legacy:
            continue
        given = "" if binding.explicit else " (chosen by the compiler)"
        has = f"{registers.cls}0-{registers.cls}{slots - 1}"
        message = f"`{binding.name}` takes {registers}{given}, but {profile} has {has}"
        if legacy:
            message = (
                f"`{binding.name}` takes {registers}{given}; before feature level 11_1 {profile} has u0-u7, and {has} "
                "from then on"
            )
        clauses = binding.resource.clauses
        yield Violation(
            message,
            clauses[-1].span if binding.explicit and clauses else binding.resource.span,
            certainty=binding.certainty,
            symbols=(binding.name, str(registers), str(profile)),
            severity="warning" if legacy else None,
        )


RULE = Rule(
    "BL413",
    "slot-limit",
    "error",
    "shader",
    "A register past the last slot of shader models up to 5.0",
    check,
)
