"""What a place means: where a resource is bound and by what, what a part of a root signature costs and feeds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from bindlint.lsp.places import Clause, binding_of, clause_at, feeding, held, resources_at, stands, users
from bindlint.lsp.session import State
from bindlint.model.binding import Resource, ShaderAnalysis
from bindlint.model.root_signature import MAX_COST
from bindlint.rule import Rule
from bindlint.words import counted, listed

_MOST = 8
"""Shaders that are told apart; a header may be in hundreds."""
_KINDS = {
    "table": "descriptor table",
    "constants": "root constants",
    "cbv": "root CBV",
    "srv": "root SRV",
    "uav": "root UAV",
}
_SECTION = re.compile(r"^## Why it matters\s*$(.*?)(?=^## |\Z)", re.M | re.S)


def hover(state: State, path: str, position: types.Position) -> types.Hover | None:
    """Everything that can be said of a place: what stands there, then what is wrong with it."""
    text = state.text(path)
    if text is None:
        return None
    line, column = text.place(position)
    parts = []
    found = resources_at(state, path, line, column)
    if found:
        shaders = [each for report, _ in found for each in held(state, report.analysis)]
        parts.append("\n".join(_resource(found[0][1], shaders)))
    else:
        clause = clause_at(state, path, line, column)
        if clause is not None:
            parts.append("\n".join(_clause(clause, users(state, path))))
    met = [s.finding for s in state.seen.get(path, ()) if stands(s.finding.violation.span, path, line, column)]
    for code in dict.fromkeys(finding.code for finding in met):
        parts.append(excerpt(state.rules[code]))
    if not parts:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(parts)))


def _resource(resource: Resource, shaders: list[tuple[str, ShaderAnalysis]]) -> Iterator[str]:
    """What is said of a resource in some shaders, each as a pipeline has it."""
    yield f"**{resource.name}**: `{resource.written_type or resource.type.name}`"
    yield ""
    rows: dict[str, list[str]] = {}
    for pipeline, analysis in shaders:
        own = next((r for r in analysis.resources if r.name == resource.name and r.span == resource.span), resource)
        named = f" in pipeline `{pipeline}`" if pipeline else ""
        rows.setdefault(f"{_bound(analysis, own)}{named}", []).append(shader_name(analysis))
    for row, names in rows.items():
        where = "" if len(rows) == 1 and len(names) == 1 else f" - in {listed(names, _MOST)}"
        yield f"- {row}{where}"
    uses = list(dict.fromkeys(use for _, analysis in shaders for use in _uses(analysis, resource)))
    yield f"- used by {listed(uses, _MOST)}" if uses else "- not used"


def _bound(analysis: ShaderAnalysis, resource: Resource) -> str:
    binding = binding_of(analysis, resource)
    if binding is None:
        return "no register, since nothing uses it"
    if binding.registers is None:
        return "unassigned"
    given = "explicit" if binding.explicit else "assigned by the compiler"
    said = f"`{binding.registers}` ({given})"
    if analysis.signature is None:
        return said
    clause = feeding(analysis, binding)
    if clause is None:
        return f"{said}, not bound by the root signature"
    return f"{said}, bound by {_place(clause)}"


def _place(clause: Clause) -> str:
    """In words, with the cost that the part has in the root signature."""
    if clause.parameter is None:
        return f"static sampler {clause.index}, which costs nothing"
    kind = _KINDS[clause.parameter.kind]
    part = f", range {clause.parameter.ranges.index(clause.part)}" if clause.part is not None else ""
    return f"root parameter {clause.index}{part} ({kind}, {counted(clause.parameter.cost, 'DWORD')})"


def _uses(analysis: ShaderAnalysis, resource: Resource) -> Iterator[str]:
    for entry in analysis.entries:
        for use in entry.uses:
            if use.resource.name == resource.name and use.resource.span == resource.span:
                steps = [entry.name, *(site.function for site in use.chain if site.function != entry.name)]
                yield f"`{' > '.join(steps)}` ({', '.join(sorted(use.kinds))})" if use.kinds else f"`{entry.name}`"


def shader_name(analysis: ShaderAnalysis) -> str:
    name = Path(analysis.shader.file).name
    return f"`{name}:{analysis.shader.entry}`" if analysis.shader.entry else f"`{name}`"


def _clause(clause: Clause, analyses: list[ShaderAnalysis]) -> Iterator[str]:
    registers = ", ".join(f"`{each}`" for each in clause.registers)
    yield f"**{_place(clause)}**".replace("**r", "**R").replace("**s", "**S")
    yield ""
    yield f"- registers {registers or 'not known'}, visible to {clause.visibility}"
    signature = clause.signature
    limit = "" if signature.is_local else f" of {MAX_COST}"
    least = "" if signature.is_cost_known else "at least "
    yield f"- the whole root signature costs {least}{signature.cost}{limit} DWORDs"
    fed: dict[str, dict[str, None]] = {}
    for analysis in analyses:
        for binding in analysis.bindings:
            if binding.used and analysis.signature == signature and clause.feeds(binding, analysis):
                fed.setdefault(f"`{binding.name}` ({binding.registers})", {})[shader_name(analysis)] = None
    for name, shaders in list(fed.items())[:_MOST]:
        yield f"- feeds {name} in {listed([*shaders], _MOST)}"
    if not fed:
        yield "- feeds nothing that is used"


def excerpt(rule: Rule) -> str:
    """The head of a rule's page: what it finds, and why that matters."""
    try:
        page = Path(rule.page).read_text(encoding="utf-8") if rule.page else ""
    except OSError:
        page = ""
    section = _SECTION.search(page)
    why = f"\n\n{section[1].strip()}" if section else ""
    return f"**{rule.code} {rule.name}**: {rule.summary}.{why}"
