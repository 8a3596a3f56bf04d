"""Code that never runs: the compiler takes there what it rejects elsewhere."""

from __future__ import annotations

import pytest
from cases.dead_code import DEAD, LIVE, REJECTED, shaders
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc
ARGUMENTS = ["-T", "cs_6_0", "-E", "main", "-HV", "2021"]


@pytest.mark.parametrize("live", [False, True])
def test_verdict(live: bool, oracle: Oracle) -> None:
    for _, source in shaders(LIVE if live else DEAD, REJECTED):
        verdict = oracle.ask(source.encode(), ARGUMENTS)
        assert verdict is not None and verdict.accepted != live, source
