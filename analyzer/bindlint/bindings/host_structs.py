"""Which structure of host code feeds which constant buffer of a shader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec
from bindlint_grammars.hlsl.source_files import SourceStore

from bindlint.model.binding import Binding, FedBuffer, Resource
from bindlint.model.finding import Problem
from bindlint.model.host import HostSettings, HostStruct
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE
from bindlint.usage.details.constant_members import constant_members
from bindlint.usage.link import Program

_ELEMENT = re.compile(r"ConstantBuffer\s*<\s*(?:\w+\s*::\s*)*(\w+)\s*>")


class HostStructs:
    """The structures in the files that the settings name, which are read when a shader first asks for one."""

    def __init__(self, settings: HostSettings) -> None:
        self._settings = settings

    def fed(
        self, program: Program, shader: Shader, bindings: Iterable[Binding], problems: list[Problem]
    ) -> tuple[FedBuffer, ...]:
        """The used constant buffers that have a structure; files that cannot be read are added to `problems`."""
        if not self._settings.files:
            return ()
        structs, unread = self._read
        problems += unread
        fed = {}
        for binding in bindings:
            resource = binding.resource
            if binding.used and resource.cls == "b" and resource.origin != "$Globals":
                for name in self._names(resource):
                    if name in structs or name == self._settings.structs.get(resource.name):
                        fed[resource.name] = resource, name
                        break
        members = constant_members(program, shader, fed)
        return tuple(
            FedBuffer(resource, tuple(m for m in members if m.buffer == buffer), name, structs.get(name))
            for buffer, (resource, name) in fed.items()
        )

    def _names(self, resource: Resource) -> Iterator[str]:
        """What the structure of a buffer may be called: what the settings say, the buffer's name, its element's."""
        if resource.name in self._settings.structs:
            yield self._settings.structs[resource.name]
            return
        yield resource.name
        element = _ELEMENT.match(resource.written_type)
        if element is not None:
            yield element[1]

    @cached_property
    def _read(self) -> tuple[dict[str, HostStruct], tuple[Problem, ...]]:
        from bindlint.facts.host.signatures import HostReader

        reader = HostReader(SourceStore())
        structs: dict[str, HostStruct] = {}
        unread = []
        for path in self._settings.files:
            host = reader.read(path, self._settings.include_dirs)
            if not host.files:
                place = msgspec.structs.replace(NOWHERE, file=path)
                unread.append(Problem("unreadable-file", "the host code that `[cpp]` names is not there", place))
            structs = host.structs | structs
        return structs, tuple(unread)
