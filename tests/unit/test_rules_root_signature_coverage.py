"""Rules that hold bindings against a root signature, on hand-made bindings."""

from __future__ import annotations

import pytest
from bindlint.facts.root_signature import read_root_signature
from bindlint.model.binding import Binding, EntryPoint, RegisterClause, Resource, ShaderAnalysis, Use
from bindlint.model.finding import Certainty, Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES, ViewKind
from bindlint.model.root_signature import RootSignature
from bindlint.model.shader import Profile, Shader
from bindlint.model.source import NOWHERE, Span
from bindlint_rules import RULES
from bindlint_rules.shader_signature.coverage import Verdict, judgements

FAMILY = [rule for rule in RULES if rule.code.startswith("BL3") and rule.scope == "shader-signature"]


def binding(
    type_name: str,
    lower: int,
    upper: int | None = -1,
    space: int = 0,
    view: ViewKind | None = None,
    used: bool = True,
    certainty: Certainty = "certain",
) -> Binding:
    """One resource named after its type; `upper` -1 is a single register."""
    kind = RESOURCE_TYPES[type_name]
    resource = Resource(type_name, kind, Span("a.hlsl", 1, 1, 1, 2), 0)
    registers = RegisterRange(kind.cls, space, lower, lower if upper == -1 else upper)
    return Binding(resource, registers, True, used, view or kind.view, certainty)


def shader(*bindings: Binding, profile: str = "ps") -> ShaderAnalysis:
    return ShaderAnalysis(Shader("a.hlsl", "main", Profile(profile, 6, 0)), "ok", bindings=bindings)


def signature(text: str) -> RootSignature:
    return read_root_signature(text, lambda _start, _end: NOWHERE)


def judge(analysis: ShaderAnalysis, text: str) -> list[tuple[str, Violation]]:
    declared = signature(text)
    return [(rule.code, violation) for rule in FAMILY for violation in rule.run(analysis, declared)]


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (binding("Texture2D", 3), "DescriptorTable(SRV(t0, numDescriptors=4))"),
        (binding("Texture2D", 0, 3), "DescriptorTable(SRV(t0, numDescriptors=4))"),
        (binding("Texture2D", 5, None), "DescriptorTable(SRV(t5, numDescriptors=unbounded))"),
        (binding("Texture2D", 2, 900), "DescriptorTable(SRV(t0, numDescriptors=unbounded))"),
        (binding("cbuffer", 1), "CBV(b1)"),
        (binding("cbuffer", 1), "RootConstants(num32BitConstants=4, b1)"),
        (binding("SamplerState", 0), "StaticSampler(s0, visibility=SHADER_VISIBILITY_PIXEL)"),
        (binding("ByteAddressBuffer", 0), "SRV(t0)"),
        (binding("RaytracingAccelerationStructure", 0), "SRV(t0)"),
        (binding("RWStructuredBuffer", 0, view="structured"), "UAV(u0)"),
        (binding("RWStructuredBuffer", 0, view="structured+counter"), "DescriptorTable(UAV(u0))"),
        (binding("Texture2D", 0, used=False), ""),
        (binding("Texture2D", 0), "DescriptorTable(SRV(t0)), RootFlags(DENY_VERTEX_SHADER_ROOT_ACCESS)"),
    ],
)
def test_bound(bound: Binding, text: str) -> None:
    assert judge(shader(bound), text) == []


