"""BL541: More different static samplers in all root signatures of a project than a device can hold."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from bindlint.model.finding import Related, Violation
from bindlint.model.root_signature import RootSignature, StaticSampler
from bindlint.model.source import NOWHERE
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.targets.static_sampler_count import MAX_UNIQUE_STATIC_SAMPLERS


def check(project: Project) -> Iterator[Violation]:
    different: dict[StaticSampler, tuple[StaticSampler, RootSignature]] = {}
    largest = 0
    signatures = list(dict.fromkeys(_signatures(project)))
    for signature in signatures:
        own = set()
        for sampler in signature.static_samplers:
            if not sampler.unknown:
                state = msgspec.structs.replace(sampler, register=0, space=0, visibility="ALL", span=NOWHERE)
                different.setdefault(state, (sampler, signature))
                own.add(state)
        largest = max(largest, len(own))
    # One signature that is too large alone is `static-sampler-count`.
    if largest <= MAX_UNIQUE_STATIC_SAMPLERS < len(different):
        sampler, signature = list(different.values())[MAX_UNIQUE_STATIC_SAMPLERS]
        yield Violation(
            f"the {len(signatures)} root signatures of the project have {len(different)} different static samplers; "
            f"those that are alive at one time may have {MAX_UNIQUE_STATIC_SAMPLERS}",
            sampler.span,
            (Related(f"the root signature `{signature.name}`", signature.span),),
            "likely",
            (str(len(different)),),
        )


def _signatures(project: Project) -> Iterator[RootSignature]:
    for host in project.hosts:
        yield from (built.signature for built in host.signatures)
    for pipeline in project.pipelines:
        yield from (pipeline.signature,) if pipeline.signature is not None else ()
    shaders = [analysis for pipeline in project.pipelines for analysis in pipeline.analyses]
    libraries = [s.analysis for made in project.state_objects for s in made.libraries if s.analysis is not None]
    for analysis in (*project.analyses, *shaders, *libraries):
        yield from analysis.signatures


RULE = Rule(
    "BL541",
    "static-samplers-in-project",
    "warning",
    "project",
    "More than 2032 different static samplers in all root signatures of a project",
    check,
)
