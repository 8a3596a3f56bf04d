"""BL534: One static sampler that local root signatures of a state object of host code define differently."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.state_objects import unlike_samplers


def check(project: Project) -> Iterator[Violation]:
    for made in project.state_objects:
        built = [project.signature(each.signature) for each in made.host.associations if each.local]
        yield from unlike_samplers(
            {signature.signature: None for signature in built if signature is not None and signature.is_complete}
        )


RULE = Rule(
    "BL534",
    "state-object-samplers",
    "error",
    "project",
    "A static sampler that several local root signatures of a C++ state object define differently",
    check,
)
