"""The usage graph of one shader as networkx has it, for questions about paths; the hot path never comes here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bindlint.usage.link import Program

if TYPE_CHECKING:
    import networkx


def usage_graph(program: Program) -> networkx.DiGraph[str]:
    """Nodes `entry:`, `function:` and `resource:` with their names; edges `calls` and the kinds of access.

    It holds what the entry points reach and nothing else.
    """
    import networkx

    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for entry in program.entries:
        start = f"entry:{entry.name}"
        graph.add_node(start, kind="entry", stage=entry.stage, place=str(entry.span))
        for use in entry.uses:
            before = start
            for step in use.chain[1:]:
                node = f"function:{step.function}"
                graph.add_node(node, kind="function", place=str(step.span))
                graph.add_edge(before, node, kind="calls")
                before = node
            target = f"resource:{use.resource.name}"
            graph.add_node(target, kind="resource", cls=use.resource.cls, place=str(use.resource.span))
            graph.add_edge(before, target, kind=",".join(sorted(use.kinds)))
    return graph
