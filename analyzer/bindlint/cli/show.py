"""`bindlint show`: binding tables and root signatures."""

from __future__ import annotations

from typing import Any

import click

from bindlint.cli.inputs import input_options
from bindlint.cli.running import run
from bindlint.report import SHOW_FORMATS

_HELP = """Print the binding table and the root signature of each shader.

For every binding: registers and space, whether the source gives them or the compiler assigns them, the kind of view,
and which entry points use it and how. PATHS and compiler options are those of `bindlint check`.

--tiers tells which resource binding tier and feature level each shader needs, because of what, and what would do
without; of C++ files and configured pipelines also each pipeline and heap.
"""


@click.command("show", help=_HELP, context_settings={"ignore_unknown_options": True})
@input_options(SHOW_FORMATS)
@click.option("--tiers", is_flag=True, help="The tier and feature level that are needed, and because of what.")
@click.option("--guess-pipelines", is_flag=True, help="FooVS.hlsl and FooPS.hlsl are stages of one pipeline.")
def command(tiers: bool, guess_pipelines: bool, **inputs: Any) -> None:
    run(inputs, show=True, guess=guess_pipelines and tiers, view="tiers" if tiers else None)
