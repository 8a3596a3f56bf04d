"""The analysis of one shader, from its file to everything that rules judge."""

from __future__ import annotations

import os
from typing import Literal

import msgspec
from bindlint_grammars.hlsl.limits import Limits
from bindlint_grammars.hlsl.source_files import SourceFile, SourceStore

from bindlint.bindings.asides import asides
from bindlint.bindings.assign import BindingTable, assign
from bindlint.bindings.binding_table import parse_binding_table
from bindlint.bindings.compiled import analyse_container, with_shipped
from bindlint.bindings.host_structs import HostStructs
from bindlint.bindings.signatures import declared_signatures, effective_signature, given_signature
from bindlint.bindings.subobjects import library_subobjects
from bindlint.facts.container import is_container
from bindlint.facts.module import Module, ModuleReader
from bindlint.facts.root_signature import joined_literals
from bindlint.model.binding import AccessKind, Binding, Resource, ShaderAnalysis
from bindlint.model.finding import MISSING_ENTRY, Problem, Related
from bindlint.model.host import HostSettings
from bindlint.model.root_signature import RootSignature
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE
from bindlint.nesting import make_room
from bindlint.usage.details.constant_members import constant_members
from bindlint.usage.details.signature_attributes import signature_attributes
from bindlint.usage.details.written import WrittenReader, counter_uses
from bindlint.usage.entries import discovered
from bindlint.usage.link import Linker, Program
from bindlint.usage.merging.merged import merged_resources


class Analyser:
    """Analyses shaders; whatever shaders share (files, chunks, functions) is read once for all of them.

    `host` says what must be known of host code: sources of root signatures, and structures that feed constant buffers.
    With `members` those of all constant buffers are told, not only of those that root constants feed.
    """

    def __init__(self, limits: Limits | None = None, host: HostSettings | None = None, members: bool = False) -> None:
        make_room()
        host = host or HostSettings()
        self._members = members
        self.wrappers = host.wrappers
        self._structs = HostStructs(host)
        self.limits = limits or Limits()
        self.store = SourceStore(self.limits)
        self._reader = ModuleReader(self.store, self.limits)
        self._linker = Linker()
        self._written = WrittenReader()

    def overlay(self, path: str, text: bytes | None) -> None:
        """Text that stands in for a file: standard input, or an editor's buffer. None goes back to the disk."""
        self.store.overlay(path, text)

    def source(self, path: str) -> SourceFile | None:
        """A file as text; None where there is none, and for what is no text."""
        return None if is_container(path) else self.store.get(path)

    def discover(self, shader: Shader) -> tuple[Shader, ...]:
        """One shader an entry point that the file holds; the shader itself (no profile) where it only declares."""
        if shader.profile is not None or is_container(shader.file) or self.store.get(shader.file) is None:
            return (shader,)
        module = self._reader.read(shader)
        found = discovered(self._linker.table(module), shader)
        if shader.entry:
            found = [f for f in found if f[0] == shader.entry]
        return tuple(
            msgspec.structs.replace(shader, entry=entry, profile=profile, inferred=why) for entry, profile, why in found
        ) or (shader,)

    def analyse(self, shader: Shader) -> ShaderAnalysis:
        analysis = self._analysis(shader)
        return with_shipped(analysis) if shader.shipped else analysis

    def _analysis(self, shader: Shader) -> ShaderAnalysis:
        if is_container(shader.file):
            problems: list[Problem] = []
            named = shader.root_signature
            given = given_signature(shader, self._reader, problems, self.wrappers) if named else None
            return analyse_container(shader, given, tuple(problems))
        if self.store.get(shader.file) is None:
            place = msgspec.structs.replace(NOWHERE, file=shader.file)
            problem = Problem("unreadable-file", f"`{shader.file}` cannot be read", place)
            return ShaderAnalysis(shader, "failed", problems=(problem,))
        if self._reader.is_full:
            self._reader.forget()
            self._linker.forget()
            self._written.forget()
        module = self._reader.read(shader)
        program = self._linker.link(module, shader)
        problems = [*module.problems, *program.problems]
        signatures = declared_signatures(module, program, shader, self._reader, problems, self.wrappers)
        held = effective_signature(signatures, shader)
        written = self._written.read(program, shader)
        used = _used(program)
        certain = {use.resource for entry in program.entries for use in entry.uses if use.certainty == "certain"}
        table = self._binding_table(module, shader, problems)
        bindings, faults = assign(program.resources, used, shader, table, certain)
        fed = self._structs.fed(program, shader, bindings, problems)
        problems = _with_causes(problems)
        analysis = ShaderAnalysis(
            shader,
            _status(problems),
            program.entries,
            program.resources,
            program.numerics,
            program.globals,
            program.accesses,
            bindings,
            faults,
            held,
            tuple(signatures),
            tuple(problems),
            module.files,
            constant_members(program, shader, self._told(bindings, held)),
            signature_attributes(program),
            written.fields,
            written.stray,
            written.placed,
            written.views,
            tuple(counter_uses(program)),
            tuple(merged_resources(program)),
            module.includes,
            fed=fed,
            asides=asides(bindings, program, module.files, self.store),
            subobjects=library_subobjects(module, shader),
        )
        program.table.close()
        return analysis

    def _told(self, bindings: tuple[Binding, ...], signature: RootSignature | None) -> set[str]:
        """The names of the constant buffers of which members are told."""
        if self._members:
            return {binding.name for binding in bindings if binding.used and binding.resource.cls == "b"}
        return _on_root_constants(bindings, signature)

    def _binding_table(self, module: Module, shader: Shader, problems: list[Problem]) -> BindingTable:
        """The binding table that an option names: a macro's string or a file; `problems` gets what is not there."""
        text = ""
        place = msgspec.structs.replace(NOWHERE, file=shader.file)
        if shader.binding_table_define and module.expansion is not None:
            expanded = module.expansion.macro(shader.binding_table_define)
            if expanded is None:
                message = f"there is no macro `{shader.binding_table_define}` that could hold a binding table"
                problems.append(Problem("missing-entry", message, place))
            joined = None if expanded is None else joined_literals(expanded.text)
            text = "" if joined is None else joined[0]
        elif shader.binding_table_file:
            source = self.store.get(os.path.join(shader.directory, shader.binding_table_file))
            if source is None:
                message = f"the binding table `{shader.binding_table_file}` cannot be read"
                problems.append(Problem("unreadable-file", message, place))
            text = "" if source is None else source.text.decode("utf-8", "replace")
        if not text:
            return {}
        table, fault = parse_binding_table(text)
        if fault:
            name = shader.binding_table_define or shader.binding_table_file
            problems.append(Problem("unreadable-file", f"the binding table `{name}` cannot be read: {fault}", place))
        return table


