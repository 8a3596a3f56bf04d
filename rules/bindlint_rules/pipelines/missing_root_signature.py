"""BL510: A pipeline that is given no root signature, with a shader that embeds none."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.project.values import Pipeline
from bindlint.rule import Rule

from bindlint_rules.pipelines.words import embeds
from bindlint_rules.root_signature.words import listed


def check(pipeline: Pipeline) -> Iterator[Violation]:
    if not embeds(pipeline):
        return
    read = [(stage, stage.analysis) for stage in pipeline.stages if stage.analysis is not None]
    without = [(s, a) for s, a in read if a.signature is None and not a.signatures and a.status == "ok"]
    if not without or (pipeline.host is None and len(without) == len(read)):
        # A configuration that tells of no signature at all leaves open where it comes from.
        return
    names = listed(f"`{stage.name}`" for stage, _ in without)
    verb = "embed" if len(without) > 1 else "embeds"
    yield Violation(
        f"pipeline `{pipeline.name}` is given no root signature, and {names} {verb} none",
        pipeline.span,
        tuple(Related(f"`{stage.name}`", a.entries[0].span) for stage, a in without[:4] if a.entries),
        symbols=(pipeline.name, *(stage.name for stage, _ in without)),
    )


RULE = Rule(
    "BL510",
    "missing-root-signature",
    "error",
    "pipeline",
    "A pipeline without a root signature, with a shader that embeds none",
    check,
)
