"""The situations that users meet, held against the real compiler: it rejects what we call an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.plugins import load_rules
from bindlint.testing import find
from cases.situations import CASES, Situation
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc

RULES = load_rules()
ASKED = [case for case in CASES if case.arguments and not case.oracle.startswith("skip:")]


@pytest.mark.parametrize("situation", ASKED, ids=lambda case: f"{case.number}: {case.kind}")
def test_same_verdict(situation: Situation, oracle: Oracle, tmp_path: Path) -> None:
    block = situation.block
    errors = [finding for finding in find(block, RULES, tmp_path) if finding.severity == "error"]
    main = block.write(tmp_path)
    verdict = oracle.ask(main.read_bytes(), list(block.arguments), str(main))
    assert verdict is not None
    if block.oracle == "gap":
        assert verdict.accepted and errors, verdict.errors
    else:
        assert verdict.accepted == (not errors), verdict.errors or errors
