"""BL533: Shaders of a hit group to which host code gives different local root signatures."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import host_exports
from bindlint_rules.pipelines.state_objects import unlike_members


def check(project: Project) -> Iterator[Violation]:
    for made in project.state_objects:
        yield from unlike_members(host_exports(made, project))


RULE = Rule(
    "BL533",
    "state-object-hit-group",
    "error",
    "project",
    "C++ gives the shaders of one hit group different local root signatures",
    check,
)
