"""Registers that `##` makes of a macro's name where its value was meant, which only FXC pastes."""

from __future__ import annotations

import re

import msgspec
from bindlint_grammars.hlsl.preprocessor import Expansion

from bindlint.model.binding import RegisterClause
from bindlint.usage.resources import Resources

_PASTED = re.compile(r"'(space|[A-Za-z])([A-Za-z_]\w*)'")


def with_pasted_names(resources: Resources, expansion: Expansion | None) -> Resources:
    """The resources, where a register's fault is the name of a macro with what it stands for."""
    if expansion is None or not any(c.fault for d in resources.declared for c in d.resource.clauses):
        return resources
    return msgspec.structs.replace(
        resources,
        declared=tuple(
            msgspec.structs.replace(
                d,
                resource=msgspec.structs.replace(
                    d.resource, clauses=tuple(_explained(clause, expansion) for clause in d.resource.clauses)
                ),
            )
            for d in resources.declared
        ),
    )


def _explained(clause: RegisterClause, expansion: Expansion) -> RegisterClause:
    match = _PASTED.search(clause.fault) if clause.fault_span.macro else None
    unit = None if match is None else expansion.macro(match[2])
    value = "" if unit is None else unit.text.decode("utf-8", "replace").strip()
    if match is None or not value.isdecimal():
        return clause
    hint = (
        f"; `##` pastes the name of the macro `{match[2]}` and not its value: FXC, and DXC with "
        f"-flegacy-macro-expansion, read {match[1]}{value}; let a second macro do the pasting"
    )
    return msgspec.structs.replace(clause, fault=clause.fault + hint)
