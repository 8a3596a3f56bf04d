"""BL308: An array in root constants that is indexed by something that is no constant."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.root_signature import RootSignature
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import Verdict, judgements


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    for judgement in judgements(analysis, signature, Verdict.COVERED):
        (claim,), buffer = judgement.claims, judgement.binding.name
        if claim.kind != "constants":
            continue
        for member in analysis.constant_members:
            if member.buffer == buffer and member.indexed:
                accesses = [a for a in analysis.accesses if (a.buffer, a.name) == (buffer, member.name)]
                dynamic = [access for access in accesses if access.value is None]
                yield Violation(
                    f"`{member.name}` of `{buffer}` is indexed by no constant, but {judgement.registers} is root "
                    f"constants ({claim.place}), which take literal indices only; use a root CBV or a descriptor table",
                    member.span,
                    related=(
                        *(Related(f"indexed by `{access.index}` here", access.span) for access in dynamic[:3]),
                        Related(f"the root signature has {claim.registers} in {claim.place}", claim.span),
                    ),
                    certainty="likely",
                    symbols=(buffer, member.name, analysis.stage),
                )


RULE = Rule(
    "BL308",
    "indexed-root-constants",
    "warning",
    "shader-signature",
    "An array in root constants with an index that is no constant",
    check,
)
