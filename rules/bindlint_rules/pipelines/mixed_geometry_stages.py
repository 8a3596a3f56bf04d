"""BL511: A pipeline with mesh shaders and with stages that only a pipeline without them has."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.model.shader import STAGES
from bindlint.project.values import Pipeline
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import listed


def check(pipeline: Pipeline) -> Iterator[Violation]:
    meshes = [stage for stage in pipeline.stages if stage.stage in ("as", "ms")]
    others = [stage for stage in pipeline.stages if stage.stage in ("vs", "hs", "ds", "gs")]
    if meshes and others:
        names = [listed(STAGES[stage.stage] for stage in stages) for stages in (meshes, others)]
        yield Violation(
            f"pipeline `{pipeline.name}` has {names[0]} and {names[1]} shaders; mesh shaders take the place of all "
            "stages before the pixel shader",
            others[0].span,
            (Related(f"the {STAGES[meshes[0].stage]} shader", meshes[0].span),),
            symbols=(pipeline.name, *(stage.stage for stage in (*meshes, *others))),
        )
    computing = [stage for stage in pipeline.stages if stage.stage == "cs"]
    if computing and len(computing) < len(pipeline.stages):
        other = next(stage for stage in pipeline.stages if stage.stage != "cs")
        yield Violation(
            f"pipeline `{pipeline.name}` has a compute shader and a {STAGES.get(other.stage, other.stage)} shader; a "
            "compute shader is a pipeline of its own",
            computing[0].span,
            (Related(f"`{other.name}`", other.span),),
            symbols=(pipeline.name, "cs", other.stage),
        )


RULE = Rule(
    "BL511",
    "mixed-geometry-stages",
    "error",
    "pipeline",
    "A pipeline has mesh shaders beside vertex, hull, domain or geometry shaders",
    check,
)
