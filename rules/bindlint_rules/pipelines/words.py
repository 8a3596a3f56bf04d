"""How rules about pipelines ask and speak of stages, their shaders and their signatures."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from bindlint.model.binding import Binding
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import RootSignature
from bindlint.model.shader import STAGES
from bindlint.model.source import Span
from bindlint.project.values import Pipeline, PipelineStage


class Placed(msgspec.Struct, frozen=True):
    """A used binding with its registers."""

    binding: Binding
    registers: RegisterRange


def used_in(stage: PipelineStage) -> Iterator[Placed]:
    for binding in stage.analysis.bindings if stage.analysis is not None else ():
        if binding.used and binding.registers is not None:
            yield Placed(binding, binding.registers)


def drifts(one: Placed, other: Placed) -> bool:
    """Whether these are one resource, to which the compiler gave different registers."""
    first, second = one.binding, other.binding
    same = first.name == second.name and first.resource.span == second.resource.span
    return same and one.registers != other.registers and not (first.explicit or second.explicit)


def stage_of(stage: PipelineStage) -> str:
    return STAGES.get(stage.stage, stage.stage)


def place_of(binding: Binding) -> Span:
    """The register clause, or the name where the compiler chose the register."""
    resource = binding.resource
    return resource.clauses[-1].span if binding.explicit and resource.clauses else resource.span


def given_signature(pipeline: Pipeline) -> RootSignature | None:
    """The signature of the pipeline: what it is given, else what its shaders embed; None where it is not known."""
    found = pipeline.signature
    if found is None and embeds(pipeline):
        found = next((analysis.signature for analysis in pipeline.analyses if analysis.signature is not None), None)
    return None if found is None or found.faults else found


def embeds(pipeline: Pipeline) -> bool:
    """Whether the pipeline is given no signature, so that its shaders must have theirs."""
    host = pipeline.host
    return pipeline.signature is None and (host is None or (host.signature is None and not host.unread))
