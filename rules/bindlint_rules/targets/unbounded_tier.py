"""BL402: An unbounded descriptor range, or array, on a tier whose tables must be bounded."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.shader import Target
from bindlint.rule import Rule
from bindlint.targets import capabilities
from bindlint.tiers.counting import table_claims, used


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able = capabilities(target)
    for cls, row in able.limits.items():
        if able.tier >= row.unbounded:
            continue
        need = f"tier {able.tier} allows {able.limit(cls)} {row.what}, unbounded ones need tier {row.unbounded}"
        for signature in analysis.signatures:
            for claim in table_claims(signature, cls):
                if claim.registers.upper is None:
                    yield Violation(
                        f"{claim.registers} ({claim.place}) is unbounded; {need}",
                        claim.span,
                        symbols=(str(claim.registers), f"tier {able.tier}"),
                    )
        for binding in used(analysis, cls) if analysis.signature is None else ():
            if binding.resource.count is None:
                yield Violation(
                    f"`{binding.name}` is unbounded; {need}, so only a bounded part of it can be bound",
                    binding.resource.span,
                    certainty=binding.certainty,
                    symbols=(binding.name, f"tier {able.tier}"),
                    severity="warning",
                )


RULE = Rule(
    "BL402",
    "unbounded-tier",
    "error",
    "target",
    "An unbounded descriptor range below the tier that allows it",
    check,
)
