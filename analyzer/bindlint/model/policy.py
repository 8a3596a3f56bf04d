"""What a project says of its own registers: which are required, reserved or kept for extensions, and spare DWORDs."""

from __future__ import annotations

import re

import msgspec

from bindlint.model.registers import MAX_REGISTER, RegisterRange


class RequiredBinding(msgspec.Struct, frozen=True):
    """Whatever is bound at `registers` has the name, and what has the name is bound there."""

    registers: RegisterRange
    name: str


class SpaceRange(msgspec.Struct, frozen=True):
    """Register spaces, both ends included."""

    first: int
    last: int

    def __contains__(self, space: int) -> bool:
        return self.first <= space <= self.last

    def __str__(self) -> str:
        return f"space{self.first}" + (f"-space{self.last}" if self.last > self.first else "")


class ExtensionSlot(msgspec.Struct, frozen=True):
    """The register that a vendor's library takes for a buffer of its own; `resource` is that buffer's name in HLSL."""

    name: str
    resource: str
    registers: RegisterRange


class Policy(msgspec.Struct, frozen=True):
    """The section `[policy]` of the configuration. `reserve_dwords` stay free of the 64 of a root signature."""

    required: tuple[RequiredBinding, ...] = ()
    reserved_registers: tuple[RegisterRange, ...] = ()
    reserved_spaces: tuple[SpaceRange, ...] = ()
    extension_slots: tuple[ExtensionSlot, ...] = ()
    reserve_dwords: int = 0


EXTENSIONS: dict[str, ExtensionSlot] = {
    "nvapi": ExtensionSlot("nvapi", "g_NvidiaExt", RegisterRange("u", 999999, 999999, 999999)),
    "ags": ExtensionSlot("ags", "AmdExtD3DShaderIntrinsicsUAV", RegisterRange("u", 2147420894, 0, 0)),
}
"""NVAPI takes the slot that NV_SHADER_EXTN_SLOT and NV_SHADER_EXTN_REGISTER_SPACE name, so that this is but a default;
AGS takes u0 in AGS_DX12_SHADER_INTRINSICS_SPACE_ID, unless it is told otherwise."""

_REGISTERS = re.compile(r"([btus])(\d+)(?:\s*-\s*\1?(\d+|unbounded))?(?:\s*,\s*space(\d+))?")
_SPACES = re.compile(r"(?:space)?(\d+)(?:\s*-\s*(?:space)?(\d+))?")


def read_registers(text: str) -> RegisterRange | None:
    """Registers as messages write them: `b0`, `t3, space2`, `t0-t15, space1`, `t0-unbounded`; else None."""
    match = _REGISTERS.fullmatch(text.strip())
    if match is None:
        return None
    lower, space = int(match[2]), int(match[4] or 0)
    upper = None if match[3] == "unbounded" else int(match[3] or lower)
    if max(lower, upper or 0, space) > MAX_REGISTER or (upper is not None and upper < lower):
        return None
    return RegisterRange(match[1], space, lower, upper)  # type: ignore[arg-type]


def read_spaces(text: str) -> SpaceRange | None:
    """Register spaces: `100-109`, `7`, `space7`; None for anything else."""
    match = _SPACES.fullmatch(text.strip())
    if match is None:
        return None
    first = int(match[1])
    last = int(match[2] or first)
    return SpaceRange(first, last) if first <= last <= MAX_REGISTER else None
