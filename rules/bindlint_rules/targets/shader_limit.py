"""BL403: A shader that needs more descriptors in tables than the tier allows, whatever its root signature."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.shader import STAGES, Target
from bindlint.rule import Rule
from bindlint.targets import capabilities
from bindlint.tiers.counting import limit_words, needs_table, used, visible_to


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able = capabilities(target)
    if analysis.signature is not None or not visible_to(analysis):
        return
    for cls, row in able.limits.items():
        if row.feature_level:
            # Fewer UAVs than on other devices of the tier: uav-slots counts those that are no table's, too.
            continue
        bound = [b for b in used(analysis, cls) if needs_table(b) and b.resource.count]
        total = sum(binding.resource.count or 0 for binding in bound)
        if 0 < able.limit(cls) < total:
            largest = sorted(bound, key=lambda binding: -(binding.resource.count or 0))
            names = ", ".join(f"{binding.resource.count} in `{binding.name}`" for binding in largest[:4])
            more = ", ..." if len(largest) > 4 else ""
            yield Violation(
                f"the {STAGES[analysis.stage]} shader needs {total} {row.what} in descriptor tables ({names}{more}); "
                f"{limit_words(able, cls)}",
                largest[0].resource.span,
                related=tuple(Related(f"`{b.name}`: {b.resource.count}", b.resource.span) for b in largest[1:4]),
                certainty="unknown" if any(b.resource.untold_size for b in bound) else "likely",
                symbols=(analysis.shader.entry, row.what, str(total)),
            )


RULE = Rule(
    "BL403",
    "shader-limit",
    "error",
    "target",
    "A shader that needs more descriptors in tables than the tier allows",
    check,
)
