"""The graph of a project: how shaders, registers, root signatures, pipelines and host calls hang together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.device import HostCall
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import STAGE_VISIBILITY, RootSignature
from bindlint.model.source import Span
from bindlint.project.values import Pipeline, Project
from bindlint.usage.graph import add_usage, connect, entry_node, resource_node

if TYPE_CHECKING:
    from bindlint.usage.graph import Graph

KINDS = (
    "pipeline", "entry", "function", "resource", "member", "register", "range", "sampler", "parameter", "signature",
    "call",
)  # fmt: skip
"""What nodes there are, in the order in which one leads to the next."""

BACKWARDS = ("covers", "has", "feeds")
"""Edges that lead from the host's side towards the registers, against that order."""


class Held(msgspec.Struct, frozen=True):
    """A shader and a root signature that it is held against (None: none), with the pipeline that brings them together.

    `key` tells the signature from others: the place in host code that completes it, or where it is written.
    """

    analysis: ShaderAnalysis
    signature: RootSignature | None
    key: str = ""
    pipeline: Pipeline | None = None


def held(project: Project) -> Iterator[Held]:
    """Each shader with each signature that it is held against."""
    staged: set[tuple[str, str, str]] = set()
    for pipeline in project.pipelines:
        signature = pipeline.signature
        if signature is None and pipeline.host_signature is not None:
            signature = pipeline.host_signature.signature
        for analysis in pipeline.analyses:
            staged.add(identity(analysis))
            own = analysis.signature if signature is None else signature
            yield Held(analysis, own, signature_key(own), pipeline)
    for analysis in project.analyses:
        if identity(analysis) in staged:
            continue
        signatures = (analysis.signature,) if analysis.signature is not None else analysis.signatures
        for own in signatures or (None,):
            yield Held(analysis, own, signature_key(own))


def identity(analysis: ShaderAnalysis) -> tuple[str, str, str]:
    """The same for one entry point however it was come by."""
    return os.path.realpath(analysis.shader.file), analysis.shader.entry, analysis.stage


def signature_key(signature: RootSignature | None) -> str:
    return "" if signature is None else f"{signature.span}:{signature.name}"


def seen_by(analysis: ShaderAnalysis) -> tuple[str, ...]:
    """The visibilities of root parameters that the shader sees."""
    own = STAGE_VISIBILITY.get(analysis.stage)
    return ("ALL",) if own is None else ("ALL", own)


def set_parameter(project: Project, call: HostCall) -> tuple[RootSignature, int] | None:
    """The signature and the index of the root parameter that a call sets; None where either is not known."""
    if call.kind != "set-root-argument" or call.index is None:
        return None
    bound = call.state.bound(call.bind_point or "graphics")
    built = project.signature(bound.signature) if bound.status == "set" else None
    return None if built is None else (built.signature, call.index)


def project_graph(project: Project, without: Iterable[str] = ()) -> Graph:
    """The graph of all that is known of a project, `without` nodes of some kinds: what they join is joined directly.

    Besides `bindlint.usage.graph.add_usage`: `runs` leads from pipelines to entry points and `takes` to signatures;
    `binds` from resources to registers; `has` from signatures to parameters and to ranges; `covers` from a root
    descriptor, a range or a static sampler to registers; `feeds` from calls to root parameters and `sets` to signatures
    and pipelines. Registers stand apart for each signature, and for each shader without one.
    """
    import networkx

    graph: Graph = networkx.DiGraph()
    names = signature_names(project)
    signatures = dict.fromkeys(built.signature for host in project.hosts for built in host.signatures)
    for pipeline in project.pipelines:
        _add(graph, _pipeline(pipeline), "pipeline", pipeline.name, pipeline.span, "pipelines")
    pairs = list(held(project))
    signatures |= dict.fromkeys(pair.signature for pair in pairs if pair.signature is not None)
    for signature in signatures:
        # What host code builds in several ways at one place is one signature here, with all that it may have.
        _add_signature(graph, signature_key(signature), signature, names.get(signature_key(signature), signature.name))
    for pair in pairs:
        _add_held(graph, pair)
    for host in project.hosts:
        for call in host.calls:
            _add_call(graph, project, call)
    for kind in KINDS:
        if kind in without:
            _leave_out(graph, kind)
    return _ordered(graph)


def signature_names(project: Project) -> dict[str, str]:
    """What host code calls the objects that it makes of root signatures, by `signature_key`."""
    return {
        signature_key(built.signature): ", ".join(dict.fromkeys(key.rpartition("::")[2] for key in built.keys))
        for host in project.hosts
        for built in host.signatures
        if built.keys
    }


