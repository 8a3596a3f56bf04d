"""The macros that DXC 1.8 defines before it reads a shader (asked of the compiler, `#ifdef` by `#ifdef`)."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

Stage = Literal[
    "pixel", "vertex", "geometry", "hull", "domain", "compute", "library", "mesh", "amplification", "root signature"
]

# The numbers are DXC's shader kinds; a target of `rootsig_*` compiles as kind 16, version 0.0.
_STAGES: dict[Stage, int] = {
    "pixel": 0,
    "vertex": 1,
    "geometry": 2,
    "hull": 3,
    "domain": 4,
    "compute": 5,
    "library": 6,
    "mesh": 13,
    "amplification": 14,
    "root signature": 16,
}

_ALWAYS = (
    ("__hlsl_dx_compiler", "1"),
    ("__DXC_VERSION_MAJOR", "1"),
    ("__DXC_VERSION_MINOR", "8"),
    ("__DXC_VERSION_RELEASE", "0"),
    ("__DXC_VERSION_COMMITS", "4597"),
    ("__llvm__", "1"),
    ("__clang__", "1"),
    ("__clang_major__", "3"),
    ("__clang_minor__", "7"),
    ("__clang_patchlevel__", "0"),
    ("__clang_version__", '"3.7 (tags/RELEASE_370/final)"'),
    ("__GNUC__", "4"),
    ("__GNUC_MINOR__", "2"),
    ("__GNUC_PATCHLEVEL__", "1"),
    ("__GXX_ABI_VERSION", "1002"),
    ("__VERSION__", '"4.2.1 Compatible dxc(private) 1.8.0.4597"'),
    ("__ORDER_LITTLE_ENDIAN__", "1234"),
    ("__ORDER_BIG_ENDIAN__", "4321"),
    ("__ORDER_PDP_ENDIAN__", "3412"),
    ("__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__"),
    ("__LITTLE_ENDIAN__", "1"),
    ("__FLT_RADIX__", "2"),
    ("__DECIMAL_DIG__", "__LDBL_DECIMAL_DIG__"),
    ("__DATE__", '"Jan  1 1970"'),
    ("__TIME__", '"00:00:00"'),
    ("__TIMESTAMP__", '"Thu Jan  1 00:00:00 1970"'),
)


@lru_cache(maxsize=256)
def predefined(
    stage: Stage, major: int, minor: int, hlsl_version: int = 2021, enable_16bit: bool = False, spirv: bool = False
) -> tuple[tuple[str, str], ...]:
    """Name and body of each macro that DXC defines for a target.

    `hlsl_version` is the year given to `-HV` (202x is 2029), 2021 where none is given. `minor` is 15 for `lib_6_x`.
    """
    if stage == "root signature":
        major = minor = 0
    stages = [(f"__SHADER_STAGE_{name.upper()}", str(kind)) for name, kind in _STAGES.items() if kind != 16]
    options = [("__HLSL_ENABLE_16_BIT", "1")] * enable_16bit + [("__spirv__", "1")] * spirv
    return (
        *_ALWAYS,
        *stages,
        ("__HLSL_VERSION", str(hlsl_version)),
        ("__SHADER_TARGET_STAGE", str(_STAGES[stage])),
        ("__SHADER_TARGET_MAJOR", str(major)),
        ("__SHADER_TARGET_MINOR", str(minor)),
        *options,
    )
