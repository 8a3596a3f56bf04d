"""What is called used: every case has been tried with DXC (tests/oracle/test_usage_against_dxc.py)."""

from __future__ import annotations

import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.model.binding import ShaderAnalysis
from cases.usage import CASES, Case


def analysed(case: Case) -> ShaderAnalysis:
    analyser = Analyser()
    analyser.overlay("/work/shader.hlsl", case.text.encode())
    return analyser.analyse(parse_arguments(["shader.hlsl", *case.arguments.split()], "/work").shader)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bound_resources(case: Case) -> None:
    analysis = analysed(case)
    assert analysis.status == "ok"
    assert sorted(b.name for b in analysis.bindings if b.used) == case.bound.split()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_use_has_a_chain_from_the_entry_point(case: Case) -> None:
    for entry in analysed(case).entries:
        for use in entry.uses:
            assert use.chain and use.chain[0].function == entry.name, use.resource.name
