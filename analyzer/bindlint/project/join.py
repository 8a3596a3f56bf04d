"""Joins host code, configuration and shaders: what each pipeline is made of, and what each object of host code is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.described import DescribedHeap, DescribedPipeline, DescribedStage
from bindlint.model.device import BindPoint, HostHeap, HostPipeline, HostStage, ShaderSignature
from bindlint.model.host import HostFile, HostSignature, UnknownPart
from bindlint.model.root_signature import RootSignature
from bindlint.model.source import Span
from bindlint.project.objects import by_key, common_heap, common_pipeline, the_same
from bindlint.project.programs import programs_of
from bindlint.project.shaders import Found, Shaders
from bindlint.project.values import Pipeline, PipelineStage, Project, StateObject

_COMPUTE = ("cs",)


def join(
    hosts: Iterable[HostFile],
    described: Iterable[DescribedPipeline],
    shaders: Shaders,
    analyses: Iterable[ShaderAnalysis] = (),
    guesses: Iterable[HostPipeline] = (),
) -> Project:
    """The project that host code and configuration make of a run's shaders, of which `analyses` are those at hand.

    `guesses` are pipelines that nothing tells of but the names of files.
    """
    files = tuple(hosts)
    built = [(key, s.span, s) for file in files for s in file.signatures for key in s.keys]
    taken = [(s.key, s.span, _embedded(s, shaders)) for file in files for s in file.shader_signatures]
    signatures = by_key((*built, *taken), the_same)
    heaps = by_key(((heap.key, heap.span, heap) for file in files for heap in file.heaps), common_heap)
    commands = by_key(((each.key, each.span, each) for file in files for each in file.command_signatures), the_same)
    project = Project(
        files,
        programs=programs_of(files),
        analyses=tuple(analyses),
        heaps_by_key=heaps,
        signatures_by_key=signatures,
        command_signatures_by_key=commands,
    )
    hosted = [_hosted(pipeline, project, shaders) for file in files for pipeline in file.pipelines]
    named = by_key(((p.host.key, p.span, p) for p in hosted if p.host is not None), common_pipeline)
    supposed = (msgspec.structs.replace(_hosted(g, project, shaders), origin="guessed", host=None) for g in guesses)
    pipelines = (*(_described(each, shaders) for each in described), *hosted, *supposed)
    objects = tuple(
        StateObject(each, tuple(_stage(library.source, shaders) for library in each.libraries))
        for file in files
        for each in file.state_objects
    )
    return msgspec.structs.replace(project, pipelines=pipelines, pipelines_by_key=named, state_objects=objects)


def described_heaps(file: str, heaps: Iterable[DescribedHeap]) -> HostFile:
    """The heaps of a configuration as if host code made them."""
    made = tuple(
        HostHeap("", heap.name, "", heap.span, heap.type, heap.count, heap.shader_visible, heap.span) for heap in heaps
    )
    return HostFile(file, heaps=made)


def _hosted(host: HostPipeline, project: Project, shaders: Shaders) -> Pipeline:
    """A pipeline of host code. A signature that is known in parts only is given as the host's alone."""
    built = None if host.signature is None else project.signature(host.signature)
    return Pipeline(
        name=host.name or host.key,
        bind_point=host.bind_point,
        stages=tuple(_stage(stage, shaders) for stage in host.stages),
        origin="host",
        span=host.span,
        signature=_whole(built),
        host_signature=built,
        host=host,
        complete=not host.unread,
    )


def _embedded(taken: ShaderSignature, shaders: Shaders) -> HostSignature:
    """The signature that a shader embeds from whose bytecode it is created; one of which nothing is known where the
    shader is not found."""
    found = shaders.named(taken.source)
    signature = found.analysis.signature if found.analysis is not None else None
    if signature is None or signature.faults:
        why = found.why or f"`{os.path.basename(found.file)}` embeds none that can be read"
        unread = (UnknownPart(taken.span, "root signature", why, "not-read"),)
        nothing = RootSignature(span=taken.span)
        return HostSignature(
            taken.name, taken.function, taken.span, nothing, parameter_count=None, unknown=unread, keys=(taken.key,)
        )
    number = len(signature.parameters)
    return HostSignature(
        taken.name, taken.function, taken.span, signature, parameter_count=number, fully=number, keys=(taken.key,)
    )


def _whole(built: HostSignature | None) -> RootSignature | None:
    return built.signature if built is not None and built.is_placed else None


def _stage(host: HostStage, shaders: Shaders) -> PipelineStage:
    found = shaders.named(host)
    file = os.path.basename(found.file or host.file.replace("\\", "/"))
    name = f"{file}:{found.entry or host.entry}".rstrip(":")
    return PipelineStage(host.stage, name, host.span, found.analysis, found.why)


def _described(described: DescribedPipeline, shaders: Shaders) -> Pipeline:
    """A pipeline of the configuration. Its signature is the one that its shaders were read with."""
    found = [(stage, shaders.described(stage, described.root_signature)) for stage in described.stages]
    stages = tuple(_described_stage(stage, each) for stage, each in found)
    compute = bool(stages) and all(stage.stage in _COMPUTE for stage in stages)
    bind_point: BindPoint = "compute" if compute else "graphics"
    signature = None
    if described.root_signature:
        signature = next((s for each in stages for s in _given(each.analysis)), None)
        signature = _placed(signature, described.span)
    return Pipeline(described.name, bind_point, stages, "configuration", described.span, signature)


def _described_stage(stage: DescribedStage, found: Found) -> PipelineStage:
    prefix = stage.profile.partition("_")[0]
    if found.analysis is not None and found.analysis.shader.profile is not None:
        prefix = found.analysis.shader.profile.stage
    name = f"{os.path.basename(stage.file)}:{found.entry or stage.entry}".rstrip(":")
    return PipelineStage(prefix, name, stage.span, found.analysis, found.why)


def _placed(value: Any, span: Span) -> Any:
    """A signature whose text stands in the configuration, with the place of that."""
    if isinstance(value, Span):
        return span if value.file.startswith("<") else value
    if isinstance(value, msgspec.Struct):
        fields = {field: getattr(value, field) for field in value.__struct_fields__}
        moved = {field: placed for field, old in fields.items() if (placed := _placed(old, span)) is not old}
        return msgspec.structs.replace(value, **moved) if moved else value
    if isinstance(value, tuple) and value:
        parts = tuple(_placed(part, span) for part in value)
        return value if all(new is old for new, old in zip(parts, value, strict=True)) else parts
    return value


def _given(analysis: ShaderAnalysis | None) -> Iterator[RootSignature]:
    yield from (
        s for s in (analysis.signatures if analysis is not None else ()) if s.origin == "option" and not s.faults
    )
