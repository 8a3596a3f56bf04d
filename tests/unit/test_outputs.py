"""How many render targets a pixel shader has."""

from __future__ import annotations

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("float4 main() : SV_Target { return 0; }", 1),
        ("float4 main() : sv_target3 { return 0; }", 4),
        ("void main(out float4 a : SV_Target, out float4 b : SV_Target2) { a = b = 0; }", 3),
        ("void main(float4 a : SV_Target5) { }", 0),
        ("float main() : SV_Depth { return 0; }", 0),
        ("void main() { }", 0),
        ("struct O { float d : SV_Depth; float4 c[2] : SV_Target1; }; O main() { O o = (O)0; return o; }", 3),
        (
            "struct I { float4 c : SV_Target1; }; struct O { I inner; float4 c : SV_Target; };"
            "void main(inout O o) { o.c = 0; }",
            2,
        ),
    ],
)
def test_render_targets(source: str, count: int) -> None:
    analyser = Analyser()
    analyser.overlay("/x.hlsl", source.encode())
    shader = msgspec.structs.replace(parse_arguments(["-T", "ps_5_0"]).shader, file="/x.hlsl")
    (entry,) = analyser.analyse(shader).entries
    assert entry.render_targets == count


def test_other_stages_have_none() -> None:
    analyser = Analyser()
    analyser.overlay("/x.hlsl", b"float4 main() : SV_Target { return 0; }")
    shader = msgspec.structs.replace(parse_arguments(["-T", "vs_5_0"]).shader, file="/x.hlsl")
    (entry,) = analyser.analyse(shader).entries
    assert entry.render_targets == 0
