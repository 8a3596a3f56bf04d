"""BL112: Constants with a value of their own that the compiler drops, since they are not static."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import NumericGlobal, ShaderAnalysis
from bindlint.model.finding import Edit, Fix, Violation
from bindlint.model.source import first_of
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    alone = all(member.constant and member.initialized and member.plain for member in analysis.globals)
    for member in analysis.globals:
        if member.initialized and member.used and not (member.specialized and analysis.shader.spirv):
            kind = "is const and not static, which makes it" if member.constant else "is not static, which makes it"
            yield Violation(
                f"`{member.name}` {kind} a member of `$Globals`: the value written here is ignored, and the shader "
                "reads what the program puts into that constant buffer; write `static const`",
                member.span,
                certainty="likely",
                symbols=(member.name,),
                fix=_fix(member, alone),
                severity=None if member.constant else "info",
            )


def _fix(member: NumericGlobal, alone: bool) -> Fix | None:
    """`static ` before the type; only where the constant cannot be meant as anything but its value.

    Safe where no other member of `$Globals` may be the program's to set, since those would move.
    """
    if not (member.constant and member.plain and member.type_span.editable and member.type_span.file):
        return None
    edit = Edit(first_of(member.type_span, 0), "static ")
    return Fix(f"make `{member.name}` static", (edit,), safe=alone)


RULE = Rule(
    "BL112",
    "constant-not-static",
    "warning",
    "shader",
    "The value of a constant is ignored, since it is not static",
    check,
)
