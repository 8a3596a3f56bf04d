"""BL102: The letter of a register that the declared type cannot take."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import NumericGlobal, RegisterClause, Resource, ShaderAnalysis
from bindlint.model.finding import Fix, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.annotations import annotated, fits, moved, readable, spelled, violation


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for declaration in annotated(analysis):
        for clause in readable(declaration):
            if not fits(declaration, clause):
                message = f"`{declaration.name}` cannot be at {spelled(clause)}: {_expectation(declaration)}"
                yield violation(message, clause.span, (declaration.name, clause.letter), fix=_fix(declaration, clause))


def _fix(declaration: Resource | NumericGlobal, clause: RegisterClause) -> Fix | None:
    """The same number with the letter of the type; whether that register is free, the trial of the fix tells."""
    return moved(clause, declaration.type.cls) if isinstance(declaration, Resource) else None


def _expectation(declaration: Resource | NumericGlobal) -> str:
    if isinstance(declaration, NumericGlobal):
        return f"a constant of type {declaration.written_type} is no resource and takes a b, c or i register"
    cls = declaration.type.cls
    article = "an" if cls == "s" else "a"
    return f"a {declaration.type.name} takes {article} {cls} register"


RULE = Rule(
    "BL102",
    "register-class",
    "error",
    "shader",
    "The register's letter does not fit the declared type",
    check,
)
