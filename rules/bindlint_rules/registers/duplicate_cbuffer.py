"""BL134: Several constant buffers of one name."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Resource, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    first: dict[str, Resource] = {}
    for resource in analysis.resources:
        if resource.origin != "cbuffer":
            continue
        other = first.setdefault(resource.name, resource)
        if other is not resource:
            yield Violation(
                f"a second {resource.type.name} is named `{resource.name}`: they are two buffers at two registers, "
                "which reflection and binding tables cannot tell apart; rename one",
                resource.span,
                related=(Related(f"the first `{resource.name}`", other.span),),
                symbols=(resource.name,),
            )


RULE = Rule(
    "BL134",
    "duplicate-cbuffer",
    "warning",
    "shader",
    "Two constant buffers have the same name",
    check,
)
