"""Whole messages about root signatures: where costs and places are listed, and where the list ends."""

from __future__ import annotations

import pytest
from bindlint.facts.root_signature import read_root_signature
from bindlint.model.finding import Violation
from bindlint.model.source import Span
from bindlint_rules import RULES

BY_NAME = {rule.name: rule for rule in RULES}


def judge(name: str, text: str) -> Violation:
    def place(start: int, end: int) -> Span:
        return Span("a.hlsl", 1, start + 1, 1, end + 1, start, end)

    (violation,) = BY_NAME[name].run(read_root_signature(text, place))
    return violation


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CBV(b0), CBV(b0)", "b0 in parameter 1 overlaps b0 in parameter 0"),
        (
            "CBV(b0), CBV(b0, visibility=SHADER_VISIBILITY_PIXEL)",
            "b0 in parameter 1 overlaps b0 in parameter 0; visibility ALL includes PIXEL",
        ),
        (
            "CBV(b0), CBV(b0), CBV(b0)",
            "b0 in parameter 1 overlaps b0 in parameter 0; 3 parts of the root signature overlap here",
        ),
    ],
)
def test_overlaps_of_a_signature(text: str, said: str) -> None:
    assert judge("root-signature-overlap", text).message == said


@pytest.mark.parametrize(("tables", "listed"), [(15, ""), (16, "+...")])
def test_sixteen_costs_are_listed(tables: int, listed: str) -> None:
    text = ", ".join(
        ["RootConstants(num32BitConstants=66, b0)", *(f"DescriptorTable(SRV(t{number}))" for number in range(tables))]
    )
    violation = judge("root-signature-cost", text)
    assert f"costs {66 + tables} of 64 DWORDs (66{'+1' * 15}{listed})" in violation.message
    assert len(violation.related) == 3
