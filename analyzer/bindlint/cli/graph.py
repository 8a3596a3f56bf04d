"""`bindlint graph`: shaders, registers, root signatures, pipelines and host calls as a graph."""

from __future__ import annotations

from typing import Any

import click

from bindlint.cli import Failure
from bindlint.cli.inputs import input_options
from bindlint.cli.running import run
from bindlint.errors import did_you_mean
from bindlint.project.graph import KINDS
from bindlint.report import GRAPH_FORMATS

_HELP = f"""Write the graph of what uses what: for dot, for tools that read GraphML or JSON, or as Mermaid.

Entry points call functions and use resources, which bind registers, which ranges of root signatures cover, which host
calls feed. PATHS and compiler options are those of `bindlint check`. Kinds of nodes: {", ".join(KINDS)}.
"""


@click.command("graph", help=_HELP, context_settings={"ignore_unknown_options": True})
@input_options(GRAPH_FORMATS, "dot")
@click.option("--without", multiple=True, metavar="KINDS", help="Leave out nodes of these kinds, and join their ends.")
@click.option("--guess-pipelines", is_flag=True, help="FooVS.hlsl and FooPS.hlsl are stages of one pipeline.")
def command(without: tuple[str, ...], guess_pipelines: bool, **inputs: Any) -> None:
    kinds = tuple(kind for words in without for kind in words.replace(",", " ").split())
    for kind in kinds:
        if kind not in KINDS:
            raise Failure(f"there is no kind of node `{kind}`{did_you_mean(kind, KINDS)}")
    run(inputs, show=True, guess=guess_pipelines, view="graph", without=kinds)
