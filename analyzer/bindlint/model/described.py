"""What a configuration describes of a program besides its shaders: pipelines and descriptor heaps."""

from __future__ import annotations

from typing import Annotated

import msgspec

from bindlint.model.device import HeapType
from bindlint.model.source import NOWHERE, Span


class DescribedStage(msgspec.Struct, frozen=True, rename="kebab"):
    """One stage: a shader's file, or a compiled shader; `defines` are `NAME` or `NAME=VALUE`.

    Without `profile` the entry point is looked for in the file, and its stage with it.
    """

    file: str
    entry: str = ""
    profile: str = ""
    defines: tuple[str, ...] = ()
    span: Span = NOWHERE


class DescribedPipeline(msgspec.Struct, frozen=True, rename="kebab"):
    """One pipeline. `root_signature` is any source of one, "" where the shaders embed theirs."""

    name: str
    stages: tuple[DescribedStage, ...]
    root_signature: str = ""
    span: Span = NOWHERE


class DescribedHeap(msgspec.Struct, frozen=True, rename="kebab"):
    """One descriptor heap: `count` descriptors, None where it is not told."""

    name: str
    type: HeapType
    count: Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFFFF)] | None = None
    shader_visible: bool = False
    span: Span = NOWHERE
