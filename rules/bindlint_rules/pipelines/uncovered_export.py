"""BL522: A resource of a library's shader that neither of its root signatures binds."""

from __future__ import annotations

from collections.abc import Iterable

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

from bindlint_rules.pipelines.associations import library_exports
from bindlint_rules.pipelines.state_objects import uncovered


def check(analysis: ShaderAnalysis) -> Iterable[Violation]:
    return uncovered(library_exports(analysis))


RULE = Rule(
    "BL522",
    "uncovered-export",
    "error",
    "shader",
    "A resource of a library's shader that neither its local nor its global root signature binds",
    check,
)
