"""The root signatures of a project, each with everything that uses it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related
from bindlint.model.root_signature import RootSignature
from bindlint.project.values import Pipeline, PipelineStage, Project, StateObject

from bindlint_rules.pipelines.associations import bare


class Sharing(msgspec.Struct, frozen=True):
    """One signature with its pipelines. `complete`: these are all that use it, and all their shaders are known."""

    signature: RootSignature
    pipelines: tuple[Pipeline, ...]
    complete: bool

    @property
    def analyses(self) -> tuple[ShaderAnalysis, ...]:
        return tuple(analysis for pipeline in self.pipelines for analysis in pipeline.analyses)

    @property
    def stages(self) -> frozenset[str]:
        return frozenset(stage.stage for pipeline in self.pipelines for stage in pipeline.stages)

    @property
    def users(self) -> str:
        """In words: `pipeline \\`Sky\\``, `3 pipelines`."""
        names = dict.fromkeys(pipeline.name for pipeline in self.pipelines)
        return f"pipeline `{next(iter(names))}`" if len(names) == 1 else f"{len(names)} pipelines"

    @property
    def places(self) -> tuple[Related, ...]:
        return tuple(Related(f"pipeline `{pipeline.name}`", pipeline.span) for pipeline in self.pipelines[:3])


def sharings(project: Project) -> Iterator[Sharing]:
    """The signatures of pipelines that are given one, as far as they are known in full.

    D3D12 makes one of those that say the same; programs that have no code in common share none.
    """
    pipelines: defaultdict[tuple[int | None, RootSignature], list[Pipeline]] = defaultdict(list)
    for pipeline in project.pipelines:
        if pipeline.signature is not None and not pipeline.signature.faults:
            pipelines[_program(pipeline, project), bare(pipeline.signature)].append(pipeline)
    objects = {
        bare(built.signature)
        for each in project.state_objects
        for association in each.host.associations
        if (built := project.signature(association.signature)) is not None
    }
    untold = {_program(pipeline, project) for pipeline in project.pipelines if _has_untold_signature(pipeline)}
    untold |= {project.programs.get(each.host.span.file) for each in project.state_objects if _is_untold(each, project)}
    for (program, said), users in pipelines.items():
        told = not untold & {program, None} if program is not None else not untold
        known = all(pipeline.complete and all(map(_is_read, pipeline.stages)) for pipeline in users)
        signature = users[0].signature
        assert signature is not None
        yield Sharing(signature, tuple(users), told and known and said not in objects)


def _program(pipeline: Pipeline, project: Project) -> int | None:
    """The program that a pipeline belongs to; None for one of the configuration over shaders alone."""
    files = [pipeline.span.file, *([pipeline.signature.span.file] if pipeline.signature else [])]
    return next((project.programs[file] for file in files if file in project.programs), None)


def _is_untold(each: StateObject, project: Project) -> bool:
    return bool(each.host.unread) or any(project.signature(a.signature) is None for a in each.host.associations)


def _has_untold_signature(pipeline: Pipeline) -> bool:
    host = pipeline.host
    return host is not None and pipeline.signature is None and (host.signature is not None or bool(host.unread))


def _is_read(stage: PipelineStage) -> bool:
    return stage.analysis is not None and stage.analysis.status == "ok"
