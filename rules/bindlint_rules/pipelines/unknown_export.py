"""BL525: A subobject that names an export or a subobject which the library does not have."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.errors import nearest
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Severity, Violation
from bindlint.model.source import Span
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    subobjects = analysis.subobjects
    if subobjects is None or subobjects.unread is not None or analysis.status != "ok":
        return
    shaders = {entry.name for entry in analysis.entries}
    groups = {group.name for group in subobjects.hit_groups}
    for group in subobjects.hit_groups:
        for name in group.shaders:
            if name not in shaders:
                yield _unknown(f"hit group `{group.name}`", name, "export", shaders, group.span)
    signatures = {each.name for each in analysis.signatures if each.origin.endswith("-subobject")}
    for association in subobjects.associations:
        if association.subobject not in signatures:
            # A shader configuration, which binds nothing, is no matter of ours.
            if nearest(association.subobject, signatures):
                what, span = f"association `{association.name}`", association.subobject_span
                yield _unknown(what, association.subobject, "root signature", signatures, span)
            continue
        for name in association.exports:
            if name not in shaders | groups:
                what, span = f"association `{association.name}`", association.exports_span
                yield _unknown(what, name, "export", shaders | groups, span)


def _unknown(what: str, name: str, kind: str, known: set[str], span: Span) -> Violation:
    """Another library of the state object may have it, which is less likely where this one has a similar name."""
    near = nearest(name, known)
    hint = f"; did you mean `{near}`?" if near else ""
    severity: Severity | None = None if near else "info"
    message = f"{what} names the {kind} `{name}`, which this library does not have{hint}"
    return Violation(message, span, certainty="likely", symbols=(what, name), severity=severity)


RULE = Rule(
    "BL525",
    "unknown-export",
    "warning",
    "shader",
    "A hit group or association that names what the library does not have",
    check,
)
