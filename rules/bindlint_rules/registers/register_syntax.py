"""BL101: A `register(...)` that no compiler can read, or a misspelt one."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from bindlint.model.binding import Resource, ShaderAnalysis, UnknownClause
from bindlint.model.finding import Edit, Fix, Violation
from bindlint.model.source import first_of
from bindlint.rule import Rule

from bindlint_rules.registers.annotations import annotated, readable, violation

ANNOTATIONS = ("register", "packoffset")
BLOCKS = ("cbuffer", "tbuffer")


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for declaration in annotated(analysis):
        name = declaration.name
        for clause in declaration.clauses:
            if clause.fault:
                yield violation(f"`{name}`: {clause.fault}", clause.fault_span, (name, clause.fault))
        for unknown in declaration.unknown:
            near = difflib.get_close_matches(unknown.name.lower(), ANNOTATIONS, 1)
            hint = f"; did you mean `{near[0]}`?" if near else "; a declaration takes register(...) or packoffset(...)"
            message = f"`{name}`: unknown annotation `{unknown.name}(...)`{hint}"
            fix = _fix(unknown, near[0]) if near else None
            yield violation(message, unknown.span, (name, unknown.name), fix=fix)
        if isinstance(declaration, Resource) and declaration.type.name in BLOCKS and declaration.origin == "cbuffer":
            for clause in readable(declaration):
                if clause.profile:
                    block = declaration.type.name
                    message = f"`{name}`: the register of a {block} cannot name a target (`{clause.profile}`)"
                    yield violation(message, clause.span, (name, clause.profile))


def _fix(unknown: UnknownClause, name: str) -> Fix:
    edit = Edit(first_of(unknown.span, len(unknown.name)), name, replaces=unknown.name)
    return Fix(f"write {name}", (edit,), safe=True)


RULE = Rule(
    "BL101",
    "register-syntax",
    "error",
    "shader",
    "A register annotation is malformed or misspelt",
    check,
)
