"""BL607: A draw whose shaders read a root parameter that nothing sets."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.device import HostCall
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile, HostSignature
from bindlint.model.root_signature import STAGE_VISIBILITY, RootSignature
from bindlint.project.values import Pipeline, PipelineStage, Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import parameter_at, parameter_words, places, setter, signature_of, signature_words

Reader = tuple[PipelineStage, Binding]


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    told: set[tuple[str, str, tuple[int, ...]]] = set()
    for call in host.calls:
        if call.kind != "draw" or call.bind_point is None:
            continue
        bound, pipeline = call.state.bound(call.bind_point), project.pipeline(call.state.pipeline)
        signature = signature_of(bound, project)
        if not bound.settled or pipeline is None or signature is None or not signature.is_complete:
            continue
        readers = _readers(pipeline, signature.signature)
        missing = tuple(sorted(index for index in readers if index not in bound.arguments))
        key = (call.function, pipeline.name, missing)
        if missing and key not in told:
            told.add(key)
            yield _violation(call, pipeline, signature, missing, readers)


def _readers(pipeline: Pipeline, signature: RootSignature) -> dict[int, Reader]:
    """What reads each root parameter: the first stage and its resource."""
    found: dict[int, Reader] = {}
    for stage in pipeline.stages:
        if stage.analysis is not None and stage.analysis.status == "ok":
            for index, binding in _read(stage.analysis, signature):
                found.setdefault(index, (stage, binding))
    return found


def _read(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[tuple[int, Binding]]:
    seen = ("ALL", STAGE_VISIBILITY.get(analysis.stage, "ALL"))
    claims = [claim for claim in signature.claims if claim.kind != "static-sampler" and claim.visibility in seen]
    for binding in analysis.bindings:
        if binding.used and binding.registers is not None:
            for claim in claims:
                if claim.registers.intersects(binding.registers):
                    yield claim.index, binding


def _violation(
    call: HostCall, pipeline: Pipeline, signature: HostSignature, missing: tuple[int, ...], readers: dict[int, Reader]
) -> Violation:
    stage, binding = readers[missing[0]]
    parameter = parameter_at(signature, missing[0])
    assert parameter is not None and call.bind_point is not None
    bound = call.state.bound(call.bind_point)
    name = signature_words(signature, bound.signature)
    more = f" (nor {', '.join(map(str, missing[1:]))})" if missing[1:] else ""
    return Violation(
        f"nothing sets {parameter_words(parameter)} of {name}{more} before `{call.name}`, but "
        f"{stage.name} reads it as `{binding.resource.name}`; call `{setter(call.bind_point, parameter.kind)}"
        f"({parameter.index}, ...)`",
        call.span,
        places(
            (f"`{binding.resource.name}` of {stage.name}", binding.resource.span),
            (parameter_words(parameter), parameter.span),
            (f"{name} is set here", bound.span),
            (f"the pipeline `{pipeline.name}`", pipeline.span),
        ),
        certainty=binding.certainty,
        symbols=(call.function, pipeline.name, *map(str, missing)),
    )


RULE = Rule(
    "BL607",
    "unset-root-argument",
    "error",
    "host",
    "A draw whose shaders read a root parameter that nothing sets",
    check,
)
