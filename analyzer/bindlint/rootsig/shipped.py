"""Whether a compiled shader carries the root signature that its source declares."""

from __future__ import annotations

import msgspec

from bindlint.facts.root_signature_bytes import to_rts0
from bindlint.model.root_signature import LOCAL_ROOT_SIGNATURE, RootSignature
from bindlint.rootsig.diff import difference


def changes_in_shipped(declared: RootSignature, shipped: RootSignature) -> tuple[str, ...]:
    """What changes from the signature in the compiled shader to the declared one; nothing where their bytes are equal.

    A declared signature that no compiler takes cannot be compared.
    """
    wanted = to_rts0(declared)
    if wanted is None or wanted == to_rts0(_as_declared(shipped, declared)):
        return ()
    found = difference(shipped, _as_declared(declared, shipped))
    version = f"version {declared.version}, no longer {shipped.version}"
    return (
        *((version,) if declared.version != shipped.version else ()),
        *(found.shader or found.caller),
    ) or ("its bytes are others",)


def _as_declared(signature: RootSignature, other: RootSignature) -> RootSignature:
    """The signature with the local flag as the other has it: subobjects are local without it."""
    flags = signature.flags & ~LOCAL_ROOT_SIGNATURE | other.flags & LOCAL_ROOT_SIGNATURE
    return msgspec.structs.replace(signature, flags=flags) if signature.is_local and other.is_local else signature
