"""The way to a finding: from the entry point over calls to a resource, and on to the root parameter that binds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bindlint.model.binding import Binding, EntryPoint, ShaderAnalysis, Use
from bindlint.model.finding import Violation
from bindlint.model.root_signature import STAGE_VISIBILITY, Claim, RootSignature
from bindlint.model.source import Span

_MAX_FLOWS = 4
"""A collision of fifty resources is understood from the first of them."""


class Step(NamedTuple):
    """One place on the way; `depth` counts the calls that lead there."""

    message: str
    span: Span
    depth: int


Flow = tuple[Step, ...]


def flows(
    violation: Violation, analyses: Iterable[ShaderAnalysis], signature: RootSignature | None = None
) -> tuple[Flow, ...]:
    """One flow for each resource that the violation points at and an entry point uses, the violation's own place first.

    `signature` is a pipeline's, in the place of the one that each shader names itself.
    """
    wanted = dict.fromkeys((violation.span, *(related.span for related in violation.related)))
    found: dict[Span, Flow] = {}
    for analysis in analyses:
        for binding in analysis.bindings:
            resource = binding.resource
            for place in (resource.span, *(clause.span for clause in resource.clauses)):
                if place in wanted and place not in found and (use := _use(analysis, binding)) is not None:
                    found[place] = tuple(_steps(analysis, binding, *use, signature or analysis.signature))
    return tuple(dict.fromkeys(found[place] for place in wanted if place in found))[:_MAX_FLOWS]


def _use(analysis: ShaderAnalysis, binding: Binding) -> tuple[EntryPoint, Use] | None:
    for entry in analysis.entries:
        for use in entry.uses:
            if use.resource == binding.resource:
                return entry, use
    return None


def _steps(
    analysis: ShaderAnalysis, binding: Binding, entry: EntryPoint, use: Use, signature: RootSignature | None
) -> Iterator[Step]:
    yield Step(f"entry point `{entry.name}`", entry.span, 0)
    depth = 0
    for site in use.chain:
        if site.span != entry.span:
            depth += 1
            yield Step(f"calls `{site.function}`", site.span, depth)
    where = f" at {binding.registers}" if binding.registers is not None else ""
    yield Step(f"uses `{binding.name}`{where}", binding.resource.span, depth)
    claim = _claim(analysis, binding, signature)
    if claim is not None:
        yield Step(f"bound by {claim.place} ({claim.registers})", claim.span, depth)


def _claim(analysis: ShaderAnalysis, binding: Binding, signature: RootSignature | None) -> Claim | None:
    """The part of the signature that meets the binding, what the stage sees first."""
    if signature is None or binding.registers is None:
        return None
    seen = ("ALL", STAGE_VISIBILITY.get(analysis.stage, "ALL"))
    met = [claim for claim in signature.claims if claim.registers.intersects(binding.registers) and claim.span.file]
    return min(met, key=lambda claim: claim.visibility not in seen, default=None)
