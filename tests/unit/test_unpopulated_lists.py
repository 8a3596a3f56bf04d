"""Where the list of untouched descriptor ranges ends."""

from __future__ import annotations

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.model.shader import Target
from bindlint_rules.targets.unpopulated_descriptors import check


@pytest.mark.parametrize(
    ("idle", "said"),
    [
        (1, "touches t2 (1 descriptor)"),
        (4, "touches t2, t4, t6 and t8 (4 descriptors)"),
        (5, "touches t2, t4, t6, t8 and 1 more"),
        (6, "touches t2, t4, t6, t8 and 2 more"),
    ],
)
def test_four_ranges_are_spelt_out(idle: int, said: str) -> None:
    table = ", ".join(f"SRV(t{2 * number})" for number in range(idle + 1))
    analyser = Analyser()
    source = f"""Texture2D<float4> T : register(t0);
        [RootSignature("DescriptorTable({table})")] float4 main() : SV_Target {{ return T.Load(0); }}"""
    analyser.overlay("/x.hlsl", source.encode())
    shader = msgspec.structs.replace(parse_arguments(("-T", "ps_6_0")).shader, file="/x.hlsl")
    (violation,) = check(analyser.analyse(shader), Target(binding_tier=1))
    assert said in violation.message
