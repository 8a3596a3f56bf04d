"""BL107: One declaration with registers that contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bindlint.model.binding import RegisterClause, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.annotations import annotated, readable, spelled, violation


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for declaration in annotated(analysis):
        conflict = _conflict(readable(declaration))
        if conflict is not None:
            first, second = conflict
            yield violation(
                f"`{declaration.name}` is placed twice, at {spelled(first)} and at {spelled(second)}; keep one of them",
                second.span,
                (declaration.name, spelled(first), spelled(second)),
                (Related(f"the other one, {spelled(first)}", first.span),),
            )


def _conflict(clauses: Iterable[RegisterClause]) -> tuple[RegisterClause, RegisterClause] | None:
    """The first clause that contradicts an earlier one, after that one."""
    met: dict[str, dict[str, RegisterClause]] = {}
    for clause in clauses:
        known = met.setdefault(clause.letter, {})
        # One that names no target has agreed with all of its letter.
        rivals: Iterable[RegisterClause] = (known[""],) if "" in known else known.values()
        if clause.profile:
            rivals = [known[profile] for profile in ("", clause.profile) if profile in known]
        for rival in rivals:
            if conflicting(rival, clause):
                return rival, clause
        known.setdefault(clause.profile, clause)
    return None


def conflicting(first: RegisterClause, second: RegisterClause) -> bool:
    """As DXC judges it: the letter is compared with its case, a target only where both name one, spaces never."""
    return (
        first.letter == second.letter
        and (not first.profile or not second.profile or first.profile == second.profile)
        and (first.number != second.number or (first.subscript or "0") != (second.subscript or "0"))
    )


RULE = Rule(
    "BL107",
    "conflicting-registers",
    "error",
    "shader",
    "One declaration is given two different registers",
    check,
)
