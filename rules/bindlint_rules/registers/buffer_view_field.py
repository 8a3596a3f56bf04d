"""BL124: Constant-buffer views inside structs, which bind nothing."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for field in analysis.fields:
        if field.view and field.held:
            yield Violation(
                f"`{field.owner}.{field.name}`: a {field.written_type} in a struct is plain data of the buffer that "
                "the struct lies in and takes no register; declare it at global scope",
                field.span,
                symbols=(field.owner, field.name),
            )


RULE = Rule(
    "BL124",
    "buffer-view-field",
    "warning",
    "shader",
    "A ConstantBuffer inside a struct is plain data and binds nothing",
    check,
)
