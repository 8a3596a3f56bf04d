"""What shaders, pipelines and descriptor heaps need of the hardware."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.device import HostHeap
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import RootSignature
from bindlint.model.shader import STAGES
from bindlint.model.source import NOWHERE, Span
from bindlint.project.values import Pipeline, Project
from bindlint.targets import tiers
from bindlint.tiers.counting import (
    HEAP_INDEXING_TIER,
    LEGACY_STAGES_WITHOUT_UAVS,
    LEGACY_UAV_COUNT,
    MAX_SAMPLERS,
    MAX_VIEWS,
    allowed,
    needs_table,
    used,
)
from bindlint.tiers.need import Reason, TableCount, TierNeed, hardware, lowest
from bindlint.tiers.populated import idle_descriptors
from bindlint.tiers.signature import signature_objections, table_counts
from bindlint.words import listed

CLASSES: tuple[RegisterClass, ...] = ("b", "t", "u", "s")


class Used(msgspec.Struct, frozen=True):
    """Descriptors of one class that shaders use, of those the ones that only a table can serve; None is unbounded."""

    what: str
    descriptors: int | None
    in_tables: int | None


class Untouched(msgspec.Struct, frozen=True):
    """Descriptors of a root parameter that must be there on `tier`, though no shader touches them."""

    tier: int
    parameter: int
    registers: tuple[RegisterRange, ...]
    span: Span = NOWHERE

    @property
    def descriptors(self) -> int:
        return sum(each.count or 0 for each in self.registers)


class TierReport(msgspec.Struct, frozen=True):
    """`unread` are what could not be read, for which the need is only the least; each as the end of a sentence."""

    need: TierNeed
    used: tuple[Used, ...] = ()
    untouched: tuple[Untouched, ...] = ()
    unread: tuple[str, ...] = ()


def shader_tiers(analysis: ShaderAnalysis) -> TierReport:
    """What one shader needs, with its root signature where it has one; a library with all of its own."""
    held: tuple[RootSignature, ...] = (analysis.signature,) if analysis.signature is not None else ()
    if not held and analysis.stage == "lib":
        held = tuple(analysis.signatures)
    return _report([analysis], held, tuple(_unread([analysis], held)))


def pipeline_tiers(pipeline: Pipeline) -> TierReport:
    """What a pipeline needs: its stages together, and the one signature or what they embed."""
    analyses = pipeline.analyses
    if pipeline.signature is not None:
        held: tuple[RootSignature, ...] = (pipeline.signature,)
    elif pipeline.host_signature is not None:
        held = (pipeline.host_signature.signature,)
    else:
        held = tuple(dict.fromkeys(a.signature for a in analyses if a.signature is not None))
    unread = [*_unread(analyses, held)]
    unread += [f"{stage.name or stage.stage}: {stage.why}" for stage in pipeline.stages if stage.why]
    unread += ["stages that its description may have besides"] if not pipeline.complete else []
    if pipeline.host is not None and pipeline.host.signature is not None and not held:
        unread.append("its root signature is not known")
    return _report(analyses, held, tuple(dict.fromkeys(unread)))


def heap_need(heap: HostHeap) -> TierNeed:
    """What the size of a shader-visible heap needs."""

    def objections(tier: int, _: str) -> Iterator[Reason]:
        if not heap.shader_visible or heap.count is None:
            return
        if heap.type == "CBV_SRV_UAV" and heap.count > MAX_VIEWS and tier < 3:
            text = f"heap `{heap.name}` has {heap.count:,} descriptors, tier {tier} is sure of {MAX_VIEWS:,}"
            yield Reason(text, f"make it {heap.count - MAX_VIEWS:,} smaller", heap.span)
        elif heap.type == "SAMPLER" and heap.count > MAX_SAMPLERS:
            text = f"heap `{heap.name}` has {heap.count:,} samplers, every tier is sure of {MAX_SAMPLERS:,}"
            yield Reason(text, f"make it {heap.count - MAX_SAMPLERS:,} smaller", heap.span)

    return lowest(objections, least=heap.count is None and heap.shader_visible is not False)


class ProjectTiers(msgspec.Struct, frozen=True):
    """What each part of a project needs by itself, and what all of it does.

    A shader of a pipeline is told by that; `deciding` names the parts that need as much as the
    whole, where that is more than the least.
    """

    pipelines: tuple[tuple[Pipeline, TierReport], ...]
    heaps: tuple[tuple[HostHeap, TierNeed], ...]
    tier: int | None
    feature_level: str
    deciding: tuple[str, ...]


def project_tiers(project: Project) -> ProjectTiers:
    pipelines = tuple((pipeline, pipeline_tiers(pipeline)) for pipeline in project.pipelines)
    heaps = tuple((heap, heap_need(heap)) for host in project.hosts for heap in host.heaps)
    staged = {_identity(analysis) for pipeline in project.pipelines for analysis in pipeline.analyses}
    needs = [(f"pipeline `{pipeline.name}`", report.need) for pipeline, report in pipelines]
    needs += [(f"heap `{heap.name}`", need) for heap, need in heaps]
    needs += [
        (f"{analysis.shader.file}:{analysis.shader.entry}".rstrip(":"), shader_tiers(analysis).need)
        for analysis in project.analyses
        if analysis.status != "failed" and _identity(analysis) not in staged
    ]
    order = {each: number for number, each in enumerate((*hardware(), (None, "")))}
    most = max((order[need.tier, need.feature_level] for _, need in needs), default=0)
    tier, level = next(each for each, number in order.items() if number == most)
    deciding = (name for name, need in needs if most and order[need.tier, need.feature_level] == most)
    return ProjectTiers(pipelines, heaps, tier, level, tuple(dict.fromkeys(deciding)))


def _identity(analysis: ShaderAnalysis) -> tuple[str, str, str]:
    return os.path.realpath(analysis.shader.file), analysis.shader.entry, analysis.stage


def _report(
    analyses: Sequence[ShaderAnalysis], signatures: tuple[RootSignature, ...], unread: tuple[str, ...]
) -> TierReport:
    def objections(tier: int, level: str) -> Iterator[Reason]:
        for signature in signatures:
            yield from signature_objections(signature, None, tier, level)
        for analysis in analyses:
            yield from _features(analysis, tier, level)
            if not signatures:
                yield from _in_tables(analysis, tier, level)
        yield from _unordered_access(analyses, not signatures, tier, level)

    counts: tuple[TableCount, ...] = tuple(count for each in signatures for count in table_counts(each))
    need = lowest(objections, counts, bool(unread))
    untouched = tuple(_untouched(analyses, signatures, need.tier))
    return TierReport(need, tuple(_used(analyses)), untouched, unread)


def _features(analysis: ShaderAnalysis, tier: int, level: str) -> Iterator[Reason]:
    """What a shader asks for apart from numbers."""
    for entry in analysis.entries if tier < HEAP_INDEXING_TIER else ():
        heaps = {"ResourceDescriptorHeap": entry.resource_heap, "SamplerDescriptorHeap": entry.sampler_heap}
        for heap in (heap for heap, there in heaps.items() if there):
            text = f"`{entry.name}` uses {heap}, which needs tier {HEAP_INDEXING_TIER}"
            yield Reason(text, "bind through descriptor tables what it takes out of the heap", entry.span)
    if analysis.stage in LEGACY_STAGES_WITHOUT_UAVS and level == tiers().feature_level[0].name:
        for binding in used(analysis, "u"):
            stage = STAGES[analysis.stage]
            text = f"`{binding.name}` is a UAV in a {stage} shader, and before feature level 11_1 there is none"
            yield Reason(text, "use it in a pixel or compute shader", binding.resource.span)


def _in_tables(analysis: ShaderAnalysis, tier: int, level: str) -> Iterator[Reason]:
    """What a shader needs in tables whatever its root signature; UAVs are counted for all stages together."""
    for cls, row in tiers().limits(tier, level).items():
        bound = [binding for binding in used(analysis, cls) if needs_table(binding)]
        most = row.tiers[tier - 1]
        endless = [binding for binding in bound if binding.resource.count is None]
        if endless and tier < row.unbounded:
            text = f"{listed([_named(b) for b in endless])}: unbounded {row.what} need tier {row.unbounded}"
            yield Reason(text, f"bind no more than {most} {row.what} of {_it(endless)}", endless[0].resource.span)
        total = _sum(bound)
        if row.per == "stage" and 0 < most < total:
            who = f"the {STAGES.get(analysis.stage, analysis.stage)} shader"
            text = f"{who} needs {total} {row.what} in tables ({_largest(bound)}), {allowed(row, tier)}"
            yield Reason(text, f"do with {total - most} less", _first(bound))


def _unordered_access(analyses: Sequence[ShaderAnalysis], in_tables: bool, tier: int, level: str) -> Iterator[Reason]:
    """Too many UAVs of all stages together, wherever they stand: a register that several stages use counts once."""
    row = tiers().limits(tier, level)["u"]
    most = row.tiers[tier - 1]
    legacy = most == LEGACY_UAV_COUNT
    if not most or not (legacy or in_tables):
        return
    bound: dict[RegisterRange | None, Binding] = {}
    for analysis in analyses:
        # The entry points of a library are no stages of one pipeline.
        for binding in used(analysis, "u") if analysis.stage != "lib" else ():
            if binding.resource.count is not None and (legacy or needs_table(binding)):
                bound.setdefault(binding.registers, binding)
    total = _sum(bound.values())
    if total > most:
        who = "all stages together have" if len(analyses) > 1 else f"the {STAGES.get(analyses[0].stage, '')} shader has"
        text = f"{who} {total} UAVs ({_largest([*bound.values()])}), {allowed(row, tier)}"
        yield Reason(text, f"do with {total - most} less, or spread them over several passes", _first(bound.values()))


def _used(analyses: Sequence[ShaderAnalysis]) -> Iterator[Used]:
    rows = tiers().limits(3, "")
    for cls in CLASSES:
        bound = {binding.registers or binding: binding for a in analyses for binding in used(a, cls)}.values()
        tabled = [binding for binding in bound if needs_table(binding)]
        if bound:
            yield Used(rows[cls].what, _total(bound), _total(tabled))


def _untouched(
    analyses: Sequence[ShaderAnalysis], signatures: tuple[RootSignature, ...], tier: int | None
) -> Iterator[Untouched]:
    """On each tier on which it runs and tables must be whole, what nothing touches."""
    for row in tiers().tier if tier is not None and all(a.status == "ok" for a in analyses) else ():
        for signature in signatures if row.number >= (tier or 1) and row.populated else ():
            for parameter, idle in idle_descriptors(signature, analyses, row.populated):
                registers = tuple(each.free for each in idle)
                yield Untouched(row.number, parameter.index, registers, idle[0].part.span)


def _unread(analyses: Sequence[ShaderAnalysis], signatures: tuple[RootSignature, ...]) -> Iterator[str]:
    for analysis in analyses:
        if analysis.status != "ok":
            how = "only in part" if analysis.status == "partial" else "not"
            yield f"{analysis.shader.file} could {how} be read"
        for binding in analysis.bindings:
            if binding.used and binding.resource.untold_size:
                yield f"the size of `{binding.name}` is not known: `{binding.resource.untold_size}`"
    if any(signature.faults for signature in signatures):
        yield "its root signature could be read in part only"


def _sum(bindings: Iterable[Binding]) -> int:
    return sum(binding.resource.count or 0 for binding in bindings)


def _total(bindings: Iterable[Binding]) -> int | None:
    bound = list(bindings)
    return None if any(binding.resource.count is None for binding in bound) else _sum(bound)


def _named(binding: Binding) -> str:
    return f"`{binding.name}` ({binding.registers})" if binding.registers else f"`{binding.name}`"


def _it(bindings: list[Binding]) -> str:
    return "it" if len(bindings) == 1 else "each"


def _largest(bindings: list[Binding]) -> str:
    ordered = sorted(bindings, key=lambda binding: -(binding.resource.count or 0))
    return listed([f"{binding.resource.count} in `{binding.name}`" for binding in ordered if binding.resource.count], 4)


def _first(bindings: Iterable[Binding]) -> Span:
    """Where the one with the most descriptors stands."""
    return max(bindings, key=lambda binding: binding.resource.count or 0).resource.span
