"""BL135: Variables that stand for one resource or another, depending on what the shader computes."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import MergedResource, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.unassigned_in_library import linked_later


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for merged in analysis.merged:
        yield Violation(
            _message(merged),
            merged.span,
            related=tuple(
                Related(f"`{resource.name}` is declared here", resource.span)
                for resource in analysis.resources
                if resource.name in merged.sources
            ),
            certainty="likely",
            symbols=(merged.function, merged.name, *filter(None, merged.sources)),
            severity=None if merged.sure and _is_rejected(analysis, merged) else "warning",
        )


def _is_rejected(analysis: ShaderAnalysis, merged: MergedResource) -> bool:
    """Whether every version of DXC does: what stands for none it reads as nothing from shader model 6.6 on."""
    profile = analysis.shader.profile
    if "" in merged.sources and (profile is None or profile.shader_model >= (6, 6)):
        return False
    with_heap = any(source.endswith("DescriptorHeap") for source in merged.sources)
    return not with_heap and not linked_later(analysis)


def _message(merged: MergedResource) -> str:
    name, sources = f"`{merged.name}`", [f"`{source}`" if source else "none" for source in merged.sources]
    if merged.name in merged.sources:
        return f"{name} stands for its register and cannot take {sources[-1]}; keep that in a local variable"
    if merged.sources == ("",):
        return f"{name} is read and no resource was assigned to it; assign the one that it stands for"
    if "" in merged.sources:
        return f"{name} may be {' or '.join(sources)}, and the compiler must know which; assign it on every way"
    what = f"{name} may be" if merged.name else f"`{merged.function}` may choose"
    return (
        f"{what} {' or '.join(sources)}, and the compiler must know which; "
        "read from each and choose between the values, or make an array of them"
    )


RULE = Rule(
    "BL135",
    "ambiguous-resource",
    "error",
    "shader",
    "A variable stands for one resource or another",
    check,
)
