"""Suggested root signatures by how often things change."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.bindings.analyse import Analyser
from bindlint.cli import group
from bindlint.errors import UsageError
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.shader import Profile, Shader
from bindlint.rootsig.frequency import Frequency, read_frequencies
from bindlint.rootsig.hlsl import hlsl_text
from bindlint.rootsig.suggest import Wishes, suggest
from click.testing import CliRunner

PIXEL = """\
cbuffer Material : register(b0) { float4 Tint; };
cbuffer Frame : register(b1) { float4x4 View; };
Texture2D Albedo : register(t0);
Texture2D Sky : register(t1);
SamplerState Linear : register(s0);
float4 main(float2 uv : UV) : SV_Target {
    return Tint + View[0] + Albedo.Sample(Linear, uv) + Sky.Sample(Linear, uv);
}
"""
FREQUENCIES: dict[str, Frequency] = {"Frame": "per-frame", "Sky": "per-frame", "Linear": "static"}


def analysis() -> ShaderAnalysis:
    analyser = Analyser()
    analyser.overlay("ps.hlsl", PIXEL.encode())
    return analyser.analyse(Shader("ps.hlsl", "main", Profile("ps", 6, 6)))


def clauses(wishes: Wishes) -> list[str]:
    text = hlsl_text(suggest([analysis()], wishes).signature)
    return text.replace(", visibility = SHADER_VISIBILITY_PIXEL", "").replace("\n", " ").split(", DescriptorTable")


@pytest.mark.parametrize(
    ("frequency", "expected"),
    [
        ({}, ["DescriptorTable(CBV(b0, numDescriptors = 2), SRV(t0, numDescriptors = 2))", "(Sampler(s0))"]),
        (FREQUENCIES, ["DescriptorTable(CBV(b0), SRV(t0))", "(CBV(b1), SRV(t1))", "(Sampler(s0))"]),
        ({"Linear": "per-draw", "Sky": "static"}, None),
        (
            {"Albedo": "static", "Material": "static", "Linear": "static"},
            ["DescriptorTable(CBV(b1), SRV(t1))", "(CBV(b0), SRV(t0))", "(Sampler(s0))"],
        ),
    ],
)
def test_tables_hold_what_changes_together(frequency: dict[str, Frequency], expected: list[str] | None) -> None:
    expected = expected or ["DescriptorTable(CBV(b0, numDescriptors = 2), SRV(t0))", "(Sampler(s0))", "(SRV(t1))"]
    assert clauses(Wishes(frequency=frequency)) == expected


@pytest.mark.parametrize(
    ("budget", "frequency", "expected"),
    [
        (6, {}, "constants b0"),
        (6, {"Material": "static"}, "cbv b1"),
        (7, FREQUENCIES, "constants b0"),
        (6, FREQUENCIES, "cbv b0"),
    ],
)
def test_the_budget_goes_to_what_changes_most(budget: int, frequency: dict[str, Frequency], expected: str) -> None:
    made = suggest([analysis()], Wishes(budget=budget, frequency=frequency)).signature
    first = made.parameters[0]
    assert f"{first.kind} b{first.register}" == expected


def test_reasons_tell_the_frequency() -> None:
    made = suggest([analysis()], Wishes(frequency=FREQUENCIES))
    assert [reason.rpartition(" (")[2] for reason in made.reasons.values()] == ["per-draw)", "per-frame)", "static)"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("Sky", "`Sky` is neither NAME=FREQUENCY nor a file"),
        ("=static", "`=static` is neither"),
        ("Sky=per-drow", "`per-drow` is no frequency of `Sky`; did you mean `per-draw`?"),
        ("Sky=often", "`often` is no frequency of `Sky`; it is one of per-draw, per-frame, static"),
        ("broken.toml", "the frequencies in `broken.toml` cannot be read"),
        ("number.toml", "`3` is no frequency of `Sky`"),
    ],
)
def test_what_is_no_frequency(word: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.toml").write_text("Sky = ", encoding="utf-8")
    Path("number.toml").write_text("Sky = 3", encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        read_frequencies([word])
    assert message in str(raised.value)


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ps.hlsl").write_text(PIXEL, encoding="utf-8")
    Path("times.toml").write_text('Frame = "static"\nSky = "static"\n', encoding="utf-8")

    def suggested(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(group, ["rootsig", "suggest", "ps.hlsl", "-T", "ps_6_6", *words])
        return result.exit_code, result.output

    status, output = suggested("--frequency", "times.toml", "--frequency", "Frame=per-frame")
    assert status == 0
    assert output.index("(per-draw)") < output.index("(per-frame)") < output.index("(static)")
    status, output = suggested("--frequency", "Sny=static")
    assert (status, "no shader uses a resource `Sny`; did you mean `Sky`?" in output) == (2, True)
