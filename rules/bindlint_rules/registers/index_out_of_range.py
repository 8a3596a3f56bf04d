"""BL117: Constant subscripts beyond an array of resources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    told = [r for r in analysis.resources if not r.untold_size]
    arrays = {r.name: r for r in told if r.count != 0 and r.dimensions}
    elements = Counter(r.name.rpartition(".")[0] for r in told)
    leaves = {r.name.rpartition(".")[0]: r for r in told}
    for access in analysis.accesses:
        resource, value = arrays.get(access.name) or leaves.get(access.name), access.value
        if resource is None or value is None or access.buffer:
            continue
        size = resource.dimensions[access.dimension] if resource.dimensions else elements[access.name]
        if value >= 0 and (size is None or value < size):
            continue
        many = "one element" if size == 1 else f"{size} elements"
        has = "no end, but no element before 0" if size is None else f"{many}, the last at {size - 1}"
        yield Violation(
            f"`{access.name}` has {has}: the subscript [{access.index}] is {value} and leads to the register "
            "of something else",
            access.span,
            related=(Related(f"`{access.name}` is declared here", resource.span),),
            certainty="likely",
            symbols=(access.name, str(value)),
        )


RULE = Rule(
    "BL117",
    "index-out-of-range",
    "error",
    "shader",
    "A constant subscript lies outside its array of resources",
    check,
)
