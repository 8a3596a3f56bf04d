"""BL505: A part of a root signature that no pipeline with it uses."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.sharing import sharings
from bindlint_rules.root_signature.words import listed
from bindlint_rules.shader_signature.coverage import used_lines
from bindlint_rules.shader_signature.idle_root_parameter import parts


def check(project: Project) -> Iterator[Violation]:
    for sharing in sharings(project):
        if not sharing.complete:
            continue
        lines = [used_lines(analysis) for analysis in sharing.analyses]
        idle = [part for part in parts(sharing.signature) if part.claims and not any(map(part.serves, lines))]
        if idle:
            names = listed(part.name for part in idle)
            used = "is used" if len(idle) == 1 else "are used"
            message = f"{names} {used} by no shader of {sharing.users} with this root signature"
            related = tuple(Related(f"{part.name} is not used", part.span) for part in idle[1:])
            symbols = (*(part.name for part in idle), *sharing.stages)
            yield Violation(message, idle[0].span, (*related, *sharing.places), "likely", symbols)


RULE = Rule(
    "BL505",
    "idle-in-project",
    "info",
    "project",
    "A part of a root signature that no pipeline with it uses",
    check,
)
