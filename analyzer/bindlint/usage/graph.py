"""The usage graph of a shader as networkx has it, for questions about paths; the hot path never comes here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bindlint.model.binding import AccessKind, ConstantMember, NumericGlobal, ShaderAnalysis, Use
from bindlint.model.shader import STAGES
from bindlint.model.source import Span

if TYPE_CHECKING:
    import networkx

    Graph = networkx.DiGraph[str]

ACCESS: dict[AccessKind, str] = {
    "read": "reads",
    "write": "writes",
    "sample": "samples",
    "counter": "counter",
    "query": "queries",
    "pass": "passes",
}
"""What an edge to a resource is called."""


def usage_graph(analysis: ShaderAnalysis) -> Graph:
    """What the entry points of a shader reach: see `add_usage`."""
    import networkx

    graph: Graph = networkx.DiGraph()
    add_usage(graph, analysis)
    return graph


def add_usage(graph: Graph, analysis: ShaderAnalysis) -> None:
    """Add what the entry points reach: entry points, functions, resources, and members of constant buffers.

    Edges `calls` lead from entry points to functions and on, those named in `ACCESS` to resources, and `holds` from a
    constant buffer to the members of it that are used. Of several chains of calls to one resource the shortest is here.
    Nodes have `kind`, `label`, `group` (the file that they stand in) and `place`. Nodes of shared headers are shared.
    """
    shader = analysis.shader
    for entry in analysis.entries:
        start = entry_node(analysis, entry.name)
        profile = f" ({shader.profile})" if shader.profile and entry.stage != "lib" else f" ({entry.stage})"
        stage = STAGES.get(entry.stage, entry.stage)
        _add(graph, start, "entry", f"{entry.name}{profile}", entry.span, shader.file, stage=stage)
        for use in entry.uses:
            _add_use(graph, start, use)
    for member in _used_members(analysis):
        owner = next((r for r in analysis.resources if r.name == (member.buffer or "$Globals")), None)
        if owner is not None and resource_node(owner.name, owner.span) in graph:
            node = f"member:{member.span}:{owner.name}.{member.name}"
            _add(graph, node, "member", member.name, member.span)
            connect(graph, resource_node(owner.name, owner.span), node, "holds")


def entry_node(analysis: ShaderAnalysis, entry: str) -> str:
    return f"entry:{analysis.shader.file}:{entry}:{analysis.shader.profile}"


def resource_node(name: str, span: Span) -> str:
    return f"resource:{span}:{name}"


def connect(graph: Graph, source: str, target: str, *kinds: str) -> None:
    """An edge; where there is one already it becomes an edge of all these kinds."""
    known = graph.edges[source, target]["kind"].split(", ") if graph.has_edge(source, target) else []
    graph.add_edge(source, target, kind=", ".join(sorted({*known, *kinds})))


def _add_use(graph: Graph, start: str, use: Use) -> None:
    before = start
    for step in use.chain[1:]:
        node = f"function:{step.span}:{step.function}"
        _add(graph, node, "function", step.function, step.span)
        connect(graph, before, node, "calls")
        before = node
    resource = use.resource
    target = resource_node(resource.name, resource.span)
    written = resource.written_type or resource.type.name
    size = "" if resource.count == 1 else f"[{'' if resource.count is None else resource.count}]"
    _add(
        graph,
        target,
        "resource",
        f"{written} {resource.name}{size}".strip(),
        resource.span,
        register_class=resource.cls,
    )
    connect(graph, before, target, *(ACCESS[kind] for kind in use.kinds))


def _used_members(analysis: ShaderAnalysis) -> Iterator[ConstantMember | NumericGlobal]:
    yield from (member for member in analysis.constant_members if member.used)
    yield from (constant for constant in analysis.globals if constant.used)


def _add(graph: Graph, node: str, kind: str, label: str, span: Span, group: str = "", **more: str) -> None:
    if node not in graph:
        graph.add_node(node, kind=kind, label=label, group=group or span.file, place=str(span), **more)
