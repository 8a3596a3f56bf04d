"""BL407: Dynamic resources, or a root signature for them, below resource binding tier 3."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature_checks import HEAP_FLAGS
from bindlint.model.shader import Target
from bindlint.rule import Rule
from bindlint.targets import capabilities
from bindlint.tiers.counting import HEAP_INDEXING_TIER


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able = capabilities(target)
    if able.tier >= HEAP_INDEXING_TIER:
        return
    need = (
        f"needs resource binding tier {HEAP_INDEXING_TIER}; the target ({able.words}) is sure of tier {able.tier} only"
    )
    for entry in analysis.entries:
        heaps = {"ResourceDescriptorHeap": entry.resource_heap, "SamplerDescriptorHeap": entry.sampler_heap}
        for heap in (heap for heap, there in heaps.items() if there):
            yield Violation(f"`{entry.name}` uses {heap}, which {need}", entry.span, symbols=(entry.name, heap))
    for signature in analysis.signatures:
        for flag in (name for name, bit in HEAP_FLAGS.values() if signature.flags & bit):
            yield Violation(f"the root flag {flag} {need}", signature.flags_span, symbols=(signature.name, flag))


RULE = Rule(
    "BL407",
    "heap-indexing-tier",
    "error",
    "target",
    "Directly indexed descriptor heaps below tier 3",
    check,
)
