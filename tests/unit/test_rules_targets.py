"""The rules about hardware on signatures and shaders that their pages do not show."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.shader import Shader, Target
from bindlint.tiers.counting import remainder
from bindlint_rules.targets import (
    heap_indexing_tier,
    root_signature_version,
    shader_limit,
    slot_limit,
    table_limit,
    uav_over_render_target,
    uav_slots,
    uav_stage,
    unbounded_tier,
    unpopulated_descriptors,
)
from bindlint_rules.targets.shader_model import profile_below

BODY = "float4 main() : SV_Target { return 0; }"


def analyse(source: str, *arguments: str) -> ShaderAnalysis:
    analyser = Analyser()
    analyser.overlay("/x.hlsl", source.encode())
    options = arguments or ("-T", "ps_6_0")
    return analyser.analyse(msgspec.structs.replace(parse_arguments(options).shader, file="/x.hlsl"))


def signature(text: str, body: str = BODY) -> ShaderAnalysis:
    return analyse(f'[RootSignature("{text}")] {body}')


def target(tier: int | None = None, level: str | None = None) -> Target:
    return Target(binding_tier=tier, feature_level=level)


def messages(found: Iterator[Violation]) -> list[str]:
    return [violation.message for violation in found]


@pytest.mark.parametrize(
    ("text", "tier", "over"),
    [
        ("DescriptorTable(CBV(b0, numDescriptors = 14))", 1, []),
        ("DescriptorTable(CBV(b0, numDescriptors = 15))", 1, ["every stage sees 15 CBVs"]),
        ("DescriptorTable(SRV(t0, numDescriptors = 129))", 1, ["every stage sees 129 SRVs"]),
        ("DescriptorTable(SRV(t0, numDescriptors = 129))", 2, []),
        ("DescriptorTable(SRV(t0, numDescriptors = 1000001))", 2, ["every stage sees 1000001 SRVs"]),
        ("DescriptorTable(SRV(t0, numDescriptors = 1000001))", 3, []),
        ("DescriptorTable(UAV(u0, numDescriptors = 64), UAV(u64))", 2, ["all stages together see 65 UAVs"]),
        ("DescriptorTable(UAV(u0, numDescriptors = 65))", 3, []),
        ("DescriptorTable(Sampler(s0, numDescriptors = 2049))", 3, ["every stage sees 2049 samplers"]),
        ("DescriptorTable(Sampler(s0, numDescriptors = unbounded))", 3, []),
        ("", 1, []),
        ("DescriptorTable(CBV(b0, numDescriptors = 15)), ,", 1, []),
        (
            "DescriptorTable(CBV(b0, numDescriptors = 15)), "
            "DescriptorTable(CBV(b15), visibility = SHADER_VISIBILITY_PIXEL)",
            1,
            ["every stage sees 15 CBVs"],
        ),
    ],
)
def test_table_limits(text: str, tier: int, over: list[str]) -> None:
    found = messages(table_limit.check(signature(text), target(tier)))
    assert [message.partition(" in ")[0] for message in found] == over


def test_each_stage_over_the_limit_is_named() -> None:
    ranges = "DescriptorTable(CBV(b{base}, numDescriptors = {count}), visibility = SHADER_VISIBILITY_{stage})"
    parts = [("ALL", 0, 10), ("PIXEL", 10, 5), ("VERTEX", 10, 4), ("HULL", 10, 6)]
    text = ", ".join(ranges.format(stage=stage, base=base, count=count) for stage, base, count in parts)
    found = list(table_limit.check(signature(text), target(2)))
    assert [v.message.partition(" in ")[0] for v in found] == [
        "the hull shader sees 16 CBVs",
        "the pixel shader sees 15 CBVs",
    ]
    assert [len(v.related) for v in found] == [2, 2]


def test_the_place_is_where_the_limit_is_crossed() -> None:
    text = "DescriptorTable(Sampler(s0, numDescriptors = 16), Sampler(s16), Sampler(s17))"
    (found,) = table_limit.check(signature(text), target(1))
    column = len('[RootSignature("') + text.index("Sampler(s16)") + 1
    assert found.span.column == column


def test_many_ranges_are_not_all_spelt_out() -> None:
    text = "DescriptorTable(" + ", ".join(f"CBV(b{2 * n}, numDescriptors = 2)" for n in range(8)) + ")"
    (message,) = messages(table_limit.check(signature(text), target(1)))
    assert message.count("parameter 0") == 4 and "; ...)" in message


@pytest.mark.parametrize(
    ("kind", "tiers"),
    [("CBV(b0", [1, 2]), ("SRV(t0", [1]), ("UAV(u0", [1, 2]), ("Sampler(s0", [1])],
)
def test_unbounded_ranges_by_tier(kind: str, tiers: list[int]) -> None:
    subject = signature(f"DescriptorTable({kind}, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE))")
    assert [tier for tier in (1, 2, 3) if messages(unbounded_tier.check(subject, target(tier)))] == tiers


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        ([], [(0, 9)]),
        ([(0, 9)], []),
        ([(0, 0), (9, 9)], [(1, 8)]),
        ([(8, 20), (3, 4)], [(0, 2), (5, 7)]),
        ([(2, 8), (3, 5)], [(0, 1), (9, 9)]),
        ([(10, 20)], [(0, 9)]),
        ([(4, None)], [(0, 3)]),
    ],
)
def test_what_is_left_of_a_range(taken: list[tuple[int, int | None]], free: list[tuple[int, int]]) -> None:
    others = [RegisterRange("t", 1, lower, upper) for lower, upper in taken]
    others += [RegisterRange("t", 0, 0, 9), RegisterRange("u", 1, 0, 9)]
    left = remainder(RegisterRange("t", 1, 0, 9), others)
    assert [(part.lower, part.upper) for part in left] == free


@pytest.mark.parametrize(
    ("tier", "numbers"),
    [(1, ["t1-t3, u0-u1 and b0 (6 descriptors)", "anything of it (2 descriptors)"]), (2, ["u0-u1 and b0 (3"]), (3, [])],
)
def test_unpopulated_by_tier(tier: int, numbers: list[str]) -> None:
    text = "DescriptorTable(SRV(t0, numDescriptors = 4), UAV(u0, numDescriptors = 2), CBV(b0)), "
    text += "DescriptorTable(Sampler(s0), Sampler(s1))"
    subject = analyse(
        f'Texture2D<float4> T : register(t0); [RootSignature("{text}")] '
        "float4 main() : SV_Target { return T.Load(0); }"
    )
    found = messages(unpopulated_descriptors.check(subject, target(tier)))
    assert len(found) == len(numbers)
    assert all(number in message for number, message in zip(numbers, found, strict=True)), found


@pytest.mark.parametrize("element", ["RWBuffer<uint> U[9] : register(u0)", "Buffer<uint> U[129] : register(t0)"])
def test_libraries_are_no_single_stage(element: str) -> None:
    source = f"{element}; export uint f(uint i) {{ return U[NonUniformResourceIndex(i)][0]; }}"
    subject = analyse(source, "-T", "lib_6_3")
    assert [b.used for b in subject.bindings] == [True]
    for check in (uav_slots.check, shader_limit.check, uav_stage.check):
        assert messages(check(subject, target(1))) == []


@pytest.mark.parametrize(
    ("declared", "body", "needed"),
    [
        ("Texture2D<float4> T[129];", "T[i].Load(0)", 129),
        ("ByteAddressBuffer T[129];", "asfloat(T[i].Load4(0))", 129),
        ("StructuredBuffer<float4> T[128]; StructuredBuffer<float4> S;", "T[i][0] + S[0]", 0),
        ("Buffer<float4> T[128]; Buffer<float4> S;", "T[i][0] + S[0]", 129),
        ("Texture2D<float4> T[]; Texture2D<float4> S[128] : register(t0, space1);", "T[i].Load(0) + S[i].Load(0)", 0),
        ("SamplerState T[17]; Texture2D<float4> S;", "S.Sample(T[i], 0)", 17),
        ("SamplerState T[16]; SamplerState U; Texture2D<float4> S;", "S.Sample(T[i], 0) + S.Sample(U, 0)", 0),
    ],
)
def test_what_a_shader_needs_in_tables(declared: str, body: str, needed: int) -> None:
    subject = analyse(f"{declared} float4 main(nointerpolation uint i : I) : SV_Target {{ return {body}; }}")
    found = messages(shader_limit.check(subject, target(1)))
    assert [int(message.split("needs ")[1].split()[0]) for message in found] == ([needed] if needed else [])


@pytest.mark.parametrize(
    ("count", "level", "found"),
    [(8, "11_0", False), (9, "11_0", True), (9, "11_1", False), (9, "12_0", False)],
)
def test_uav_slots_by_feature_level(count: int, level: str, found: bool) -> None:
    source = f"RWBuffer<uint> U[{count}]; [numthreads(1,1,1)] void main(uint i : SV_GroupIndex) {{ U[i][0] = 1; }}"
    subject = analyse(source, "-T", "cs_6_0")
    assert bool(messages(uav_slots.check(subject, target(level=level)))) is found


@pytest.mark.parametrize(
    ("tier", "level", "found"),
    [(None, "11_0", True), (2, "11_0", True), (2, None, False), (1, None, True), (None, "12_0", False)],
)
def test_uavs_of_vertex_shaders(tier: int | None, level: str | None, found: bool) -> None:
    source = "RWBuffer<uint> U; float4 main() : SV_Position { U[0] = 1; return 0; }"
    assert bool(messages(uav_stage.check(analyse(source, "-T", "vs_6_0"), target(tier, level)))) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("DescriptorTable(SRV(t0, numDescriptors = unbounded))", []),
        ("DescriptorTable(SRV(t0)), ", ["anything of it (1 descriptor)"]),
        ("DescriptorTable(SRV(t0)), ,", []),
        ("SRV(t0)", []),
        ("DescriptorTable(CBV(b0), SRV(t0, numDescriptors = unbounded))", ["never touches b0 (1 descriptor)"]),
        ("DescriptorTable(" + ", ".join(f"SRV(t{2 * n})" for n in range(6)) + ")", ["anything of it (6 descriptors)"]),
    ],
)
def test_what_may_stay_unpopulated(text: str, found: list[str]) -> None:
    told = messages(unpopulated_descriptors.check(signature(text), target(1)))
    assert len(told) == len(found) and all(part in message for part, message in zip(found, told, strict=True)), told


def test_many_untouched_ranges_are_not_all_spelt_out() -> None:
    text = "DescriptorTable(" + ", ".join(f"SRV(t{2 * n})" for n in range(7)) + ")"
    subject = analyse(
        f'Texture2D<float4> T : register(t0); [RootSignature("{text}")] '
        "float4 main() : SV_Target { return T.Load(0); }"
    )
    (found,) = unpopulated_descriptors.check(subject, target(1))
    assert "never touches t2, t4, t6, t8 and 2 more ranges (6 descriptors)" in found.message
    (fewer,) = unpopulated_descriptors.check(
        analyse(
            'Texture2D<float4> T : register(t0); [RootSignature("DescriptorTable(SRV(t0), SRV(t2), SRV(t4), SRV(t6), '
            'SRV(t8), SRV(t10))")] float4 main() : SV_Target { return T.Load(0); }'
        ),
        target(1),
    )
    assert "t8 and 1 more range (5 descriptors)" in fewer.message
    assert [related.message for related in found.related] == [f"t{n} is not touched" for n in (4, 6, 8)]


def test_a_declaration_without_use_touches_nothing() -> None:
    declared = "Texture2D<float4> Idle : register(t0);"
    subject = analyse(f'{declared} [RootSignature("DescriptorTable(SRV(t0))")] {BODY}')
    assert len(messages(unpopulated_descriptors.check(subject, target(1)))) == 1


def test_the_uav_on_a_render_target_is_shown_at_its_register() -> None:
    (found,) = uav_over_render_target.check(
        analyse("RWBuffer<uint> U : register(u0); float4 main() : SV_Target { U[0] = 1; return 0; }", "-T", "ps_5_0")
    )
    assert (found.span.column, found.span.end_column) == (20, 32)
    assert [related.message for related in found.related] == ["`main` writes up to SV_Target0"]


def test_without_a_signature_nothing_is_left_unpopulated() -> None:
    assert messages(unpopulated_descriptors.check(analyse(BODY), target(1))) == []


def test_a_full_table_of_what_cannot_be_a_root_argument_is_named_by_size() -> None:
    declared = "Buffer<float4> A; Buffer<float4> B[60]; Buffer<float4> C[70]; Buffer<float4> D; Buffer<float4> E;"
    declared += "Buffer<float4> F[] : register(t0, space1);"
    body = "A[0] + B[i][0] + C[i][0] + D[0] + E[0] + F[i][0]"
    subject = analyse(f"{declared} float4 main(nointerpolation uint i : I) : SV_Target {{ return {body}; }}")
    (found,) = shader_limit.check(subject, target(1))
    assert "needs 133 SRVs in descriptor tables (70 in `C`, 60 in `B`, 1 in `A`, 1 in `D`, ...)" in found.message
    assert [related.message for related in found.related] == ["`B`: 60", "`A`: 1", "`D`: 1"]


def test_uavs_are_named_by_size() -> None:
    declared = "RWBuffer<uint> A; RWBuffer<uint> B[6]; RWBuffer<uint> C; RWBuffer<uint> D; RWBuffer<uint> E;"
    body = "A[0] = 1; B[i][0] = 1; C[0] = 1; D[0] = 1; E[0] = 1;"
    source = f"{declared} [numthreads(1,1,1)] void main(uint i : SV_GroupIndex) {{ {body} }}"
    (found,) = uav_slots.check(analyse(source, "-T", "cs_6_0"), target(1))
    assert "has 10 UAVs (6 in `B`, 1 in `A`, 1 in `C`, 1 in `D`, ...)" in found.message
    assert [related.message for related in found.related] == ["`A`: 1", "`C`: 1", "`D`: 1"]


@pytest.mark.parametrize(
    ("version", "level", "said"),
    [
        ("1.1", "12_1", "only feature level 12_2 is sure"),
        ("1.1", "12_2", ""),
        ("1.0", "11_0", ""),
        ("1.2", "12_2", "no feature level is sure"),
    ],
)
def test_versions_of_root_signatures(version: str, level: str, said: str) -> None:
    subject = signature("CBV(b0)")
    told = msgspec.structs.replace(subject.signatures[0], version=version)
    found = messages(
        root_signature_version.check(msgspec.structs.replace(subject, signatures=(told,)), target(level=level))
    )
    assert [said in message for message in found] == ([True] if said else [])


def test_a_broken_signature_has_no_version() -> None:
    assert messages(root_signature_version.check(signature("CBV(b0), ,"), target(level="11_0"))) == []


@pytest.mark.parametrize(
    ("declared", "severity", "column"),
    [
        ("RWBuffer<uint> U : register(u64);", None, 20),
        ("RWBuffer<uint> U : register(u63);", "warning", 20),
        ("RWBuffer<uint> U[65];", None, 16),
    ],
)
def test_slots_past_the_last(declared: str, severity: str | None, column: int) -> None:
    element = "U[3][0]" if "[65]" in declared else "U[0]"
    source = f"{declared} [numthreads(1,1,1)] void main() {{ {element} = 1; }}"
    (found,) = slot_limit.check(analyse(source, "-T", "cs_5_0"))
    assert (found.severity, found.span.column) == (severity, column)


@pytest.mark.parametrize(
    ("profile", "dialect", "below"),
    [
        ("ps_5_0", "fxc", [(5, 1), (6, 6)]),
        ("ps_5_1", "fxc", [(6, 6)]),
        ("ps_5_0", "dxc", [(6, 6)]),
        ("ps_6_5", "dxc", [(6, 6)]),
        ("ps_6_6", "dxc", []),
        ("ps_6_5", "fxc", [(6, 6)]),
    ],
)
def test_the_compiler_has_a_say_in_the_shader_model(profile: str, dialect: str, below: list[tuple[int, int]]) -> None:
    subject = analyse(BODY, "-T", profile)
    subject = msgspec.structs.replace(subject, shader=msgspec.structs.replace(subject.shader, dialect=dialect))
    assert [model for model in ((5, 1), (6, 6)) if profile_below(subject, model)] == below


def test_without_a_profile_no_shader_model_is_too_old() -> None:
    subject = analyse(BODY)
    assert profile_below(msgspec.structs.replace(subject, shader=Shader("/x.hlsl")), (9, 9)) is None
    assert profile_below(analyse('#define R "CBV(b0)"', "-T", "rootsig_1_1", "-E", "R"), (6, 6)) is None


@pytest.mark.parametrize(("tier", "found"), [(1, 2), (2, 2), (3, 0)])
def test_both_heaps_by_tier(tier: int, found: int) -> None:
    source = """
        float4 main(nointerpolation uint i : I) : SV_Target {
            Texture2D<float4> t = ResourceDescriptorHeap[i];
            SamplerState s = SamplerDescriptorHeap[i];
            return t.Sample(s, 0);
        }"""
    assert len(messages(heap_indexing_tier.check(analyse(source, "-T", "ps_6_6"), target(tier)))) == found
