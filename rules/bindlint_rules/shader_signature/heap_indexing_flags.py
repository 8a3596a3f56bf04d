"""BL309: A descriptor heap that the shader indexes directly, without the root flag for it, or the flag without need."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import EntryPoint, ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import HEAP_FLAGS
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import root_flags
from bindlint_rules.shader_signature.flag_fixes import with_flag


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    for heap, (name, flag) in HEAP_FLAGS.items():
        entry = next((entry for entry in analysis.entries if _indexes(entry, heap)), None)
        if entry is not None and not signature.flags & flag:
            yield Violation(
                f"`{entry.name}` reads {heap}, but the root signature has no {name}",
                entry.span,
                (root_flags(signature),),
                certainty="likely",
                symbols=(entry.name, name),
                fix=with_flag(signature, name),
            )
        elif entry is None and signature.flags & flag and _is_alone(analysis, signature):
            yield Violation(
                f"the root signature has {name}, but the compute shader does not read {heap}",
                signature.flags_span,
                certainty="likely",
                symbols=(name,),
                severity="info",
            )


def _indexes(entry: EntryPoint, heap: str) -> bool:
    return entry.resource_heap if heap == "ResourceDescriptorHeap" else entry.sampler_heap


def _is_alone(analysis: ShaderAnalysis, signature: RootSignature) -> bool:
    """Whether the signature is written on this compute shader itself, so that no other shader is known to share it."""
    literal = signature.origin == "attribute" and not signature.span.macro
    return analysis.stage == "cs" and analysis.status == "ok" and literal


RULE = Rule(
    "BL309",
    "heap-indexing-flags",
    "error",
    "shader-signature",
    "A descriptor heap is indexed directly without the root flag for it",
    check,
)
