"""BL901: A shader that takes resources out of the descriptor heap also has some with registers."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import listed

_SHOWN = 6


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for entry in analysis.entries:
        heaps = (
            ("ResourceDescriptorHeap", entry.resource_heap, "tu"),
            ("SamplerDescriptorHeap", entry.sampler_heap, "s"),
        )
        used = {use.resource for use in entry.uses}
        for heap, there, classes in heaps:
            slotted = (
                [b for b in analysis.bindings if b.resource in used and b.resource.cls in classes] if there else []
            )
            if slotted:
                yield _violation(entry.name, heap, slotted)


def _violation(entry: str, heap: str, slotted: list[Binding]) -> Violation:
    rest = [f"{len(slotted) - _SHOWN} more"] if len(slotted) > _SHOWN else []
    names = listed([f"`{binding.name}` ({binding.registers or 'no register'})" for binding in slotted[:_SHOWN]] + rest)
    return Violation(
        f"`{entry}` uses {heap}, but {names} {'has a register' if len(slotted) == 1 else 'have registers'}",
        slotted[0].resource.span,
        tuple(Related(f"`{other.name}` has a register too", other.resource.span) for other in slotted[1:]),
        "likely",
        (entry, *(binding.name for binding in slotted)),
    )


RULE = Rule(
    "BL901",
    "mixed-bindless",
    "warning",
    "shader",
    "A shader that takes resources out of the descriptor heap also has some with registers",
    check,
    enabled=False,
)
