"""`bindlint check`: the main job."""

from __future__ import annotations

from typing import Any

import click

from bindlint.cli.inputs import input_options
from bindlint.cli.running import run
from bindlint.config import FailOn
from bindlint.report import FORMATS

_HELP = """Check shaders, and the C++ that binds them, and report what is wrong with their bindings.

PATHS are files or folders (whose shaders are found by suffix, .gitignore respected, and C++ where it has to do with
D3D12); `-` is standard input. Compiler
options keep the spelling of dxc and fxc: -T ps_6_6, -Tps_6_6 or /T ps_6_6, -E, -D, -I, -HV, -rootsig-define and all
others. Without -T the entry points are found and their stages inferred.

Exit status: 0 clean, 1 findings at or above --fail-on, 2 usage, configuration or internal error.
"""


@click.command("check", help=_HELP, context_settings={"ignore_unknown_options": True})
@input_options(FORMATS)
@click.option("--select", multiple=True, metavar="RULES", help="Only these rules: codes, prefixes, names or families.")
@click.option("--ignore", multiple=True, metavar="RULES", help="Not these rules.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info", "never"]),
    help="Lowest severity that gives exit status 1 (default error).",
)
@click.option("--against", metavar="FILE", help="Compiled shader that must be made of just this source.")
@click.option("--guess-pipelines", is_flag=True, help="FooVS.hlsl and FooPS.hlsl are stages of one pipeline.")
@click.option(
    "--depfile", metavar="FILE.d", help="Write for make and ninja that FILE depends on all files that were read."
)
@click.option("--baseline", metavar="FILE", help="Findings that are known; only others are reported.")
@click.option("--write-baseline", is_flag=True, help="Write what is found to the file of --baseline.")
@click.option("--fix", is_flag=True, help="Make the safe fixes; then report what is left.")
@click.option("--unsafe-fixes", is_flag=True, help="Make the other fixes too.")
@click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing; status 1 if anything.")
@click.option("--allow-partial", is_flag=True, help="What could not be read is information, not an error.")
def command(
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: FailOn | None,
    allow_partial: bool,
    guess_pipelines: bool,
    **inputs: Any,
) -> None:
    run(inputs, select, ignore, fail_on, allow_partial, guess=guess_pipelines)
