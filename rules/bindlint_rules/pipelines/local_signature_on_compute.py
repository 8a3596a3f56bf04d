"""BL527: A local root signature for a compute shader of a library, which has no local root arguments."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import of_library


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    stages = {entry.name: entry for entry in analysis.entries if entry.stage in ("compute", "cs")}
    for association in of_library(analysis) if stages else ():
        for name in association.exports:
            if association.kind == "local" and name in stages:
                yield Violation(
                    f"the local root signature `{association.name}` is associated with the compute shader `{name}`; "
                    "only shaders for ray tracing and nodes have local root arguments",
                    association.span,
                    (Related(f"`{name}` is here", stages[name].span),),
                    symbols=(association.name, name),
                )


RULE = Rule(
    "BL527",
    "local-signature-on-compute",
    "error",
    "shader",
    "A local root signature that is associated with a compute shader",
    check,
)
