"""BL117: Constant subscripts beyond an array of resources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    constant = [access for access in analysis.accesses if access.value is not None and not access.buffer]
    if not constant:
        return
    arrays = {r.name: r for r in analysis.resources if r.count != 0 and r.dimensions and not r.untold_size}
    told = [r for r in analysis.resources if r.origin in ("leaf", "hoisted") and not r.untold_size]
    elements = Counter(r.name.rpartition(".")[0] for r in told)
    leaves = {r.name.rpartition(".")[0]: r for r in told}
    for access in constant:
        resource = arrays.get(access.name) or leaves.get(access.name)
        value = access.value
        if resource is None or value is None:
            continue
        size = resource.dimensions[access.dimension] if resource.dimensions else elements[access.name]
        if value >= 0 and (size is None or value < size):
            continue
        has = "no end, but no element before 0" if size is None else f"{size} elements, the last at {size - 1}"
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
