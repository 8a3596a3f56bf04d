"""Neovim, headless: diagnostics, hover, completion and a code action. BINDLINT_SHADER names another file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SESSION = Path(__file__).parent / "neovim" / "session.lua"
SHADER = """\
// \U0001f600 before everything
Texture2D<float4> First : register(t0);
RWTexture2D<float4> Target : register(u0);
[numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID) { Target[id.xy] = First[id.xy]; }
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="nvim is not installed")
def test_neovim(tmp_path: Path) -> None:
    shader = Path(os.environ.get("BINDLINT_SHADER", tmp_path / "a.hlsl"))
    if not shader.is_file():
        shader.write_text(SHADER)
    out = tmp_path / "out.json"
    home = {name: str(tmp_path) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    server = (sys.executable, "-m", "bindlint", "server")
    variables = {"BINDLINT_COMMAND": "\n".join(server), "BINDLINT_FILE": str(shader), "BINDLINT_OUT": str(out)}
    command = ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {SESSION}"]
    ended = subprocess.run(
        command, env={**os.environ, **home, **variables}, capture_output=True, text=True, timeout=300, check=False
    )
    assert out.is_file(), ended.stderr
    said = json.loads(out.read_text())
    assert said.get("failed") is None, said
    assert said["diagnostic"]["line"] and "BindlintProbe" in said["diagnostic"]["message"]
    assert "**BindlintProbe**: `Texture2D<float4>`" in said["hover"]
    assert any("BL102" in title for title in said["actions"])
    assert any(title.startswith("Allow register-class") for title in said["actions"])
    assert "register(t" in said["mended"]
    label, detail = said["completion"]
    assert label[0] == "u" and detail.startswith("free")
