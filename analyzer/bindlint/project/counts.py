"""How much of a project could be joined, and why the rest could not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from bindlint.model.device import HostCall
from bindlint.project.values import Pipeline, Project


class Counts(msgspec.Struct, frozen=True):
    """`complete_signatures` are known in every part; a pipeline is joined where its stages and signature are known.

    `known_calls` are those of which nothing that they are judged by is unknown. `unknown` counts by reason.
    """

    root_signatures: int = 0
    complete_signatures: int = 0
    heaps: int = 0
    command_signatures: int = 0
    state_objects: int = 0
    pipelines: int = 0
    joined_pipelines: int = 0
    stages: int = 0
    joined_stages: int = 0
    calls: int = 0
    known_calls: int = 0
    unknown: dict[str, int] = {}


def counts_of(project: Project) -> Counts:
    hosts = project.hosts
    signatures = [signature for host in hosts for signature in host.signatures]
    stages = [stage for pipeline in project.pipelines for stage in pipeline.stages]
    calls = [call for host in hosts for call in host.calls]
    faults = [why_not_joined(pipeline) for pipeline in project.pipelines]
    open_calls = [next(_unknown_of_call(call, project), "") for call in calls]
    unknown = Counter(part.kind for signature in signatures for part in signature.unknown)
    reasons = Counter({f"part of a root signature: {kind}": number for kind, number in unknown.items()})
    reasons.update(f"pipeline: {why}" for why in faults if why)
    reasons.update(f"call: {why}" for why in open_calls if why)
    return Counts(
        root_signatures=len(signatures),
        complete_signatures=sum(signature.is_complete for signature in signatures),
        heaps=sum(len(host.heaps) for host in hosts),
        command_signatures=sum(len(host.command_signatures) for host in hosts),
        state_objects=len(project.state_objects),
        pipelines=len(project.pipelines),
        joined_pipelines=sum(not why for why in faults),
        stages=len(stages),
        joined_stages=sum(stage.analysis is not None for stage in stages),
        calls=len(calls),
        known_calls=sum(not why for why in open_calls),
        unknown=dict(sorted(reasons.items())),
    )


def why_not_joined(pipeline: Pipeline) -> str:
    """Why a pipeline is not known whole, in short; "" where it is."""
    return next(_unknown_of_pipeline(pipeline), "")


def _unknown_of_pipeline(pipeline: Pipeline) -> Iterator[str]:
    if not pipeline.complete:
        yield "its description is not read whole"
    for stage in pipeline.stages:
        if stage.analysis is None:
            yield stage.why.partition(":")[0]
    if not pipeline.stages:
        yield "no stage is known"
    ref = pipeline.host.signature if pipeline.host is not None else None
    if ref is not None and pipeline.host_signature is None:
        yield "its root signature is not known" if ref.key else "its root signature is reached in a way not followed"
    elif pipeline.host_signature is not None and pipeline.signature is None:
        yield "its root signature is known in parts"


def _unknown_of_call(call: HostCall, project: Project) -> Iterator[str]:
    """Why a call cannot be judged whole, in short; nothing where it can."""
    if call.kind == "set-root-argument":
        if call.index is None:
            yield "the index is not known"
        bound = call.state.bound(call.bind_point or "graphics")
        if bound.status == "unknown":
            yield "the root signature is set elsewhere"
        elif bound.status == "set" and project.signature(bound.signature) is None:
            yield "the root signature is not known"
    elif call.kind in ("set-root-signature", "set-pipeline", "execute-indirect"):
        known = (project.signature, project.pipeline, project.command_signature)
        kinds = ("set-root-signature", "set-pipeline", "execute-indirect")
        if known[kinds.index(call.kind)](call.target) is None:
            yield "what it takes is not known"
    elif call.kind == "set-heaps":
        if call.heaps is None or any(project.heap(heap) is None for heap in call.heaps):
            yield "the heaps are not known"
    elif any(project.heap(handle.heap) is None for handle in call.handles):
        yield "the heap of a handle is not known"
    elif call.copy is not None and None in (call.copy.destinations, call.copy.sources):
        yield "the ranges are not known"
