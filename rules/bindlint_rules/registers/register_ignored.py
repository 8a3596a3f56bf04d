"""BL109: Annotations, or parts of them, that compilers read and then ignore."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bindlint.model.binding import NumericGlobal, RegisterClause, Resource, ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.registers.annotations import annotated, fits, moved, readable, spelled, violation
from bindlint_rules.registers.conflicting_registers import conflicting

STRAY = {"static": "the static variable `{}`", "parameter": "a parameter of `{}`", "local": "a local of `{}`"}


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    leaf_classes: defaultdict[str, set[str]] = defaultdict(set)
    for resource in analysis.resources:
        if resource.origin == "leaf":
            leaf_classes[resource.name.split(".")[0]].add(resource.cls)
    for declaration in annotated(analysis):
        clauses = tuple(clause for clause in readable(declaration) if fits(declaration, clause))
        for clause in clauses:
            reason = _ignored(declaration, clause, analysis.shader.dialect == "fxc") or (
                _unmatched(clause, leaf_classes[declaration.name])
                if isinstance(declaration, NumericGlobal) and declaration.is_struct
                else ""
            )
            if reason:
                yield _finding(declaration, clause, reason)
        if isinstance(declaration, Resource):
            yield from _overruled(declaration, clauses)
    for stray in analysis.stray:
        reason = STRAY[stray.where].format(stray.name)
        yield violation(f"{reason} binds nothing, and its register is ignored", stray.span, (stray.name, stray.where))


def _ignored(declaration: Resource | NumericGlobal, clause: RegisterClause, fxc: bool) -> str:
    """Why a clause, or a part of it, has no effect; "" where all of it has."""
    if isinstance(declaration, NumericGlobal):
        if declaration.buffer:
            return f"it has no effect on a member of `{declaration.buffer}`; packoffset places members"
        return ""
    if declaration.origin == "hoisted":
        return "it has no effect on a resource declared inside a cbuffer; declare the resource outside"
    if clause.subscript:
        return f"the subscript [{clause.subscript}] is ignored; write the sum as one number"
    if clause.profile and not fxc and declaration.origin != "cbuffer":
        return f"the target `{clause.profile}` is ignored, and the register holds for every target"
    type_name, cls, letter = declaration.type.name, declaration.type.cls, clause.letter.lower()
    if letter and letter != cls:
        return f"a {type_name} is bound at {cls}{clause.number} all the same; write that"
    return ""


def _unmatched(clause: RegisterClause, classes: set[str]) -> str:
    """A struct's register is the base for its members of that class."""
    letter = clause.letter.lower()
    if not classes or not letter:
        return ""
    if letter not in classes:
        return f"no member of the struct takes {letter} registers"
    if clause.letter != letter:
        return f"the upper-case letter is ignored on a struct; write {letter}{clause.number}"
    return ""


def _overruled(declaration: Resource, clauses: tuple[RegisterClause, ...]) -> Iterator[Violation]:
    """Of several annotations that do not conflict the last one wins."""
    numbered = [clause for clause in clauses if clause.number is not None]
    for clause in numbered[:-1]:
        last = numbered[-1]
        if spelled(clause).lower() != spelled(last).lower() and not conflicting(clause, last):
            yield _finding(declaration, clause, f"the last annotation wins, {spelled(last)}")


def _finding(declaration: Resource | NumericGlobal, clause: RegisterClause, reason: str) -> Violation:
    message = f"`{declaration.name}`: register({spelled(clause)}): {reason}"
    fix = None
    if isinstance(declaration, Resource) and declaration.origin != "hoisted" and clause.letter:
        cls = declaration.type.cls
        fix = moved(clause, cls) if clause.letter.lower() != cls else None
    return violation(message, clause.span, (declaration.name, spelled(clause)), fix=fix)


RULE = Rule(
    "BL109",
    "register-ignored",
    "warning",
    "shader",
    "A register annotation, or a part of it, has no effect",
    check,
)
