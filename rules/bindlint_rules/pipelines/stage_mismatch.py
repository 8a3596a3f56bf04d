"""BL501: A register that two stages of a pipeline share and that means different things in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from bindlint.model.finding import Related, Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import Claim
from bindlint.project.values import Pipeline, PipelineStage
from bindlint.rule import Rule

from bindlint_rules.pipelines.meanings import Difference, difference
from bindlint_rules.pipelines.words import Placed, drifts, given_signature, place_of, stage_of, used_in
from bindlint_rules.root_signature.words import shared
from bindlint_rules.shader_signature.coverage import Verdict, verdict_for_all

TAKEN_BY = {"cbv": "CBV", "constants": "set of root constants", "srv": "SRV", "uav": "UAV"}
DESCRIPTORS = {"b": "CBV", "t": "SRV", "u": "UAV", "s": "sampler"}


def check(pipeline: Pipeline) -> Iterator[Violation]:
    signature = given_signature(pipeline)
    if signature is None:
        return
    everyones = [claim for claim in signature.claims if claim.visibility == "ALL"]
    stages = [(stage, list(used_in(stage))) for stage in pipeline.stages]
    said: set[str] = set()
    for (one, ours), (other, theirs) in combinations(stages, 2):
        # What drifts is a matter of its own, and what it meets there follows from it.
        for first in (each for each in ours if not any(drifts(each, far) for far in theirs)):
            for second in (each for each in theirs if not any(drifts(near, each) for near in ours)):
                both = shared(first.registers, second.registers)
                if not first.registers.intersects(second.registers) or str(both) in said:
                    continue
                claim = _cover(first, second, everyones)
                unlike = None if claim is None else difference(first, second, claim)
                if claim is not None and unlike is not None:
                    said.add(str(both))
                    yield _violation(pipeline, (one, first), (other, second), both, claim, unlike)


def _cover(first: Placed, second: Placed, claims: list[Claim]) -> Claim | None:
    """The part of the signature that feeds both."""
    found = [verdict_for_all(each.binding, each.registers, claims) for each in (first, second)]
    if any(verdict is not Verdict.COVERED for verdict, _ in found):
        return None
    return found[0][1][0] if found[0][1][0] == found[1][1][0] else None


def _violation(
    pipeline: Pipeline,
    one: tuple[PipelineStage, Placed],
    other: tuple[PipelineStage, Placed],
    both: RegisterRange,
    claim: Claim,
    unlike: Difference,
) -> Violation:
    (here, first), (there, second) = one, other
    what = TAKEN_BY.get(claim.kind) or DESCRIPTORS[claim.registers.cls]
    implicit = [each.binding.name for each in (second, first) if not each.binding.explicit]
    way_out = f"; the compiler chose the register of `{implicit[0]}`, give it one" if implicit else ""
    differing = f" ({unlike.words})" if unlike.words else ""
    verb = "feed" if both.count != 1 else "feeds"
    return Violation(
        f"{both} means `{first.binding.name}` in the {stage_of(here)} shader and `{second.binding.name}` in the "
        f"{stage_of(there)} shader{differing}; with visibility ALL one {what} {verb} both{way_out}",
        place_of(second.binding),
        (
            Related(f"`{first.binding.name}` of `{here.name}`", place_of(first.binding)),
            Related(f"{claim.registers} is in {claim.place} of the root signature", claim.span),
            Related(f"pipeline `{pipeline.name}`", pipeline.span),
        ),
        "likely",
        (str(both), first.binding.name, second.binding.name),
        severity=unlike.severity,
    )


RULE = Rule(
    "BL501",
    "stage-mismatch",
    "warning",
    "pipeline",
    "A register that stages of one pipeline share means different things in them",
    check,
)
