"""`bindlint impact`: who uses registers, and what breaks where they move or shrink."""

from __future__ import annotations

import re
from typing import Any

import click

from bindlint.cli import Failure
from bindlint.cli.inputs import input_options
from bindlint.cli.running import run
from bindlint.model.policy import read_registers
from bindlint.report import IMPACT_FORMATS

_HELP = """Tell who uses registers, and what breaks where they move or where there are fewer of them.

RANGE stands first and is written as HLSL writes registers: b0, t0-t7, "t3, space1", t0-unbounded. PATHS and compiler
options are those of `bindlint check`: shaders, and C++ where root signatures, pipelines and calls are to be told, too.
"""


@click.command("impact", help=_HELP, context_settings={"ignore_unknown_options": True})
@click.argument("registers", metavar="RANGE")
@input_options(IMPACT_FORMATS)
@click.option("--guess-pipelines", is_flag=True, help="FooVS.hlsl and FooPS.hlsl are stages of one pipeline.")
def command(registers: str, guess_pipelines: bool, **inputs: Any) -> None:
    found = read_registers(registers.lower())
    if found is None:
        raise Failure(f"`{registers}` names no registers; write it as `{_nearest(registers)}`")
    run(inputs, show=True, guess=guess_pipelines, view="impact", registers=found)


def _nearest(text: str) -> str:
    """The form that is most like what was written."""
    letter = next(iter(re.findall(r"(?<![a-z])[btus](?=\d)", text.lower())), "")
    space = re.search(r"space\D*(\d+)", text.lower())
    numbers = re.findall(r"\d+", re.sub(r"space\D*\d+", "", text.lower())) or ["0"]
    first, last = (int(number) for number in (numbers[0], numbers[-1] if len(numbers) > 1 else numbers[0]))
    upper = f"-{letter}{max(first, last)}" if first != last else "-unbounded" if "unb" in text.lower() else ""
    near = f"{letter}{min(first, last)}{upper}{f', space{space[1]}' if space else ''}"
    return near if letter and read_registers(near) else "t0-t7, space1"
