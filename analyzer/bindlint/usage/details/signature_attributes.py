"""The `[RootSignature(...)]` attributes on entry functions, those that the compiler does not take included."""

from __future__ import annotations

from bindlint.model.binding import SignatureAttribute
from bindlint.usage.link import Program


def signature_attributes(program: Program) -> tuple[SignatureAttribute, ...]:
    """In the order of the source; of several on one function the compiler takes the last (RSG-15)."""
    found: list[SignatureAttribute] = []
    for function, entry in zip(program.functions, program.entries, strict=True):
        spans = [each.span for each in program.table.attributes(function) if each.attribute.name == "RootSignature"]
        found += [SignatureAttribute(entry.name, entry.stage, span, span is spans[-1]) for span in spans]
    return tuple(found)
