"""`bindlint init`: what it finds, and that its file is a configuration that works."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.cli import group
from bindlint.config import load_config
from click.testing import CliRunner, Result

SHADER = '#include "{include}"\nfloat4 main() : SV_Target {{ return Value; }}\n'


def init(*words: str) -> Result:
    return CliRunner().invoke(group, ["init", *words])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with shaders whose includes lead nowhere without an include directory."""
    files = {
        "shaders/sky.hlsl": SHADER.format(include="common/value.h"),
        "shaders/sea.hlsl": SHADER.format(include="common\\value.h"),
        "shaders/near.hlsl": SHADER.format(include="near.hlsli"),
        "shaders/near.hlsli": "static const float4 Value = 1;\n",
        "shaders/extension.hlsl": SHADER.format(include="nvHLSLExtns.h"),
        "include/common/value.h": "static const float4 Value = 1;\n",
        "shaders/blur.hlsl": "[numthreads(8, 8, 1)] void blur() { }\n",
        "notes.txt": '#include "nothing.h"\n',
    }
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_found(project: Path) -> None:
    result = init()
    assert (result.exit_code, result.stdout) == (0, "made bindlint.toml\n")
    text = (project / "bindlint.toml").read_text(encoding="utf-8")
    assert "# Found: 6 shader files in shaders (6)." in text
    assert "4 pixel, 1 compute" in text
    assert '    "include",  # for common/value.h' in text
    assert "# Found nowhere: nvHLSLExtns.h." in text
    assert load_config(project / "bindlint.toml").include_dirs == ("include",)
    checked = CliRunner().invoke(group, ["check", "shaders", "--select", "BL001", "--format", "concise"])
    assert [line.split(": ")[0] for line in checked.stdout.splitlines()] == ["shaders/extension.hlsl:1:1"]


def test_every_setting_that_it_speaks_of_is_one(project: Path) -> None:
    init()
    path = project / "bindlint.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    settings = [line.removeprefix("# ") for line in lines if line.startswith("# ") and ("= " in line or line[2] == "[")]
    # Bare keys go before the tables.
    first_table = next(number for number, line in enumerate(settings) if line[0] == "[")
    assert first_table and len(settings) > 12
    path.write_text("\n".join(settings), encoding="utf-8")
    config = load_config(path)
    assert config.target.tier == 1 and config.policy.reserve_dwords == 4 and config.override


def test_nothing_is_overwritten_unasked(project: Path) -> None:
    path = project / "bindlint.toml"
    path.write_text("# mine\n", encoding="utf-8")
    result = init()
    assert result.exit_code == 2 and "--force overwrites it" in result.stderr
    assert path.read_text(encoding="utf-8") == "# mine\n"
    assert init("--force").exit_code == 0
    assert path.read_text(encoding="utf-8") != "# mine\n"


def test_another_folder_and_none(project: Path) -> None:
    assert init("include").exit_code == 0
    text = (project / "include" / "bindlint.toml").read_text(encoding="utf-8")
    assert "# Found: 0 shader files." in text and '# include-dirs = ["shaders/include"]' in text
    missing = init("nowhere")
    assert missing.exit_code == 2 and "there is no folder `nowhere`" in missing.stderr


def test_odd_names_stay_within_their_comment_and_string(project: Path) -> None:
    odd = project / 'in"quotes'
    try:
        (odd / "a\nb").mkdir(parents=True)
    except OSError:
        pytest.skip("this file system has no such names")
    (odd / "a\nb" / "odd.h").touch()
    (project / "shaders" / "odd.hlsl").write_text('#include "odd.h"\n', encoding="utf-8")
    (odd / "a\nb" / "c.hlsl").touch()
    init()
    assert load_config(project / "bindlint.toml").include_dirs == ('in"quotes/a\nb', "include")
