"""BL305: A shader with bindings whose stage the root signature denies all access."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.root_signature import STAGE_VISIBILITY, RootSignature
from bindlint.model.root_signature_checks import DENY_FLAGS
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import Verdict, judgements, stage_name


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    denied = judgements(analysis, signature, Verdict.DENIED)
    if not denied:
        yield from _heap_access(analysis, signature)
        return
    first, *more = denied
    flag = _flag(analysis)
    others = f" and {len(more)} more" if more else ""
    yield Violation(
        f"`{first.binding.name}` ({first.registers}){others} cannot reach {stage_name(analysis)}: "
        f"the root signature has {flag}",
        first.binding.resource.span,
        related=(
            Related(flag, signature.flags_span),
            *(Related(f"`{each.binding.name}` ({each.registers})", each.binding.resource.span) for each in more),
        ),
        certainty="certain" if any(each.binding.certainty == "certain" for each in denied) else "likely",
        symbols=(flag,),
    )


def _heap_access(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    """A shader without bindings that takes descriptors from a heap, which DXC does not count as root access."""
    if not signature.flags & DENY_FLAGS.get(STAGE_VISIBILITY.get(analysis.stage, "ALL"), 0):
        return
    for entry in analysis.entries:
        if entry.resource_heap or entry.sampler_heap:
            heap = "ResourceDescriptorHeap" if entry.resource_heap else "SamplerDescriptorHeap"
            message = f"`{entry.name}` reads {heap} in {stage_name(analysis)}, to which {_flag(analysis)} denies access"
            place = Related(_flag(analysis), signature.flags_span)
            symbols = (entry.name, _flag(analysis))
            yield Violation(message, entry.span, (place,), "likely", symbols, severity="warning")


def _flag(analysis: ShaderAnalysis) -> str:
    return f"DENY_{STAGE_VISIBILITY[analysis.stage]}_SHADER_ROOT_ACCESS"


RULE = Rule(
    "BL305",
    "denied-stage",
    "error",
    "shader-signature",
    "A shader with bindings in a stage that the root signature denies",
    check,
)
