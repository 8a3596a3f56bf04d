"""BL209: Flags of a root descriptor or descriptor range that do not go together."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import FlagFault, descriptor_flag_faults, range_flag_faults
from bindlint.model.source import Span
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import parameter_name, range_name

WORDS: dict[FlagFault, str] = {
    "unknown-bits": "has flags that D3D12 does not know",
    "several-data": "can have one DATA_ flag only",
    "sampler-data": "can have no DATA_ flag: samplers point to no data",
    "volatile-static": "cannot be both DESCRIPTORS_VOLATILE and DATA_STATIC; "
    "DATA_STATIC_WHILE_SET_AT_EXECUTE goes with DESCRIPTORS_VOLATILE",
    "volatile-keeping": "cannot be both DESCRIPTORS_VOLATILE and DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS",
}


def check(signature: RootSignature) -> Iterator[Violation]:
    for name, faults, span in _flagged(signature):
        for fault in faults:
            yield Violation(f"{name} {WORDS[fault]}", span, symbols=(signature.name, name, fault))


def _flagged(signature: RootSignature) -> Iterator[tuple[str, tuple[FlagFault, ...], Span]]:
    for parameter in signature.parameters:
        yield parameter_name(parameter), descriptor_flag_faults(parameter), parameter.span
        for index, part in enumerate(parameter.ranges):
            yield range_name(parameter, index), range_flag_faults(part), part.span


RULE = Rule(
    "BL209",
    "descriptor-flags",
    "error",
    "root-signature",
    "Descriptor or range flags that do not go together",
    check,
)
