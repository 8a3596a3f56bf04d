"""In what two bindings differ that one part of a root signature feeds."""

from __future__ import annotations

import msgspec
from bindlint.model.binding import Binding
from bindlint.model.finding import Severity
from bindlint.model.root_signature import Claim

from bindlint_rules.pipelines.words import Placed

ALIKE = {
    "ConstantBuffer": "cbuffer",
    "TextureBuffer": "tbuffer",
    "sampler": "SamplerState",
    "AppendStructuredBuffer": "RWStructuredBuffer",
    "ConsumeStructuredBuffer": "RWStructuredBuffer",
}
"""Types that one descriptor can serve."""


class Difference(msgspec.Struct, frozen=True):
    """`words` are "" where nothing but the names differ; `severity` None is the rule's own."""

    words: str
    severity: Severity | None = None


def difference(first: Placed, second: Placed, claim: Claim) -> Difference | None:
    one, other = first.binding.resource, second.binding.resource
    if one == other or claim.kind == "static-sampler" or None in (first.registers.upper, second.registers.upper):
        return None
    if _plain(first.binding) != _plain(second.binding):
        scenes = {"RaytracingAccelerationStructure"} & {one.type.name, other.type.name}
        if claim.kind in ("srv", "uav") and not scenes:
            # A root descriptor has no type: the shaders alone say what they see there.
            return None
        return Difference(f"a {one.type.name} and a {other.type.name}")
    if claim.kind == "table" and one.stride and other.stride and one.stride != other.stride:
        return Difference(f"elements of {one.stride} and of {other.stride} bytes")
    if one.cls == "s" or one.count != other.count:
        return None
    if one.cls == "b" and one.size and other.size and one.size != other.size:
        # One that begins like the other is often the other's beginning.
        return Difference(f"{one.size} and {other.size} bytes", "info" if one.name == other.name else None)
    same = one.name.lower() == other.name.lower() or (one.cls == "b" and one.written_type == other.written_type != "")
    return None if same else Difference("", None if _chosen_by_compiler(first, second) else "info")


def _plain(binding: Binding) -> str:
    name = binding.resource.type.name.replace("RasterizerOrdered", "RW")
    return ALIKE.get(name, name)


def _chosen_by_compiler(first: Placed, second: Placed) -> bool:
    return not (first.binding.explicit and second.binding.explicit)
