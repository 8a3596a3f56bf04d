"""BL502: One resource that gets different registers in the stages of a pipeline, because the compiler chooses them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from bindlint.model.finding import Related, Violation
from bindlint.project.values import Pipeline
from bindlint.rule import Rule

from bindlint_rules.pipelines.words import Placed, drifts, stage_of, used_in


def check(pipeline: Pipeline) -> Iterator[Violation]:
    said: set[tuple[str, object]] = set()
    for one, other in combinations(pipeline.stages, 2):
        there = {(each.binding.name, each.binding.resource.span): each for each in used_in(other)}
        drifted: list[tuple[Placed, Placed]] = []
        for first in used_in(one):
            key = (first.binding.name, first.binding.resource.span)
            second = there.get(key)
            if second is not None and drifts(first, second) and key not in said:
                said.add(key)
                drifted.append((first, second))
        if not drifted:
            continue
        first, second = drifted[0]
        more = f" (and {len(drifted) - 1} more likewise)" if len(drifted) > 1 else ""
        yield Violation(
            f"`{first.binding.name}` is {first.registers} in the {stage_of(one)} shader and {second.registers} in the "
            f"{stage_of(other)} shader of one pipeline{more}, since the compiler numbers what each of them uses; give "
            "it a register",
            first.binding.resource.span,
            (
                *(Related(f"`{a.binding.name}`: {a.registers} and {b.registers}", a.binding.resource.span)
                  for a, b in drifted[1:5]),
                Related(f"pipeline `{pipeline.name}`: `{one.name}` and `{other.name}`", pipeline.span),
            ),
            "likely",
            (first.binding.name, str(first.registers), str(second.registers)),
        )  # fmt: skip


RULE = Rule(
    "BL502",
    "drifting-register",
    "warning",
    "pipeline",
    "A resource gets different registers in the stages of one pipeline",
    check,
)
