"""BL316: A compiled shader that this source does not make."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Severity, Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.source import NOWHERE, Span
from bindlint.rootsig.shipped import changes_in_shipped
from bindlint.rule import Rule

from bindlint_rules.shader_signature.stale_bindings import Change, binding_changes

_SHOWN = 4
_EMBEDDED = ("define", "attribute")
_SUBOBJECTS = ("global-subobject", "local-subobject")


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    shipped = analysis.shipped
    if shipped is None or "failed" in (analysis.status, shipped.status):
        return
    unsure = "partial" in (analysis.status, shipped.status)
    for change in _changes(analysis, shipped):
        yield Violation(
            f"`{shipped.shader.file}` is not made of this source: {change.message}",
            change.span,
            certainty="unknown" if unsure else change.certainty,
            symbols=change.symbols,
            severity=change.severity,
        )


def _changes(analysis: ShaderAnalysis, shipped: ShaderAnalysis) -> Iterator[Change]:
    start = analysis.entries[0].span if len(analysis.entries) == 1 else _first_line(analysis)
    wanted, found = analysis.shader.profile, shipped.shader.profile
    if wanted is not None and found is not None and wanted.stage != found.stage:
        yield Change(f"it is compiled for {found}, not for {wanted}", start, symbols=(str(wanted),))
        return
    if wanted is not None and found is not None and wanted != found and wanted.minor != 15:
        yield Change(f"it is compiled for {found}, not for {wanted}", start, symbols=(str(wanted),))
    # A container without an entry point's name goes by `main`.
    entry = shipped.shader.entry
    if entry not in ("", "main", analysis.shader.entry):
        yield Change(f"its entry point is `{entry}`, not `{analysis.shader.entry}`", start, symbols=(entry,))
    yield from binding_changes(analysis, shipped, start)
    yield from _signature_changes(analysis, shipped, start)


def _first_line(analysis: ShaderAnalysis) -> Span:
    return msgspec.structs.replace(NOWHERE, file=analysis.shader.file)


def _signature_changes(analysis: ShaderAnalysis, shipped: ShaderAnalysis, start: Span) -> Iterator[Change]:
    declared, held = _signatures(analysis), _signatures(shipped)
    for key, signature in declared.items():
        name = f"root signature{f' `{key}`' if key else ''}"
        if signature.faults:
            continue
        if key not in held:
            severity: Severity | None = None if key else "info"
            yield Change(f"it holds no {name}", signature.span, symbols=(name,), severity=severity)
            continue
        changes = changes_in_shipped(signature, held[key])
        if changes:
            more = f"; and {len(changes) - _SHOWN} changes more" if len(changes) > _SHOWN else ""
            told = "; ".join(changes[:_SHOWN])
            yield Change(f"since then the {name} has changed: {told}{more}", signature.span, symbols=(name,))
    for key in held.keys() - declared.keys():
        name = f"root signature{f' `{key}`' if key else ''}"
        yield Change(f"it holds a {name}, which this source does not declare", start, symbols=(name,))


def _signatures(analysis: ShaderAnalysis) -> dict[str, RootSignature]:
    """The subobjects by name, and by "" the signature that the compiler puts into the container."""
    if analysis.shader.profile is not None and analysis.shader.profile.is_library:
        return {each.name: each for each in analysis.signatures if each.origin in _SUBOBJECTS}
    embedded = [each for each in analysis.signatures if each.origin in (*_EMBEDDED, "macro", "bytes")]
    defined = [each for each in embedded if each.origin == "define"]
    return {"": (defined or embedded)[-1]} if embedded else {}


RULE = Rule(
    "BL316",
    "stale-container",
    "error",
    "shader",
    "A compiled shader that is not made of its source as it is now",
    check,
)
