"""BL121: Registers on the fields of structs."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import RegisterClause, ShaderAnalysis, StructField
from bindlint.model.finding import Edit, Fix, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.annotations import spelled, violation

_OF_CONSTANTS = "ci"
"""Letters that no resource takes."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for field in analysis.fields:
        for clause in field.clauses:
            yield violation(
                f"`{field.owner}.{field.name}`: a field of a struct takes no register ({spelled(clause)}); "
                "put base registers on the instances of the struct",
                clause.span,
                (field.owner, field.name),
                severity=None if field.mentioned else "info",
                fix=_fix(field, clause),
            )


def _fix(field: StructField, clause: RegisterClause) -> Fix | None:
    """Without the register; safe for data, while that of a resource is one that its instance may have to say."""
    if clause.fault or clause.subscript or clause.profile or clause.span.macro or clause.whole.macro:
        return None
    title = f"take `register({spelled(clause)})` away"
    edit = Edit(clause.whole, "", replaces=f": register({spelled(clause)})")
    return Fix(title, (edit,), safe=clause.letter.lower() in _OF_CONSTANTS)


RULE = Rule(
    "BL121",
    "register-on-field",
    "error",
    "shader",
    "A field of a struct carries a register",
    check,
)
