"""BL532: A resource of a shader in a state object of host code that neither of its root signatures binds."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import host_exports
from bindlint_rules.pipelines.state_objects import uncovered


def check(project: Project) -> Iterator[Violation]:
    for made in project.state_objects:
        yield from uncovered(host_exports(made, project), whole=True)


RULE = Rule(
    "BL532",
    "state-object-coverage",
    "error",
    "project",
    "A resource that neither root signature which C++ gives the shader binds",
    check,
)
