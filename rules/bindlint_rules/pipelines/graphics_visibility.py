"""BL508: Parts of a compute pipeline's root signature that graphics stages alone can see."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.project.values import Pipeline
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import listed
from bindlint_rules.shader_signature.coverage import used_lines
from bindlint_rules.shader_signature.idle_root_parameter import parts


def check(pipeline: Pipeline) -> Iterator[Violation]:
    """What the shader uses of these is `invisible-to-stage`."""
    signature = pipeline.signature
    if pipeline.bind_point != "compute" or signature is None or signature.faults:
        return
    lines = [used_lines(analysis) for analysis in pipeline.analyses]
    unseen = [p for p in parts(signature) if p.visibility != "ALL" and not any(map(p.serves, lines))]
    if unseen:
        names = listed(f"{part.name} to {part.visibility}" for part in unseen[:4])
        more = f" and {len(unseen) - 4} more" if len(unseen) > 4 else ""
        yield Violation(
            f"the root signature of compute pipeline `{pipeline.name}` shows {names}{more}; a compute shader sees "
            "what is visible to ALL only",
            pipeline.span,
            tuple(Related(f"{part.name} is visible to {part.visibility}", part.span) for part in unseen[:4]),
            "likely",
            (pipeline.name, unseen[0].name),
        )


RULE = Rule(
    "BL508",
    "graphics-visibility",
    "info",
    "pipeline",
    "A compute pipeline has a root signature with parts that graphics stages alone can see",
    check,
)
