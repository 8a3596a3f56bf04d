"""BL508: Parts of a compute pipeline's root signature that graphics stages alone can see."""

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
    """What the shaders use of these is `invisible-to-stage`; a signature that graphics use as well is left alone."""
    for sharing in sharings(project):
        if not sharing.complete or any(pipeline.bind_point != "compute" for pipeline in sharing.pipelines):
            continue
        lines = [used_lines(analysis) for analysis in sharing.analyses]
        unseen = [p for p in parts(sharing.signature) if p.visibility != "ALL" and not any(map(p.serves, lines))]
        if unseen:
            names = listed(f"{part.name} to {part.visibility}" for part in unseen[:4])
            more = f" and {len(unseen) - 4} more" if len(unseen) > 4 else ""
            shown = tuple(Related(f"{part.name} is visible to {part.visibility}", part.span) for part in unseen[:4])
            yield Violation(
                f"the root signature of compute {sharing.users} shows {names}{more}; a compute shader sees "
                "what is visible to ALL only",
                sharing.pipelines[0].span,
                (*shown, *sharing.places[1:]),
                "likely",
                (sharing.pipelines[0].name, unseen[0].name),
            )


RULE = Rule(
    "BL508",
    "graphics-visibility",
    "info",
    "project",
    "A compute pipeline has a root signature with parts that graphics stages alone can see",
    check,
)
