"""BL125: Constant buffers and structured elements beyond the largest size."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

CONSTANT_BUFFER_BYTES = 65536
"""4096 registers of 16 bytes: D3D12_REQ_CONSTANT_BUFFER_ELEMENT_COUNT in d3d12.h."""
STRIDE_BYTES = 2048
"""D3D12_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES in d3d12.h."""


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for binding in analysis.bindings:
        resource = binding.resource
        if not binding.used:
            continue
        if resource.cls == "b" and resource.size > CONSTANT_BUFFER_BYTES:
            message = (
                f"`{resource.name}` has {resource.size} bytes, and a constant buffer at most {CONSTANT_BUFFER_BYTES}; "
                "put large arrays into a StructuredBuffer"
            )
        elif resource.stride > STRIDE_BYTES:
            message = (
                f"an element of `{resource.name}` has {resource.stride} bytes, and one of a structured buffer at most "
                f"{STRIDE_BYTES}"
            )
        else:
            continue
        yield Violation(message, resource.span, certainty="likely", symbols=(resource.name,))


RULE = Rule(
    "BL125",
    "oversized-buffer",
    "error",
    "shader",
    "A constant buffer or a structured element is too large",
    check,
)
