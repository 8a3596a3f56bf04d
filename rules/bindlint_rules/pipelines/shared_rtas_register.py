"""BL503: A register of one root signature that is an acceleration structure for one shader and a buffer for another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bindlint.model.binding import Binding
from bindlint.model.finding import Related, Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import RootSignature
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import bare, host_exports
from bindlint_rules.pipelines.state_objects import used_by
from bindlint_rules.pipelines.words import place_of, used_in
from bindlint_rules.root_signature.words import shared

SCENE = "RaytracingAccelerationStructure"
_User = tuple[str, Binding, RegisterRange]
"""A shader in words, and what it uses."""


def check(project: Project) -> Iterator[Violation]:
    for users in _users(project).values():
        scenes = [user for user in users if user[1].resource.type.name == SCENE]
        others = [user for user in users if user[1].resource.type.name != SCENE and user[2].cls == "t"]
        for name, scene, registers in scenes:
            other = next((user for user in others if user[2].intersects(registers)), None)
            if other is None or None in (registers.upper, other[2].upper):
                continue
            both = shared(registers, other[2])
            yield Violation(
                f"{both} of one root signature is the acceleration structure `{scene.name}` in {name} and the "
                f"{other[1].resource.type.name} `{other[1].name}` in {other[0]}; what is set for the one is no view "
                "for the other",
                place_of(other[1]),
                (Related(f"`{scene.name}` is an acceleration structure", place_of(scene)),),
                "likely",
                (str(both), scene.name, other[1].name),
            )


def _users(project: Project) -> dict[RootSignature, list[_User]]:
    """What the shaders of pipelines and state objects see through each signature."""
    found: defaultdict[RootSignature, list[_User]] = defaultdict(list)
    for pipeline in project.pipelines:
        for stage in pipeline.stages if pipeline.signature is not None else ():
            assert pipeline.signature is not None
            found[bare(pipeline.signature)] += (
                (f"`{stage.name}`", each.binding, each.registers) for each in used_in(stage)
            )
    for made in project.state_objects:
        for export in host_exports(made, project):
            if export.globally.signature is not None:
                local = export.local.signature.claims if export.local.signature is not None else ()
                found[bare(export.globally.signature)] += (
                    (f"`{export.name}`", binding, registers)
                    for binding, registers in used_by(export)
                    if not any(claim.registers.intersects(registers) for claim in local)
                )
    return found


RULE = Rule(
    "BL503",
    "shared-rtas-register",
    "warning",
    "project",
    "A register of one root signature is an acceleration structure for one shader and another view for the next",
    check,
)
