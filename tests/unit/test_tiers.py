"""Which tier and feature level shaders, pipelines, heaps and projects need, and what is said for the reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bindlint.cli import main
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.device import HostHeap
from bindlint.model.host import HostFile
from bindlint.project.values import Pipeline, PipelineStage, Project
from bindlint.tiers.need import hardware
from bindlint.tiers.subjects import heap_need, pipeline_tiers, project_tiers, shader_tiers
from cases.usage import analysed
from host_values import at

READ = "float4 main() : SV_Target { return %s; }"


def pixel(declared: str, value: str, before: str = "") -> ShaderAnalysis:
    return analysed(f"{declared} {before} {READ % value}", "-T ps_6_6 -E main")


def textures(count: int) -> ShaderAnalysis:
    return pixel(f"Texture2D T[{count}] : register(t0);", "T[1].Load(0)")


def written(count: int, profile: str = "ps", signature: str = "") -> ShaderAnalysis:
    declared = f"RWTexture2D<float> U[{count}] : register(u0);"
    semantic = "SV_Target" if profile == "ps" else "SV_Position"
    held = f'[RootSignature("{signature}")]' if signature else ""
    text = f"{declared} {held} float4 main() : {semantic} {{ U[0][uint2(0, 0)] = 1; return 0; }}"
    return analysed(text, f"-T {profile}_6_0 -E main")


def test_hardware_goes_from_low_to_high() -> None:
    assert hardware()[:3] == ((1, "11_0"), (1, "11_1"), (2, "11_0"))
    assert hardware()[-1] == (3, "12_2")


@pytest.mark.parametrize(
    ("analysis", "tier", "level", "reasons"),
    [
        (pixel("", "0"), 1, "11_0", []),
        (textures(128), 1, "11_0", []),
        (textures(129), 2, "11_0", ["the pixel shader needs 129 SRVs in tables (129 in `T`), tier 1 allows 128"]),
        (pixel("Texture2D T[];", "T[1].Load(0)"), 2, "11_0", ["`T` (t0-unbounded): unbounded SRVs need tier 2"]),
        (
            pixel("struct S { float4 a; }; ConstantBuffer<S> C[];", "C[1].a"),
            3,
            "11_1",
            ["`C` (b0-unbounded): unbounded CBVs need tier 3"],
        ),
        (
            pixel("struct S { float4 a; }; ConstantBuffer<S> C[15];", "C[1].a"),
            3,
            "11_1",
            ["the pixel shader needs 15 CBVs in tables (15 in `C`), tier 2 allows 14"],
        ),
        (
            pixel("", "((Texture2D)ResourceDescriptorHeap[0]).Load(0)"),
            3,
            "11_1",
            ["`main` uses ResourceDescriptorHeap, which needs tier 3"],
        ),
        (written(8), 1, "11_0", []),
        (
            written(9),
            1,
            "11_1",
            ["the pixel shader has 9 UAVs (9 in `U`), tier 1 on feature level 11_0 allows 8"],
        ),
        (written(65), 3, "11_1", ["the pixel shader has 65 UAVs (65 in `U`), tier 2 allows 64"]),
        (
            written(1, "vs"),
            1,
            "11_1",
            ["`U` is a UAV in a vertex shader, and before feature level 11_1 there is none"],
        ),
    ],
)
def test_the_tier_of_a_shader_and_why(analysis: ShaderAnalysis, tier: int, level: str, reasons: list[str]) -> None:
    need = shader_tiers(analysis).need
    assert (need.tier, need.feature_level, [reason.text for reason in need.reasons]) == (tier, level, reasons)
    assert all(reason.remedy for reason in need.reasons)
    assert not need.least


def test_what_root_descriptors_and_static_samplers_can_serve_does_not_count() -> None:
    declared = " ".join(f"cbuffer B{n} {{ float4 b{n}; }}" for n in range(20))
    report = shader_tiers(pixel(declared, " + ".join(f"b{n}" for n in range(20))))
    assert report.need.tier == 1
    assert [(used.what, used.descriptors, used.in_tables) for used in report.used] == [("CBVs", 20, 0)]


def test_a_root_signature_decides_how_much_of_an_unbounded_array_there_is() -> None:
    signature = '[RootSignature("DescriptorTable(SRV(t0, numDescriptors = 100))")]'
    report = shader_tiers(pixel("Texture2D T[] : register(t0);", "T[1].Load(0)", signature))
    assert report.need.tier == 1
    assert [(count.seen_by, count.descriptors) for count in report.need.counts] == [("every stage", 100)]


def test_what_must_be_there_though_nothing_touches_it() -> None:
    signature = '[RootSignature("DescriptorTable(SRV(t0, numDescriptors = 4), UAV(u0, numDescriptors = 3)), CBV(b0)")]'
    report = shader_tiers(pixel("Texture2D T : register(t1);", "T.Load(0)", signature))
    told = [(each.tier, each.parameter, [*map(str, each.registers)], each.descriptors) for each in report.untouched]
    assert told == [(1, 0, ["t0", "t2-t3", "u0-u2"], 6), (2, 0, ["u0-u2"], 3)]


def test_nothing_is_asked_for_on_a_tier_on_which_it_does_not_run() -> None:
    signature = '[RootSignature("DescriptorTable(UAV(u0, numDescriptors = 65))")]'
    report = shader_tiers(pixel("RWTexture2D<float4> U : register(u0);", "U.Load(0)", signature))
    assert (report.need.tier, report.untouched) == (3, ())


def test_what_is_not_known_makes_it_the_least() -> None:
    report = shader_tiers(pixel("Texture2D T[UNKNOWN] : register(t0);", "T[1].Load(0)"))
    assert report.need.least
    assert "the size of `T` is not known: `UNKNOWN`" in report.unread


def pipeline(*analyses: ShaderAnalysis, complete: bool = True) -> Pipeline:
    stages = tuple(PipelineStage(analysis.stage, "main", at(1), analysis) for analysis in analyses)
    return Pipeline("Sky", "graphics", stages, "host", at(7), complete=complete)


def test_uavs_are_counted_for_all_stages_and_a_shared_register_once() -> None:
    need = pipeline_tiers(pipeline(written(5, "vs"), written(5))).need
    assert (need.tier, need.feature_level) == (1, "11_1")
    assert [reason.text for reason in need.reasons] == [
        "`U` is a UAV in a vertex shader, and before feature level 11_1 there is none"
    ]
    more = analysed(
        "RWTexture2D<float> V[60] : register(u5); float4 main() : SV_Target { V[0][uint2(0, 0)] = 1; return 0; }",
        "-T ps_6_0 -E main",
    )
    need = pipeline_tiers(pipeline(written(5, "vs"), more)).need
    assert need.tier == 3
    assert need.reasons[0].text == "all stages together have 65 UAVs (60 in `V`, 5 in `U`), tier 2 allows 64"


def test_a_pipeline_takes_the_signature_that_its_stages_embed() -> None:
    need = pipeline_tiers(pipeline(written(1, "ps", "DescriptorTable(UAV(u0, numDescriptors = 9))"))).need
    assert [reason.text for reason in need.reasons] == [
        "9 UAVs in tables for all stages together, tier 1 on feature level 11_0 allows 8"
    ]


def test_a_stage_that_is_not_known_makes_it_the_least() -> None:
    whole = pipeline(textures(1))
    assert not pipeline_tiers(whole).need.least
    assert pipeline_tiers(pipeline(textures(1), complete=False)).need.least


def heap(count: int | None, kind: str = "CBV_SRV_UAV", visible: bool = True) -> HostHeap:
    return HostHeap("Sky::m_heap", "m_heap", "f", at(3), kind, count, visible)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("described", "tier"),
    [
        (heap(1_000_000), 1),
        (heap(1_000_001), 3),
        (heap(1_000_001, visible=False), 1),
        (heap(2048, "SAMPLER"), 1),
        (heap(2049, "SAMPLER"), None),
        (heap(None), 1),
    ],
)
def test_heaps(described: HostHeap, tier: int | None) -> None:
    need = heap_need(described)
    assert need.tier == tier
    assert need.least == (described.count is None)


def test_a_project_needs_what_its_parts_need_most() -> None:
    lone = pixel("Texture2D T[];", "T[1].Load(0)")
    found = project_tiers(Project((HostFile("a.cpp", heaps=(heap(8),)),), (pipeline(textures(1)),), analyses=(lone,)))
    assert (found.tier, found.feature_level) == (1, "11_0"), "a shader of a pipeline is told by that"
    found = project_tiers(Project((HostFile("a.cpp", heaps=(heap(2_000_000),)),), analyses=(lone,)))
    assert (found.tier, found.feature_level, found.deciding) == (3, "11_1", ("heap `m_heap`",))


@pytest.fixture
def shaders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.hlsl").write_text("Texture2D T[]; " + READ % "T[1].Load(0)")
    (tmp_path / "b.hlsl").write_text(READ % "0")
    (tmp_path / "c.hlsl").write_text("RWBuffer<float> U[9]; " + READ % "U[1][0]")
    monkeypatch.chdir(tmp_path)


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as end:
        main(["show", "--tiers", "-T", "ps_6_0", "-E", "main", *words])
    assert not end.value.code
    return capsys.readouterr().out


@pytest.mark.usefixtures("shaders")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_how_many_need_what(capsys: pytest.CaptureFixture[str], jobs: str) -> None:
    out = shown(capsys, "--jobs", jobs, ".").splitlines()
    assert out[0].endswith("a.hlsl: main (ps_6_0): tier 2, feature level 11_0")
    assert out[-2:] == [
        "2 shaders need tier 1, 1 shader needs tier 2",
        "  of tier 1, 1 needs feature level 11_1",
    ]


@pytest.mark.usefixtures("shaders")
def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(shown(capsys, "--format", "json", "."))
    assert [shader["tier"] for shader in document["shaders"]] == [2, 1, 1]
    assert document["shaders"][0]["reasons"][0]["line"] == 1
    assert document["summary"]["needs"][-1] == {"tier": 2, "feature_level": "11_0", "shaders": 1}
    lines = shown(capsys, "--format", "jsonl", ".").splitlines()
    assert [json.loads(line)["feature_level"] for line in lines] == ["11_0", "11_0", "11_1"]
