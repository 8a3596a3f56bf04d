"""The analysis of a shader that is already compiled, so that the same rules judge it."""

from __future__ import annotations

import msgspec

from bindlint.errors import UsageError
from bindlint.facts.container import read_container
from bindlint.facts.root_signature_files import bytes_of
from bindlint.model.binding import Binding, EntryPoint, Resource, ShaderAnalysis, Use
from bindlint.model.finding import Problem
from bindlint.model.root_signature import RootSignature
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE


def analyse_container(
    shader: Shader, given: RootSignature | None = None, problems: tuple[Problem, ...] = ()
) -> ShaderAnalysis:
    """The compiled shader in `shader.file`, to be held against its own signature or the `given` one.

    `problems` are those of reading the given one.
    """
    place = msgspec.structs.replace(NOWHERE, file=shader.file)
    try:
        data = bytes_of(shader.file)
    except UsageError as error:
        return ShaderAnalysis(shader, "failed", problems=(Problem("unreadable-file", str(error), place),))
    read = read_container(data, shader.file)
    bindings = tuple(_with_name(binding) for binding in read.bindings)
    renamed = {old.resource: new.resource for old, new in zip(read.bindings, bindings, strict=True)}
    entries = tuple(_renamed(entry, renamed) for entry in read.entries)
    embedded = read.signatures[0] if read.signatures and read.stage != "lib" else None
    entry = entries[0].name if len(entries) == 1 and read.stage != "lib" else ""
    profile = read.profile or shader.profile
    fxc = profile is not None and profile.major < 6 and profile.stage != "rootsig"
    return ShaderAnalysis(
        msgspec.structs.replace(shader, entry=entry, profile=profile, dialect="fxc" if fxc else "dxc", inferred=""),
        "failed" if not (read.stage or read.signatures) else "partial" if read.problems or problems else "ok",
        entries=entries,
        resources=tuple(binding.resource for binding in bindings),
        bindings=bindings,
        signature=given or embedded,
        signatures=(*([given] if given else []), *read.signatures),
        problems=(*problems, *read.problems),
        files=(shader.file,),
    )


def with_shipped(analysis: ShaderAnalysis) -> ShaderAnalysis:
    """The analysis with that of the compiled shader which is said to be made of the same source."""
    shipped = analyse_container(Shader(analysis.shader.shipped))
    problems = shipped.problems
    is_shader = bool(
        shipped.entries or shipped.bindings or (shipped.shader.profile and shipped.shader.profile.is_library)
    )
    if not is_shader and not problems:
        place = msgspec.structs.replace(NOWHERE, file=shipped.shader.file)
        problems = (Problem("unreadable-file", f"`{shipped.shader.file}`: there is no shader in it", place),)
    return msgspec.structs.replace(
        analysis,
        shipped=shipped if is_shader else None,
        status="partial" if problems and analysis.status == "ok" else analysis.status,
        problems=(*analysis.problems, *problems),
    )


def _with_name(binding: Binding) -> Binding:
    """A binding whose name was stripped goes by its registers."""
    if binding.resource.name:
        return binding
    name = str(binding.registers) if binding.registers else binding.resource.type.name
    return msgspec.structs.replace(binding, resource=msgspec.structs.replace(binding.resource, name=name))


def _renamed(entry: EntryPoint, names: dict[Resource, Resource]) -> EntryPoint:
    uses = tuple(_use(use, names) for use in entry.uses)
    return msgspec.structs.replace(entry, uses=uses)


def _use(use: Use, names: dict[Resource, Resource]) -> Use:
    return msgspec.structs.replace(use, resource=names.get(use.resource, use.resource))
