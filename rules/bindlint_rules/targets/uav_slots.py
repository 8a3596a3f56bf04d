"""BL404: More than eight UAVs in a shader on feature level 11.0."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.shader import STAGES, Target
from bindlint.rule import Rule
from bindlint.targets import capabilities
from bindlint.tiers.counting import LEGACY_UAV_COUNT, used, visible_to


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able = capabilities(target)
    if able.limit("u") != LEGACY_UAV_COUNT or not visible_to(analysis):
        return
    bound = used(analysis, "u")
    unbounded = any(binding.resource.count is None for binding in bound)
    total = sum(binding.resource.count or 0 for binding in bound)
    if not unbounded and total <= LEGACY_UAV_COUNT:
        return
    largest = sorted(bound, key=lambda b: -(b.resource.count or (1 << 32)))
    parts = ", ".join(f"{b.resource.count or 'unbounded'} in `{b.name}`" for b in largest[:4])
    more = ", ..." if len(largest) > 4 else ""
    number = "unbounded" if unbounded else str(total)
    yield Violation(
        f"the {STAGES[analysis.stage]} shader has {number} UAVs ({parts}{more}); tier 1 on feature level 11_0 allows "
        f"{LEGACY_UAV_COUNT}, and 64 from 11_1 on",
        largest[0].resource.span,
        related=tuple(Related(f"`{b.name}`: {b.resource.count or 'unbounded'}", b.resource.span) for b in largest[1:4]),
        certainty="unknown" if any(b.resource.untold_size for b in bound) else "likely",
        symbols=(analysis.shader.entry, number),
    )


RULE = Rule(
    "BL404",
    "uav-slots",
    "error",
    "target",
    "More than 8 UAVs in a shader on feature level 11.0",
    check,
)
