"""Shader models as rules ask for them: what is below 5.1, and where a resource says what it says."""

from __future__ import annotations

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.shader import Profile


def profile_below(analysis: ShaderAnalysis, shader_model: tuple[int, int]) -> Profile | None:
    """The target profile, where one is given that is older than the shader model."""
    profile = analysis.shader.profile
    if profile is None or profile.stage == "rootsig" or profile.shader_model >= shader_model:
        return None
    return profile
