"""The cases of array sizes, held against the real compiler."""

from __future__ import annotations

import pytest
from cases.array_sizes import MAIN, SIZES, TEMPLATES, UNTOLD, Size, Template
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc

ARGUMENTS = ["-T", "ps_6_6", "-E", "main"]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.text)
def test_size(size: Size, oracle: Oracle) -> None:
    verdict = oracle.ask(size.shader.encode(), ARGUMENTS)
    assert verdict is not None
    assert verdict.accepted == (size.count != UNTOLD), verdict.errors
    if verdict.accepted:
        # An empty array ends before it starts, as an unbounded one does.
        _, _, lower, upper = verdict.bindings[0].place
        assert (0 if upper is None else upper - lower + 1) == size.count


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.text)
def test_template(template: Template, oracle: Oracle) -> None:
    verdict = oracle.ask(template.shader.encode(), ARGUMENTS)
    assert verdict is not None and verdict.accepted, verdict
    # It binds elements that are used only, and tells the number of all by the size of the same array of numbers.
    numbers = template.text.replace("Texture2D<float4>", "float4")
    text = f"{numbers}\nTexture2D<float4> Maps[sizeof(a) / sizeof(float4)] : register(t0);\n{MAIN}"
    verdict = oracle.ask(text.encode(), ARGUMENTS)
    assert verdict is not None and verdict.accepted, verdict
    assert verdict.bindings[0].place[3] == template.count - 1
