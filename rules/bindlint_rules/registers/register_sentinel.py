"""BL108: The number that compilers use for "none"."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Resource, ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.registers import MAX_REGISTER
from bindlint.rule import Rule

from bindlint_rules.registers.annotations import annotated, readable, spelled, violation


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for declaration in annotated(analysis):
        for clause in readable(declaration) if isinstance(declaration, Resource) else ():
            if clause.number == MAX_REGISTER:
                yield violation(
                    f"`{declaration.name}`: {spelled(clause)} is no register but the compiler's mark for none, "
                    "so that the first free one is taken instead; leave the number out or choose a lower one",
                    clause.span,
                    (declaration.name, spelled(clause)),
                )
            elif clause.number is None and clause.space == MAX_REGISTER:
                yield violation(
                    f"`{declaration.name}`: space{MAX_REGISTER} alone is no space but the compiler's mark for none, so "
                    "that the resource goes where it would without any; choose another space",
                    clause.span,
                    (declaration.name, spelled(clause)),
                )


RULE = Rule(
    "BL108",
    "register-sentinel",
    "error",
    "shader",
    "Register or space 4294967295 is silently taken for none",
    check,
)
