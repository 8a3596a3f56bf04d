"""BL401: More descriptors in the tables of a root signature than the hardware tier allows."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.registers import RegisterClass
from bindlint.model.root_signature import RootSignature
from bindlint.model.shader import Target
from bindlint.rule import Rule
from bindlint.targets import Capabilities, capabilities

from bindlint_rules.targets.counting import Count, limit_words, signature_count, stage_counts, table_claims


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able = capabilities(target)
    for signature in analysis.signatures:
        for cls in able.limits if not signature.faults else ():
            for count in _over(signature, cls, able):
                yield _violation(signature, cls, able, count)


def _over(signature: RootSignature, cls: RegisterClass, able: Capabilities) -> list[Count]:
    """The counts over the limit; where every stage is over it already, no single stage is named."""
    limit = able.limit(cls)
    claims = table_claims(signature, cls)
    if not limit or not claims:
        return []
    counts = [signature_count(claims)] if able.limits[cls].per == "signature" else list(stage_counts(claims))
    over = [count for count in counts if count.total > limit]
    return over[:1] if over and over[0] is counts[0] else over


def _violation(signature: RootSignature, cls: RegisterClass, able: Capabilities, count: Count) -> Violation:
    row, total = able.limits[cls], 0
    for claim in count.claims:
        total += claim.registers.count or 0
        if total > able.limit(cls):
            break
    return Violation(
        f"{count.who} {count.total} {row.what} in descriptor tables ({count.parts}); {limit_words(able, cls)}",
        claim.span,
        related=count.related,
        symbols=(signature.name, row.what, str(count.total)),
    )


RULE = Rule(
    "BL401",
    "table-limit",
    "error",
    "target",
    "More descriptors in descriptor tables than the tier allows",
    check,
)
