"""`bindlint check` over C++ files and folders with shaders and C++."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bindlint.cli import main
from renderers import renderer

HOST = renderer("InitAsConstantBufferView(0)")
SHADER = """cbuffer View : register(b0) { float4 view; }
cbuffer Tint : register(b1) { float4 tint; }
float4 VS(float4 at : POSITION) : SV_Position { return at + view; }
float4 PS() : SV_Target { return tint; }
"""
WRONG = "error[BL301] `Tint` needs b1 in the pixel shader"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "renderer.cpp").write_text(HOST)
    (tmp_path / "src" / "sky.hlsl").write_text(SHADER)
    (tmp_path / "src" / "window.cpp").write_text("int main() { return 0; }\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["check", *words])
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("words", [("src",), ("src/renderer.cpp",), ("src/renderer.cpp", "src/sky.hlsl"), (".",)])
def test_what_is_wrong_between_host_code_and_shader(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    status, out, _ = check(capsys, *words)
    assert status == 1
    assert WRONG in out and "pipeline `m_pso`: `sky.hlsl:PS`" in out
    for place in ("src/sky.hlsl:2:", "src/renderer.cpp:5:", "src/renderer.cpp:18:"):
        assert place in out
    assert "1 file of host code" in out
    assert "1 root signature (1 known whole), 1 pipeline (1 joined)" in out


def test_processes_change_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = check(capsys, "src", "--format", "json")
    assert one == check(capsys, "src", "--format", "json", "--jobs", "2")


@pytest.mark.usefixtures("project")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(check(capsys, "src", "--format", "json")[1])
    assert [shader["entry"] for shader in document["shaders"]] == ["VS", "PS"]
    (host,) = document["hosts"]
    assert (host["file"], host["root_signatures"], host["pipelines"]) == ("src/renderer.cpp", 1, 1)
    told = document["project"]
    assert told["counts"]["joined_pipelines"] == 1 and not told["counts"]["unknown"]
    assert [stage["name"] for stage in told["pipelines"][0]["stages"]] == ["sky.hlsl:VS", "sky.hlsl:PS"]
    assert "BL301" in [finding["code"] for finding in told["findings"]]
    assert document["summary"]["hosts"] == 1

    lines = [json.loads(line) for line in check(capsys, "src", "--format", "jsonl")[1].splitlines()]
    assert [line.get("kind", "shader") for line in lines] == ["shader", "shader", "host", "project"]


def test_a_run_over_shaders_only_says_nothing_of_host_code(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src" / "renderer.cpp").unlink()
    status, out, _ = check(capsys, "src", "--format", "json")
    document = json.loads(out)
    assert status == 0 and "hosts" not in document and "project" not in document
    assert "host code" not in check(capsys, "src")[1]


def test_comments_in_either_language_suppress(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shader = project / "src" / "sky.hlsl"
    shader.write_text(SHADER.replace("tint; }\nfloat4", "tint; } // bindlint: allow(BL301) set elsewhere\nfloat4"))
    status, out, _ = check(capsys, "src", "--ignore", "BL5")
    assert status == 0 and "1 suppressed" in out
    (project / "src" / "renderer.cpp").write_text(f"// bindlint: allow-file(unbound-resource)\n{HOST}")
    shader.write_text(SHADER)
    status, out, _ = check(capsys, "src", "--ignore", "BL5")
    assert "BL091" in out, "the comment is not in the file that the finding is in"


def test_ignored_and_foreign_files_are_left_alone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".gitignore").write_text("old/\n")
    for folder, name in (("old", "renderer.cpp"), ("third", "d3dx12.h"), ("third", "d3dx12_core.h")):
        (project / folder).mkdir(exist_ok=True)
        (project / folder / name).write_text(HOST)
    document = json.loads(check(capsys, ".", "--format", "json")[1])
    assert [host["file"] for host in document["hosts"]] == ["src/renderer.cpp"]


CONFIGURED = """[[pipeline]]
name = "sky"
root-signature = "CBV(b0)"
stages = [{ file = "src/sky.hlsl", entry = "PS", profile = "ps_6_0" }]
"""


def test_pipelines_of_the_configuration(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "bindlint.toml").write_text(CONFIGURED)
    status, out, _ = check(capsys, "src/sky.hlsl")
    assert status == 1 and WRONG in out and "pipeline `sky`: `sky.hlsl:PS`" in out and "bindlint.toml:4:" in out
    assert "<--rootsig>" not in out
    (project / "src" / "other.hlsl").write_text("float4 PS() : SV_Target { return 0; }")
    assert check(capsys, "src/other.hlsl")[0] == 0, "no stage of the pipeline is checked"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("src/sky.hlsl", "src/sly.hlsl", "bindlint.toml:4: pipeline `sky`: no file `src/sly.hlsl`; did you mean"),
        ("CBV(b0)", "CBV(b0", "bindlint.toml:1: pipeline `sky`: its root signature cannot be read"),
        ('"PS"', '"Ps"', "bindlint.toml:4:1: sky.hlsl:Ps: its shader is not read"),
    ],
)
def test_what_is_not_there_ends_with_2(
    project: Path, capsys: pytest.CaptureFixture[str], before: str, after: str, message: str
) -> None:
    (project / "bindlint.toml").write_text(CONFIGURED.replace(before, after))
    status, _, error = check(capsys, "src")
    assert status == 2
    assert message in error.replace(f"{project}/", "")


def test_guessed_pipelines(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "fogVS.hlsl").write_text("float4 main() : SV_Position { return 0; }")
    (project / "fogPS.hlsl").write_text("float4 main() : SV_Target { return 0; }")
    words = ("fogVS.hlsl", "fogPS.hlsl", "--format", "json")
    assert "project" not in json.loads(check(capsys, *words)[1])
    document = json.loads(check(capsys, *words, "--guess-pipelines")[1])
    assert [(p["name"], p["origin"]) for p in document["project"]["pipelines"]] == [("fog", "guessed")]


def test_files_of_the_configuration_are_included(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "include").mkdir()
    (project / "include" / "slots.h").write_text("enum { kView = 0, kCount = 1 };\n")
    changed = HOST.replace("#include <d3d12.h>", '#include "slots.h"').replace("BufferView(0)", "BufferView(kView)")
    (project / "src" / "renderer.cpp").write_text(changed)
    assert "(0 known whole)" in check(capsys, "src")[1]
    (project / "bindlint.toml").write_text('[cpp]\ninclude-dirs = ["include"]\n')
    assert "(1 known whole)" in check(capsys, "src")[1]
