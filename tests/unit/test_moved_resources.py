"""What resource variables may stand for: the cases, and shaders that are too large to be followed."""

from __future__ import annotations

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.model.binding import MergedResource
from cases.moved import MOVED, PRELUDE, Moved


def merged(source: str) -> tuple[MergedResource, ...]:
    analyser = Analyser()
    analyser.overlay("/shaders/a.hlsl", source.encode())
    shader = msgspec.structs.replace(parse_arguments(["-T", "ps_6_5"]).shader, file="/shaders/a.hlsl")
    return analyser.analyse(shader).merged


@pytest.mark.parametrize("case", MOVED, ids=lambda case: case.name)
def test_what_variables_may_stand_for(case: Moved) -> None:
    found = [(each.sources, each.sure) for each in merged(case.source)]
    assert found == ([(case.sources, case.sure)] if case.sources else [])


def _tree(depth: int) -> str:
    """Functions that each call the next one twice."""
    head = "float4 f{0}(Texture2D<float4> t) {{ return {1}; }}\n"
    last = head.format(depth, "t.Load(0)")
    return last + "".join(head.format(i, f"f{i + 1}(t) + f{i + 1}(t)") for i in range(depth - 1, -1, -1))


LARGE = {
    "cases": ("", "Texture2D<float4> t = a; switch (x) { " + "case 0: t = b; " * 3000 + "} return t.Load(0);"),
    "choices": ("", "Texture2D<float4> t = " + "x ? a : " * 300 + "b; return t.Load(0);"),
    "loops": ("", "Texture2D<float4> t = a;" + "for (; u < x;) { t = b; " * 40 + "}" * 40 + "return t.Load(0);"),
    "elements": ("", "Texture2D<float4> t[9999]; " + "t[0] = a; t[x] = b;" * 500 + "return t[x].Load(0);"),
    "calls": (_tree(40), "Texture2D<float4> t = a; if (x) t = b; return f0(t);"),
    "recursion": ("void g(out Texture2D<float4> t) { g(t); }", "Texture2D<float4> t; g(t); return t.Load(0);"),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_shaders_end_and_no_variable_is_called_unset(name: str) -> None:
    before, body = LARGE[name]
    found = merged(f"{PRELUDE}{before}\nfloat4 main(uint x : X, uint u : U) : SV_Target {{ {body} }}")
    assert not any("" in each.sources for each in found)
