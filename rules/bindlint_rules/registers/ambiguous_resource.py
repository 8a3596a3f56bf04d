"""BL135: Variables that stand for one resource or another, depending on what the shader computes."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.unassigned_in_library import linked_later


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for merged in analysis.merged:
        what = f"`{merged.name}` may be" if merged.name else f"`{merged.function}` may choose"
        with_heap = any(source.endswith("DescriptorHeap") for source in merged.sources)
        yield Violation(
            f"{what} {' or '.join(f'`{source}`' for source in merged.sources)}, and the compiler must know which; "
            "read from each and choose between the values, or make an array of them",
            merged.span,
            related=tuple(
                Related(f"`{resource.name}` is declared here", resource.span)
                for resource in analysis.resources
                if resource.name in merged.sources
            ),
            certainty="likely",
            symbols=(merged.function, merged.name, *merged.sources),
            severity=None if merged.sure and not with_heap and not linked_later(analysis) else "warning",
        )


RULE = Rule(
    "BL135",
    "ambiguous-resource",
    "error",
    "shader",
    "A variable stands for one resource or another",
    check,
)
