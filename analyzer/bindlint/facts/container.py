"""Compiled shaders: what a DXIL or FXC container says about stage, bindings and root signatures, as model values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from bindlint_grammars.container import rdat
from bindlint_grammars.container.bitcode import resource_names
from bindlint_grammars.container.bytecode import DeclaredResource, read_bytecode
from bindlint_grammars.container.elements import Element, read_elements
from bindlint_grammars.container.parts import Program, read_parts, read_program
from bindlint_grammars.container.psv0 import CompiledResource, read_psv0
from bindlint_grammars.container.rdef import DefinedBinding, read_rdef

from bindlint.facts.container_types import bytecode_type, fxc_type, range_of, validated_type
from bindlint.facts.root_signature_bytes import from_rts0
from bindlint.model.binding import Binding, EntryPoint, Resource, Use
from bindlint.model.finding import Problem
from bindlint.model.registers import MAX_REGISTER, RegisterClass, RegisterRange
from bindlint.model.resource_types import ResourceType
from bindlint.model.root_signature import LOCAL_ROOT_SIGNATURE, RootSignature
from bindlint.model.shader import Profile
from bindlint.model.source import NOWHERE, Span

CONTAINER_SUFFIXES = (".cso", ".dxil", ".dxbc", ".bin", ".rts0", ".fxc", ".dxo")
"""Files that are read as bytes and not as HLSL."""

_CLASSES: tuple[RegisterClass, ...] = ("t", "u", "b", "s")
_MAX_USES = 20_000
"""Of resources by functions of a library; more are left out, since a few bytes can stand for many."""

_TARGET = 64
"""D3D_NAME_TARGET, the system value of a render target."""


class CompiledShader(msgspec.Struct, frozen=True):
    """What a compiled shader holds. `stage` is a profile's prefix ("" where it is not told), `signatures` are the
    embedded one or a library's subobjects. What could not be read is a problem.
    """

    stage: str = ""
    profile: Profile | None = None
    entries: tuple[EntryPoint, ...] = ()
    bindings: tuple[Binding, ...] = ()
    signatures: tuple[RootSignature, ...] = ()
    problems: tuple[Problem, ...] = ()


def is_container(path: str) -> bool:
    """Whether a file is read as a container, by its name."""
    return path.lower().endswith(CONTAINER_SUFFIXES)


def read_container(data: bytes, path: str = "") -> CompiledShader:
    """The values that a container, or the bare bytes of a root signature, holds. Never raises."""
    place = msgspec.structs.replace(NOWHERE, file=path)
    if data[:4] != b"DXBC" and data[:4] in (b"\1\0\0\0", b"\2\0\0\0", b"\3\0\0\0"):
        return CompiledShader("rootsig", signatures=(_signature(data, place),))
    return _Reading(data, place).read()


def _signature(data: bytes, place: Span, **fields: str) -> RootSignature:
    """A serialized root signature, every part of which stands in the file as a whole."""
    read = from_rts0(data)
    return msgspec.structs.replace(
        read,
        parameters=tuple(
            msgspec.structs.replace(
                parameter,
                span=place,
                ranges=tuple(msgspec.structs.replace(part, span=place) for part in parameter.ranges),
            )
            for parameter in read.parameters
        ),
        static_samplers=tuple(msgspec.structs.replace(sampler, span=place) for sampler in read.static_samplers),
        faults=tuple(msgspec.structs.replace(fault, span=place) for fault in read.faults),
        span=place,
        flags_span=place,
        **fields,
    )


class _Reading:
    """The reading of one container."""

    def __init__(self, data: bytes, place: Span) -> None:
        self.place = place
        read = read_parts(data)
        self.parts = read.parts
        self.faults = list(read.faults)

    def read(self) -> CompiledShader:
        program = read_program(self.parts.get("DXIL", b"")) or read_program(self.parts.get("STAT", b""))
        signatures: tuple[RootSignature, ...] = ()
        if "RTS0" in self.parts:
            signatures = (_signature(self.parts["RTS0"], self.place),)
        stage = program.kind if program else ""
        entries: tuple[EntryPoint, ...] = ()
        bindings: tuple[Binding, ...] = ()
        version = (program.major, program.minor) if program else (0, 0)
        if "PSV0" in self.parts:
            validation = read_psv0(self.parts["PSV0"])
            self.faults += validation.faults
            stage = validation.stage or stage
            bindings = tuple(self._validated(validation.resources, self._names(program)))
            entries = (self._entry(validation.entry or "main", stage, bindings),)
        elif "RDAT" in self.parts:
            stage = "lib"
            bindings, entries, subobjects = self._library(rdat.read_rdat(self.parts["RDAT"]))
            signatures += subobjects
        elif "RDEF" in self.parts:
            defined = read_rdef(self.parts["RDEF"])
            self.faults += defined.faults
            stage, version = defined.stage, (defined.major, defined.minor)
            bindings = tuple(map(self._defined, defined.bindings))
            entries = (self._entry("main", stage, bindings),)
        elif "SHEX" in self.parts or "SHDR" in self.parts:
            code = read_bytecode(self.parts.get("SHEX", self.parts.get("SHDR", b"")))
            self.faults += code.faults
            stage, version = code.stage, (code.major, code.minor)
            bindings = tuple(map(self._declared, code.resources))
            entries = (self._entry("main", stage, bindings),)
        elif list(self.parts) == ["RTS0"]:
            stage = "rootsig"
        elif self.parts:
            self.faults.append("the container tells nothing about bindings: it has no PSV0, RDAT, RDEF or SHEX part")
        elif not self.faults:
            self.faults.append("the container is empty: it has no parts")
        profile = Profile(stage, *version) if stage and version[0] else None
        problems = tuple(
            Problem("unreadable-file", f"`{self.place.file}`: {fault}", self.place) for fault in self.faults
        )
        return CompiledShader(stage, profile, entries, bindings, signatures, problems)

    def _entry(self, name: str, stage: str, bindings: Iterable[Binding]) -> EntryPoint:
        features = int.from_bytes(self.parts.get("SFI0", b"")[:8], "little")
        inputs, outputs = self._elements("IS"), self._elements("OS")
        return EntryPoint(
            name,
            stage,
            self.place,
            uses=tuple(Use(binding.resource, frozenset(), (), "certain") for binding in bindings),
            needs_input_assembler=stage == "vs" and any(element.system_value == 0 for element in inputs),
            resource_heap=bool(features & rdat.RESOURCE_HEAP),
            sampler_heap=bool(features & rdat.SAMPLER_HEAP),
            render_targets=max((e.semantic_index + 1 for e in outputs if e.system_value == _TARGET), default=0)
            if stage == "ps"
            else 0,
        )

    def _elements(self, letters: str) -> tuple[Element, ...]:
        newer = self.parts.get(f"{letters}G1")
        return (
            read_elements(newer, True)
            if newer is not None
            else read_elements(self.parts.get(f"{letters}GN", b""), False)
        )

    def _names(self, program: Program | None) -> dict[tuple[RegisterClass, int, int], tuple[str, int]]:
        """Names and sizes by class, space and first register, out of the reflection data where there is some."""
        told = read_program(self.parts.get("STAT", b"")) or program
        found = resource_names(told.bitcode) if told else ()
        return {(_CLASSES[cls], space, lower): (name, max(size, 0)) for cls, space, lower, name, size in found}

    def _validated(
        self, resources: Iterable[CompiledResource], names: dict[tuple[RegisterClass, int, int], tuple[str, int]]
    ) -> Iterator[Binding]:
        for resource in resources:
            kind = validated_type(resource.view, resource.kind)
            if kind is None:
                self.faults.append(f"a binding has the unknown type {resource.view}")
                continue
            registers = range_of(kind.cls, resource.space, resource.lower, resource.upper)
            name, size = names.get((kind.cls, resource.space, resource.lower), ("", 0))
            yield self._binding(kind, registers, name, size)

    def _defined(self, row: DefinedBinding) -> Binding:
        kind = fxc_type(row.type, row.dimension)
        upper = row.register + row.descriptors - 1 if row.descriptors else MAX_REGISTER
        return self._binding(kind, range_of(kind.cls, row.space, row.register, upper), row.name, row.size)

    def _declared(self, row: DeclaredResource) -> Binding:
        kind = bytecode_type(row.cls, row.view, row.dimension, row.comparison)
        return self._binding(kind, range_of(kind.cls, row.space, row.lower, row.upper), "", row.size)

    def _binding(self, kind: ResourceType, registers: RegisterRange | None, name: str, size: int = 0) -> Binding:
        resource = Resource(
            name,
            kind,
            self.place,
            origin="$Globals" if name == "$Globals" else "global",
            written_type=kind.name,
            count=None if registers is None else registers.count,
            lower=None if registers is None else registers.lower,
            space=None if registers is None else registers.space,
            size=size,
        )
        return Binding(resource, registers, explicit=registers is not None, used=True, view=kind.view)

    def _library(
        self, library: rdat.RuntimeData
    ) -> tuple[tuple[Binding, ...], tuple[EntryPoint, ...], tuple[RootSignature, ...]]:
        self.faults += library.faults
        bindings = []
        for row in library.resources:
            kind = validated_type(0, row.kind, "tubs"[row.cls] if row.cls < 4 else "", counter=bool(row.flags & 2))
            if kind is None:
                self.faults.append(f"the resource `{row.name}` has an unknown type")
                continue
            unassigned = row.lower == MAX_REGISTER
            registers = None if unassigned else range_of(kind.cls, row.space, row.lower, row.upper)
            bindings.append(self._binding(kind, registers, row.name))
        uses = [Use(binding.resource, frozenset(), (), "certain") for binding in bindings]
        entries = []
        room = _MAX_USES
        for function in library.functions:
            room -= len(function.resources)
            if room < 0:
                self.faults.append(f"the functions use resources more than {_MAX_USES} times; the rest is left out")
                break
            entries.append(
                EntryPoint(
                    function.name,
                    function.stage,
                    self.place,
                    uses=tuple(uses[index] for index in function.resources if index < len(uses)),
                    resource_heap=bool(function.features & rdat.RESOURCE_HEAP),
                    sampler_heap=bool(function.features & rdat.SAMPLER_HEAP),
                )
            )
        return tuple(bindings), tuple(entries), tuple(self._subobjects(library))

    def _subobjects(self, library: rdat.RuntimeData) -> Iterator[RootSignature]:
        for row in library.subobjects:
            if row.kind == rdat.GLOBAL_ROOT_SIGNATURE:
                yield _signature(row.data, self.place, origin="global-subobject", name=row.name)
            elif row.kind == rdat.LOCAL_ROOT_SIGNATURE:
                read = _signature(row.data, self.place, origin="local-subobject", name=row.name)
                yield msgspec.structs.replace(read, flags=read.flags | LOCAL_ROOT_SIGNATURE)
