"""What is called used: every case has been tried with DXC (tests/oracle/test_usage_against_dxc.py)."""

from __future__ import annotations

import pytest
from cases.folding import FOLDED
from cases.liveness import LIVENESS
from cases.names import NAMES
from cases.usage import CASES, Case, analysed


@pytest.mark.parametrize("case", CASES + FOLDED + LIVENESS + NAMES, ids=lambda case: case.name)
def test_bound_resources(case: Case) -> None:
    analysis = analysed(case.text, case.arguments)
    assert analysis.status == "ok"
    assert sorted(b.name for b in analysis.bindings if b.used) == case.bound.split()


@pytest.mark.parametrize("case", CASES + FOLDED + LIVENESS + NAMES, ids=lambda case: case.name)
def test_every_use_has_a_chain_from_the_entry_point(case: Case) -> None:
    for entry in analysed(case.text, case.arguments).entries:
        for use in entry.uses:
            assert use.chain and use.chain[0].function == entry.name, use.resource.name
