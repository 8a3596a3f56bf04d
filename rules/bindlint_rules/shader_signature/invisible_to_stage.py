"""BL304: A used resource that the root signature binds for other stages only."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import STAGE_VISIBILITY, RootSignature
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import Verdict, judgements, stage_name, violation


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    for judgement in judgements(analysis, signature, Verdict.INVISIBLE):
        binding, claims = judgement.binding, judgement.claims
        seen_by = " and ".join(f"{claim.visibility} ({claim.place})" for claim in claims[:3])
        wanted = STAGE_VISIBILITY.get(analysis.stage)
        way_out = f"SHADER_VISIBILITY_{wanted} or SHADER_VISIBILITY_ALL" if wanted else "SHADER_VISIBILITY_ALL"
        message = (
            f"`{binding.name}` needs {judgement.registers} in {stage_name(analysis)}, but the root signature "
            f"shows it to {seen_by} only; it needs {way_out}"
        )
        yield violation(analysis, judgement, message, claims)


RULE = Rule(
    "BL304",
    "invisible-to-stage",
    "error",
    "shader-signature",
    "A used resource that is bound for other stages only",
    check,
)
