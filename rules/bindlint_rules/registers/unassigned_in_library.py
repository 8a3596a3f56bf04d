"""BL111: Resources of a library that no register is ever given."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

LINKED_LATER = 15
"""The minor version that stands for the x of lib_6_x."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    profile = analysis.shader.profile
    if profile is None or not profile.is_library or linked_later(analysis):
        return
    if analysis.shader.auto_binding_space is not None:
        return
    for binding in analysis.bindings:
        if not binding.used or binding.registers is not None:
            continue
        resource, name = binding.resource, f"`{binding.name}`"
        span, advice = resource.span, f"give it {'an' if resource.cls == 's' else 'a'} {resource.cls} register"
        member = next((m for m in analysis.globals if m.used), None) if resource.origin == "$Globals" else None
        if member is not None:
            name = f"`{member.name}`, a member of `$Globals`,"
            span, advice = member.span, "put it into a cbuffer with a register or make it static"
        yield Violation(
            f"{name} has no register, and in a library the compiler assigns none; {advice}, "
            "or compile with -auto-binding-space 0",
            span,
            certainty="likely",
            symbols=(binding.name,),
            severity="error" if analysis.signatures else None,
        )


def linked_later(analysis: ShaderAnalysis) -> bool:
    """Whether this is a lib_6_x, of which much is settled only when it is linked."""
    profile = analysis.shader.profile
    return profile is not None and profile.is_library and profile.minor == LINKED_LATER


RULE = Rule(
    "BL111",
    "unassigned-in-library",
    "warning",
    "shader",
    "A resource of a library stays without a register",
    check,
)
