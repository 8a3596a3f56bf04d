"""Which shader is held against which signature for a pipeline, and how what is found there is told."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.shader import STAGES
from bindlint.project.values import Pipeline, PipelineStage, Project


class Judged(msgspec.Struct, frozen=True):
    """One shader as the stage of pipelines: `analysis` has the signature of these, `alone` its own.

    No `stages`: the signature is the one that the shader embeds.
    """

    analysis: ShaderAnalysis
    alone: ShaderAnalysis
    stages: tuple[tuple[Pipeline, PipelineStage], ...] = ()

    def worded(self, violation: Violation) -> Violation:
        """The violation with the pipeline, the places where it and the signature are made, and the shader."""
        if not self.stages:
            return violation
        pipeline, stage = self.stages[0]
        others = len({id(pipeline) for pipeline, _ in self.stages}) - 1
        more = f" and {others} more" if others else ""
        message = f"{violation.message} (pipeline `{pipeline.name}`{more}: `{stage.name}`)"
        related = [*violation.related]
        for each, where in self.stages[:2]:
            place = where.span if where.span.file else each.span
            related.append(
                Related(f"the {STAGES.get(self.alone.stage, self.alone.stage)} shader of pipeline `{each.name}`", place)
            )
        if pipeline.host_signature is not None:
            related.append(Related("its root signature is built here", pipeline.host_signature.span))
        symbols = (*violation.symbols, pipeline.name)
        return msgspec.structs.replace(violation, message=message, related=tuple(related), symbols=symbols)


def stages_of(project: Project) -> Iterator[Judged]:
    """Each shader with each signature that a pipeline gives it, once; without one, with its own."""
    found: dict[tuple[int, object], tuple[ShaderAnalysis, ShaderAnalysis, list[tuple[Pipeline, PipelineStage]]]] = {}
    for pipeline in project.pipelines:
        embedded = pipeline.signature is None and (pipeline.host is None or pipeline.host.signature is None)
        for stage in pipeline.stages:
            given = stage.analysis
            signature = given.signature if embedded and given is not None else pipeline.signature
            if given is None or signature is None or signature.faults:
                continue
            alone = msgspec.structs.replace(given, signature=None) if pipeline.origin == "configuration" else given
            analysis = given if embedded else msgspec.structs.replace(given, signature=signature)
            _, _, stages = found.setdefault((id(given), None if embedded else signature), (analysis, alone, []))
            if not embedded:
                stages.append((pipeline, stage))
    for analysis, alone, stages in found.values():
        yield Judged(analysis, alone, tuple(stages))
