"""BL506: A stage that no pipeline with the root signature has or binds anything in, and that is not denied access."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.root_signature import STAGE_VISIBILITY
from bindlint.model.root_signature_checks import DENY_FLAGS
from bindlint.model.source import NOWHERE
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.sharing import sharings

CLASSIC = ("VERTEX", "HULL", "DOMAIN", "GEOMETRY", "PIXEL")
"""The flags for other stages need a runtime that knows mesh shaders."""


def check(project: Project) -> Iterator[Violation]:
    for sharing in sharings(project):
        signature = sharing.signature
        if not sharing.complete or not sharing.stages <= STAGE_VISIBILITY.keys():
            continue
        binding = {
            STAGE_VISIBILITY[analysis.stage]
            for analysis in sharing.analyses
            if any(each.used for each in analysis.bindings)
            or any(entry.resource_heap or entry.sampler_heap for entry in analysis.entries)
        }
        flags = [
            f"DENY_{stage}_SHADER_ROOT_ACCESS"
            for stage, flag in DENY_FLAGS.items()
            if stage in CLASSIC and stage not in binding and not signature.flags & flag
        ]
        if flags and signature.claims:
            span = signature.span if signature.flags_span is NOWHERE else signature.flags_span
            message = (
                f"{' | '.join(flags)} can be set: no shader of {sharing.users} with this root signature binds anything "
                "there"
            )
            yield Violation(message, span, sharing.places, "likely", (signature.name, *flags))


RULE = Rule(
    "BL506",
    "open-stage",
    "info",
    "project",
    "A DENY flag could be set for a stage that binds nothing in any pipeline",
    check,
    enabled=False,
)
