"""BL311: A vertex shader with vertex inputs, and a root signature that allows no input layout."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import ALLOW_INPUT_LAYOUT
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import root_flags, stage_name
from bindlint_rules.shader_signature.flag_fixes import with_flag

FLAG = "ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"
WITHOUT_INPUT_ASSEMBLER = ("cs", "ms", "as")


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    allowed = bool(signature.flags & ALLOW_INPUT_LAYOUT)
    for entry in analysis.entries:
        if entry.needs_input_assembler and not allowed:
            yield Violation(
                f"`{entry.name}` has vertex inputs, but the root signature has no {FLAG}",
                entry.span,
                (root_flags(signature),),
                symbols=(entry.name, FLAG),
                fix=with_flag(signature, FLAG),
            )
    # Host code may give one signature to pipelines of both kinds.
    if allowed and analysis.stage in WITHOUT_INPUT_ASSEMBLER and signature.origin != "cpp":
        yield Violation(
            f"the root signature has {FLAG}, but {stage_name(analysis)} has no input assembler before it",
            signature.flags_span,
            symbols=(FLAG, analysis.stage),
            severity="info",
        )


RULE = Rule(
    "BL311",
    "input-layout-flag",
    "error",
    "shader-signature",
    "A vertex shader with inputs, but no input layout is allowed",
    check,
)
