"""What is told of a function's text is not told of what never runs in it."""

from __future__ import annotations

import pytest
from bindlint_rules import RULES
from cases.dead_code import DEAD, LIVE, shaders
from judged import judged

NAMES = {rule.code: rule.name for rule in RULES}
ARGUMENTS = ("-T", "cs_6_0", "-E", "main", "-HV", "2021")


@pytest.mark.parametrize(("code", "source"), shaders(DEAD))
def test_nothing_is_told_of_dead_code(code: str, source: str) -> None:
    assert judged(NAMES[code], source, *ARGUMENTS) == []


@pytest.mark.parametrize(("code", "source"), shaders(LIVE))
def test_what_may_run_is_told(code: str, source: str) -> None:
    assert judged(NAMES[code], source, *ARGUMENTS)
