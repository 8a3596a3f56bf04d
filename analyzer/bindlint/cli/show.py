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
"""


@click.command("show", help=_HELP, context_settings={"ignore_unknown_options": True})
@input_options(SHOW_FORMATS)
def command(**inputs: Any) -> None:
    run(inputs, show=True)
