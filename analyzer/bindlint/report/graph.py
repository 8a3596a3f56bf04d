"""The graph of a project in the forms that other tools draw and read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bindlint.project.graph import BACKWARDS, graphml_lines, project_graph
from bindlint.project.values import Project
from bindlint.report.json import SCHEMA_VERSION
from bindlint.report.terminal import encode, escape
from bindlint.report.whole import WholeRenderer

if TYPE_CHECKING:
    from bindlint.usage.graph import Graph

_LONGEST = 60
_MEMBERS = 8

_DOT_STYLES = {
    "pipeline": 'shape=box3d, fillcolor="#e8d9f1"',
    "entry": 'shape=box, style="filled,bold", fillcolor="#cfe2f3"',
    "function": 'shape=box, style="filled,rounded", fillcolor="#eef4fa"',
    "resource": 'shape=box, fillcolor="#d9ead3"',
    "register": 'shape=cds, fillcolor="#fff2cc"',
    "range": 'shape=box, fillcolor="#fce5cd"',
    "sampler": 'shape=box, fillcolor="#fce5cd"',
    "parameter": 'shape=box, fillcolor="#f9cb9c"',
    "signature": 'shape=folder, fillcolor="#f6b26b"',
    "call": 'shape=note, fillcolor="#ead1dc"',
}
_MERMAID_SHAPES = {
    "pipeline": ("[[", "]]"),
    "entry": ("([", "])"),
    "function": ("(", ")"),
    "register": ("{{", "}}"),
    "call": (">", "]"),
}


class GraphRenderer(WholeRenderer):
    """The graph in one of its forms, `without` some kinds of nodes."""

    def __init__(self, form: str, without: tuple[str, ...]) -> None:
        self._form = form
        self._without = without

    def whole(self, project: Project) -> bytes:
        return encode("\n".join(_FORMS[self._form](project_graph(project, self._without))) + "\n")


def _dot(graph: Graph) -> Iterator[str]:
    """Left to right from pipelines to registers, and from there on back to host calls; a box for each file."""
    graph, texts = _folded(graph)
    names = {node: f"n{number}" for number, node in enumerate(graph)}
    yield "digraph bindings {"
    yield '  rankdir=LR; newrank=true; ranksep=0.8; nodesep=0.15; fontname="Helvetica"; compound=true;'
    yield '  node [shape=box, style=filled, fillcolor=white, fontname="Helvetica", fontsize=10, margin="0.08,0.03"];'
    yield '  edge [fontname="Helvetica", fontsize=8, color="#666666", arrowsize=0.6];'
    for number, (group, nodes) in enumerate(_groups(graph)):
        yield f"  subgraph cluster_{number} {{"
        yield f'    label={_quoted(group)}; style=rounded; color="#999999"; fontsize=11; labeljust=l;'
        for node in nodes:
            data = graph.nodes[node]
            label, style = "\\n".join(_inner(line) for line in texts[node]), _DOT_STYLES[data["kind"]]
            yield f'    {names[node]} [label="{label}", tooltip={_quoted(data["place"])}, {style}];'
        for kind in ("register", "parameter"):
            alike = [names[node] for node in nodes if graph.nodes[node]["kind"] == kind]
            if len(alike) > 1:
                yield f"    {{ rank=same; {'; '.join(alike)}; }}"
        yield "  }"
    for source, target, data in graph.edges(data=True):
        kind = data["kind"]
        label = "" if kind in _PLAIN else f"label={_quoted(kind)}, "
        if kind == "takes":
            yield f'  {names[source]} -> {names[target]} [style=dashed, color="#8e7cc3", weight=0];'
        elif kind in BACKWARDS or (kind == "sets" and graph.nodes[target]["kind"] == "signature"):
            yield f'  {names[target]} -> {names[source]} [{label}dir=back, color="#b45f06"];'
        else:
            yield f"  {names[source]} -> {names[target]} [{label}tooltip={_quoted(kind)}];"
    yield "}"


_PLAIN = frozenset(("calls", "runs", "has", "holds", "takes", "binds", "covers", "feeds", "sets"))
"""Edges that say no more than the kinds of the nodes that they join."""


def _folded(graph: Graph) -> tuple[Graph, dict[str, list[str]]]:
    """The graph as it is drawn, and the lines of each node: members stand in the node of what holds them."""
    texts = {}
    for node, data in graph.nodes(data=True):
        held = [graph.nodes[each]["label"] for each in graph.succ[node] if graph.nodes[each]["kind"] == "member"]
        shown = [*held[:_MEMBERS], *([f"and {len(held) - _MEMBERS} more"] if len(held) > _MEMBERS else [])]
        texts[node] = [
            _short(data["label"]),
            *(_short(", ".join(shown[at : at + 3])) for at in range(0, len(shown), 3)),
        ]
    drawn = graph.copy()
    drawn.remove_nodes_from([node for node, data in graph.nodes(data=True) if data["kind"] == "member"])
    return drawn, texts


def _mermaid(graph: Graph) -> Iterator[str]:
    graph, texts = _folded(graph)
    names = {node: f"n{number}" for number, node in enumerate(graph)}
    yield "flowchart LR"
    for number, (group, nodes) in enumerate(_groups(graph)):
        yield f'  subgraph g{number}["{_mermaid_text(group)}"]'
        for node in nodes:
            data = graph.nodes[node]
            left, right = _MERMAID_SHAPES.get(data["kind"], ("[", "]"))
            yield f'    {names[node]}{left}"{"<br/>".join(map(_mermaid_text, texts[node]))}"{right}'
        yield "  end"
    for source, target, data in graph.edges(data=True):
        label = "" if data["kind"] in _PLAIN else f"|{_mermaid_text(data['kind'])}|"
        yield f"  {names[source]} -->{label} {names[target]}"


def _json(graph: Graph) -> Iterator[str]:
    nodes = [{"id": node, **data} for node, data in graph.nodes(data=True)]
    edges = [{"source": source, "target": target, **data} for source, target, data in graph.edges(data=True)]
    document = {"version": SCHEMA_VERSION, "directed": True, "multigraph": False, "nodes": nodes, "edges": edges}
    yield json.dumps(document, indent=1)


def _graphml(graph: Graph) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield from graphml_lines(graph, escape)


def _groups(graph: Graph) -> Iterator[tuple[str, list[str]]]:
    """The nodes by the file, or the root signature, that they belong to; paths without what all have in common."""
    groups: dict[str, list[str]] = {}
    for node, data in graph.nodes(data=True):
        groups.setdefault(data["group"], []).append(node)
    written = {data["place"].rsplit(":", 2)[0] for _, data in graph.nodes(data=True)}
    files = {group: os.path.abspath(group) for group in groups if group in written and not group.startswith("<")}
    folders = {*map(os.path.dirname, files.values())}
    common = os.path.commonpath(folders) if len({os.path.splitdrive(each)[0] for each in folders}) == 1 else ""
    for group, nodes in groups.items():
        yield (os.path.relpath(files[group], common) if group in files and common else group), nodes


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 3]}..."


def _quoted(text: str) -> str:
    return f'"{_inner(text)}"'


def _inner(text: str) -> str:
    return escape(text).replace("\\", "\\\\").replace('"', '\\"')


def _mermaid_text(text: str) -> str:
    """Mermaid reads entities by number; what it would act on is written so."""
    return "".join(c if c.isalnum() or c in " ._-/:,()[]$" else f"#{ord(c)};" for c in escape(text))


_FORMS: dict[str, Callable[[Graph], Iterator[str]]] = {
    "dot": _dot,
    "graphml": _graphml,
    "json": _json,
    "mermaid": _mermaid,
}
