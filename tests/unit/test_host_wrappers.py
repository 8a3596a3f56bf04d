"""Wrappers that the configuration describes, on their way to whatever reads host code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bindlint.cli import main

HOST = """
void Renderer::Make()
{
    RootLayout layout;
    layout.AddConstants(0, 4, D3D12_SHADER_VISIBILITY_PIXEL);
    layout.AddBuffer(SLOT, 2);
    layout.Finish(D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT);
}
"""
CONFIGURATION = """
defines = ["SLOT=3"]

[[cpp.wrapper]]
function = "RootLayout::AddConstants"
gives = "constants"
arguments = { register = 0, count = 1, visibility = 2 }
target = "append"

[[cpp.wrapper]]
function = "AddBuffer"
gives = "srv"
arguments = { register = 0, space = 1, flags = 2 }
values = { visibility = 5 }
target = "append"

[[cpp.wrapper]]
function = "Finish"
gives = "signature"
arguments = { flags = 0 }
"""
SHADER = """
StructuredBuffer<float4> Rows : register(t3, space1);
float4 main() : SV_Target { return Rows[0]; }
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "host.cpp").write_text(HOST)
    (tmp_path / "shader.hlsl").write_text(SHADER)
    (tmp_path / "bindlint.toml").write_text(CONFIGURATION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_rootsig(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rootsig", "convert", "host.cpp:Make", "--to", "json") == 0
    (signature,) = json.loads(capsys.readouterr().out)["root_signature"]
    assert signature["flags"] == ["ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"]
    assert signature["parameters"] == [
        {"constants": "b0", "count": 4, "visibility": "PIXEL"},
        {"srv": "t3, space2", "visibility": "PIXEL"},
    ]


def test_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--rootsig", "host.cpp:Make", "-T", "ps_6_0", "shader.hlsl") == 1
    shown = capsys.readouterr().out
    assert "`Rows` needs t3, space1 in the pixel shader; the root signature has t3 only in space2 (pa" in shown
    assert "--> host.cpp:6:5" in shown


def test_without_the_description_nothing_is_known(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rootsig", "show", "--isolated", "host.cpp:Make") == 2
    assert "host.cpp: no root signature is built here" in capsys.readouterr().err
