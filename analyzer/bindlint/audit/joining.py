"""What one program of a repository comes to: its host code read, joined with shaders as `check` does it, and judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import msgspec
from bindlint_grammars.hlsl.limits import Limits

from bindlint.audit.discovery import Discoverer, relative
from bindlint.audit.values import PipelineResult, Program, ProgramResult, SignatureResult, StageResult, UnitResult
from bindlint.bindings.analyse import Analyser
from bindlint.config import Config
from bindlint.engine import Engine, fingerprint
from bindlint.gather import Gatherer
from bindlint.manifest import include_roots
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Finding
from bindlint.model.host import HostSignature
from bindlint.model.shader import Shader
from bindlint.model.source import Span
from bindlint.project.counts import counts_of, why_not_joined
from bindlint.project.graph import signature_key, signature_names
from bindlint.project.values import Pipeline, PipelineStage
from bindlint.report.documents import finding_document, signature_document
from bindlint.tiers.signature import tier_need

MOST_FINDINGS = 5_000
"""Of one program."""
_MOST_KEPT = 1_000
"""Analyses that are kept for the programs of a repository."""


class RepositoryAnalyser(Analyser):
    """Reads the shaders of one repository; those that programs ask for again are not analysed again.

    `files` are all that was read for shaders since it was cleared.
    """

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self.files: dict[str, None] = {}
        self._kept: dict[Shader, ShaderAnalysis] = {}

    def discover(self, shader: Shader) -> tuple[Shader, ...]:
        self.files[shader.file] = None
        return super().discover(shader)

    def analyse(self, shader: Shader) -> ShaderAnalysis:
        key = msgspec.structs.replace(shader, roots=(), inferred="")
        known = self._kept.get(key)
        if known is None:
            known = self._kept[key] = super().analyse(shader)
            if len(self._kept) > _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        self.files |= dict.fromkeys((shader.file, *known.files))
        return known


class Joiner:
    """Reads and judges the programs of the repository that is the working directory; `step` is called after each file
    of host code and before each shader that is joined.
    """

    def __init__(self, analyser: RepositoryAnalyser, engine: Engine, config: Config, step: Callable[[], None]) -> None:
        self._step = step
        self._analyser = analyser
        self._engine = engine
        self._discoverer = Discoverer()
        self._config = config
        self._template = Shader("", roots=include_roots(".", ()))

    def analyse(self, program: Program) -> UnitResult:
        self._analyser.files.clear()
        # Programs have no header in common: what is read of one is let go of with it.
        gatherer = Gatherer(self._analyser, self._config, self._template, self._completed)
        hosts = []
        for path in program.hosts:
            hosts.append(gatherer.host(path))
            self._step()
        project = gatherer.project(hosts, self._discoverer.shaders)
        reports = list(self._engine.check_project(project))
        found = _once(finding for report in reports for finding in report.findings)
        suppressed = sum(len(report.suppressed) for report in reports)
        built = {id(each): each for host in project.hosts for each in host.signatures}
        taken = [p.host_signature for p in project.pipelines if p.host_signature is not None]
        signatures = built | {id(each): each for each in taken}
        numbers = {number: place for place, number in enumerate(signatures)}
        names = signature_names(project)
        result = ProgramResult(
            tuple(map(finding_document, found[:MOST_FINDINGS])),
            tuple(map(fingerprint, found[:MOST_FINDINGS])),
            tuple(
                _signature(each, names.get(signature_key(each.signature), ""), number not in built)
                for number, each in signatures.items()
            ),
            tuple(_pipeline(pipeline, numbers.get(id(pipeline.host_signature))) for pipeline in project.pipelines),
            counts_of(project),
            dict(Counter(message for host in hosts for message in {problem.message for problem in host.problems})),
        )
        left = len(found) - len(result.findings)
        why = f"{left} of its findings are left out" if left else ""
        read = (file for host in hosts for file in host.files)
        files = tuple(dict.fromkeys((*program.hosts, *program.projects, *read, *self._analyser.files)))
        return UnitResult("done", why, files=files, suppressed=suppressed, program=result)

    def _completed(self, shader: Shader) -> Shader:
        self._step()
        return self._discoverer.completed(shader)


def _once(findings: Iterator[Finding]) -> list[Finding]:
    """Each finding once, though several files of host code include the header that it is in."""
    places: dict[tuple[str, Span, str], Finding] = {}
    for finding in findings:
        places.setdefault((finding.code, finding.violation.span, finding.violation.message), finding)
    return list(places.values())


def _signature(made: HostSignature, name: str, embedded: bool) -> SignatureResult:
    need = tier_need(made.signature)
    complete = made.is_complete and not need.least
    return SignatureResult(
        document=signature_document(made.signature),
        name=name or made.name,
        function=made.function,
        file=made.span.file,
        line=made.span.line,
        column=made.span.column,
        complete=complete,
        tier=need.tier,
        feature_level=need.feature_level,
        embedded=embedded,
        when=made.when,
    )


def _pipeline(pipeline: Pipeline, signature: int | None) -> PipelineResult:
    span = pipeline.span
    stages = tuple(map(_stage, pipeline.stages))
    why = why_not_joined(pipeline)
    return PipelineResult(pipeline.name, pipeline.bind_point, span.file, span.line, span.column, signature, why, stages)


def _stage(stage: PipelineStage) -> StageResult:
    if stage.analysis is None:
        return StageResult(stage.stage, stage.name, "", "", stage.why)
    shader = stage.analysis.shader
    return StageResult(stage.stage, stage.name, relative(shader.file), shader.entry, stage.why)
