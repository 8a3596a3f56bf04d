"""BL531: Registers that both root signatures of a shader in a state object of host code bind."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import host_exports
from bindlint_rules.pipelines.state_objects import overlaps


def check(project: Project) -> Iterator[Violation]:
    for made in project.state_objects:
        yield from overlaps(host_exports(made, project))


RULE = Rule(
    "BL531",
    "state-object-overlap",
    "error",
    "project",
    "A register in both the local and the global root signature that C++ gives a shader",
    check,
)
