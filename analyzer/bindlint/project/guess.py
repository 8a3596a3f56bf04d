"""Pipelines guessed from the names of files: `SkyVS.hlsl` and `SkyPS.hlsl` are the stages of `Sky`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from bindlint.model.device import HostPipeline, HostStage
from bindlint.model.source import Span

_STAGE = re.compile(r"(.+?)(?:[._-]([vhdgpma]s)|([VHDGPMA]S))", re.I)
_FIRST = ("vs", "ms")


def guessed(files: Iterable[str]) -> Iterator[HostPipeline]:
    """The pipelines that the names of shader files speak of: a vertex or mesh shader and at least one other stage."""
    pipelines: dict[tuple[str, str], dict[str, str]] = {}
    for file in files:
        folder, name = os.path.split(file)
        match = _STAGE.fullmatch(os.path.splitext(name)[0])
        if match is not None and (match[2] or match[3].isupper()):
            pipelines.setdefault((folder, match[1]), {})[(match[2] or match[3]).lower()] = file
    for (_, name), stages in pipelines.items():
        if len(stages) > 1 and any(stage in stages for stage in _FIRST):
            found = tuple(HostStage(stage, _start(file), os.path.basename(file)) for stage, file in stages.items())
            yield HostPipeline("", name, "", found[0].span, "graphics", stages=found)


def _start(file: str) -> Span:
    return Span(file, 1, 1, 1, 1)
