"""BL120: Arrays of resources that take literal subscripts only: those in structs and cbuffers, and grids of buffers."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.resource_types import BUFFER_VIEWS
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    grids = {r.name for r in analysis.resources if r.type.name in BUFFER_VIEWS and len(r.dimensions) > 1}
    for access in analysis.accesses:
        if access.name in grids and access.value is None:
            yield Violation(
                f"`{access.name}` has several dimensions, and DXC fails on [{access.index}], which is no constant: "
                "make it an array of one dimension",
                access.span,
                certainty="likely",
                symbols=(access.name, access.index),
                severity=None if access.uniform or access.varying else "warning",
            )
    inside = {r.name.split(".")[0] for r in analysis.resources if r.origin in ("leaf", "hoisted")}
    for access in analysis.accesses:
        if access.value is not None or access.name.split(".")[0] not in inside or access.buffer:
            continue
        shown = access.name.replace(".*", "[]")
        yield Violation(
            f"`{shown}` is an array of resources inside a struct or cbuffer and takes literal subscripts only, "
            f"not [{access.index}]; declare the array at global scope",
            access.span,
            certainty="likely",
            symbols=(access.name, access.index),
            # What a call or a loop may still turn into a literal is left to the compiler.
            severity=None if access.uniform or access.varying else "warning",
        )


RULE = Rule(
    "BL120",
    "dynamic-member-index",
    "error",
    "shader",
    "An array that takes literal subscripts only is indexed dynamically",
    check,
)
