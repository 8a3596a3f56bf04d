"""A root signature in another version: what flags mean there, and what is lost on the way down."""

from __future__ import annotations

import msgspec

from bindlint.model.root_signature import RootParameter, RootSignature
from bindlint.model.root_signature_checks import DATA_VOLATILE, DESCRIPTORS_VOLATILE

VERSIONS = ("1.0", "1.1", "1.2")


def in_version(signature: RootSignature, version: str) -> tuple[RootSignature, tuple[str, ...]]:
    """The signature in `version`, and what it says there no longer.

    Version 1.0 takes all descriptors and data for volatile, so going up says so with flags, and only promises beyond
    that are lost on the way down. Flags of static samplers begin with 1.2.
    """
    lost: list[str] = []
    changed = msgspec.structs.replace(signature, version=version)
    if signature.version == "1.0" and version != "1.0":
        changed = msgspec.structs.replace(changed, parameters=tuple(map(_volatile, signature.parameters)))
    if signature.version != "1.0" and version == "1.0":
        plain, volatile = [], []
        for parameter in signature.parameters:
            bare = _without_flags(parameter)
            plain.append(bare)
            if _volatile(bare) != parameter:
                volatile.append(str(parameter.index))
        changed = msgspec.structs.replace(changed, parameters=tuple(plain))
        if volatile:
            lost.append(f"parameters {', '.join(volatile)}: version 1.0 takes their descriptors and data for volatile")
    if signature.version == "1.2" and version != "1.2":
        lost += [
            f"static sampler {index}: flags {sampler.flags:#x} begin with version 1.2"
            for index, sampler in enumerate(signature.static_samplers)
            if sampler.flags
        ]
        samplers = tuple(msgspec.structs.replace(sampler, flags=0) for sampler in signature.static_samplers)
        changed = msgspec.structs.replace(changed, static_samplers=samplers)
    return changed, tuple(lost)


def _volatile(parameter: RootParameter) -> RootParameter:
    """A parameter of version 1.0 as later versions say it."""
    if parameter.kind == "table":
        ranges = tuple(
            msgspec.structs.replace(
                part, flags=DESCRIPTORS_VOLATILE if part.cls == "s" else DESCRIPTORS_VOLATILE | DATA_VOLATILE
            )
            for part in parameter.ranges
        )
        return msgspec.structs.replace(parameter, ranges=ranges)
    return parameter if parameter.kind == "constants" else msgspec.structs.replace(parameter, flags=DATA_VOLATILE)


def _without_flags(parameter: RootParameter) -> RootParameter:
    ranges = tuple(msgspec.structs.replace(part, flags=0) for part in parameter.ranges)
    return msgspec.structs.replace(parameter, flags=0, ranges=ranges)
