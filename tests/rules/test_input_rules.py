"""Every kind of problem that reading can meet is some input rule's to report, and no other's."""

from __future__ import annotations

from typing import get_args

import pytest
from bindlint.model.finding import Problem
from bindlint.model.source import Span
from bindlint.plugins import load_rules
from bindlint_grammars.hlsl.problems import ProblemKind

INPUT_RULES = [rule for rule in load_rules() if rule.scope == "problem"]
PLACE = Span("shader.hlsl", 3, 5, 3, 9)


@pytest.mark.parametrize("kind", [*get_args(ProblemKind), "syntax", "missing-entry", "analysis-limit"])
def test_one_rule_reports_each_kind(kind: str) -> None:
    problem = Problem(kind, "what happened", PLACE)
    found = [violation for rule in INPUT_RULES for violation in rule.run(problem)]
    assert [(violation.message, violation.span) for violation in found] == [("what happened", PLACE)]


def test_other_problems_are_not_for_these_rules() -> None:
    assert not [rule for rule in INPUT_RULES if rule.run(Problem("something else", "", PLACE))]
