"""The JSON shape of host code and of a project; keys are only ever added."""

from __future__ import annotations

import msgspec

from bindlint.engine import ProjectReport
from bindlint.model.host import HostFile
from bindlint.project.counts import Counts, counts_of
from bindlint.project.values import Pipeline
from bindlint.report.documents import FindingDocument, ProblemDocument, finding_document


class HostDocument(msgspec.Struct, frozen=True):
    """One file of host code: what is found in it, by numbers, and what is wrong."""

    file: str
    root_signatures: int
    heaps: int
    pipelines: int
    command_signatures: int
    state_objects: int
    calls: int
    findings: tuple[FindingDocument, ...]
    problems: tuple[ProblemDocument, ...]
    kind: str = "host"


class StageDocument(msgspec.Struct, frozen=True):
    """`why` says why the shader of a stage is not known, "" where it is."""

    stage: str
    name: str
    why: str


class PipelineDocument(msgspec.Struct, frozen=True):
    """`signature`: "known", "parts" (known in parts), "embedded" (in its shaders) or "unknown"."""

    name: str
    bind_point: str
    origin: str
    file: str
    line: int
    signature: str
    complete: bool
    stages: tuple[StageDocument, ...]


class ProjectDocument(msgspec.Struct, frozen=True):
    """Pipelines and what is wrong with them and the project as a whole; `counts` tells how much could be joined."""

    counts: Counts
    pipelines: tuple[PipelineDocument, ...]
    findings: tuple[FindingDocument, ...]
    kind: str = "project"


def project_document(report: ProjectReport) -> HostDocument | ProjectDocument:
    findings = tuple(map(finding_document, report.findings))
    if report.host is not None:
        return _host(report.host, findings)
    pipelines = tuple(map(_pipeline, report.project.pipelines))
    return ProjectDocument(counts_of(report.project), pipelines, findings)


def _host(host: HostFile, findings: tuple[FindingDocument, ...]) -> HostDocument:
    return HostDocument(
        file=host.path,
        root_signatures=len(host.signatures),
        heaps=len(host.heaps),
        pipelines=len(host.pipelines),
        command_signatures=len(host.command_signatures),
        state_objects=len(host.state_objects),
        calls=len(host.calls),
        findings=findings,
        problems=tuple(
            ProblemDocument(p.kind, p.message, p.span.file, p.span.line, p.span.column) for p in host.problems
        ),
    )


def _pipeline(pipeline: Pipeline) -> PipelineDocument:
    if pipeline.signature is not None:
        signature = "known"
    elif pipeline.host_signature is not None:
        signature = "parts"
    else:
        signature = "unknown" if pipeline.host is not None and pipeline.host.signature is not None else "embedded"
    return PipelineDocument(
        name=pipeline.name,
        bind_point=pipeline.bind_point,
        origin=pipeline.origin,
        file=pipeline.span.file,
        line=pipeline.span.line,
        signature=signature,
        complete=pipeline.complete,
        stages=tuple(StageDocument(stage.stage, stage.name, stage.why) for stage in pipeline.stages),
    )
