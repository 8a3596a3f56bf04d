"""What an audit hands around: repositories, units of work, and what came of them."""

from __future__ import annotations

from typing import Literal

import msgspec

from bindlint.model.shader import Shader
from bindlint.report.documents import ShaderDocument

UnitStatus = Literal["done", "no-entry", "time", "memory", "crashed", "skipped"]
"""`no-entry`: nothing in the file is compiled. `skipped`: the repository had used up its time."""


class Repository(msgspec.Struct, frozen=True):
    """A folder under audit. `path` is absolute."""

    name: str
    path: str


class Note(msgspec.Struct, frozen=True):
    """What discovery assumed or passed over. `kind`: "manifest", "include-directory", "define", "include", "limit"."""

    kind: str
    subject: str
    message: str


class Unit(msgspec.Struct, frozen=True):
    """One file to be analysed in one way; paths are relative to the repository. `source` says what asks for it."""

    shader: Shader
    source: str
    weight: int = 0
    """Bytes of the file and of what it includes, for sharing out the work."""

    @property
    def file(self) -> str:
        return self.shader.file


class Discovery(msgspec.Struct, frozen=True):
    """What a repository holds: units in an order that keeps together what shares headers; `headers` are not roots."""

    units: tuple[Unit, ...]
    files: int
    headers: int
    notes: tuple[Note, ...]


class ShaderResult(msgspec.Struct, frozen=True):
    """One entry point as analysed. `fingerprints` go with the findings of the document, `partial` with its problems:
    whether something may have gone unread because of one.
    """

    document: ShaderDocument
    inferred: str = ""
    fingerprints: tuple[str, ...] = ()
    partial: tuple[bool, ...] = ()


class UnitResult(msgspec.Struct, frozen=True):
    """What came of a unit; `files` are all that was read for it, `memory` the peak of its process in bytes."""

    status: UnitStatus
    why: str = ""
    shaders: tuple[ShaderResult, ...] = ()
    files: tuple[str, ...] = ()
    milliseconds: int = 0
    memory: int = 0
    suppressed: int = 0
