"""BL509: Shaders of one pipeline that embed different root signatures, while the pipeline is given none."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.project.values import Pipeline
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import alike
from bindlint_rules.pipelines.words import embeds


def check(pipeline: Pipeline) -> Iterator[Violation]:
    if not embeds(pipeline):
        return
    embedding = [
        (stage, stage.analysis.signature)
        for stage in pipeline.stages
        if stage.analysis is not None and stage.analysis.signature is not None
    ]
    for stage, signature in embedding[1:]:
        first, known = embedding[0]
        if not (known.faults or signature.faults or alike(known, signature)):
            yield Violation(
                f"`{first.name}` and `{stage.name}` embed different root signatures, and pipeline `{pipeline.name}` is "
                "given none that would replace them",
                signature.span,
                (
                    Related(f"the root signature of `{first.name}`", known.span),
                    Related(f"pipeline `{pipeline.name}`", pipeline.span),
                ),
                symbols=(pipeline.name, first.name, stage.name),
            )
            return


RULE = Rule(
    "BL509",
    "embedded-signatures-differ",
    "error",
    "pipeline",
    "Shaders of one pipeline embed different root signatures",
    check,
)
