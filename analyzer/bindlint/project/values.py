"""The values of a project: pipelines joined from host code or configuration, and the objects that host code names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Literal, TypeVar

import msgspec

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.device import BindPoint, HostCommandSignature, HostHeap, HostPipeline, HostRef, HostStateObject
from bindlint.model.host import HostFile, HostSignature
from bindlint.model.root_signature import RootSignature
from bindlint.model.source import NOWHERE, Span

_Thing = TypeVar("_Thing")
_ELEMENT = re.compile(r"\[\w+\]$")


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


class StateObject(msgspec.Struct, frozen=True):
    """A state object of host code; `libraries` are the stages of `host.libraries`, in their order."""

    host: HostStateObject
    libraries: tuple[PipelineStage, ...] = ()


class Project(msgspec.Struct, frozen=True):
    """Everything of one run. The look-ups give None where a reference has no key, nothing makes it, or several
    different things do."""

    hosts: tuple[HostFile, ...] = ()
    pipelines: tuple[Pipeline, ...] = ()
    state_objects: tuple[StateObject, ...] = ()
    analyses: tuple[ShaderAnalysis, ...] = ()
    heaps_by_key: dict[str, HostHeap] = {}
    signatures_by_key: dict[str, HostSignature] = {}
    pipelines_by_key: dict[str, Pipeline] = {}
    command_signatures_by_key: dict[str, HostCommandSignature] = {}
    programs: dict[str, int] = {}
    """The program that each file of host code belongs to, where a run holds several that share no header."""

    def heap(self, ref: HostRef) -> HostHeap | None:
        """The heap; where several are made for one key, what they have in common."""
        return _named(self.heaps_by_key, ref)

    def signature(self, ref: HostRef) -> HostSignature | None:
        return _named(self.signatures_by_key, ref)

    def pipeline(self, ref: HostRef) -> Pipeline | None:
        """The pipeline; where several are made for one key, what they have in common."""
        return _named(self.pipelines_by_key, ref)

    def command_signature(self, ref: HostRef) -> HostCommandSignature | None:
        return _named(self.command_signatures_by_key, ref)


def scoped(place: str, key: str) -> str:
    """A key as it is meant in a file or below a folder, where others mean something else by it."""
    return f"{place}|{key}"


def places(file: str) -> Iterator[str]:
    """A file and the folders that it is in, from the nearest up."""
    place = file
    while place:
        yield place
        parent = os.path.dirname(place)
        place = "" if parent == place else parent


def _named(things: dict[str, _Thing], ref: HostRef) -> _Thing | None:
    """What is made nearest to the reference; an element that is made nowhere may be one that is not told."""
    for key in (ref.key, _ELEMENT.sub("[?]", ref.key)) if ref.key else ():
        nearest = (scoped(place, key) for place in places(ref.span.file))
        found = next((things[name] for name in (*nearest, key) if name in things), None)
        if found is not None:
            return found
    return None