@pytest.mark.parametrize(
    ("bound", "text", "code", "message"),
    [
        (
            binding("RWTexture2D", 0, space=1),
            "DescriptorTable(UAV(u0))",
            "BL301",
            "`RWTexture2D` needs u0, space1 in the pixel shader; "
            "the root signature has u0 only in space0 (parameter 0, range 0)",
        ),
        (
            binding("RWTexture3D", 0),
            "CBV(b9), DescriptorTable(SRV(t0))",
            "BL301",
            "the root signature has t0 (parameter 1, range 0), an SRV that the shader does not use, "
            "but `RWTexture3D` is a UAV",
        ),
        (
            binding("ByteAddressBuffer", 7),
            "SRV(t6)",
            "BL301",
            "the nearest that the root signature has is t6 (parameter 0)",
        ),
        (
            binding("Texture2D", 4),
            "DescriptorTable(SRV(t0, numDescriptors=4))",
            "BL301",
            "the root signature's range t0-t3 (parameter 0, range 0) ends before it",
        ),
        (binding("Texture2D", 4), "", "BL301", "the root signature shows it no `t` register in space0"),
        (
            binding("Texture2D", 4, space=2),
            "SRV(t0), SRV(t1)",
            "BL301",
            "no `t` register in space2, but has t0 (parameter 0) and t1 (parameter 1)",
        ),
        (binding("Texture2D", 0, 5), "DescriptorTable(SRV(t0, numDescriptors=4))", "BL302", "covers only t0-t3"),
        (
            binding("Texture2D", 0, 1),
            "DescriptorTable(SRV(t1), SRV(t0))",
            "BL302",
            "only in pieces, t0 (parameter 0, range 1)",
        ),
        (binding("SamplerState", 0, 1), "StaticSampler(s0)", "BL302", "s0 (static sampler 0) is a static sampler"),
        (binding("ByteAddressBuffer", 0, 1), "SRV(t0)", "BL302", "is a root descriptor, which holds one register"),
        (binding("cbuffer", 0, 1), "RootConstants(num32BitConstants=4, b0)", "BL302", "is root constants"),
        (
            binding("RWBuffer", 3),
            "UAV(u3)",
            "BL303",
            "`RWBuffer` is typed (RWBuffer), but u3 is a root UAV (parameter 0)",
        ),
        (binding("tbuffer", 0), "SRV(t0)", "BL303", "t0 is a root SRV"),
        (
            binding("AppendStructuredBuffer", 0, view="structured+counter"),
            "UAV(u0)",
            "BL303",
            "an AppendStructuredBuffer whose counter is used",
        ),
        (
            binding("cbuffer", 4),
            "CBV(b4, visibility=SHADER_VISIBILITY_DOMAIN)",
            "BL304",
            "shows it to DOMAIN (parameter 0) only; it needs SHADER_VISIBILITY_PIXEL or SHADER_VISIBILITY_ALL",
        ),
        (
            binding("cbuffer", 4),
            "CBV(b4), RootFlags(DENY_PIXEL_SHADER_ROOT_ACCESS)",
            "BL305",
            "`cbuffer` (b4) cannot reach the pixel shader: the root signature has DENY_PIXEL_SHADER_ROOT_ACCESS",
        ),
        (binding("StructuredBuffer", 0, None), "SRV(t0)", "BL306", "is an unbounded array, but t0 (parameter 0)"),
        (binding("SamplerState", 0, None), "StaticSampler(s0)", "BL306", "s0 (static sampler 0) is a static sampler"),
    ],
)
def test_one_finding_a_binding(bound: Binding, text: str, code: str, message: str) -> None:
    ((found, violation),) = judge(shader(bound), text)
    assert found == code
    assert message in violation.message


def test_an_idle_range_must_be_idle() -> None:
    taken = shader(binding("RWTexture3D", 0), binding("Texture2D", 0))
    ((code, violation),) = judge(taken, "DescriptorTable(SRV(t0))")
    assert code == "BL301"
    assert "no `u` register" in violation.message


@pytest.mark.parametrize("profile", ["cs", "ps"])
def test_compute_sees_all_only(profile: str) -> None:
    found = judge(shader(binding("cbuffer", 0), profile=profile), "CBV(b0, visibility=SHADER_VISIBILITY_PIXEL)")
    assert [code for code, _ in found] == (["BL304"] if profile == "cs" else [])


@pytest.mark.parametrize("profile", ["lib", "rootsig"])
def test_what_has_no_one_signature_is_not_judged(profile: str) -> None:
    assert judge(shader(binding("cbuffer", 0), profile=profile), "") == []


@pytest.mark.parametrize("certainty", ["certain", "likely"])
def test_certainty_is_that_of_the_binding(certainty: Certainty) -> None:
    ((_, violation),) = judge(shader(binding("cbuffer", 0, certainty=certainty)), "")
    assert violation.certainty == certainty


