"""BL505: A part of a root signature that no pipeline with it uses."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.sharing import sharings
from bindlint_rules.shader_signature.coverage import used_lines
from bindlint_rules.shader_signature.idle_root_parameter import parts


def check(project: Project) -> Iterator[Violation]:
    for sharing in sharings(project):
        if not sharing.complete:
            continue
        lines = [used_lines(analysis) for analysis in sharing.analyses]
        for part in parts(sharing.signature):
            if part.claims and not any(map(part.serves, lines)):
                message = f"{part.name} is used by no shader of {sharing.users} with this root signature"
                yield Violation(message, part.span, sharing.places, "likely", (part.name, *sharing.stages))


RULE = Rule(
    "BL505",
    "idle-in-project",
    "info",
    "project",
    "A part of a root signature that no pipeline with it uses",
    check,
)
