"""What a set of shaders needs of one root signature: registers, which stages must see them, and what may hold them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from bindlint.model.binding import Binding, Resource, ShaderAnalysis
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import STAGE_VISIBILITY, Visibility

LARGEST_CONSTANTS = 64
"""DWORDs that root constants can have at all."""


class Need(msgspec.Struct, frozen=True):
    """Registers that one range, descriptor or set of constants must cover.

    `single` tells whether no shader takes them for an array; `views` are how the shaders look at them; `size` is the
    largest constant buffer's in bytes, 0 where it is not known. `indexed`: an array in it is indexed dynamically.
    """

    registers: RegisterRange
    visibility: Visibility
    names: tuple[str, ...]
    single: bool
    views: frozenset[str]
    size: int = 0
    indexed: bool = False
    comparison: bool = False

    @property
    def title(self) -> str:
        """Names and registers, for a reason."""
        names = ", ".join(f"`{name}`" for name in self.names[:3]) + (", ..." if len(self.names) > 3 else "")
        return f"{names} ({self.registers})" if names else str(self.registers)

    @property
    def fits_descriptor(self) -> bool:
        """Whether a root descriptor can hold it: one buffer, raw or structured, without a counter."""
        return self.single and self.views <= {"cbuffer", "raw", "structured"}

    @property
    def constants(self) -> int:
        """How many 32-bit values it takes as root constants; 0 where it cannot be any."""
        count = (self.size + 3) // 4
        fits = self.single and self.registers.cls == "b" and not self.indexed
        return count if fits and count <= LARGEST_CONSTANTS else 0


class _Piece(msgspec.Struct, frozen=True):
    """One binding of one shader."""

    registers: RegisterRange
    visibility: Visibility
    binding: Binding
    indexed: bool
    size: int


def needs_of(analyses: Iterable[ShaderAnalysis]) -> tuple[tuple[Need, ...], tuple[str, ...]]:
    """What the shaders need together, and what is to be said of it.

    Where several stages take one register for things of different names, each stage gets its own.
    """
    notes: list[str] = []
    lines: defaultdict[tuple[RegisterClass, int], list[_Piece]] = defaultdict(list)
    for analysis in analyses:
        visibility = STAGE_VISIBILITY.get(analysis.stage, "ALL")
        # Loose constants with offsets of their own make `$Globals` larger than they are together.
        offsets = any(constant.clauses for constant in analysis.globals)
        indexed = {access.buffer for access in analysis.accesses if access.buffer and access.value is None}
        for binding in analysis.bindings:
            if binding.used and binding.registers is not None:
                size = 0 if offsets and binding.resource.origin == "$Globals" else binding.resource.size
                piece = _Piece(binding.registers, visibility, binding, binding.name in indexed, size)
                lines[binding.registers.cls, binding.registers.space].append(piece)
                if binding.resource.untold_size:
                    what = f"the size `{binding.resource.untold_size}` of `{binding.name}` is not known"
                    notes.append(f"{what}: its first register alone is covered")
            elif binding.used:
                notes.append(f"`{binding.name}` has no register in {analysis.shader.file}, so nothing covers it")
    found: list[Need] = []
    for key in sorted(lines, key=lambda key: ("btus".index(key[0]), key[1])):
        for chain in _chains(sorted(lines[key], key=lambda piece: piece.registers.lower)):
            found += _separated(chain, notes)
    return tuple(found), tuple(dict.fromkeys(notes))


def _chains(pieces: list[_Piece]) -> Iterator[list[_Piece]]:
    """Pieces whose registers overlap, directly or through one another."""
    chain: list[_Piece] = []
    reach = -1
    for piece in pieces:
        if chain and piece.registers.lower > reach:
            yield chain
            chain = []
            reach = -1
        chain.append(piece)
        reach = max(reach, piece.registers.last)
    yield chain


def _separated(chain: list[_Piece], notes: list[str]) -> Iterator[Need]:
    """One need, or one for each stage where stages mean different things."""
    by_stage: defaultdict[Visibility, list[_Piece]] = defaultdict(list)
    for piece in chain:
        by_stage[piece.visibility].append(piece)
    groups: list[list[_Piece]] = []
    for pieces in by_stage.values():
        names = {piece.binding.name for piece in pieces}
        related = [group for group in groups if _share(names, {piece.binding.name for piece in group})]
        merged = [*pieces, *(piece for group in related for piece in group)]
        groups = [group for group in groups if group not in related] + [merged]
    wide = [group for group in groups if len({p.visibility for p in group}) > 1 or group[0].visibility == "ALL"]
    if len(groups) > 1 and wide:
        merged = [piece for group in groups for piece in group]
        need = _need(merged)
        notes.append(f"{need.title}: the stages must share one descriptor, as no visibility keeps them apart")
        groups = [merged]
    yield from map(_need, groups)


def _share(names: set[str], others: set[str]) -> bool:
    return bool(names & others) or "" in names or "" in others


def _need(pieces: list[_Piece]) -> Need:
    stages = {piece.visibility for piece in pieces}
    first = pieces[0].registers
    unbounded = any(piece.registers.upper is None for piece in pieces)
    registers = RegisterRange(
        first.cls,
        first.space,
        min(piece.registers.lower for piece in pieces),
        None if unbounded else max(piece.registers.last for piece in pieces),
    )
    bindings = [piece.binding for piece in pieces]
    sizes = [piece.size for piece in pieces]
    return Need(
        registers,
        stages.pop() if len(stages) == 1 else "ALL",
        tuple(dict.fromkeys(binding.name for binding in bindings if binding.name)),
        registers.count == 1 and not any(_is_array(binding.resource) for binding in bindings),
        frozenset(binding.view for binding in bindings),
        max(sizes) if all(sizes) else 0,
        any(piece.indexed for piece in pieces),
        any(binding.resource.type.name == "SamplerComparisonState" for binding in bindings),
    )


def _is_array(resource: Resource) -> bool:
    """Whether it is an array, if only of one: root descriptors and root constants are none."""
    return resource.count != 1 or bool(resource.dimensions)
