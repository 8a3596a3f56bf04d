"""Binding table and root-signature table of one shader, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.root_signature import MAX_COST, RootParameter, RootSignature
from bindlint.report.terminal import Paint, columns, escape

_CLASS_NAMES = {"b": "cbv", "t": "srv", "u": "uav", "s": "sampler"}


def show_shader(file: str, analysis: ShaderAnalysis, paint: Paint) -> Iterator[str]:
    """A heading, the bindings, the root signature, and what could not be read."""
    shader = analysis.shader
    profile = f" ({shader.profile})" if shader.profile else ""
    yield paint("bold", escape(f"{file}{': ' + shader.entry if shader.entry else ''}{profile}"))
    if shader.inferred:
        yield escape(f"  {shader.inferred}")
    if analysis.bindings:
        yield from _indented(columns([_BINDING_HEAD, *(_binding(binding, analysis) for binding in analysis.bindings)]))
    else:
        yield "  no bindings"
    if analysis.signature is not None:
        yield from _signature(analysis.signature, paint)
    for problem in analysis.problems:
        yield escape(f"{problem.span}: {problem.message}")


_BINDING_HEAD = ("NAME", "REGISTERS", "CLASS", "KIND", "GIVEN", "USED BY", "DECLARED")


def _binding(binding: Binding, analysis: ShaderAnalysis) -> tuple[str, ...]:
    resource = binding.resource
    users = [
        f"{entry.name} ({', '.join(sorted(use.kinds))})" if use.kinds else entry.name
        for entry in analysis.entries
        for use in entry.uses
        if use.resource == resource
    ]
    cells = (
        binding.name,
        "unassigned" if binding.registers is None else str(binding.registers),
        _CLASS_NAMES[resource.type.cls],
        binding.view,
        "explicit" if binding.explicit else "assigned",
        ", ".join(users) or ("yes" if binding.used else "unused"),
        str(resource.span),
    )
    return tuple(map(escape, cells))


def _signature(signature: RootSignature, paint: Paint) -> Iterator[str]:
    name = f" {signature.name}" if signature.name else ""
    limit = "" if signature.is_local else f" of {MAX_COST}"
    head = f"root signature{name}, version {signature.version}, {signature.cost}{limit} DWORDs"
    yield paint("bold", escape(head)) + (f", flags 0x{signature.flags:x}" if signature.flags else "")
    rows = [row for parameter in signature.parameters for row in _parameter(parameter)]
    rows += [("static", "sampler", str(s.registers), s.visibility, "0", str(s.span)) for s in signature.static_samplers]
    if rows:
        head_row = ("INDEX", "KIND", "REGISTERS", "VISIBILITY", "DWORDS", "DECLARED")
        yield from _indented(columns([head_row, *(tuple(map(escape, row)) for row in rows)]))
    for fault in signature.faults:
        yield escape(f"{fault.span}: {fault.message}")


def _parameter(parameter: RootParameter) -> Iterator[tuple[str, ...]]:
    kind = f"{parameter.count} constants" if parameter.kind == "constants" else parameter.kind
    own = "" if parameter.kind == "table" else str(parameter.registers[0])
    yield str(parameter.index), kind, own, parameter.visibility, str(parameter.cost), str(parameter.span)
    for part in parameter.ranges:
        yield "", f"  {_CLASS_NAMES[part.cls]}", str(part.registers), "", "", str(part.span)


def _indented(lines: list[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
