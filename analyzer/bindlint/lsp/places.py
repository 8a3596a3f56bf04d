"""What stands at a place of a file: a resource, a part of a root signature, a finding."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import msgspec

from bindlint.engine import Report
from bindlint.lsp.convert import Text, holds
from bindlint.lsp.session import State
from bindlint.lsp.signature_words import is_comment
from bindlint.model.binding import Binding, Resource, ShaderAnalysis
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import (
    STAGE_VISIBILITY,
    DescriptorRange,
    RootParameter,
    RootSignature,
    StaticSampler,
    Visibility,
)
from bindlint.model.source import Span

_WORD = re.compile(r"\w+")


class Clause(msgspec.Struct, frozen=True):
    """A root parameter, one range of a table (`part`), or a static sampler, with the signature that it belongs to."""

    signature: RootSignature
    span: Span
    registers: tuple[RegisterRange, ...]
    visibility: Visibility
    index: int
    parameter: RootParameter | None = None
    part: DescriptorRange | None = None
    sampler: StaticSampler | None = None

    def feeds(self, binding: Binding, analysis: ShaderAnalysis) -> bool:
        """Whether a resource of a shader is bound by it."""
        seen = self.visibility in ("ALL", STAGE_VISIBILITY.get(analysis.stage, "ALL"))
        return seen and binding.registers is not None and any(map(binding.registers.intersects, self.registers))


def clauses(signature: RootSignature) -> Iterator[Clause]:
    """Every part of a root signature, ranges after the table that they stand in."""
    for p in signature.parameters:
        yield Clause(signature, p.span, p.registers, p.visibility, p.index, p)
        for part in p.ranges:
            yield Clause(signature, part.span, (part.registers,), p.visibility, p.index, p, part)
    for index, s in enumerate(signature.static_samplers):
        yield Clause(signature, s.span, (s.registers,), s.visibility, index, sampler=s)


def signatures(analysis: ShaderAnalysis) -> tuple[RootSignature, ...]:
    """The root signatures of a shader, the one that it is held against first."""
    held = (analysis.signature,) if analysis.signature is not None else ()
    return tuple(dict.fromkeys((*held, *analysis.signatures)))


def signatures_in(state: State, path: str) -> Iterator[RootSignature]:
    """The root signatures that a file has a part in: those of its shaders, and those that host code builds there."""
    for report in state.reports(path):
        yield from signatures(report.analysis)
    yield from (built.signature for built in state.host_signatures(path))


def clause_at(state: State, path: str, line: int, column: int) -> Clause | None:
    """The innermost part of a root signature that is written at a place; in host code on its line."""
    found = [clause for signature in signatures_in(state, path) for clause in clauses(signature)]
    there = [clause for clause in found if stands(clause.span, path, line, column)]
    if not there and state.host_signatures(path):
        there = [clause for clause in found if clause.span.line == line and os.path.normpath(clause.span.file) == path]
    return min(there, key=lambda clause: _size(clause.span), default=None)


def users(state: State, path: str) -> list[ShaderAnalysis]:
    """The shaders that may be held against root signatures of a file."""
    staged = state.joint.staged if state.joint is not None else ()
    return [*(report.analysis for report in state.reports(path)), *(each.analysis for each in staged)]


def held(state: State, analysis: ShaderAnalysis) -> list[tuple[str, ShaderAnalysis]]:
    """A shader with each root signature that pipelines give it, and their names; as it is where none does."""
    found = [
        (each.pipeline, msgspec.structs.replace(analysis, signature=each.signature)) for each in state.staged(analysis)
    ]
    return found or [("", analysis)]


def stands(span: Span, path: str, line: int, column: int) -> bool:
    return holds(span, line, column) and os.path.normpath(span.file) == path


def _size(span: Span) -> tuple[int, int]:
    return span.end - span.start, -len(span.macro)


def resources_at(state: State, path: str, line: int, column: int) -> list[tuple[Report, Resource]]:
    """The resource that is declared, given a register or named at a place, in every shader that has it."""
    reports = state.reports(path)
    text = state.text(path)
    is_code = text is not None and not is_comment(text.before(line, column))
    word = word_at(text, line, column) if text is not None and is_code else ""
    written = [
        (report, resource)
        for report in reports
        for resource in report.analysis.resources
        if any(stands(clause.span, path, line, column) for clause in resource.clauses)
    ]
    named = [
        (report, resource)
        for report in reports
        for resource in report.analysis.resources
        if word and word in (resource.name, resource.name.rpartition(".")[2])
    ]
    exact = [pair for pair in named if stands(pair[1].span, path, line, column)]
    return written or exact or named


def word_at(text: Text, line: int, column: int) -> str:
    """The identifier at a place, "" where there is none."""
    at = column - 1
    for match in _WORD.finditer(text.line_of(line)):
        if match.start() <= at <= match.end():
            return match[0]
    return ""


def binding_of(analysis: ShaderAnalysis, resource: Resource) -> Binding | None:
    return next((binding for binding in analysis.bindings if binding.resource == resource), None)


def feeding(analysis: ShaderAnalysis, binding: Binding) -> Clause | None:
    """The part of the shader's root signature that binds a resource."""
    if analysis.signature is None:
        return None
    found = [clause for clause in clauses(analysis.signature) if clause.feeds(binding, analysis)]
    return next((clause for clause in found if clause.part or clause.sampler), found[0] if found else None)
