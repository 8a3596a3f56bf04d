"""BL121: Registers on the fields of structs."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.registers.annotations import spelled, violation


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for field in analysis.fields:
        for clause in field.clauses:
            yield violation(
                f"`{field.owner}.{field.name}`: a field of a struct takes no register ({spelled(clause)}); "
                "put base registers on the instances of the struct",
                clause.span,
                (field.owner, field.name),
                severity=None if field.mentioned else "info",
            )


RULE = Rule(
    "BL121",
    "register-on-field",
    "error",
    "shader",
    "A field of a struct carries a register",
    check,
)
