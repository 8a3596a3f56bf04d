"""The cases of register assignment, held against the real compiler."""

from __future__ import annotations

from collections import Counter

import pytest
from cases.assignment import CASES, TABLE_FAULTS, Assignment
from cases.usage import analysed
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_same_registers_as_the_compiler(case: Assignment, oracle: Oracle) -> None:
    verdict = oracle.ask(case.text.encode(), case.arguments.split())
    assert verdict is not None
    assert verdict.accepted == bool(case.bound), verdict.errors
    ours: Counter[object] = Counter()
    for binding in analysed(case.text, case.arguments).bindings if case.bound else ():
        if binding.used:
            at = binding.registers
            ours[(at.cls, at.space, at.lower, at.upper) if at else binding.resource.cls] += 1
    assert ours == Counter(b.cls if b.lower is None else b.place for b in verdict.bindings)


@pytest.mark.parametrize(("text", "fault"), TABLE_FAULTS)
def test_binding_tables_with_faults(text: str, fault: str, oracle: Oracle) -> None:
    source = f'#define TABLE "{text}"\nBuffer<float4> A; float4 main() : SV_Target {{ return A[0]; }}'
    verdict = oracle.ask(source.encode(), ["-T", "ps_6_0", "-E", "main", "-binding-table-define", "TABLE"])
    assert verdict is not None and verdict.accepted == (not fault), verdict
