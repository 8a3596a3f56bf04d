"""Structures of host code against the constant buffers that they feed, from the configuration to the message."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.cli import main

CONFIGURATION = """[cpp]
files = ["host/frame.cpp"]
include-dirs = ["host/common"]
structs = { FrameCB = "Frame" }
"""


def check(folder: Path, members: str, host: str, capsys: pytest.CaptureFixture[str], used: str = "last") -> str:
    """What is said of a constant buffer of these members, fed by a structure of those; "" for nothing."""
    (folder / "host" / "common").mkdir(parents=True)
    (folder / "host" / "common" / "types.h").write_text("using Vec3 = DirectX::XMFLOAT3;\nconstexpr int COUNT = 2;\n")
    (folder / "host" / "frame.cpp").write_text(f'#include "types.h"\nstruct Frame\n{{\n{host}\n}};\n')
    (folder / "bindlint.toml").write_text(CONFIGURATION)
    shader = f"cbuffer FrameCB\n{{\n{members}\n}};\nfloat4 main() : SV_Target {{ return {used}; }}\n"
    (folder / "shader.hlsl").write_text(shader)
    with pytest.raises(SystemExit) as ended:
        main(["check", "-T", "ps_6_0", str(folder / "shader.hlsl")])
    shown = capsys.readouterr().out
    assert bool(ended.value.code) == ("error[BL317]" in shown)
    return shown if "BL317" in shown else ""


@pytest.mark.parametrize(
    ("members", "host", "message"),
    [
        ("float3 sun; float4 last;", "Vec3 sun; float pad; XMFLOAT4 last;", ""),
        ("float3 sun; float last;", "Vec3 sun; float last;", ""),
        ("float4 rows[2]; float4 last;", "XMFLOAT4 rows[COUNT]; XMFLOAT4 last;", ""),
        ("float3x3 turn; float4 last;", "XMFLOAT3X4 turn; XMFLOAT4 last;", ""),
        (
            "float3 sun; float4 last;",
            "Vec3 sun; XMFLOAT4 last;",
            "but `last` of `Frame` at byte 12 in C++; 4 bytes",
        ),
        ("float4 sun; float4 last;", "XMFLOAT4 last; XMFLOAT4 sun;", "`sun` of `FrameCB` is at byte 0, but"),
        ("float3x3 turn; float4 last;", "XMFLOAT3X3 turn; float pad[3]; XMFLOAT4 last;", "takes 44 bytes, but `turn`"),
        (
            "bool on; float last;",
            "bool on; float last;",
            "takes 4 bytes, but `on` of `Frame` takes 1",
        ),
        ("float last;", "double last;", "takes 4 bytes, but `last` of `Frame` takes 8"),
        ("float4 a; float4 last;", "XMFLOAT4 a;", "`FrameCB` is 32 bytes large, but `Frame` of C++ is 16"),
        ("float2 a; float4 last;", "XMFLOAT2 first; XMFLOAT4 second;", "but `second` of `Frame` at byte 8"),
    ],
)
def test_layouts(members: str, host: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = check(tmp_path, members, host, capsys)
    assert (message in shown) if message else not shown


def test_both_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = check(tmp_path, "float3 sun;\nfloat4 last;", "Vec3 sun;\nXMFLOAT4 last;", capsys)
    assert "shader.hlsl:4:" in shown
    assert "frame.cpp:5:1" in shown
    assert "XMFLOAT4 last;" in shown


def test_buffers_that_are_not_used_are_not_held(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not check(tmp_path, "float3 sun; float4 last;", "Vec3 sun; XMFLOAT4 last;", capsys, used="0")


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bindlint.toml").write_text(CONFIGURATION)
    (tmp_path / "shader.hlsl").write_text("float4 main() : SV_Target { return 0; }")
    with pytest.raises(SystemExit) as ended:
        main(["check", "-T", "ps_6_0", str(tmp_path / "shader.hlsl")])
    assert ended.value.code == 1
    assert "BL005" in (shown := capsys.readouterr().out) and "frame.cpp" in shown
