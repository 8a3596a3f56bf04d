"""BL414: A UAV of a pixel shader on the slot of a render target."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.targets.shader_model import profile_below


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    profile = profile_below(analysis, (5, 1))
    if profile is None or profile.shader_model < (5, 0):
        return
    for entry in analysis.entries:
        for binding in analysis.bindings:
            registers = binding.registers
            if not binding.used or registers is None or registers.cls != "u" or registers.lower >= entry.render_targets:
                continue
            if not binding.explicit:
                # The compiler chooses a slot behind the render targets.
                continue
            clauses = binding.resource.clauses
            yield Violation(
                f"`{binding.name}` at u{registers.lower} collides with SV_Target{registers.lower} of `{entry.name}`, "
                f"since {profile} has one line of slots for both; use u{entry.render_targets} or higher",
                clauses[-1].span if clauses else binding.resource.span,
                related=(Related(f"`{entry.name}` writes up to SV_Target{entry.render_targets - 1}", entry.span),),
                certainty=binding.certainty,
                symbols=(binding.name, f"u{registers.lower}"),
            )


RULE = Rule(
    "BL414",
    "uav-over-render-target",
    "error",
    "shader",
    "A pixel shader's UAV on a render target's slot in shader model 5.0",
    check,
)