def test_denial_is_one_finding() -> None:
    analysis = shader(binding("cbuffer", 0), binding("ByteAddressBuffer", 0), binding("Texture2D", 5))
    found = judge(analysis, "CBV(b0), SRV(t0), RootFlags(DENY_PIXEL_SHADER_ROOT_ACCESS)")
    assert [code for code, _ in found] == ["BL301", "BL305"]
    assert "and 1 more" in found[1][1].message


def test_the_clause_is_the_place() -> None:
    clause = RegisterClause(Span("a.hlsl", 2, 9, 2, 20))
    resource = Resource("t", RESOURCE_TYPES["Texture2D"], Span("a.hlsl", 2, 1, 2, 2), 0, clauses=(clause,))
    registers = RegisterRange("t", 0, 1, 1)
    for explicit, span in ((True, clause.span), (False, resource.span)):
        ((_, violation),) = judge(shader(Binding(resource, registers, explicit, True, "typed")), "")
        assert violation.span == span


def test_answers_are_not_confused() -> None:
    analysis, other = shader(binding("cbuffer", 0)), shader(binding("cbuffer", 1))
    empty, full = signature(""), signature("CBV(b0)")
    for _ in range(2):
        assert [j.verdict for j in judgements(analysis, empty, *Verdict)] == [Verdict.UNBOUND]
        assert [j.verdict for j in judgements(analysis, full, *Verdict)] == [Verdict.COVERED]
        assert [j.verdict for j in judgements(other, full, *Verdict)] == [Verdict.UNBOUND]


def test_the_chain_of_calls_is_shown() -> None:
    from bindlint.model.binding import CallSite

    bound = binding("cbuffer", 0)
    chain = (CallSite("main", NOWHERE), CallSite("helper", NOWHERE))
    entry = EntryPoint("main", "ps", NOWHERE, uses=(Use(bound.resource, frozenset(("read",)), chain),))
    analysis = ShaderAnalysis(Shader("a.hlsl", "main", Profile("ps", 6, 0)), "ok", (entry,), bindings=(bound,))
    ((_, violation),) = judge(analysis, "")
    assert any("helper" in related.message for related in violation.related)


@pytest.mark.parametrize(
    ("needed", "used", "text", "message"),
    [
        ((0, 1), (0, 9), "SRV(t0, space=9), SRV(t0, space=4)", "has t0 only in space4 (parameter 1)"),
        ((0, 1), (0, 9), "SRV(t0, space=9)", "has t0 only in space9 (parameter 0)"),
        ((0, 1), (0, 9), "SRV(t0, space=9), SRV(t7, space=1)", "the nearest that the root signature has is t7, space1"),
        ((0, 0), (5, 0), "SRV(t5), SRV(t7), UAV(u0)", "has u0 (parameter 2), a UAV that the shader does not use"),
        ((0, 0), (5, 0), "SRV(t5), CBV(b0), SRV(t7)", "the nearest that the root signature has is t7 (parameter 2)"),
        ((0, 0), (5, 0), "SRV(t5), CBV(b0)", "has b0 (parameter 1), a constant buffer that the shader does not use"),
        ((0, 0), (5, 0), "SRV(t5), CBV(b0, space=3), CBV(b1)", "the nearest that the root signature has is t5"),
        ((10, 0), (2, 0), "SRV(t2), SRV(t7), SRV(t12)", "the nearest that the root signature has is t12"),
        (
            (10, 0),
            (0, 7),
            "DescriptorTable(SRV(t5, numDescriptors=4)), SRV(t14)",
            "range t5-t8 (parameter 0, range 0) ends",
        ),
        (
            (1, 0),
            (0, 7),
            "DescriptorTable(SRV(t4, numDescriptors=4))",
            "the nearest that the root signature has is t4-t7",
        ),
        ((0, 2), (0, 7), "UAV(u3), SRV(t3)", "no `t` register in space2, but has t3 (parameter 1)"),
    ],
)
def test_the_nearest_miss(needed: tuple[int, int], used: tuple[int, int], text: str, message: str) -> None:
    wanted, other = (
        binding("ByteAddressBuffer", needed[0], space=needed[1]),
        binding("Texture2D", used[0], space=used[1]),
    )
    found = [violation for code, violation in judge(shader(wanted, other), text) if code == "BL301"]
    assert [message in v.message for v in found if v.symbols[0] == "ByteAddressBuffer"] == [True], found
