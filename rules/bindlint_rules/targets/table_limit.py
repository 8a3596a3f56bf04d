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
from bindlint.tiers.counting import Count, counts_of, limit_words, over, table_claims


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able = capabilities(target)
    for signature in analysis.signatures:
        for cls, row in able.limits.items() if not signature.faults else ():
            for count in over(counts_of(table_claims(signature, cls), row), able.limit(cls)):
                yield _violation(signature, cls, able, count)


def _violation(signature: RootSignature, cls: RegisterClass, able: Capabilities, count: Count) -> Violation:
    what = able.limits[cls].what
    return Violation(
        f"{count.sees} {count.total} {what} in descriptor tables ({count.parts}); {limit_words(able, cls)}",
        count.crossing(able.limit(cls)).span,
        related=count.related,
        symbols=(signature.name, what, str(count.total)),
    )


RULE = Rule(
    "BL401",
    "table-limit",
    "error",
    "target",
    "More descriptors in descriptor tables than the tier allows",
    check,
)
