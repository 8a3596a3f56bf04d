"""How a root flag gets into a root signature that HLSL writes."""

from __future__ import annotations

import msgspec
from bindlint.model.finding import Edit, Fix
from bindlint.model.root_signature import RootSignature
from bindlint.model.source import NOWHERE, Span, first_of, last_of

_WRITTEN_IN_HLSL = ("attribute", "define", "macro", "global-subobject")


def with_flag(signature: RootSignature, flag: str) -> Fix | None:
    """The fix that adds a flag; None where the signature is written in another way, or binds nothing at all."""
    if signature.origin not in _WRITTEN_IN_HLSL:
        return None
    edit = _edit(signature, flag)
    return None if edit is None else Fix(f"add {flag} to the root signature", (edit,), safe=True)


def _edit(signature: RootSignature, flag: str) -> Edit | None:
    if signature.flags_span is not NOWHERE:
        place = _written(signature.flags_span)
        if signature.flags:
            return Edit(last_of(place, 1), f" | {flag})", replaces=")")
        return Edit(last_of(place, 2), f"{flag})", replaces="0)")
    parts = [*(part.span for part in signature.parameters), *(part.span for part in signature.static_samplers)]
    if not parts:
        return None
    first = min(parts, key=lambda span: (span.file != signature.span.file, span.start))
    return Edit(first_of(_written(first), 0), f"RootFlags({flag}), ")


def _written(span: Span) -> Span:
    """The place in the macro itself, since a string that many shaders name is meant to be one for all."""
    return msgspec.structs.replace(span, macro="", use=None)
