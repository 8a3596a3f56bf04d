"""Every block of every rule page: the real compiler rejects those with an error of ours and accepts all others.

Blocks of host code alone are nothing to it; errors in host code and between stages are gaps of its, and marked so.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.plugins import load_rules
from bindlint.testing import Block, find, read_page
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc

RULES = load_rules()
PAGES = [read_page(Path(rule.page)) for rule in RULES if Path(rule.page).is_file()]
BLOCKS = [
    pytest.param(block, id=f"{page.name}:{block.line}")
    for page in PAGES
    for block in page.blocks
    if block.has_shader and not block.oracle.startswith("skip:")
]


@pytest.mark.parametrize("block", BLOCKS)
def test_same_verdict(block: Block, oracle: Oracle, tmp_path: Path) -> None:
    findings = find(block, RULES, tmp_path)
    errors = [f"{finding.code} {finding.violation.message}" for finding in findings if finding.severity == "error"]
    main = block.write(tmp_path)
    verdict = oracle.ask(main.read_bytes(), list(block.arguments), str(main))
    assert verdict is not None, "the compiler crashed: mark the block with oracle=skip:REASON"
    if block.oracle == "gap":
        assert verdict.accepted and errors, verdict.errors
    else:
        assert verdict.accepted == (not errors), verdict.errors or errors
