"""BL501: A register that two stages of a pipeline share and that means different things in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import msgspec
from bindlint.model.binding import Binding
from bindlint.model.finding import Related, Severity, Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import Claim
from bindlint.project.values import Pipeline, PipelineStage
from bindlint.rule import Rule

from bindlint_rules.pipelines.words import Placed, drifts, given_signature, place_of, stage_of, used_in
from bindlint_rules.root_signature.words import shared
from bindlint_rules.shader_signature.coverage import Verdict, verdict_for_all

ALIKE = {
    "ConstantBuffer": "cbuffer",
    "TextureBuffer": "tbuffer",
    "sampler": "SamplerState",
    "AppendStructuredBuffer": "RWStructuredBuffer",
    "ConsumeStructuredBuffer": "RWStructuredBuffer",
}
"""Types that one descriptor can serve."""

TAKEN_BY = {"cbv": "CBV", "constants": "set of root constants", "srv": "SRV", "uav": "UAV"}
DESCRIPTORS = {"b": "CBV", "t": "SRV", "u": "UAV", "s": "sampler"}


class _Difference(msgspec.Struct, frozen=True):
    words: str
    severity: Severity | None = None


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
                difference = None if claim is None else _difference(first, second, claim)
                if claim is not None and difference is not None:
                    said.add(str(both))
                    yield _violation(pipeline, (one, first), (other, second), both, claim, difference)


def _cover(first: Placed, second: Placed, claims: list[Claim]) -> Claim | None:
    """The part of the signature that feeds both."""
    found = [verdict_for_all(each.binding, each.registers, claims) for each in (first, second)]
    if any(verdict is not Verdict.COVERED for verdict, _ in found):
        return None
    return found[0][1][0] if found[0][1][0] == found[1][1][0] else None


def _difference(first: Placed, second: Placed, claim: Claim) -> _Difference | None:
    one, other = first.binding.resource, second.binding.resource
    if one == other or claim.kind == "static-sampler" or None in (first.registers.upper, second.registers.upper):
        return None
    if _plain(first.binding) != _plain(second.binding):
        scenes = {"RaytracingAccelerationStructure"} & {one.type.name, other.type.name}
        if claim.kind in ("srv", "uav") and not scenes:
            # A root descriptor has no type: the shaders alone say what they see there.
            return None
        return _Difference(f"a {one.type.name} and a {other.type.name}")
    if claim.kind == "table" and one.stride and other.stride and one.stride != other.stride:
        return _Difference(f"elements of {one.stride} and of {other.stride} bytes")
    if one.cls == "s" or one.count != other.count:
        return None
    if one.cls == "b" and one.size and other.size and one.size != other.size:
        # One that begins like the other is often the other's beginning.
        return _Difference(f"{one.size} and {other.size} bytes", "info" if one.name == other.name else None)
    same = one.name.lower() == other.name.lower() or (one.cls == "b" and one.written_type == other.written_type != "")
    return None if same else _Difference("", None if _chosen_by_compiler(first, second) else "info")


def _plain(binding: Binding) -> str:
    name = binding.resource.type.name.replace("RasterizerOrdered", "RW")
    return ALIKE.get(name, name)


def _chosen_by_compiler(first: Placed, second: Placed) -> bool:
    return not (first.binding.explicit and second.binding.explicit)


def _violation(
    pipeline: Pipeline,
    one: tuple[PipelineStage, Placed],
    other: tuple[PipelineStage, Placed],
    both: RegisterRange,
    claim: Claim,
    difference: _Difference,
) -> Violation:
    (here, first), (there, second) = one, other
    what = TAKEN_BY.get(claim.kind) or DESCRIPTORS[claim.registers.cls]
    implicit = [each.binding.name for each in (second, first) if not each.binding.explicit]
    way_out = f"; the compiler chose the register of `{implicit[0]}`, give it one" if implicit else ""
    differing = f" ({difference.words})" if difference.words else ""
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
        severity=difference.severity,
    )


RULE = Rule(
    "BL501",
    "stage-mismatch",
    "warning",
    "pipeline",
    "A register that stages of one pipeline share means different things in them",
    check,
)
