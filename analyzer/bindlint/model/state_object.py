"""Subobjects of a library for a state object, other than its root signatures."""

from __future__ import annotations

import msgspec

from bindlint.model.source import NOWHERE, Span


class HitGroup(msgspec.Struct, frozen=True):
    """A TriangleHitGroup or ProceduralPrimitiveHitGroup: its shaders, "" for none."""

    name: str
    span: Span = NOWHERE
    any_hit: str = ""
    closest_hit: str = ""
    intersection: str = ""

    @property
    def shaders(self) -> tuple[str, ...]:
        return tuple(shader for shader in (self.any_hit, self.closest_hit, self.intersection) if shader)


class ExportsAssociation(msgspec.Struct, frozen=True):
    """A SubobjectToExportsAssociation: a subobject and the exports that it is for; none: it is the default of all."""

    name: str
    subobject: str
    exports: tuple[str, ...] = ()
    span: Span = NOWHERE
    subobject_span: Span = NOWHERE
    exports_span: Span = NOWHERE


class Subobjects(msgspec.Struct, frozen=True):
    """`names` are those of all subobjects of the library, of whatever kind.

    `unread`: where one of them is written in a way that is not followed, so that there may be others.
    """

    hit_groups: tuple[HitGroup, ...] = ()
    associations: tuple[ExportsAssociation, ...] = ()
    unread: Span | None = None
    names: tuple[str, ...] = ()
