"""Resources that are moved about: what we call sure the compiler rejects, and what we say nothing of it accepts."""

from __future__ import annotations

import pytest
from cases.moved import MOVED, Moved
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc


@pytest.mark.parametrize("case", MOVED, ids=lambda case: case.name)
def test_verdict(case: Moved, oracle: Oracle) -> None:
    verdict = oracle.ask(case.source.encode(), ["-T", "ps_6_5", "-E", "main"])
    assert verdict is not None
    assert verdict.accepted == (not case.sources or not case.sure), verdict.errors
