"""`--tier`, `--feature-level` and `[target]`: what is judged and shown for a device."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.cli import group
from click.testing import CliRunner, Result

SHADER = """\
RWBuffer<uint> Log[9] : register(u0);
float4 main() : SV_Target { Log[0][0] = 1; return 0; }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.hlsl").write_text(SHADER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bindlint(command: str, *words: str) -> Result:
    return CliRunner().invoke(group, [command, "a.hlsl", "-T", "ps_6_0", *words])


def codes(result: Result) -> list[str]:
    return [line.split("[")[1][:5] for line in result.stdout.splitlines() if "[BL4" in line]


@pytest.mark.parametrize(
    ("settings", "words", "found"),
    [
        ("", [], []),
        ("", ["--tier", "1"], ["BL404"]),
        ("", ["--feature-level", "11_1"], []),
        ("[target]\ntier = 1", [], ["BL404"]),
        ("[target]\ntier = 1", ["--feature-level", "11_1"], []),
        ("[target]\ntier = 1", ["--tier", "2"], []),
        ("[target]\ntier = 1", ["--isolated"], []),
        ("[target]\nfeature-level = '11_0'", [], ["BL404"]),
    ],
)
def test_the_command_line_has_the_last_word(folder: Path, settings: str, words: list[str], found: list[str]) -> None:
    (folder / "bindlint.toml").write_text(settings, encoding="utf-8")
    result = bindlint("check", "--format", "concise", *words)
    assert codes(result) == found
    assert result.exit_code == bool(found)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tier", "1", "--feature-level", "12_0"], "feature level 12_0 comes with resource binding tier 2 or higher"),
        (["--tier", "4"], "'4' is not one of '1', '2', '3'"),
        (["--feature-level", "12_3"], "'12_3' is not one of"),
    ],
)
@pytest.mark.parametrize("command", ["check", "show"])
def test_targets_that_no_device_can_be(command: str, words: list[str], message: str) -> None:
    result = bindlint(command, *words)
    assert result.exit_code == 2
    assert message in result.stderr


def test_show_counts_descriptors_against_the_limits(folder: Path) -> None:
    text = '[RootSignature("DescriptorTable(UAV(u0, numDescriptors = 12), SRV(t0, numDescriptors = unbounded))")]\n'
    text += "float4 main() : SV_Target { Log[0][0] = 1; return 0; }"
    (folder / "a.hlsl").write_text(SHADER.replace("float4 main() : SV_Target { Log[0][0] = 1; return 0; }", text))
    lines = bindlint("show", "--tier", "1").stdout.splitlines()
    table = [line.split() for line in lines[lines.index("descriptors on tier 1") + 2 :] if line]
    assert table == [
        ["cbv", "0", "0", "14"],
        ["srv", "0", "unbounded", "128"],
        ["uav", "9", "12", "8", "for", "all", "stages"],
        ["sampler", "0", "0", "16"],
    ]
    assert "descriptors on" not in bindlint("show").stdout


def test_show_without_a_signature() -> None:
    assert "  uav      9     -          heap for all stages" in bindlint("show", "--tier", "3").stdout.splitlines()
