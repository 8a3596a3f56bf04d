"""BL535: A state object of host code that names a shader which none of its libraries exports."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.errors import nearest
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.source import Span
from bindlint.project.values import Project, StateObject
from bindlint.rule import Rule

EVERYTHING = "*"
"""An export that stands for all that a library has."""

_Name = tuple[str, str, Span]
"""What names an export, the export, and where."""


def check(project: Project) -> Iterator[Violation]:
    for made in project.state_objects:
        if made.host.unread or not made.libraries:
            continue
        for library, stage in zip(made.host.libraries, made.libraries, strict=True):
            known = _known(stage.analysis)
            for export in library.exports if known else ():
                name = export.original or export.name
                if name not in known and name != EVERYTHING:
                    yield _unknown("an export", name, export.span, known, stage.name, made)
        exported = _exported(made)
        if exported is not None:
            for what, name, span in _named(made):
                if name not in exported:
                    yield _unknown(what, name, span, exported, "no library of the state object", made)


def _known(analysis: ShaderAnalysis | None) -> set[str]:
    """The shaders and subobjects of a library; none where not all of them are known."""
    if analysis is None or analysis.status != "ok" or analysis.subobjects is None:
        return set()
    return {*(entry.name for entry in analysis.entries), *analysis.subobjects.names}


def _exported(made: StateObject) -> set[str] | None:
    """Everything that can be named; None where a library may have more."""
    names = {group.name for group in made.host.hit_groups}
    for library, stage in zip(made.host.libraries, made.libraries, strict=True):
        listed = {export.name for export in library.exports}
        known = _known(stage.analysis)
        if EVERYTHING in listed or not (listed or known):
            return None
        names |= listed or known
    return names


def _named(made: StateObject) -> Iterator[_Name]:
    for group in made.host.hit_groups:
        for name in (group.any_hit, group.closest_hit, group.intersection):
            if name:
                yield f"hit group `{group.name}`", name, group.span
    for association in made.host.associations:
        for name in association.exports:
            yield f"the association of `{association.signature.text}`", name, association.span


def _unknown(what: str, name: str, span: Span, known: set[str], place: str, made: StateObject) -> Violation:
    near = nearest(name, known)
    hint = f"; did you mean `{near}`?" if near else ""
    has = f"which {place} exports" if place.startswith("no ") else f"which `{place}` does not have"
    return Violation(
        f"{what} names `{name}`, {has}{hint}",
        span,
        (Related(f"state object `{made.host.name}`", made.host.span),),
        "likely",
        (what, name),
    )


RULE = Rule(
    "BL535",
    "state-object-export",
    "error",
    "project",
    "A C++ state object names a shader that none of its libraries exports",
    check,
)
