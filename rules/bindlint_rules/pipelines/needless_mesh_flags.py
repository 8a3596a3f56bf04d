"""BL507: Flags and visibilities for mesh shaders in a root signature that no mesh shader uses."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import DENY_FLAGS
from bindlint.model.source import NOWHERE, Span
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.sharing import sharings
from bindlint_rules.root_signature.mesh_root_flags import MESH_STAGES
from bindlint_rules.shader_signature.idle_root_parameter import parts


def check(project: Project) -> Iterator[Violation]:
    for sharing in sharings(project):
        if not sharing.complete or {"ms", "as"} & sharing.stages:
            continue
        for what, span in _for_mesh(sharing.signature):
            message = (
                f"{what} needs a runtime and a device that know mesh shaders; no mesh shader uses this root "
                f"signature ({sharing.users})"
            )
            yield Violation(message, span, sharing.places, "likely", (what,))


def _for_mesh(signature: RootSignature) -> Iterator[tuple[str, Span]]:
    flags = [f"DENY_{stage}_SHADER_ROOT_ACCESS" for stage in MESH_STAGES if signature.flags & DENY_FLAGS[stage]]
    if flags:
        yield " | ".join(flags), signature.span if signature.flags_span is NOWHERE else signature.flags_span
    for part in parts(signature):
        if part.visibility in MESH_STAGES:
            yield f"{part.name} with visibility {part.visibility}", part.span


RULE = Rule(
    "BL507",
    "needless-mesh-flags",
    "info",
    "project",
    "A root signature that no mesh shader uses has flags or visibilities for them",
    check,
)
