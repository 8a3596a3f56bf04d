"""Which root signatures the shaders of a state object get, by its associations and those of its libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from bindlint.model.binding import EntryPoint, ShaderAnalysis
from bindlint.model.device import HostAssociation, HostHitGroup, HostLibrary
from bindlint.model.finding import Related
from bindlint.model.root_signature import RootSignature
from bindlint.model.source import NOWHERE, Span
from bindlint.model.state_object import HitGroup
from bindlint.project.values import Project, StateObject

RAY_STAGES = ("raygeneration", "intersection", "anyhit", "closesthit", "miss", "callable", "node")
"""Stages that have local root arguments; a library's compute shader has none (DirectX-Specs, WorkGraphs)."""

Kind = Literal["local", "global"]


class Association(msgspec.Struct, frozen=True):
    """A root signature for exports, or with none for all that have no other. `signature` None: not known."""

    kind: Kind
    name: str
    signature: RootSignature | None
    exports: tuple[str, ...] = ()
    span: Span = NOWHERE


class Chosen(msgspec.Struct, frozen=True):
    """What is associated with a shader; `told` tells whether `signature` is all there is to know of it.

    `rivals` are those of which only one may be there.
    """

    signature: RootSignature | None = None
    association: Association | None = None
    told: bool = True
    rivals: tuple[Association, ...] = ()

    @property
    def words(self) -> str:
        assert self.association is not None
        return f"`{self.association.name}`"


class Export(msgspec.Struct, frozen=True):
    """A shader of a library with its root signatures, once for each hit group that it is in."""

    name: str
    entry: EntryPoint
    analysis: ShaderAnalysis
    local: Chosen
    globally: Chosen
    group: HitGroup | None = None

    @property
    def chosen(self) -> tuple[Chosen, Chosen]:
        return self.local, self.globally

    @property
    def told(self) -> bool:
        return self.local.told and self.globally.told


def of_library(analysis: ShaderAnalysis) -> list[Association]:
    """What a library says of itself: its associations, and signatures that none of them names."""
    if analysis.subobjects is None:
        return []
    kinds: dict[str, Kind] = {"local-subobject": "local", "global-subobject": "global"}
    signatures = {each.name: each for each in analysis.signatures if each.origin in kinds}
    found: list[Association] = []
    for association in analysis.subobjects.associations:
        signature = signatures.get(association.subobject)
        if signature is not None:
            kind, known = kinds[signature.origin], None if signature.faults else signature
            found.append(Association(kind, signature.name, known, association.exports, association.span))
    named = {association.name for association in found}
    for signature in signatures.values():
        if signature.name not in named:
            known = None if signature.faults else signature
            found.append(Association(kinds[signature.origin], signature.name, known, (), signature.span))
    return found


def library_exports(analysis: ShaderAnalysis) -> list[Export]:
    """The shaders of a library by what it says alone; none where it says nothing or something of it is not read."""
    subobjects = analysis.subobjects
    if subobjects is None or subobjects.unread is not None or analysis.status != "ok":
        return []
    return list(exports(analysis, subobjects.hit_groups, (of_library(analysis),)))


def host_exports(made: StateObject, project: Project) -> list[Export]:
    """The shaders of a state object of host code, as far as its libraries are known; none where it is read in part."""
    if made.host.unread:
        return []
    said = [_of_host(association, project) for association in made.host.associations]
    analyses = [stage.analysis for stage in made.libraries]
    groups = [
        *map(_group, made.host.hit_groups),
        *(g for a in analyses if a and a.subobjects for g in a.subobjects.hit_groups),
    ]
    own = [_used(library, analysis) for library, analysis in zip(made.host.libraries, analyses, strict=True)]
    found: list[Export] = []
    for library, analysis, inside in zip(made.host.libraries, analyses, own, strict=True):
        if analysis is None or analysis.status != "ok" or (analysis.subobjects and analysis.subobjects.unread):
            continue
        # Explicit associations reach anywhere, defaults into their own library.
        far = [each for other in own if other is not inside for each in other if each.exports]
        names = {export.original or export.name: export.name for export in library.exports}
        found += exports(analysis, groups, (said, inside + far), None if "*" in names else names or None)
    return found


def _used(library: HostLibrary, analysis: ShaderAnalysis | None) -> list[Association]:
    """What a library says of itself, unless the state object takes shaders alone out of it."""
    if analysis is None or analysis.subobjects is None:
        return []
    listed = {export.original or export.name for export in library.exports} - {"*"}
    return of_library(analysis) if not listed or listed & {*analysis.subobjects.names} else []


def _of_host(association: HostAssociation, project: Project) -> Association:
    built = project.signature(association.signature)
    known = built.signature if built is not None and built.is_complete else None
    name = association.signature.text or (built.name if built is not None else "?")
    return Association("local" if association.local else "global", name, known, association.exports, association.span)


def _group(group: HostHitGroup) -> HitGroup:
    return HitGroup(group.name, group.span, group.any_hit, group.closest_hit, group.intersection)


def exports(
    analysis: ShaderAnalysis,
    groups: Iterable[HitGroup],
    scopes: Iterable[list[Association]],
    names: dict[str, str] | None = None,
) -> Iterator[Export]:
    """The shaders of one library. The first of the `scopes` that says anything of a shader has the last word.

    `names` are those by which the shaders are exported where that is not all of them by their own.
    """
    scopes = list(scopes)
    groups = list(groups)
    for entry in analysis.entries:
        name = entry.name if names is None else names.get(entry.name, "")
        if entry.stage not in RAY_STAGES or not name:
            continue
        for group in _groups_of(name, groups):
            local, globally = (_chosen(kind, name, group, scopes) for kind in ("local", "global"))
            yield Export(name, entry, analysis, local, globally, group)


def _groups_of(name: str, groups: list[HitGroup]) -> list[HitGroup | None]:
    return [*(group for group in groups if name in group.shaders)] or [None]


def _chosen(kind: str, name: str, group: HitGroup | None, scopes: list[list[Association]]) -> Chosen:
    """DirectX Raytracing specification, "Subobject association behavior"."""
    for scope in scopes:
        those = [association for association in scope if association.kind == kind]
        of_group = [association for association in those if group is not None and group.name in association.exports]
        own = [association for association in those if name in association.exports]
        found = of_group or own or [association for association in those if not association.exports]
        if found:
            told = all(each.signature is not None and alike(each.signature, found[0].signature) for each in found)
            return Chosen(found[0].signature, found[0], told, (*of_group, *own))
    return Chosen()


def alike(one: RootSignature | None, other: RootSignature | None) -> bool:
    """Whether two signatures say the same, wherever they are written."""
    return one is not None and other is not None and bare(one) == bare(other)


def bare(signature: RootSignature) -> RootSignature:
    """The signature without its places and names."""
    parameters = (
        msgspec.structs.replace(
            parameter,
            span=NOWHERE,
            ranges=tuple(msgspec.structs.replace(part, span=NOWHERE) for part in parameter.ranges),
        )
        for parameter in signature.parameters
    )
    samplers = (msgspec.structs.replace(sampler, span=NOWHERE) for sampler in signature.static_samplers)
    return RootSignature(
        signature.version, signature.flags, tuple(parameters), tuple(samplers), unknown=signature.unknown
    )


def places(*chosen: Chosen) -> tuple[Related, ...]:
    """Where the signatures that a shader gets are associated with it."""
    return tuple(
        Related(f"{each.words} is associated here", each.association.span)
        for each in chosen
        if each.association is not None
    )
