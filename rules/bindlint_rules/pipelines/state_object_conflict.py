"""BL536: A shader with which host code associates two root signatures of the same kind."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import host_exports
from bindlint_rules.pipelines.state_objects import conflicts


def check(project: Project) -> Iterator[Violation]:
    for made in project.state_objects:
        yield from conflicts(host_exports(made, project))


RULE = Rule(
    "BL536",
    "state-object-conflict",
    "error",
    "project",
    "C++ associates a shader with two root signatures of the same kind",
    check,
)
