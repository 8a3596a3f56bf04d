"""Binding table and root-signature table of one shader, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Binding, Resource, ShaderAnalysis
from bindlint.model.root_signature import MAX_COST, STAGE_VISIBILITY, VISIBILITIES, RootParameter, RootSignature
from bindlint.model.shader import Target
from bindlint.report.terminal import Paint, columns, escape
from bindlint.targets import Capabilities, TableLimit, capabilities

_CLASS_NAMES = {"b": "cbv", "t": "srv", "u": "uav", "s": "sampler"}


def show_shader(file: str, analysis: ShaderAnalysis, paint: Paint, target: Target | None = None) -> Iterator[str]:
    """A heading, the bindings, the root signature, the limits of the target, and what could not be read."""
    shader = analysis.shader
    profile = f" ({shader.profile})" if shader.profile else ""
    yield paint("bold", escape(f"{file}{': ' + shader.entry if shader.entry else ''}{profile}"))
    if shader.inferred:
        yield escape(f"  {shader.inferred}")
    rows = [_binding(binding, analysis) for binding in analysis.bindings]
    bound = {binding.resource for binding in analysis.bindings}
    rows += [
        _unbound(resource) for resource in analysis.resources if resource not in bound and resource.origin != "leaf"
    ]
    if rows:
        yield from _indented(columns([_BINDING_HEAD, *rows]))
    else:
        yield "  no bindings"
    if analysis.signature is not None:
        yield from _signature(analysis.signature, paint)
    if target is not None:
        yield from _limits(analysis, capabilities(target), paint)
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
        _registers(binding),
        _CLASS_NAMES[resource.type.cls],
        binding.view,
        "explicit" if binding.explicit else "assigned",
        ", ".join(users) or ("yes" if binding.used else "unused"),
        str(resource.span),
    )
    return tuple(map(escape, cells))


def _registers(binding: Binding) -> str:
    """`t0?` stands where the register hangs on the size of another array that is not known."""
    if binding.registers is None:
        return "unassigned"
    if binding.resource.untold_size:
        return f"{binding.registers}, size not known"
    return f"{binding.registers}?" if binding.certainty == "unknown" else str(binding.registers)


def _unbound(resource: Resource) -> tuple[str, ...]:
    """What is declared and has no register, since nothing uses it."""
    cells = (resource.name, "-", _CLASS_NAMES[resource.cls], resource.type.view, "-", "unused", str(resource.span))
    return tuple(map(escape, cells))


def _signature(signature: RootSignature, paint: Paint) -> Iterator[str]:
    name = f" {signature.name}" if signature.name else ""
    limit = "" if signature.is_local else f" of {MAX_COST}"
    least = "" if signature.is_cost_known else "at least "
    head = f"root signature{name}, version {signature.version}, {least}{signature.cost}{limit} DWORDs"
    yield paint("bold", escape(head)) + _flags(signature)
    rows = [row for parameter in signature.parameters for row in _parameter(parameter)]
    rows += [("static", "sampler", s.shown, s.visibility, "0", str(s.span)) for s in signature.static_samplers]
    if rows:
        head_row = ("INDEX", "KIND", "REGISTERS", "VISIBILITY", "DWORDS", "DECLARED")
        yield from _indented(columns([head_row, *(tuple(map(escape, row)) for row in rows)]))
    for fault in signature.faults:
        yield escape(f"{fault.span}: {fault.message}")


def _flags(signature: RootSignature) -> str:
    if "flags" in signature.unknown:
        return ", flags ?"
    return f", flags 0x{signature.flags:x}" if signature.flags else ""


def _parameter(parameter: RootParameter) -> Iterator[tuple[str, ...]]:
    known = parameter.is_cost_known
    kind = f"{parameter.count if known else '?'} constants" if parameter.kind == "constants" else parameter.kind
    seen = "?" if "visibility" in parameter.unknown else parameter.visibility
    cost = str(parameter.cost) if known else "?"
    yield str(parameter.index), kind, parameter.shown, seen, cost, str(parameter.span)
    for part in parameter.ranges:
        yield "", f"  {_CLASS_NAMES[part.cls]}", part.shown, "", "", str(part.span)


def _limits(analysis: ShaderAnalysis, able: Capabilities, paint: Paint) -> Iterator[str]:
    """Descriptors of each class: what the shader uses, what the tables of its signature hold, what there may be."""
    yield paint("bold", f"descriptors on {able.words}")
    rows = [("CLASS", "USED", "IN TABLES", "LIMIT")]
    for cls, row in able.limits.items():
        used = [binding for binding in analysis.bindings if binding.used and binding.resource.cls == cls]
        least = "at least " if any(binding.resource.untold_size for binding in used) else ""
        limit = f"{able.limit(cls) or 'heap'}{'' if row.per == 'stage' else ' for all stages'}"
        rows.append(
            (_CLASS_NAMES[cls], least + _sum([b.resource.count for b in used]), _in_tables(analysis, row), limit)
        )
    yield from _indented(columns(rows))


def _in_tables(analysis: ShaderAnalysis, row: TableLimit) -> str:
    """The descriptors that the stage sees in tables, of UAVs those that all stages see."""
    if analysis.signature is None:
        return "-"
    seen = ("ALL", STAGE_VISIBILITY.get(analysis.stage, "ALL")) if row.per == "stage" else VISIBILITIES
    tables = [parameter for parameter in analysis.signature.parameters if parameter.visibility in seen]
    return _sum([part.count for table in tables for part in table.ranges if part.cls == row.cls])


def _sum(counts: list[int | None]) -> str:
    bounded = [count for count in counts if count is not None]
    return str(sum(bounded)) if len(bounded) == len(counts) else "unbounded"


def _indented(lines: list[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
