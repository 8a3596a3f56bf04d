"""A root signature, from whatever source it was read."""

from __future__ import annotations

from typing import Literal

import msgspec

from bindlint.model.registers import MAX_REGISTER, RegisterClass, RegisterRange
from bindlint.model.source import NOWHERE, Span

ParameterKind = Literal["table", "constants", "cbv", "srv", "uav"]
Visibility = Literal["ALL", "VERTEX", "HULL", "DOMAIN", "GEOMETRY", "PIXEL", "AMPLIFICATION", "MESH"]
VISIBILITIES: tuple[Visibility, ...] = ("ALL", "VERTEX", "HULL", "DOMAIN", "GEOMETRY", "PIXEL", "AMPLIFICATION", "MESH")
"""By D3D12_SHADER_VISIBILITY value."""

STAGE_VISIBILITY: dict[str, Visibility] = {
    "vs": "VERTEX",
    "hs": "HULL",
    "ds": "DOMAIN",
    "gs": "GEOMETRY",
    "ps": "PIXEL",
    "as": "AMPLIFICATION",
    "ms": "MESH",
}
"""Stages that have a visibility of their own; compute, ray tracing and nodes see ALL only."""

MAX_COST = 64
"""DWORDs, D3D12_MAX_ROOT_COST (win32 documentation, root-signature-limits)."""

APPEND = 0xFFFFFFFF
UNBOUNDED = 0xFFFFFFFF
LOCAL_ROOT_SIGNATURE = 0x80


class DescriptorRange(msgspec.Struct, frozen=True):
    """`count` None is unbounded; `offset` None is APPEND (descriptors from the start of the table).

    `unknown` names the fields that host code leaves open, here and in what else has it: what they hold means nothing.
    """

    cls: RegisterClass
    register: int
    space: int = 0
    count: int | None = 1
    offset: int | None = None
    flags: int = 0
    span: Span = NOWHERE
    unknown: tuple[str, ...] = ()

    @property
    def registers(self) -> RegisterRange:
        upper = None if self.count is None else min(self.register + max(self.count, 1) - 1, MAX_REGISTER)
        return RegisterRange(self.cls, self.space, self.register, upper)

    @property
    def shown(self) -> str:
        """The registers in words, with `?` for what is not known."""
        return _shown(self.registers, self.unknown)


class RootParameter(msgspec.Struct, frozen=True):
    """One root parameter; `index` is its place in the signature (the index of `SetGraphicsRoot...` calls).

    `register` and `space` belong to constants and descriptors, `count` is num32BitConstants, `ranges` a table's (where
    they are among the `unknown`, there are more than these).
    """

    index: int
    kind: ParameterKind
    register: int = 0
    space: int = 0
    count: int = 0
    flags: int = 0
    visibility: Visibility = "ALL"
    ranges: tuple[DescriptorRange, ...] = ()
    span: Span = NOWHERE
    unknown: tuple[str, ...] = ()

    @property
    def is_partial(self) -> bool:
        """Whether anything in it is not known."""
        return bool(self.unknown) or any(part.unknown for part in self.ranges)

    @property
    def is_cost_known(self) -> bool:
        return self.kind != "constants" or "count" not in self.unknown

    @property
    def cost(self) -> int:
        """DWORDs in a global signature (win32 documentation, root-signature-limits); at least, where not known."""
        if self.kind == "table":
            return 1
        return self.count if self.kind == "constants" else 2

    @property
    def cls(self) -> RegisterClass:
        """The register class of a descriptor or of constants; tables have one a range."""
        return {"constants": "b", "cbv": "b", "srv": "t", "uav": "u", "table": "b"}[self.kind]  # type: ignore[return-value]

    @property
    def registers(self) -> tuple[RegisterRange, ...]:
        """Every register range that the parameter covers, as far as they are known."""
        if self.kind == "table":
            return tuple(r.registers for r in self.ranges if not r.unknown)
        return () if {"register", "space"} & {*self.unknown} else (self._slot,)

    @property
    def shown(self) -> str:
        """The register of a descriptor or of constants in words, with `?` for what is not known; "" for a table."""
        return "" if self.kind == "table" else _shown(self._slot, tuple(f for f in self.unknown if f != "count"))

    @property
    def _slot(self) -> RegisterRange:
        return RegisterRange(self.cls, self.space, self.register, self.register)


class StaticSampler(msgspec.Struct, frozen=True):
    """Numbers as D3D12_STATIC_SAMPLER_DESC has them; defaults as the string grammar (and d3dx12) gives them."""

    register: int
    space: int = 0
    filter: int = 0x55
    address_u: int = 1
    address_v: int = 1
    address_w: int = 1
    mip_lod_bias: float = 0.0
    max_anisotropy: int = 16
    comparison: int = 4
    border_color: int = 2
    min_lod: float = 0.0
    max_lod: float = 3.4028234663852886e38
    visibility: Visibility = "ALL"
    flags: int = 0
    span: Span = NOWHERE
    unknown: tuple[str, ...] = ()

    @property
    def registers(self) -> RegisterRange:
        return RegisterRange("s", self.space, self.register, self.register)

    @property
    def is_placed(self) -> bool:
        """Whether it is known where it is bound, whatever its state."""
        return not {"register", "space", "visibility"} & {*self.unknown}

    @property
    def shown(self) -> str:
        """The register in words, with `?` for what is not known."""
        return _shown(self.registers, self.unknown)


