"""What the arguments of a command signature are: their sizes, the root arguments that they set, their bind point."""

from __future__ import annotations

from bindlint.model.device import BindPoint, HostCommandSignature, IndirectArgument, IndirectKind
from bindlint.model.root_signature import ParameterKind

from bindlint_rules.host_calls.held import KINDS

ROOT_KINDS: dict[IndirectKind, ParameterKind] = {
    "constants": "constants",
    "incrementing-constant": "constants",
    "cbv": "cbv",
    "srv": "srv",
    "uav": "uav",
}
"""The arguments that change a root argument, and the kind of root parameter that each is for."""

COMMANDS: dict[IndirectKind, BindPoint] = {
    "draw": "graphics",
    "draw-indexed": "graphics",
    "dispatch-mesh": "graphics",
    "dispatch": "compute",
    "dispatch-rays": "compute",
}
"""The arguments that draw or dispatch, and the bind point that each goes by."""

_SIZES: dict[IndirectKind, int] = {
    "draw": 16,
    "draw-indexed": 20,
    "dispatch": 12,
    "vertex-buffer": 16,
    "index-buffer": 16,
    "cbv": 8,
    "srv": 8,
    "uav": 8,
    "dispatch-rays": 104,
    "dispatch-mesh": 12,
    "incrementing-constant": 0,
}
"""Bytes in the argument buffer: of D3D12_DRAW_ARGUMENTS and its like, of a GPU virtual address (d3d12.h)."""

_WORDS: dict[IndirectKind, str] = {
    "draw": "DRAW",
    "draw-indexed": "DRAW_INDEXED",
    "dispatch": "DISPATCH",
    "vertex-buffer": "VERTEX_BUFFER_VIEW",
    "index-buffer": "INDEX_BUFFER_VIEW",
    "constants": "CONSTANT",
    "cbv": "CONSTANT_BUFFER_VIEW",
    "srv": "SHADER_RESOURCE_VIEW",
    "uav": "UNORDERED_ACCESS_VIEW",
    "dispatch-rays": "DISPATCH_RAYS",
    "dispatch-mesh": "DISPATCH_MESH",
    "incrementing-constant": "INCREMENTING_CONSTANT",
}


def argument_words(argument: IndirectArgument) -> str:
    """`CONSTANT for root parameter 2`, `DRAW_INDEXED`."""
    word = _WORDS[argument.kind] if argument.kind is not None else "the argument"
    index = f" for root parameter {argument.index}" if is_root(argument) and argument.index is not None else ""
    return word + index


def root_words(argument: IndirectArgument) -> str:
    """`root constants`, `a root CBV`: what the argument sets."""
    return KINDS[ROOT_KINDS[argument.kind]] if argument.kind in ROOT_KINDS else ""


def is_root(argument: IndirectArgument) -> bool:
    return argument.kind in ROOT_KINDS


def size(argument: IndirectArgument) -> int | None:
    """Bytes that the argument takes in the argument buffer, None where that is not known."""
    if argument.kind == "constants":
        return None if argument.count is None else 4 * argument.count
    return None if argument.kind is None else _SIZES[argument.kind]


def bind_point(signature: HostCommandSignature) -> BindPoint | None:
    """By the command that it gives; None where that is not known."""
    found = {COMMANDS[a.kind] for a in signature.arguments or () if a.kind in COMMANDS}
    return found.pop() if len(found) == 1 else None


def signature_name(signature: HostCommandSignature) -> str:
    return f"`{signature.name}`" if signature.name else "the command signature"
