"""Register assignment exactly as DXC does it (DxilCondenseResources.cpp, DxilSpanAllocator.h)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

from bindlint.model.binding import AccessKind, AllocationFault, Binding, Resource
from bindlint.model.finding import Certainty
from bindlint.model.registers import MAX_REGISTER, RegisterClass, RegisterRange
from bindlint.model.resource_types import ViewKind
from bindlint.model.shader import Shader

BindingTable = Mapping[tuple[str, RegisterClass], tuple[int, int]]
"""Name and class of a resource -> register and space, as `-import-binding-table` gives them."""


@dataclass
class _Line:
    """One number line: inclusive intervals that are taken, in order and apart, and the unbounded binding on it."""

    taken: list[tuple[int, ...]] = field(default_factory=list)
    unbounded: Binding | None = None

    def insert(self, lower: int, upper: int) -> None:
        at = bisect_left(self.taken, (lower,))
        if at and self.taken[at - 1][1] >= lower - 1:
            at -= 1
            lower = self.taken[at][0]
        end = at
        while end < len(self.taken) and self.taken[end][0] <= upper + 1:
            upper = max(upper, self.taken[end][1])
            end += 1
        self.taken[at:end] = [(lower, upper)]

    def first_fit(self, count: int) -> int | None:
        position = 0
        for lower, upper in self.taken:
            if lower - position >= count:
                return position
            position = max(position, upper + 1)
        return position if MAX_REGISTER - position + 1 >= count else None

    def after_last(self) -> int | None:
        position = self.taken[-1][1] + 1 if self.taken else 0
        return position if position <= MAX_REGISTER else None


def resource_range(resource: Resource, lower: int, space: int) -> RegisterRange:
    """The registers of a resource at a base; a zero-size array has upper = lower - 1, as in DXC's tables (RNG-05)."""
    if resource.count is None:
        return RegisterRange(resource.cls, space, lower, None)
    upper = lower + resource.count - 1
    return RegisterRange(resource.cls, space, lower, None if upper < 0 else min(upper, MAX_REGISTER))


def view_of(resource: Resource, kinds: frozenset[AccessKind]) -> ViewKind:
    """The kind of view; a structured UAV has its counter only where a counter operation is used (USE-03)."""
    if resource.type.counter and "counter" in kinds:
        return "structured+counter"
    return resource.type.view


def assign(
    resources: Iterable[Resource],
    used: Mapping[Resource, frozenset[AccessKind]],
    shader: Shader,
    table: BindingTable,
    certain: Container[Resource] = frozenset(),
) -> tuple[tuple[Binding, ...], tuple[AllocationFault, ...]]:
    """Bindings of the used resources in list order, then of unused ones with an explicit register.

    `resources` are in list order; those in `certain` stay whatever the optimizer does, but a register that is not
    written hangs on what stays of the others. `table` serves those without a number of their own. In a library without
    `-auto-binding-space` nothing is assigned.
    """
    library = shader.profile is not None and shader.profile.is_library
    automatic = not library or shader.auto_binding_space is not None
    default_space = shader.auto_binding_space or 0
    lines: dict[tuple[RegisterClass, int], _Line] = {}
    bound: dict[Resource, Binding] = {}
    faults: list[AllocationFault] = []
    ordered = list(resources)

    def line(cls: RegisterClass, space: int) -> _Line:
        return lines.setdefault((cls, space), _Line())

    explicit = {r: _explicit(r, table) for r in ordered}
    doubtful = {
        (r.cls, place[1] if place else default_space if r.space is None else r.space)
        for r, place in explicit.items()
        if r.untold_size and r in used
    }
    """The lines on which the size of an array that could not be told moves what the compiler places."""
    if shader.legacy_resource_reservation:
        for resource, place in explicit.items():
            if place is not None:
                for cls in _reserved_classes(resource):
                    line(cls, place[1]).insert(place[0], resource_range(resource, *place).last)
    for resource, place in explicit.items():
        if place is None or resource not in used:
            continue
        registers = resource_range(resource, *place)
        certainty: Certainty = "unknown" if resource.untold_size else "certain" if resource in certain else "likely"
        binding = Binding(resource, registers, True, True, view_of(resource, used[resource]), certainty)
        bound[resource] = binding
        here = line(resource.cls, place[1])
        if registers.upper is None:
            if here.unbounded is not None:
                faults.append(AllocationFault("second-unbounded", resource, place[1], (here.unbounded,)))
            here.unbounded = here.unbounded or binding
        if resource.count != 0:
            here.insert(registers.lower, registers.last)
    for resource, place in explicit.items():
        if place is not None or resource not in used:
            continue
        view = view_of(resource, used[resource])
        space = resource.space if resource.space is not None else default_space
        if not automatic:
            bound[resource] = Binding(resource, None, False, True, view, "likely")
            continue
        here = line(resource.cls, space)
        certainty = "unknown" if (resource.cls, space) in doubtful else "likely"
        if resource.count is None and here.unbounded is not None:
            faults.append(AllocationFault("second-unbounded", resource, space, (here.unbounded,)))
            bound[resource] = Binding(resource, None, False, True, view, certainty)
            continue
        lower = here.after_last() if resource.count is None else here.first_fit(max(resource.count, 1))
        if lower is None:
            others = tuple(
                b
                for b in bound.values()
                if b.registers and b.registers.cls == resource.cls and b.registers.space == space
            )
            faults.append(AllocationFault("no-room", resource, space, others))
            bound[resource] = Binding(resource, None, False, True, view, certainty)
            continue
        registers = resource_range(resource, lower, space)
        bound[resource] = Binding(resource, registers, False, True, view, certainty)
        here.insert(lower, registers.last)
        if registers.upper is None:
            here.unbounded = bound[resource]
    unused = [
        Binding(r, resource_range(r, *place), True, False, r.type.view, "unknown" if r.untold_size else "certain")
        for r, place in explicit.items()
        if place is not None and r not in used
    ]
    return (*(bound[r] for r in ordered if r in bound), *unused), tuple(faults)


def _reserved_classes(resource: Resource) -> tuple[RegisterClass, ...]:
    """The lines where an explicit register is kept free: a tbuffer is a constant buffer as well when DXC asks."""
    return ("t", "b") if resource.type.name in ("tbuffer", "TextureBuffer") else (resource.cls,)


def _explicit(resource: Resource, table: BindingTable) -> tuple[int, int] | None:
    if resource.lower is not None:
        return resource.lower, resource.space or 0
    return table.get((resource.name, resource.cls))