def _shown(registers: RegisterRange, unknown: tuple[str, ...]) -> str:
    if not {"register", "space", "count"} & {*unknown}:
        return str(registers)
    number = "?" if "register" in unknown else str(registers.lower)
    end = ""
    if "count" in unknown:
        end = "-?"
    elif registers.upper is None:
        end = "-unbounded"
    elif registers.upper > registers.lower:
        end = f"-{registers.cls}{'?' if 'register' in unknown else registers.upper}"
    space = "?" if "space" in unknown else registers.space or ""
    return f"{registers.cls}{number}{end}" + (f", space{space}" if space else "")


STATIC_SAMPLER_MEMBERS = {
    "filter": "Filter",
    "address_u": "AddressU",
    "address_v": "AddressV",
    "address_w": "AddressW",
    "mip_lod_bias": "MipLODBias",
    "max_anisotropy": "MaxAnisotropy",
    "comparison": "ComparisonFunc",
    "border_color": "BorderColor",
    "min_lod": "MinLOD",
    "max_lod": "MaxLOD",
}
"""The members of D3D12_STATIC_SAMPLER_DESC for the state of a sampler, in their order there (d3d12.h)."""

ClaimKind = Literal["table", "constants", "cbv", "srv", "uav", "static-sampler"]


class Claim(msgspec.Struct, frozen=True):
    """Registers that one part of a signature binds: a root parameter, a range of a table, or a static sampler.

    `index` is that of the parameter or static sampler, `range_index` that of the range in its table.
    """

    registers: RegisterRange
    kind: ClaimKind
    visibility: Visibility
    index: int
    range_index: int = 0
    span: Span = NOWHERE

    @property
    def place(self) -> str:
        """In the words of a message: `parameter 2`, `parameter 0, range 1`, `static sampler 0`."""
        if self.kind == "table":
            return f"parameter {self.index}, range {self.range_index}"
        return f"{'static sampler' if self.kind == 'static-sampler' else 'parameter'} {self.index}"

    def conflicts(self, other: Claim) -> bool:
        """Whether some stage would see both on one register (DXC's rule: the same visibility, or ALL on one side)."""
        seen = self.visibility == other.visibility or "ALL" in (self.visibility, other.visibility)
        return seen and self.registers.intersects(other.registers)


class SyntaxFault(msgspec.Struct, frozen=True):
    """Why the text is no root signature: what stands at `span` and what was expected there."""

    message: str
    span: Span


class RootSignature(msgspec.Struct, frozen=True):
    """`origin` tells how the shader names it: "attribute", "define", "macro", "option", "global-subobject",
    "local-subobject", "bytes" or "cpp" (host code).

    A signature with a syntax fault keeps the clauses before the fault; `version` is "1.0", "1.1" or "1.2".
    `name` is the macro, the subobject or the function that it belongs to. `unknown` names the fields that host code
    leaves open: of "parameters" and "static_samplers" there are more, or there may be. What is open is a fault, too.
    """

    version: str = "1.1"
    flags: int = 0
    parameters: tuple[RootParameter, ...] = ()
    static_samplers: tuple[StaticSampler, ...] = ()
    origin: str = "attribute"
    name: str = ""
    span: Span = NOWHERE
    flags_span: Span = NOWHERE
    faults: tuple[SyntaxFault, ...] = ()
    unknown: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    """Conditions of the host code under which it is so; `!x` where x does not hold."""

    @property
    def is_local(self) -> bool:
        return bool(self.flags & LOCAL_ROOT_SIGNATURE) or self.origin == "local-subobject"

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What binds registers, in the order in which DXC looks at it: parameters with their ranges, then samplers.

        Nothing is claimed of what is not known in full, but for the state of static samplers.
        """
        claims: list[Claim] = []
        for p in self.parameters:
            if p.kind == "table":
                ranges = () if "visibility" in p.unknown else p.ranges
                claims += [
                    Claim(r.registers, "table", p.visibility, p.index, i, r.span)
                    for i, r in enumerate(ranges)
                    if not r.unknown
                ]
            elif not p.unknown:
                claims.append(Claim(p.registers[0], p.kind, p.visibility, p.index, 0, p.span))
        claims += [
            Claim(s.registers, "static-sampler", s.visibility, i, 0, s.span)
            for i, s in enumerate(self.static_samplers)
            if s.is_placed
        ]
        return tuple(claims)

    @property
    def settled(self) -> RootSignature:
        """What is known in full of the signature, for whoever judges it."""
        if not any(p.is_partial for p in self.parameters) and not any(s.unknown for s in self.static_samplers):
            return self
        return msgspec.structs.replace(
            self,
            parameters=tuple(p for p in self.parameters if not p.is_partial),
            static_samplers=tuple(s for s in self.static_samplers if not s.unknown),
        )

    @property
    def cost(self) -> int:
        """DWORDs of the 64 that a global signature may have; at least so many, where it is not known."""
        return sum(p.cost for p in self.parameters)

    @property
    def is_placed(self) -> bool:
        """Whether all that it binds is known, if not in what state."""
        parts = any(p.is_partial for p in self.parameters) or not all(s.is_placed for s in self.static_samplers)
        return not (self.unknown or parts)

    @property
    def is_cost_known(self) -> bool:
        read = not self.faults or self.origin == "cpp"
        return read and "parameters" not in self.unknown and all(p.is_cost_known for p in self.parameters)
