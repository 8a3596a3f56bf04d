"""Numbers of D3D12 as the names that HLSL has for them."""

from __future__ import annotations

from collections.abc import Mapping

from bindlint.errors import BindlintError, UsageError
from bindlint.model.root_signature import RootSignature

_SHOWN = 4


class UnwritableError(BindlintError):
    """A signature that the form it is wanted in has no words for; the text says which part."""


def refuse_faults(signature: RootSignature) -> None:
    """Raises `UsageError` for a signature that is not known in full; it names what is not."""
    faults = [fault.message for fault in signature.faults]
    if faults and signature.origin == "cpp":
        more = [f"and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        told = "; ".join([*faults[:_SHOWN], *more])
        raise UsageError(f"the host code leaves parts of the root signature open: {told}")
    if faults:
        raise UsageError(f"the root signature cannot be read: {faults[0]}")


def flag_names(value: int, known: Mapping[str, int]) -> tuple[list[str], int]:
    """The names of the bits that are set, and the bits that have none."""
    found = [name for name, bit in known.items() if value & bit]
    for name in found:
        value &= ~known[name]
    return found, value


def name_of(value: int, known: Mapping[str, int]) -> str | None:
    """The name of an enumerated value, None where it has none."""
    return next((name for name, number in known.items() if number == value), None)
