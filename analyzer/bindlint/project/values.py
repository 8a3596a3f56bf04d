"""The values of a project: pipelines joined from host code or configuration, and the objects that host code names."""

from __future__ import annotations

from typing import Literal

import msgspec

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.device import BindPoint, HostCommandSignature, HostHeap, HostPipeline, HostRef
from bindlint.model.host import HostFile, HostSignature
from bindlint.model.root_signature import RootSignature
from bindlint.model.source import NOWHERE, Span


class PipelineStage(msgspec.Struct, frozen=True):
    """One stage. `analysis` None: its shader was not found, `why` says so as the end of a sentence.

    `span` is where the pipeline names it; `name` is `file.hlsl:entry` as far as known.
    """

    stage: str
    name: str
    span: Span = NOWHERE
    analysis: ShaderAnalysis | None = None
    why: str = ""


class Pipeline(msgspec.Struct, frozen=True):
    """Stages and the one root signature that all of them are held against.

    `signature` None: not known, or each shader embeds its own. `host_signature` is it where C++ builds it: it may be
    known in parts only. `complete`: no stage is missing. `host` is the description in C++.
    """

    name: str
    bind_point: BindPoint
    stages: tuple[PipelineStage, ...]
    origin: Literal["configuration", "host", "guessed"]
    span: Span = NOWHERE
    signature: RootSignature | None = None
    host_signature: HostSignature | None = None
    host: HostPipeline | None = None
    complete: bool = True

    @property
    def analyses(self) -> tuple[ShaderAnalysis, ...]:
        return tuple(stage.analysis for stage in self.stages if stage.analysis is not None)


class Project(msgspec.Struct, frozen=True):
    """Everything of one run. The look-ups give None where a reference has no key, nothing makes it, or several
    different things do."""

    hosts: tuple[HostFile, ...] = ()
    pipelines: tuple[Pipeline, ...] = ()
    analyses: tuple[ShaderAnalysis, ...] = ()
    heaps_by_key: dict[str, HostHeap] = {}
    signatures_by_key: dict[str, HostSignature] = {}
    pipelines_by_key: dict[str, Pipeline] = {}
    command_signatures_by_key: dict[str, HostCommandSignature] = {}

    def heap(self, ref: HostRef) -> HostHeap | None:
        """The heap; where several are made for one key, what they have in common."""
        return self.heaps_by_key.get(ref.key)

    def signature(self, ref: HostRef) -> HostSignature | None:
        return self.signatures_by_key.get(ref.key)

    def pipeline(self, ref: HostRef) -> Pipeline | None:
        return self.pipelines_by_key.get(ref.key)

    def command_signature(self, ref: HostRef) -> HostCommandSignature | None:
        return self.command_signatures_by_key.get(ref.key)
