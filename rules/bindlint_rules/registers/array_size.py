"""BL118: Sizes of resource arrays that D3D12 does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bindlint.model.binding import Resource, ShaderAnalysis
from bindlint.model.finding import Severity, Violation
from bindlint.model.source import Span
from bindlint.rule import Rule

LARGEST = 1 << 27
"""The most descriptors in one range: D3D12 Resource Binding specification."""

_NAME = re.compile(r"(?<![\w$.])(?:[^\W\d]|\$)")
"""What begins a name and not the suffix of a number."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    told: set[tuple[Span, str]] = set()
    for resource in analysis.resources:
        if resource.untold_size:
            # The resources inside one instance of a struct share its place.
            if (resource.span, resource.untold_size) not in told:
                told.add((resource.span, resource.untold_size))
                yield _untold(resource)
            continue
        message, severity = _fault(resource)
        if message:
            yield Violation(f"`{resource.name}` {message}", resource.span, symbols=(resource.name,), severity=severity)


def _untold(resource: Resource) -> Violation:
    size = resource.untold_size
    if _NAME.search(size):
        what = f"the size `{size}` of `{resource.name}` cannot be told, so that it is taken for 1"
        return Violation(what, resource.span, certainty="unknown", symbols=(resource.name,), severity="warning")
    return Violation(
        f"the size `{size}` of `{resource.name}` is no number of elements", resource.span, symbols=(resource.name,)
    )


def _fault(resource: Resource) -> tuple[str, Severity | None]:
    if None in resource.dimensions[1:]:
        return "leaves an inner size open, and only the outermost may be", None
    if resource.count == 0:
        return (
            "has no elements: compilers disagree on what that is, and DXC binds a range that ends before it starts; "
            "write [] for an unbounded array",
            "warning",
        )
    if resource.count is not None and resource.count > LARGEST:
        return f"has {resource.count} elements, and a range holds at most 2^27 ({LARGEST}) descriptors", None
    return "", None


RULE = Rule(
    "BL118",
    "array-size",
    "error",
    "shader",
    "An array of resources is empty, too large, open inside or of no size",
    check,
)
