"""BL303: A texture, typed buffer or buffer with a counter on a root descriptor."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import Verdict, judgements, violation


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    for judgement in judgements(analysis, signature, Verdict.WRONG_KIND):
        (claim,) = judgement.claims
        message = (
            f"`{judgement.binding.name}` is {_kind(judgement.binding)}, but {judgement.registers} is a root "
            f"{claim.kind.upper()} ({claim.place}), which must be raw or structured without a counter; "
            f"use a descriptor table{_other_type(judgement.binding)}"
        )
        yield violation(analysis, judgement, message, judgement.claims)


def _kind(binding: Binding) -> str:
    name = binding.resource.type.name
    if binding.view == "structured+counter":
        return f"{_article(name)} whose counter is used"
    return f"typed ({name})"


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _other_type(binding: Binding) -> str:
    others = {"Buffer": "StructuredBuffer", "RWBuffer": "RWStructuredBuffer"}
    other = others.get(binding.resource.type.name)
    return f" or a {other}" if other else ""


RULE = Rule(
    "BL303",
    "root-descriptor-kind",
    "error",
    "shader-signature",
    "A typed resource or a counter on a root descriptor",
    check,
)
