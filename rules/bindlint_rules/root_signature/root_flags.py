"""BL211: Root flags that contradict one another, the parameters, or the place where the signature stands."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.model.root_signature import LOCAL_ROOT_SIGNATURE, RootSignature, Visibility
from bindlint.model.root_signature_checks import DENY_FLAGS, VALID_ROOT_FLAGS, local_flag_on_global
from bindlint.model.source import NOWHERE, Span
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import parameter_name, sampler_name

Part = tuple[str, Visibility, Span]


def check(signature: RootSignature) -> Iterator[Violation]:
    span = signature.span if signature.flags_span is NOWHERE else signature.flags_span
    parts: list[Part] = [(parameter_name(p), p.visibility, p.span) for p in signature.parameters]
    parts += [(sampler_name(s), s.visibility, s.span) for s in signature.static_samplers]
    if signature.flags & ~VALID_ROOT_FLAGS:
        yield Violation(f"root flags {signature.flags:#x} have bits that D3D12 does not know", span)
    if local_flag_on_global(signature):
        message = "LOCAL_ROOT_SIGNATURE on a global root signature; local ones are LocalRootSignature subobjects"
        yield Violation(message, span, symbols=(signature.name,))
    elif signature.is_local:
        yield from _local(signature, span, parts)
    yield from _denied(signature, span, parts)


def _local(signature: RootSignature, span: Span, parts: list[Part]) -> Iterator[Violation]:
    if signature.flags & VALID_ROOT_FLAGS & ~LOCAL_ROOT_SIGNATURE:
        yield Violation("LOCAL_ROOT_SIGNATURE goes with no other root flag", span, symbols=(signature.name, "flags"))
    for name, visibility, place in parts:
        if visibility != "ALL":
            message = f"{name} is visible to {visibility}; in a local root signature everything is visible to ALL"
            yield Violation(message, place, symbols=(signature.name, name))


def _denied(signature: RootSignature, span: Span, parts: list[Part]) -> Iterator[Violation]:
    for stage, flag in DENY_FLAGS.items():
        if signature.flags & flag:
            for name, visibility, place in parts:
                if visibility == stage:
                    denial = f"DENY_{stage}_SHADER_ROOT_ACCESS"
                    yield Violation(
                        f"{name} is visible to {stage} only, which {denial} keeps from seeing it",
                        place,
                        related=(Related(denial, span),),
                        symbols=(signature.name, name, denial),
                    )


RULE = Rule(
    "BL211",
    "root-flags",
    "error",
    "root-signature",
    "Root flags that contradict the rest of the signature",
    check,
)
