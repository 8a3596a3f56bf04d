"""The hit groups and associations that a library declares."""

from __future__ import annotations

from bindlint.facts.module import Module, ReadUnit
from bindlint.facts.root_signature import joined_literals
from bindlint.model.declarations import Place, Subobject
from bindlint.model.shader import Shader
from bindlint.model.source import Span
from bindlint.model.state_object import ExportsAssociation, HitGroup, Subobjects

_STRINGS = {
    "TriangleHitGroup": 2,
    "ProceduralPrimitiveHitGroup": 3,
    "SubobjectToExportsAssociation": 2,
    "SubobjectToEntrypointAssociation": 2,
}
"""How many strings each kind holds."""


def library_subobjects(module: Module, shader: Shader) -> Subobjects | None:
    """What is declared in a library; None for what is none, and where exports get names that are not told here."""
    if shader.profile is None or not shader.profile.is_library or any("=" in part for part in shader.exports):
        return None
    groups: list[HitGroup] = []
    associations: list[ExportsAssociation] = []
    unread: Span | None = None
    names: list[str] = []
    for unit in module.units:
        for item in unit.declarations.items:
            if not isinstance(item, Subobject):
                continue
            names.append(item.name)
            if item.kind not in _STRINGS:
                continue
            span = unit.span(item.start, item.end)
            texts = [_text(unit, place) for place in item.arguments]
            strings = [text for text in texts if text is not None]
            if not len(strings) == len(texts) == _STRINGS[item.kind]:
                unread = unread or span
            elif item.kind.endswith("HitGroup"):
                groups.append(HitGroup(item.name, span, *strings))
            else:
                named, exports = strings
                places = [unit.span(*place) for place in item.arguments]
                associations.append(ExportsAssociation(item.name, named, _exports(exports), span, *places))
    return Subobjects(tuple(groups), tuple(associations), unread, tuple(names))


def _text(unit: ReadUnit, place: Place) -> str | None:
    joined = joined_literals(unit.text[place[0] : place[1]])
    if joined is not None:
        return joined[0]
    return "" if unit.slice(place).strip() == '""' else None


def _exports(exports: str) -> tuple[str, ...]:
    return tuple(name for part in exports.split(";") if (name := part.strip()))
