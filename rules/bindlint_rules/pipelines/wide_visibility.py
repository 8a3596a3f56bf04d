"""BL504: Root parameters for all stages that one stage alone reaches."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.model.root_signature import STAGE_VISIBILITY
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.sharing import Sharing, sharings
from bindlint_rules.root_signature.words import listed
from bindlint_rules.shader_signature.coverage import used_lines
from bindlint_rules.shader_signature.idle_root_parameter import Part, parts


def check(project: Project) -> Iterator[Violation]:
    for sharing in sharings(project):
        if sharing.complete and sharing.stages <= STAGE_VISIBILITY.keys() and len(sharing.stages) > 1:
            yield from _wide(sharing)


def _wide(sharing: Sharing) -> Iterator[Violation]:
    """One finding for a signature, at the first of its parameters."""
    lines = [(analysis.stage, used_lines(analysis)) for analysis in sharing.analyses]
    found: list[tuple[Part, str]] = []
    for part in [*parts(sharing.signature)][: len(sharing.signature.parameters)]:
        reached_by = {stage for stage, used in lines if part.serves(used)}
        if part.visibility == "ALL" and len(reached_by) == 1:
            found.append((part, STAGE_VISIBILITY[reached_by.pop()]))
    if not found:
        return
    told = [f"only {visibility} reaches {_registers(part)} of {part.name}" for part, visibility in found]
    part, visibility = found[0]
    if len(found) == 1:
        what = f"{told[0]}, which is visible to all stages of {sharing.users}; SHADER_VISIBILITY_{visibility} is enough"
    else:
        names = listed(f"{part.name} by {visibility}" for part, visibility in found)
        what = f"{len(found)} parameters visible to all stages of {sharing.users} are reached by one each: {names}"
    related = tuple(Related(text, each.span) for text, (each, _) in zip(told[1:], found[1:], strict=True))
    yield Violation(what, part.span, (*related, *sharing.places), "likely", (part.name, visibility))


def _registers(part: Part) -> str:
    return listed(str(claim.registers) for claim in part.claims)


RULE = Rule(
    "BL504",
    "wide-visibility",
    "info",
    "project",
    "A root parameter is visible to all stages, but only one of them reaches it",
    check,
)