def _add_signature(graph: Graph, key: str, signature: RootSignature, name: str) -> None:
    group = _group(signature)
    top = f"signature:{key}"
    _add(graph, top, "signature", name or "root signature", signature.span, group)
    for parameter in signature.parameters:
        node = f"parameter:{key}:{parameter.index}"
        visible = "" if parameter.visibility == "ALL" else f", {parameter.visibility}"
        what = f"{parameter.count} constants" if parameter.kind == "constants" else parameter.kind
        shown = f" {parameter.shown}" if parameter.shown else ""
        _add(graph, node, "parameter", f"[{parameter.index}] {what}{shown}{visible}", parameter.span, group)
        connect(graph, top, node, "has")
        for number, part in enumerate(parameter.ranges):
            _add(graph, f"range:{key}:{parameter.index}:{number}", "range", part.shown, part.span, group)
            connect(graph, node, f"range:{key}:{parameter.index}:{number}", "has")
    for number, sampler in enumerate(signature.static_samplers):
        node = f"sampler:{key}:{number}"
        _add(graph, node, "sampler", f"static sampler {sampler.shown}", sampler.span, group)
        connect(graph, top, node, "has")


def _add_held(graph: Graph, pair: Held) -> None:
    analysis = pair.analysis
    add_usage(graph, analysis)
    if pair.pipeline is not None:
        for entry in analysis.entries:
            connect(graph, _pipeline(pair.pipeline), entry_node(analysis, entry.name), "runs")
        if pair.signature is not None:
            connect(graph, _pipeline(pair.pipeline), f"signature:{pair.key}", "takes")
    for binding in analysis.bindings:
        resource = resource_node(binding.resource.name, binding.resource.span)
        if binding.used and binding.registers is not None and resource in graph:
            connect(graph, resource, _add_register(graph, pair, binding, binding.registers), "binds")


def _add_register(graph: Graph, pair: Held, binding: Binding, registers: RegisterRange) -> str:
    scope = pair.key or pair.analysis.shader.file
    node = f"register:{scope}:{registers}"
    group = pair.analysis.shader.file if pair.signature is None else _group(pair.signature)
    _add(graph, node, "register", str(registers), binding.resource.span, group)
    for claim in pair.signature.claims if pair.signature is not None else ():
        if claim.visibility in seen_by(pair.analysis) and claim.registers.intersects(registers):
            kinds = {"table": f"range:{pair.key}:{claim.index}:{claim.range_index}"}
            kinds["static-sampler"] = f"sampler:{pair.key}:{claim.index}"
            connect(graph, kinds.get(claim.kind, f"parameter:{pair.key}:{claim.index}"), node, "covers")
    return node


def _add_call(graph: Graph, project: Project, call: HostCall) -> None:
    target = ""
    setting = set_parameter(project, call)
    if setting is not None:
        target = f"parameter:{signature_key(setting[0])}:{setting[1]}"
    elif call.kind == "set-root-signature" and (built := project.signature(call.target)) is not None:
        target = f"signature:{signature_key(built.signature)}"
    elif call.kind == "set-pipeline" and (pipeline := project.pipeline(call.target)) is not None:
        target = _pipeline(pipeline)
    if target in graph:
        argument = call.index_text or (call.target.text if call.target.key else "")
        node = f"call:{call.span}:{call.name}"
        _add(graph, node, "call", f"{call.name}({argument})", call.span)
        connect(graph, node, target, "feeds" if setting is not None else "sets")


def _leave_out(graph: Graph, kind: str) -> None:
    """Take away all nodes of a kind; what led to one leads on to what it led to."""
    for node in [node for node, data in graph.nodes(data=True) if data["kind"] == kind]:
        before = list(graph.pred[node])
        if kind == "register":
            holders = [each for each in before if graph.nodes[each]["kind"] != "resource"]
            for resource in (each for each in before if graph.nodes[each]["kind"] == "resource"):
                for holder in holders:
                    connect(graph, holder, resource, "covers")
        for after in list(graph.succ[node]):
            for source in before:
                if source != after:
                    connect(graph, source, after, *graph.edges[node, after]["kind"].split(", "))
        graph.remove_node(node)


def _ordered(graph: Graph) -> Graph:
    """The same graph, whatever order its shaders were read in."""
    import networkx

    ordered: Graph = networkx.DiGraph()
    rank = {kind: number for number, kind in enumerate(KINDS)}
    for node in sorted(graph, key=lambda each: (rank[graph.nodes[each]["kind"]], each)):
        ordered.add_node(node, **graph.nodes[node])
    ordered.add_edges_from(sorted(graph.edges(data=True), key=lambda each: each[:2]))
    return ordered


def _group(signature: RootSignature) -> str:
    span = signature.span
    place = f" ({os.path.basename(span.file)}:{span.line})" if span.file else ""
    return f"root signature{f' {signature.name}' if signature.name else ''}{place}"


def graphml_lines(graph: Graph, safe: Callable[[str], str]) -> Iterator[str]:
    """The graph as GraphML; `safe` makes text of what XML cannot hold."""
    import networkx

    copied = networkx.relabel_nodes(graph, safe)
    for data in (*(data for _, data in copied.nodes(data=True)), *(data for *_, data in copied.edges(data=True))):
        data.update({name: safe(value) for name, value in data.items()})
    yield from networkx.generate_graphml(copied)


def _pipeline(pipeline: Pipeline) -> str:
    return f"pipeline:{pipeline.span}:{pipeline.name}"


def _add(graph: Graph, node: str, kind: str, label: str, span: Span, group: str = "") -> None:
    if node not in graph:
        graph.add_node(node, kind=kind, label=label, group=group or span.file, place=str(span))