def _left_out(problem: Problem) -> bool:
    """Whether a part of the source stayed unread, in which anything may be declared."""
    return problem.kind == "syntax" or (problem.partial and problem.kind != MISSING_ENTRY)


def _with_causes(problems: list[Problem]) -> list[Problem]:
    """What is not found where something else kept a part of the shader from being read says so and names that."""
    cause = next(filter(_left_out, problems), None)
    if cause is None:
        return problems
    related = (Related(f"because of this a part was not read: {cause.message}", cause.span),)
    return [
        msgspec.structs.replace(p, message=f"as far as the shader was read, {p.message}", related=related)
        if p.kind == MISSING_ENTRY
        else p
        for p in problems
    ]


def _status(problems: list[Problem]) -> Literal["ok", "partial", "failed"]:
    if any(p.kind == MISSING_ENTRY for p in problems) and not any(map(_left_out, problems)):
        return "failed"
    return "partial" if any(p.partial for p in problems) else "ok"


def _on_root_constants(bindings: tuple[Binding, ...], signature: RootSignature | None) -> set[str]:
    """The names of the buffers that root constants of the signature feed."""
    parameters = signature.parameters if signature else ()
    constants = [registers for p in parameters if p.kind == "constants" for registers in p.registers]
    return {
        binding.name
        for binding in bindings
        if binding.used and binding.registers and any(binding.registers.intersects(place) for place in constants)
    }


def _used(program: Program) -> dict[Resource, frozenset[AccessKind]]:
    used: dict[Resource, frozenset[AccessKind]] = {}
    for entry in program.entries:
        for use in entry.uses:
            used[use.resource] = used.get(use.resource, frozenset()) | use.kinds
    return used
