"""BL416: Dynamic resources in a shader model that has none."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.targets.shader_model import profile_below


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    profile = profile_below(analysis, (6, 6))
    for entry in analysis.entries if profile is not None else ():
        heaps = {"ResourceDescriptorHeap": entry.resource_heap, "SamplerDescriptorHeap": entry.sampler_heap}
        for heap in (heap for heap, there in heaps.items() if there):
            yield Violation(
                f"`{entry.name}` uses {heap}, which {profile} does not have; it needs shader model 6.6",
                entry.span,
                symbols=(entry.name, heap, str(profile)),
            )


RULE = Rule(
    "BL416",
    "heap-indexing-model",
    "error",
    "shader",
    "Directly indexed descriptor heaps below shader model 6.6",
    check,
)
