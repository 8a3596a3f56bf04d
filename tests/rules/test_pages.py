"""Every rule's page, run as the rule's test: the findings on its blocks are exactly those that it announces."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.engine_rules import ENGINE_RULES
from bindlint.plugins import load_rules
from bindlint.rule import Rule
from bindlint.testing import check_page

RULES = load_rules()
ALL_RULES = (*RULES, *ENGINE_RULES)


@pytest.mark.parametrize("rule", ALL_RULES, ids=[f"{rule.code}-{rule.name}" for rule in ALL_RULES])
def test_page_and_findings_agree(rule: Rule) -> None:
    differences = check_page(Path(rule.page), ALL_RULES)
    assert not differences, "\n" + "\n".join(differences)
