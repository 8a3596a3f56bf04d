"""What is to be checked: a shader's file, entry point, target profile and compiler options."""

from __future__ import annotations

from typing import Literal

import msgspec

Dialect = Literal["dxc", "fxc"]

Stage = Literal[
    "pixel", "vertex", "geometry", "hull", "domain", "compute", "mesh", "amplification", "library", "root signature"
]

STAGES: dict[str, Stage] = {
    "ps": "pixel",
    "vs": "vertex",
    "gs": "geometry",
    "hs": "hull",
    "ds": "domain",
    "cs": "compute",
    "ms": "mesh",
    "as": "amplification",
    "lib": "library",
    "rootsig": "root signature",
}
"""The prefix of a target profile -> the stage's name."""


class Profile(msgspec.Struct, frozen=True):
    """A target profile such as `ps_6_6`; `minor` 15 stands for `x` (lib_6_x)."""

    stage: str
    major: int
    minor: int

    @property
    def is_library(self) -> bool:
        return self.stage == "lib"

    @property
    def shader_model(self) -> tuple[int, int]:
        return self.major, self.minor

    def __str__(self) -> str:
        return f"{self.stage}_{self.major}_{'x' if self.minor == 15 else self.minor}"


class Shader(msgspec.Struct, frozen=True):
    """One compilation, as one compiler command line gives it.

    `entry` "" and `profile` None ask for discovery of entry points; for libraries the entry is "".
    `defines` keep their order; a define without value is "1", as in dxc. `include_dirs` are absolute.
    `auto_binding_space` None is "not given". `root_signature` is what `--rootsig` named ("" = the shader's own).
    """

    file: str
    entry: str = ""
    profile: Profile | None = None
    directory: str = ""
    defines: tuple[tuple[str, str], ...] = ()
    include_dirs: tuple[str, ...] = ()
    virtual_dirs: tuple[tuple[str, str], ...] = ()
    """Beginnings of included paths, such as `/Engine`, and the folders that they stand for."""
    dialect: Dialect = "dxc"
    hlsl_version: int = 2021
    root_signature_define: str = ""
    root_signature_version: str = "1.1"
    root_signature: str = ""
    auto_binding_space: int | None = None
    legacy_resource_reservation: bool = False
    legacy_macro_expansion: bool = False
    external_linkage: bool = False
    exports: tuple[str, ...] = ()
    binding_table_define: str = ""
    binding_table_file: str = ""
    strict_ieee: bool = False
    enable_16bit_types: bool = False
    row_major: bool = False
    spirv: bool = False
    skip_validation: bool = False
    roots: tuple[str, ...] = ()
    """Folders that includes may lead into; none: any. What would leave them is reported and not read."""
    inferred: str = ""
    """Why this stage was chosen, where no profile was given."""
    shipped: str = ""
    """A compiled shader that is said to be made of this one; "" for none."""


class Target(msgspec.Struct, frozen=True):
    """What the shader must run on. Limits stand in `data/tiers.toml`; None means "not asked"."""

    api: str = "d3d12"
    binding_tier: int | None = None
    feature_level: str | None = None
