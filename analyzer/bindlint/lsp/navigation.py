"""Ways between a resource, its register and what binds it: definitions and references."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from lsprotocol import types

from bindlint.lsp.diagnostics import location
from bindlint.lsp.places import Clause, binding_of, clause_at, clauses, feeding, held, resources_at, stands, users
from bindlint.lsp.session import State
from bindlint.model.binding import Resource, ShaderAnalysis
from bindlint.model.source import Span

_NO_CODE = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?', re.S)


def definition(state: State, path: str, position: types.Position) -> list[types.Location]:
    """From a name to the resource; from its register to what binds it; from that to the resources that it feeds."""
    line, column = _place(state, path, position)
    found = resources_at(state, path, line, column)
    clause = clause_at(state, path, line, column) if not found else None
    if clause is not None:
        return _locations(state, (r.span for _, r in _fed(state, path, clause)))
    if any(stands(each.span, path, line, column) for _, r in found for each in r.clauses):
        return _locations(state, (c.span for report, r in found for c in _feeding(state, report.analysis, r)))
    return _locations(state, (resource.span for _, resource in found))


def references(state: State, path: str, position: types.Position, declaration: bool) -> list[types.Location]:
    """Everywhere a resource is named, with what binds it; of a part of a root signature the resources that it feeds."""
    line, column = _place(state, path, position)
    found = resources_at(state, path, line, column)
    clause = clause_at(state, path, line, column) if not found else None
    places = [location(state, clause.span)] if clause is not None and declaration else []
    meant = _fed(state, path, clause) if clause is not None else ((report.analysis, r) for report, r in found)
    named: dict[tuple[str, str], Resource] = {}
    for analysis, resource in meant:
        if clause is None:
            places += (location(state, bound.span) for bound in _feeding(state, analysis, resource))
        named |= {(os.path.normpath(file), resource.name): resource for file in analysis.files}
    for (file, _), resource in sorted(named.items(), key=lambda item: item[0]):
        places += _named(state, file, resource, declaration)
    return list({_key(place): place for place in places}.values())


def _key(place: types.Location) -> tuple[str, int, int]:
    return place.uri, place.range.start.line, place.range.start.character


def _place(state: State, path: str, position: types.Position) -> tuple[int, int]:
    text = state.text(path)
    return text.place(position) if text is not None else (1, 1)


def _locations(state: State, spans: Iterable[Span]) -> list[types.Location]:
    return [location(state, span) for span in dict.fromkeys(spans)]


def _feeding(state: State, analysis: ShaderAnalysis, resource: Resource) -> Iterator[Clause]:
    """The parts of root signatures that bind a resource, where they are written in a file."""
    binding = binding_of(analysis, resource)
    if binding is not None:
        found = (feeding(each, binding) for _, each in held(state, analysis))
        yield from (clause for clause in found if clause is not None and clause.span.file)


def _fed(state: State, path: str, clause: Clause) -> Iterator[tuple[ShaderAnalysis, Resource]]:
    """The resources that a part of a root signature binds, in the shaders that are held against it."""
    for analysis in users(state, path):
        signature = analysis.signature
        if signature is None or all(each.span != clause.span for each in clauses(signature)):
            continue
        for binding in analysis.bindings:
            if clause.feeds(binding, analysis):
                yield analysis, binding.resource


def _named(state: State, file: str, resource: Resource, declaration: bool) -> Iterator[types.Location]:
    """Every place in a file's code at which the resource's name stands; of a field of a struct the field's name."""
    text = state.text(file)
    name = resource.name.rpartition(".")[2]
    if text is None or name not in text.text:
        return
    code = _NO_CODE.sub(lambda match: " " * len(match[0]), text.text)
    own = text.span_offsets(resource.span) if os.path.normpath(resource.span.file) == file else (-1, -1)
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", code):
        if declaration or match.start() != own[0]:
            yield types.Location(state.uri(file), text.range(*match.span()))
