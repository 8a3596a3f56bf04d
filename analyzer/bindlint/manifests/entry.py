"""What sources of compilations give: a line of our manifest with its place, or why there is none."""

from __future__ import annotations

import msgspec

from bindlint.manifest import ManifestLine
from bindlint.model.finding import Problem
from bindlint.model.source import Span


class SourceOptions(msgspec.Struct, frozen=True):
    """What the user says of a source.

    `words` are compiler options for every compilation. `configuration` is that of a Visual Studio project, such as
    `Debug|x64`, "" for its first. `shader_model`, such as `6_6`, counts where the source says none.
    """

    words: tuple[str, ...] = ()
    configuration: str = ""
    shader_model: str = ""


class Entry(msgspec.Struct, frozen=True):
    """One compilation, its paths relative to the folder of the source; `problem` where none can be made of it."""

    line: ManifestLine
    span: Span
    problem: Problem | None = None


def unusable(file: str, message: str, span: Span) -> Entry:
    """An entry of which no shader can be made."""
    return Entry(ManifestLine(file), span, Problem("manifest-line", message, span))
