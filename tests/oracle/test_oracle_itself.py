"""The oracle's own workings: verdicts, bindings out of PSV0 and RDAT, and life after a crash of the compiler."""

from __future__ import annotations

import pytest
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc

TWO_TEXTURES = b"""
Texture2D<float4> albedo : register(t3, space1);
RWStructuredBuffer<float4> results[] : register(u2);
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { results[id.y][id.x] = albedo.Load(int3(id)); }
"""


def test_bindings_of_a_shader(oracle: Oracle) -> None:
    verdict = oracle.ask(TWO_TEXTURES, ["-T", "cs_6_0", "-E", "main"])
    assert verdict is not None and verdict.accepted
    assert [binding.place for binding in verdict.bindings] == [("t", 1, 3, 3), ("u", 0, 2, None)]
    assert [binding.kind for binding in verdict.bindings] == ["typed", "structured"]


def test_bindings_of_a_library(oracle: Oracle) -> None:
    source = b"""
    Texture2D<float4> placed : register(t3);
    RWTexture2D<float4> floating;
    [shader("raygeneration")] void rays() { floating[uint2(0, 0)] = placed.Load(int3(0, 0, 0)); }
    """
    verdict = oracle.ask(source, ["-T", "lib_6_3"])
    assert verdict is not None and verdict.accepted
    assert {binding.name: binding.place for binding in verdict.bindings} == {
        "placed": ("t", 0, 3, 3),
        "floating": ("u", 0, None, None),
    }


def test_rejection_carries_the_text(oracle: Oracle) -> None:
    verdict = oracle.ask(TWO_TEXTURES.replace(b"t3", b"u3"), ["-T", "cs_6_0", "-E", "main"])
    assert verdict is not None and not verdict.accepted
    assert "invalid register specification" in verdict.errors


def test_root_signature_bytes(oracle: Oracle) -> None:
    verdict = oracle.ask(b'#define SIGNATURE "CBV(b0)"\n', ["-T", "rootsig_1_1", "-E", "SIGNATURE"])
    assert verdict is not None and len(verdict.root_signature) == 48


def test_a_crash_is_no_verdict_and_no_end(oracle: Oracle) -> None:
    crashing = b"float4 tint : regsiter(c1);\nfloat4 main() : SV_Target { return tint; }\n"
    arguments = ["-T", "ps_6_0", "-E", "main"]
    assert oracle.ask(crashing, arguments) is None
    after = oracle.ask(b"float4 main() : SV_Target { return 1; }", arguments)
    assert after is not None and after.accepted
