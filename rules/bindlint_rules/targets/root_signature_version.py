"""BL408: A root signature of a version that not every device of the feature level has."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.shader import Target
from bindlint.rule import Rule
from bindlint.targets import capabilities, tiers


def check(analysis: ShaderAnalysis, target: Target) -> Iterator[Violation]:
    able = capabilities(target)
    if target.feature_level is None:
        return
    for signature in analysis.signatures:
        if signature.version > able.root_signature and not signature.faults:
            level = next((row.name for row in tiers().feature_level if row.root_signature >= signature.version), "")
            sure = f"only feature level {level} is sure to have it" if level else "no feature level is sure to have it"
            yield Violation(
                f"the root signature is of version {signature.version}; {sure}, on {able.feature_level} ask "
                f"D3D12_FEATURE_ROOT_SIGNATURE and keep version {able.root_signature} ready",
                signature.span,
                symbols=(signature.name, signature.version),
            )


RULE = Rule(
    "BL408",
    "root-signature-version",
    "info",
    "target",
    "A root signature version that the feature level does not promise",
    check,
)
