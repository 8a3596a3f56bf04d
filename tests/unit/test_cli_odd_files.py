"""The command line where files, folders and streams are odd."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bindlint.cli import group
from click.testing import CliRunner

CLEAN = "Texture2D a : register(t0);\nfloat4 main() : SV_Target { return a.Load(0); }\n"
OVERLAP = """\
Texture2D a : register(t0);
Texture2D b : register(t0);
float4 main() : SV_Target { return a.Load(0) + b.Load(0); }
"""
COMMAND = [sys.executable, "-c", "from bindlint.cli import main; main()"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**files: str) -> None:
    for name, text in files.items():
        Path(name).with_suffix(".hlsl").write_text(text, encoding="utf-8")



def test_links_in_a_circle(folder: Path) -> None:
    write(good=CLEAN)
    Path("a.hlsl").symlink_to("b.hlsl")
    Path("b.hlsl").symlink_to("a.hlsl")
    result = CliRunner().invoke(group, ["check", "--format", "jsonl", "."])
    assert '"file":"good.hlsl"' in result.output, result.output
    assert not isinstance(result.exception, RuntimeError)
    assert CliRunner().invoke(group, ["check", "a.hlsl"]).exit_code == 2
    assert CliRunner().invoke(group, ["check", "x" * 5000 + ".hlsl"]).exit_code == 2


@pytest.mark.parametrize("streams", ["<&-", ">&-", ">/dev/full", "2>&-"])
def test_streams_that_are_closed_or_full_end_without_a_traceback(folder: Path, streams: str) -> None:
    write(bad=OVERLAP)
    word = "- --stdin-filename x.hlsl" if streams == "<&-" else "bad.hlsl"
    command = f'"{COMMAND[0]}" {COMMAND[1]} "{COMMAND[2]}" check {word} {streams}'
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert done.returncode in {"<&-": (0,), ">&-": (1,), ">/dev/full": (2,), "2>&-": (1,)}[streams]
