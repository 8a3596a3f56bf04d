"""BL118: Sizes of resource arrays that D3D12 does not know."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Resource, ShaderAnalysis
from bindlint.model.finding import Severity, Violation
from bindlint.rule import Rule

LARGEST = 1 << 27
"""The most descriptors in one range: D3D12 Resource Binding specification."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for resource in analysis.resources:
        if resource.dimensions:
            message, severity = _fault(resource)
            if message:
                yield Violation(
                    f"`{resource.name}` {message}", resource.span, symbols=(resource.name,), severity=severity
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
    "An array of resources is empty, too large or open inside",
    check,
)
