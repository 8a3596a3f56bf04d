"""Which shader is held against which signature for a pipeline, and how what is found there is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.shader import STAGES
from bindlint.project.values import Pipeline, PipelineStage, Project

Staged = tuple[Pipeline, PipelineStage]


class Judged(msgspec.Struct, frozen=True):
    """One shader as the stage of pipelines: `analysis` has the signature of these, `alone` its own.

    No `stages`: the signature is the one that the shader embeds.
    """

    analysis: ShaderAnalysis
    alone: ShaderAnalysis
    stages: tuple[Staged, ...] = ()


def worded(violation: Violation, stages: Sequence[Staged]) -> Violation:
    """A violation with the pipelines and shaders that it was met in, and the places where they and the signature are
    made."""
    if not stages:
        return violation
    pipeline, stage = stages[0]
    more = f" and {len(stages) - 1} more" if len(stages) > 1 else ""
    message = f"{violation.message} (pipeline `{pipeline.name}`: `{stage.name}`{more})"
    related = [*violation.related]
    for each, where in stages[:2]:
        place = where.span if where.span.file else each.span
        shader = STAGES.get(where.stage, where.stage)
        related.append(Related(f"the {shader} shader of pipeline `{each.name}`", place))
    if pipeline.host_signature is not None:
        related.append(Related("its root signature is made here", pipeline.host_signature.span))
    symbols = (*violation.symbols, pipeline.name)
    return msgspec.structs.replace(violation, message=message, related=tuple(related), symbols=symbols)


def stages_of(project: Project) -> Iterator[Judged]:
    """Each shader with each signature that a pipeline gives it, once; without one, with its own."""
    found: dict[tuple[int, object], tuple[ShaderAnalysis, ShaderAnalysis, list[Staged]]] = {}
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
