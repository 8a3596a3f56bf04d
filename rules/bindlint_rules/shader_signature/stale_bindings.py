"""How the bindings of a compiled shader differ from those of its source."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter

import msgspec
from bindlint.model.binding import Binding, Resource, ShaderAnalysis
from bindlint.model.finding import Certainty, Severity
from bindlint.model.source import Span

_Key = tuple[object, ...]


class Change(msgspec.Struct, frozen=True):
    """One difference, in words that follow "is not made of this source:", and the place in the source."""

    message: str
    span: Span
    certainty: Certainty = "certain"
    symbols: tuple[str, ...] = ()
    severity: Severity | None = None


def binding_changes(analysis: ShaderAnalysis, shipped: ShaderAnalysis, start: Span) -> Iterator[Change]:
    """What has changed; `start` is the place for what is no longer in the source.

    What has kept its name is the same resource, then what has kept its registers, and then what begins at the same one.
    """
    ours = [binding for binding in analysis.bindings if binding.used]
    theirs = list(shipped.bindings)
    if shipped.shader.dialect == "fxc":
        ours, theirs = _without_arrays(ours, theirs)
    for key in (_by_both, _by_name, _by_registers, _by_start):
        known: dict[_Key, list[Binding]] = {}
        for other in theirs:
            known.setdefault(key(other), []).append(other)
        left = []
        for binding in ours:
            same = known.get(key(binding))
            if not same:
                left.append(binding)
                continue
            what = _difference(binding, same.pop(0))
            if what:
                yield _change(binding, what)
        ours, theirs = left, [other for others in known.values() for other in others]
    for binding in ours:
        # What the optimizer removes is in no container, and it sees further than the source shows.
        severity: Severity | None = None if binding.certainty == "certain" else "warning"
        yield _change(binding, f"it does not bind `{binding.name}`{_at(binding)}", severity)
    for other in theirs:
        named = f"`{other.name}`{_at(other)}" if _is_named(other) else other.name
        yield Change(f"it binds {named}, which is not used here", start, "likely", (other.name,))


def _by_both(binding: Binding) -> _Key:
    return (binding.name, binding.registers)


def _by_name(binding: Binding) -> _Key:
    return (binding.name, binding.resource.cls)


def _by_registers(binding: Binding) -> _Key:
    return (binding.registers or binding.name,)


def _by_start(binding: Binding) -> _Key:
    registers = binding.registers
    return (binding.name,) if registers is None else (registers.cls, registers.space, registers.lower)


def _without_arrays(ours: list[Binding], theirs: list[Binding]) -> tuple[list[Binding], list[Binding]]:
    """Without the arrays of which FXC binds any element: below shader model 5.1 it lists those that are used."""
    arrays: dict[tuple[str, int], list[tuple[int, Binding]]] = {}
    for binding in ours:
        registers = binding.registers
        if registers is not None and binding.resource.count != 1:
            arrays.setdefault((registers.cls, registers.space), []).append((registers.lower, binding))
    for row in arrays.values():
        row.sort(key=itemgetter(0))
    bound: set[Binding] = set()
    rest = []
    for other in theirs:
        registers = other.registers
        row = arrays.get((registers.cls, registers.space), []) if registers else []
        index = bisect_right(row, registers.lower, key=itemgetter(0)) - 1 if registers else -1
        array = row[index][1] if index >= 0 else None
        if array is not None and array.registers and registers and array.registers.contains(registers):
            bound.add(array)
        else:
            rest.append(other)
    return [binding for binding in ours if binding not in bound], rest


def _change(binding: Binding, message: str, severity: Severity | None = None) -> Change:
    resource = binding.resource
    span = resource.clauses[-1].span if binding.explicit and resource.clauses else resource.span
    return Change(message, span, binding.certainty, (binding.name, str(binding.registers)), severity)


def _difference(binding: Binding, other: Binding) -> str:
    """What a resource has become since the compiled shader was made; "" where it is the same."""
    name, resource, was = f"`{binding.name}`", binding.resource, other.resource
    if binding.registers != other.registers and not _may_be(binding, other):
        return f"{name}{_at(binding)} is at {other.registers or 'no register'} in it"
    if _is_named(other) and binding.name != other.name:
        return f"{name}{_at(binding)} is called `{other.name}` in it"
    if binding.view != other.view or _shape(resource) != (_shape(was) or _shape(resource)):
        if resource.type.name == was.type.name:
            return f"{name}{_at(binding)} is now {binding.view} and was {other.view}"
        return f"{name}{_at(binding)} is now a {resource.type.name} and was a {was.type.name}"
    sized = binding.view == "cbuffer" and resource.origin != "$Globals"
    if sized and resource.size and was.size and resource.size != was.size:
        return f"{name}{_at(binding)} has {resource.size} bytes and had {was.size}"
    return ""


def _may_be(binding: Binding, other: Binding) -> bool:
    """Whether the registers differ in nothing but the end of an array whose size is not known."""
    reach, there = binding.reach, other.registers
    if not binding.resource.untold_size or reach is None or there is None:
        return False
    return reach.contains(there) and reach.lower == there.lower


def _shape(resource: Resource) -> str:
    """The dimension of a texture, "" for anything else."""
    name = resource.type.name.removeprefix("RW").removeprefix("RasterizerOrdered")
    return name if "Texture" in name and name != "TextureBuffer" else ""


def _is_named(binding: Binding) -> bool:
    """Whether a compiled shader has kept the name: without reflection data bindings go by their registers."""
    return binding.name not in (str(binding.registers), binding.resource.type.name)


def _at(binding: Binding) -> str:
    return f" ({binding.registers})" if binding.registers else ""
