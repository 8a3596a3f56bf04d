"""BL409: More different static samplers than a device can hold."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature, StaticSampler
from bindlint.model.source import NOWHERE
from bindlint.rule import Rule

MAX_UNIQUE_STATIC_SAMPLERS = 2032
"""Of the 2048 descriptors of a sampler heap drivers keep 16 (D3D12 Resource Binding specification)."""


def check(signature: RootSignature) -> Iterator[Violation]:
    if len(signature.static_samplers) <= MAX_UNIQUE_STATIC_SAMPLERS:
        return
    different: dict[StaticSampler, StaticSampler] = {}
    for sampler in signature.static_samplers:
        state = msgspec.structs.replace(sampler, register=0, space=0, visibility="ALL", span=NOWHERE)
        different.setdefault(state, sampler)
    if len(different) > MAX_UNIQUE_STATIC_SAMPLERS:
        yield Violation(
            f"the root signature has {len(different)} different static samplers; a device holds "
            f"{MAX_UNIQUE_STATIC_SAMPLERS}",
            list(different.values())[MAX_UNIQUE_STATIC_SAMPLERS].span,
            symbols=(signature.name, str(len(different))),
        )


RULE = Rule(
    "BL409",
    "static-sampler-count",
    "error",
    "root-signature",
    "More than 2032 different static samplers",
    check,
)
