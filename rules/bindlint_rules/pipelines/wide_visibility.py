"""BL504: A root parameter for all stages that one stage alone reaches."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.root_signature import STAGE_VISIBILITY
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.sharing import sharings
from bindlint_rules.root_signature.words import listed
from bindlint_rules.shader_signature.coverage import used_lines
from bindlint_rules.shader_signature.idle_root_parameter import parts


def check(project: Project) -> Iterator[Violation]:
    for sharing in sharings(project):
        if not sharing.complete or not sharing.stages <= STAGE_VISIBILITY.keys() or len(sharing.stages) < 2:
            continue
        lines = [(analysis.stage, used_lines(analysis)) for analysis in sharing.analyses]
        count = len(sharing.signature.parameters)
        for part in [*parts(sharing.signature)][:count]:
            reached_by = {stage for stage, used in lines if part.serves(used)}
            if part.visibility != "ALL" or len(reached_by) != 1:
                continue
            visibility = STAGE_VISIBILITY[reached_by.pop()]
            registers = listed(str(claim.registers) for claim in part.claims)
            yield Violation(
                f"only {visibility} reaches {registers} of {part.name}, which is visible to all stages of "
                f"{sharing.users}; SHADER_VISIBILITY_{visibility} is enough",
                part.span,
                sharing.places,
                "likely",
                (part.name, visibility),
            )


RULE = Rule(
    "BL504",
    "wide-visibility",
    "info",
    "project",
    "A root parameter is visible to all stages, but only one of them reaches it",
    check,
)
