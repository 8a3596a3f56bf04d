"""Pipelines and state objects of a file, each once, with the bytecode that other functions or headers hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

import msgspec

from bindlint.facts.host import pipelines, state_objects
from bindlint.facts.host.bytecode import Maker, Shaders
from bindlint.facts.host.pipelines import OpenStage, from_shader
from bindlint.model.device import HostPipeline, HostStage, HostStateObject, ShaderSignature
from bindlint.model.source import Span

T = TypeVar("T", HostPipeline, HostStateObject)

MAKERS: dict[str, Maker] = pipelines.MAKERS | state_objects.MAKERS
_INCLUDE = re.compile(rb'^\s*#\s*include\s*["<](?:[^">\n]*[\\/])?([^">\\/\n]+\.(?:h|hpp|inc))[">]', re.MULTILINE)
_PREFIX = re.compile(r"^(?:g_p|g_|s_)")
_MANY = 64


def included_headers(texts: Iterable[bytes]) -> dict[str, str]:
    """The headers that files include, by their names in small letters up to the first dot."""
    names = {match[1].decode("utf-8", "replace") for text in texts for match in _INCLUDE.finditer(text)}
    return {name.partition(".")[0].lower(): name for name in sorted(names, reverse=True)}


def pipelines_of(device: Shaders, headers: dict[str, str]) -> tuple[HostPipeline, ...]:
    return tuple(
        _Settling(device, headers).pipeline(pipeline)
        for pipeline in _once(device, [(v, alone) for v, alone in device.sightings if isinstance(v, HostPipeline)])
    )


def shader_signatures_of(device: Shaders, headers: dict[str, str]) -> tuple[ShaderSignature, ...]:
    """Those whose shader is told."""
    found: dict[ShaderSignature, None] = {}
    for value, _ in device.sightings:
        if isinstance(value, ShaderSignature):
            source = _Settling(device, headers)._stage(value.source)
            if source is not None and source.file:
                found[msgspec.structs.replace(value, source=source)] = None
    return tuple(found)


def state_objects_of(device: Shaders, headers: dict[str, str]) -> tuple[HostStateObject, ...]:
    return tuple(
        _Settling(device, headers).state_object(made)
        for made in _once(device, [(v, alone) for v, alone in device.sightings if isinstance(v, HostStateObject)])
    )


def _once(device: Shaders, sightings: list[tuple[T, bool]]) -> list[T]:
    """What is made, under every key: as callers lead to the place where any do, with each content that they give it."""
    led = {value.span for value, alone in sightings if not alone}
    found: dict[Span, dict[object, T]] = {}
    for value, alone in sightings:
        if alone and value.span in led:
            continue
        token: str = f"{value.span.start}:{value.function}:{value.key}"
        for key in (value.key, *sorted(device.other_keys.get(token, ()))):
            under = found.setdefault(value.span, {})
            if len(under) < _MANY:
                under.setdefault((key, _content(value)), msgspec.structs.replace(value, key=key))
    return [value for under in found.values() for value in under.values()]


def _content(value: HostPipeline | HostStateObject) -> object:
    """What tells one from another: that nothing is known of both is the same, for whatever reason."""
    if isinstance(value, HostPipeline):
        return value.stages and (value.stages, value.signature, value.render_targets, value.unread)
    return (value.libraries or value.hit_groups or value.associations) and msgspec.structs.replace(
        value, key="", name=""
    )


class _Settling:
    """Puts in the bytecode of variables that are filled elsewhere."""

    def __init__(self, device: Shaders, headers: dict[str, str]) -> None:
        self.shaders = device.shaders
        self.headers = headers
        self.why: list[str] = []

    def pipeline(self, made: HostPipeline) -> HostPipeline:
        stages = tuple(stage for s in made.stages if (stage := self._stage(s)) is not None)
        return msgspec.structs.replace(made, stages=stages, unread=self._unread(made.unread))

    def state_object(self, made: HostStateObject) -> HostStateObject:
        libraries = tuple(
            msgspec.structs.replace(x, source=self._stage(x.source) or HostStage("lib", x.source.span))
            for x in made.libraries
        )
        return msgspec.structs.replace(made, libraries=libraries, unread=self._unread(made.unread))

    def _unread(self, before: str) -> str:
        return "; ".join(dict.fromkeys((before, *self.why) if before else self.why))

    def _stage(self, stage: HostStage) -> HostStage | None:
        """The stage where all functions fill its variable with one shader, or a header that is included holds it."""
        if not isinstance(stage, OpenStage):
            return stage
        told = [from_shader(stage.stage, shader, stage.span) for shader in self.shaders.get(stage.key, ())]
        made = {found for found, _ in told}
        if len(made) == 1 and told[0][0].file:
            self.why += told[0][1]
            return told[0][0]
        header = self.headers.get(_PREFIX.sub("", stage.variable.rpartition("::")[2]).lower(), "")
        if header and not made:
            return HostStage(stage.stage, stage.span, header)
        name = stage.variable or stage.key.rpartition("::")[2]
        why = "gets several shaders" if made else "is set elsewhere"
        self.why.append(f"the bytecode of the {stage.stage.upper()} stage is not known: `{name}` {why}")
        return None
