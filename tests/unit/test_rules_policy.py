"""The rules about a project's own policy where their pages do not show it."""

from __future__ import annotations

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.policy import EXTENSIONS, ExtensionSlot, Policy, RequiredBinding
from bindlint.model.registers import RegisterRange
from bindlint_rules.policy import extension_slot, required_binding, spare_dwords

SLOT = ExtensionSlot("nvapi", "g_NvidiaExt", RegisterRange("u", 0, 5, 5))


def analyse(source: str) -> ShaderAnalysis:
    analyser = Analyser()
    analyser.overlay("/x.hlsl", source.encode())
    return analyser.analyse(msgspec.structs.replace(parse_arguments(["-T", "ps_6_0"]).shader, file="/x.hlsl"))


@pytest.mark.parametrize(
    ("signature", "missing"),
    [
        ("DescriptorTable(UAV(u5))", False),
        ("DescriptorTable(UAV(u0, numDescriptors = 6), visibility = SHADER_VISIBILITY_PIXEL)", False),
        ("DescriptorTable(UAV(u0, numDescriptors = 5))", True),
        ("DescriptorTable(UAV(u5), visibility = SHADER_VISIBILITY_VERTEX)", True),
        ("DescriptorTable(UAV(u5, space = 1), SRV(t5))", True),
        ("DescriptorTable(UAV(u4)), ,", False),
    ],
)
def test_the_range_that_an_extension_needs(signature: str, missing: bool) -> None:
    subject = analyse(
        f'RWStructuredBuffer<uint> g_NvidiaExt : register(u5); [RootSignature("{signature}")] '
        "float4 main() : SV_Target { g_NvidiaExt[g_NvidiaExt.IncrementCounter()] = 1; return 0; }"
    )
    found = list(extension_slot.check(subject, Policy(extension_slots=(SLOT,))))
    assert bool(found) is missing
    assert all("needs a range for u5 in the root signature" in violation.message for violation in found)


def test_two_extensions_do_not_meet() -> None:
    subject = analyse(
        "RWByteAddressBuffer AmdExtD3DShaderIntrinsicsUAV : register(u0, space2147420894);"
        "float4 main() : SV_Target { AmdExtD3DShaderIntrinsicsUAV.Store(0, 1); return 0; }"
    )
    assert not list(extension_slot.check(subject, Policy(extension_slots=tuple(EXTENSIONS.values()))))


@pytest.mark.parametrize(
    ("required", "declared", "messages"),
    [
        ({"Frame": 0, "View": 1}, "cbuffer Frame : register(b1) { float4 a; }", ["the project wants it at b0"]),
        ({"Frame": 0}, "cbuffer Frame { float4 a; }", []),
        ({"Frame": 0}, "cbuffer Frame : register(b0, space1) { float4 a; }", ["`Frame` is at b0, space1"]),
        (
            {"Frame": 0},
            "cbuffer Frame : register(b0) { float4 a; } cbuffer Idle : register(b0) { float4 b; }",
            ["`Idle`"],
        ),
        ({"Frame": 0}, "cbuffer Frame : register(b0) { float4 a; } cbuffer Idle { float4 b; }", []),
    ],
)
def test_required_bindings(required: dict[str, int], declared: str, messages: list[str]) -> None:
    policy = Policy(tuple(RequiredBinding(RegisterRange("b", 0, at, at), name) for name, at in required.items()))
    found = list(required_binding.check(analyse(f"{declared} float4 main() : SV_Target {{ return a; }}"), policy))
    assert len(found) == len(messages)
    assert all(part in violation.message for part, violation in zip(messages, found, strict=True)), found


def test_one_name_may_have_several_places() -> None:
    places = (RegisterRange("b", 0, 0, 0), RegisterRange("b", 1, 0, 0))
    policy = Policy(tuple(RequiredBinding(place, "Frame") for place in places))
    source = "cbuffer Frame : register({}) {{ float4 a; }} float4 main() : SV_Target {{ return a; }}"
    found = {at: list(required_binding.check(analyse(source.format(at)), policy)) for at in ("b0", "b0, space1", "b2")}
    assert [len(violations) for violations in found.values()] == [0, 0, 1]
    assert "the project wants it at b0 or b0, space1" in found["b2"][0].message


def test_the_dearest_parameters_are_shown() -> None:
    text = "CBV(b1), RootConstants(num32BitConstants = 50, b0), CBV(b2), RootConstants(num32BitConstants = 6, b3)"
    subject = analyse(f'[RootSignature("{text}")] float4 main() : SV_Target {{ return 0; }}')
    (found,) = spare_dwords.check(subject, Policy(reserve_dwords=5))
    assert [related.message.partition(")")[2] for related in found.related] == [" costs 50", " costs 6", " costs 2"]
    assert found.span == subject.signatures[0].parameters[3].span
    broken = analyse(f'[RootSignature("{text}, ,")] float4 main() : SV_Target {{ return 0; }}')
    assert not list(spare_dwords.check(broken, Policy(reserve_dwords=5)))
