"""BL512: A pixel shader's UAV on the slot of a render target that the pipeline has, in shader model 5.0."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.project.values import Pipeline
from bindlint.rule import Rule

from bindlint_rules.pipelines.words import place_of, used_in


def check(pipeline: Pipeline) -> Iterator[Violation]:
    """What the shader itself writes to is `uav-over-render-target`."""
    targets = pipeline.host.render_targets if pipeline.host is not None else None
    for stage in pipeline.stages:
        analysis = stage.analysis
        profile = analysis.shader.profile if analysis is not None else None
        if not targets or analysis is None or profile is None or stage.stage != "ps" or profile.shader_model != (5, 0):
            continue
        written = max((entry.render_targets for entry in analysis.entries), default=0)
        for each in used_in(stage):
            registers = each.registers
            if registers.cls == "u" and each.binding.explicit and written <= registers.lower < targets:
                yield Violation(
                    f"`{each.binding.name}` is u{registers.lower}, and pipeline `{pipeline.name}` has {targets} render "
                    f"targets; {profile} has one line of slots for both, use u{targets} or higher",
                    place_of(each.binding),
                    (Related(f"pipeline `{pipeline.name}`", pipeline.span),),
                    "likely",
                    (each.binding.name, f"u{registers.lower}", str(targets)),
                )


RULE = Rule(
    "BL512",
    "uav-under-render-target",
    "warning",
    "pipeline",
    "A pixel shader's UAV on the slot of a render target of the pipeline, in shader model 5.0",
    check,
)
