"""What the rules about `register(...)` annotations share: which declarations carry them, and which can be judged."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from bindlint.model.binding import NumericGlobal, RegisterClause, Resource, ShaderAnalysis
from bindlint.model.finding import Edit, Fix, Related, Severity, Violation
from bindlint.model.source import NOWHERE, Span

LOOSE_LETTERS = "bci"
"""On a loose constant all of them set its place within `$Globals`, none of them a register."""


def annotated(analysis: ShaderAnalysis) -> Iterator[Resource | NumericGlobal]:
    """Each declaration that carries an annotation, once; on an instance of a struct it is that of a constant."""
    yield from analysis.numerics
    before = NOWHERE
    for resource in analysis.resources:
        # The elements of an array in a cbuffer are resources of their own.
        if (resource.clauses or resource.unknown) and resource.span != before:
            before = resource.span
            yield resource


def readable(declaration: Resource | NumericGlobal) -> tuple[RegisterClause, ...]:
    """The clauses without a syntax fault, which the rule `register-syntax` reports."""
    return tuple(clause for clause in declaration.clauses if not clause.fault)


def accepted_letters(declaration: Resource | NumericGlobal) -> str:
    """The register letters that the declared type can take; all of them for a struct."""
    if isinstance(declaration, NumericGlobal):
        return "bcistu" if declaration.is_struct else LOOSE_LETTERS
    if declaration.type.name == "RaytracingAccelerationStructure":
        # DXC accepts any letter here and binds a t register all the same.
        return "t"
    return declaration.type.letters


def fits(declaration: Resource | NumericGlobal, clause: RegisterClause) -> bool:
    """Whether the declared type can take the clause's letter; the rule `register-class` reports where it cannot."""
    return clause.letter.lower() in accepted_letters(declaration)


def spelled(clause: RegisterClause) -> str:
    """The register as the clause writes it, such as `t5, space1`."""
    register = clause.letter if clause.number is None else f"{clause.letter}{clause.number}"
    space = "" if clause.space is None else f"space{clause.space}"
    return ", ".join(part for part in (register, space) if part)


def moved(clause: RegisterClause, letter: str = "", number: int | None = None) -> Fix | None:
    """The fix that writes another register into the clause; None where it is not a plain one in plain sight."""
    if clause.number is None or clause.fault or clause.subscript or clause.profile or clause.span.macro:
        return None
    wanted = msgspec.structs.replace(
        clause, letter=letter or clause.letter, number=clause.number if number is None else number
    )
    text = f"register({spelled(wanted)})"
    return Fix(f"write {text}", (Edit(clause.span, text, replaces=f"register({spelled(clause)})"),), safe=True)


def violation(
    message: str,
    span: Span,
    symbols: tuple[str, ...],
    related: tuple[Related, ...] = (),
    severity: Severity | None = None,
    fix: Fix | None = None,
) -> Violation:
    """A violation by an annotation; one that a macro writes is reported where the macro is used."""
    if span.use is not None:
        related = (*related, Related(f"written in the macro `{span.macro}`", span))
        span = span.use
    return Violation(message, span, related=related, symbols=symbols, severity=severity, fix=fix)
