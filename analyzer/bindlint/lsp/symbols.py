"""The outline of a file: entry points, resources with their registers, root signatures with their parameters."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lsprotocol import types

from bindlint.lsp.convert import Text
from bindlint.lsp.places import binding_of, signatures
from bindlint.lsp.session import State
from bindlint.model.binding import Resource, ShaderAnalysis
from bindlint.model.root_signature import RootSignature
from bindlint.model.source import Span
from bindlint.words import counted


def symbols(state: State, path: str) -> list[types.DocumentSymbol]:
    """What the shaders that a file is a part of declare in it, in the order of its text."""
    text = state.text(path)
    if text is None:
        return []
    found: dict[tuple[Span, str], types.DocumentSymbol] = {}
    for report in state.reports(path):
        for span, symbol in _symbols(report.analysis, path, text):
            found.setdefault((span, symbol.name), symbol)
    for built in state.host_signatures(path):
        if _is_here(built.span, path):
            symbol = _signature(text, built.signature, path, built.span, built.name or built.function)
            found.setdefault((built.span, symbol.name), symbol)
    return sorted(found.values(), key=lambda symbol: (symbol.range.start.line, symbol.range.start.character))


def _symbols(analysis: ShaderAnalysis, path: str, text: Text) -> Iterator[tuple[Span, types.DocumentSymbol]]:
    for entry in analysis.entries:
        if _is_here(entry.span, path):
            yield entry.span, _symbol(text, entry.span, entry.name, entry.stage, types.SymbolKind.Function)
    for resource in analysis.resources:
        if _is_here(resource.span, path) and resource.origin in ("global", "cbuffer", "hoisted"):
            kind = types.SymbolKind.Struct if resource.origin == "cbuffer" else types.SymbolKind.Variable
            yield resource.span, _symbol(text, resource.span, resource.name, _detail(analysis, resource), kind)
    for signature in signatures(analysis):
        if _is_here(signature.span, path):
            yield signature.span, _signature(text, signature, path, signature.span, signature.name)


def _is_here(span: Span, path: str) -> bool:
    return os.path.normpath(span.file) == path


def _symbol(text: Text, span: Span, name: str, detail: str, kind: types.SymbolKind) -> types.DocumentSymbol:
    place = text.range_of(span)
    return types.DocumentSymbol(name or "?", kind, place, place, detail)


def _detail(analysis: ShaderAnalysis, resource: Resource) -> str:
    binding = binding_of(analysis, resource)
    registers = str(binding.registers) if binding is not None and binding.registers is not None else "no register"
    given = "" if binding is None or binding.explicit else " (assigned)"
    return f"{resource.written_type or resource.type.name} : {registers}{given}"


def _signature(text: Text, signature: RootSignature, path: str, span: Span, name: str) -> types.DocumentSymbol:
    cost = f"{'' if signature.is_cost_known else 'at least '}{counted(signature.cost, 'DWORD')}"
    symbol = _symbol(text, span, name or "root signature", cost, types.SymbolKind.Object)
    parts = [(p.span, f"{p.index}: {p.kind}", p.registers) for p in signature.parameters]
    parts += [(s.span, f"static sampler {i}", (s.registers,)) for i, s in enumerate(signature.static_samplers)]
    symbol.children = [
        _symbol(text, span, said, ", ".join(map(str, registers)), types.SymbolKind.Field)
        for span, said, registers in parts
        if _is_here(span, path)
    ]
    return symbol
