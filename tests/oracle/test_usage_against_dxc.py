"""The cases of use, held against the real compiler: the same registers bound, seen as the same kind of view."""

from __future__ import annotations

from collections import Counter

import pytest
from cases.folding import FOLDED
from cases.liveness import LIVENESS
from cases.names import NAMES
from cases.usage import CASES, Case, analysed
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc


@pytest.mark.parametrize("case", CASES + FOLDED + LIVENESS + NAMES, ids=lambda case: case.name)
def test_same_bindings_as_the_compiler(case: Case, oracle: Oracle) -> None:
    verdict = oracle.ask(case.text.encode(), case.arguments.split())
    assert verdict is not None and verdict.accepted, verdict
    library = case.arguments.startswith("-T lib")  # of which the compiler does not tell the kinds of views
    ours: Counter[object] = Counter()
    for binding in analysed(case.text, case.arguments).bindings:
        if binding.used and binding.registers is not None:
            at = binding.registers
            ours[at.cls, at.space, at.lower, at.upper, "" if library else binding.view] += 1
    assert ours == Counter((*b.place, b.kind) for b in verdict.bindings)
