"""Shader models as rules ask for them: which target profile is older than what a shader uses."""

from __future__ import annotations

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.shader import Profile

DXC_OLDEST = (6, 0)
"""DXC's command line compiles for shader model 6.0 what asks for an older one."""


def profile_below(analysis: ShaderAnalysis, shader_model: tuple[int, int]) -> Profile | None:
    """The target profile, where one is given and what is compiled for it is older than the shader model."""
    profile = analysis.shader.profile
    if profile is None or profile.stage == "rootsig":
        return None
    oldest = DXC_OLDEST if analysis.shader.dialect == "dxc" else (0, 0)
    return profile if max(profile.shader_model, oldest) < shader_model else None
