"""What an audit hands around: repositories, units of work, and what came of them."""

from __future__ import annotations

from typing import Literal

import msgspec

from bindlint.model.shader import Shader
from bindlint.project.counts import Counts
from bindlint.report.documents import FindingDocument, RootSignatureDocument, ShaderDocument

UnitStatus = Literal["done", "no-entry", "time", "memory", "crashed", "skipped"]
"""`no-entry`: nothing in the file is compiled. `skipped`: the repository had used up its time."""


class Repository(msgspec.Struct, frozen=True):
    """A folder under audit. `path` is absolute."""

    name: str
    path: str


TOLD_KINDS = ("limit", "empty", "failed")
"""Kinds of notes that say that a repository was not searched or analysed as a whole, or held nothing."""


class Note(msgspec.Struct, frozen=True):
    """What discovery assumed or passed over. `kind`: "manifest", "include-directory", "define", "include", "limit",
    "empty", "failed".
    """

    kind: str
    subject: str
    message: str


class Unit(msgspec.Struct, frozen=True, tag="shader"):
    """One file to be analysed in one way; paths are relative to the repository. `source` says what asks for it."""

    shader: Shader
    source: str
    weight: int = 0
    """Bytes of the file and of what it includes, for sharing out the work."""

    @property
    def file(self) -> str:
        return self.shader.file


class Program(msgspec.Struct, frozen=True, tag="program"):
    """Files of host code that are read and joined together; paths are relative to the repository.

    `folder` is the one that all of them are in, "" for the repository itself. `projects` are the project files that may
    say how its shaders are compiled, `around` stands for the names of all files that it might lead to.
    """

    folder: str
    hosts: tuple[str, ...]
    projects: tuple[str, ...] = ()
    around: bytes = b""
    weight: int = 0


class Discovery(msgspec.Struct, frozen=True):
    """What a repository holds: units in an order that keeps together what shares headers; `headers` are not roots.

    `hosts` counts the files of host code, also those that are in no program.
    """

    units: tuple[Unit, ...]
    files: int
    headers: int
    notes: tuple[Note, ...]
    programs: tuple[Program, ...] = ()
    hosts: int = 0

    @property
    def all(self) -> tuple[Unit | Program, ...]:
        """What is to be analysed: shaders first, since programs join them."""
        return (*self.units, *self.programs)


class ShaderResult(msgspec.Struct, frozen=True):
    """One entry point as analysed. `fingerprints` go with the findings of the document, `partial` with its problems:
    whether something may have gone unread because of one.
    """

    document: ShaderDocument
    inferred: str = ""
    fingerprints: tuple[str, ...] = ()
    partial: tuple[bool, ...] = ()


class SignatureResult(msgspec.Struct, frozen=True):
    """A root signature that host code builds, or (`embedded`) takes from the bytecode of a shader.

    `tier` and `feature_level` are the lowest that take what is known of it. `complete`: `document` is all there is to
    it, so that its cost and tier are no lower bounds. `when` are the conditions of the host code under which it is so.
    """

    document: RootSignatureDocument
    name: str
    function: str
    file: str
    line: int
    column: int
    complete: bool
    tier: int | None
    feature_level: str
    embedded: bool = False
    when: tuple[str, ...] = ()


class StageResult(msgspec.Struct, frozen=True):
    """A stage of a pipeline: the shader that is found for it, or (`file` "") `why` there is none."""

    stage: str
    name: str
    file: str
    entry: str
    why: str


class PipelineResult(msgspec.Struct, frozen=True):
    """A pipeline of host code; `signature` is the place of its own among those of the program, `why` says why it is not
    joined, "" where it is.
    """

    name: str
    bind_point: str
    file: str
    line: int
    column: int
    signature: int | None
    why: str
    stages: tuple[StageResult, ...]


class ProgramResult(msgspec.Struct, frozen=True):
    """What a program comes to. `fingerprints` go with the findings; `unread` are reasons why something in its files was
    not read, with the number of files.
    """

    findings: tuple[FindingDocument, ...]
    fingerprints: tuple[str, ...]
    signatures: tuple[SignatureResult, ...]
    pipelines: tuple[PipelineResult, ...]
    counts: Counts
    unread: dict[str, int] = {}


class UnitResult(msgspec.Struct, frozen=True):
    """What came of a unit or a program; `files` are all that was read for it, `memory` the peak of its process in
    bytes.
    """

    status: UnitStatus
    why: str = ""
    shaders: tuple[ShaderResult, ...] = ()
    files: tuple[str, ...] = ()
    milliseconds: int = 0
    memory: int = 0
    suppressed: int = 0
    program: ProgramResult | None = None
