"""BL411: A register space in a shader model that has none."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.targets.shader_model import profile_below


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    profile = profile_below(analysis, (5, 1))
    if profile is None:
        return
    for resource in analysis.resources:
        for clause in resource.clauses:
            if clause.space is not None:
                yield Violation(
                    f"`{resource.name}` is in space{clause.space}, but {profile} has no register spaces; they need "
                    "shader model 5.1",
                    clause.span,
                    symbols=(resource.name, str(profile)),
                )


RULE = Rule(
    "BL411",
    "register-space-model",
    "error",
    "shader",
    "A register space below shader model 5.1",
    check,
)
