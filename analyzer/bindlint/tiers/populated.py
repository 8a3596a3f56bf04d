"""The descriptors that must be there though no shader touches them: on tiers 1 and 2 a bound table must be whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import DescriptorRange, RootParameter, RootSignature
from bindlint.tiers.counting import remainder, visible_to


class Idle(msgspec.Struct, frozen=True):
    """Registers of a range in a table that no shader touches."""

    parameter: RootParameter
    part: DescriptorRange
    free: RegisterRange


def idle_descriptors(
    signature: RootSignature, analyses: Iterable[ShaderAnalysis], classes: str
) -> Iterator[tuple[RootParameter, list[Idle]]]:
    """What the shaders leave untouched in each table that one of them sees, of the `classes` ("bu")."""
    stages = [(visible_to(analysis), _taken(analysis)) for analysis in analyses]
    for parameter in signature.parameters:
        seen = [taken for visible, taken in stages if parameter.visibility in visible]
        if not seen:
            continue
        taken = [registers for each in seen for registers in each]
        idle = [
            Idle(parameter, part, free)
            for part in parameter.ranges
            if part.cls in classes and part.count and not part.unknown
            for free in remainder(part.registers, taken)
        ]
        if idle:
            yield parameter, idle


def _taken(analysis: ShaderAnalysis) -> list[RegisterRange]:
    return [reach for binding in analysis.bindings if binding.used and (reach := binding.reach)]
