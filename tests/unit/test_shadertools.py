"""`shadertoolsconfig.json` where there is no bindlint.toml, and folders that exist only by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.cli import group
from bindlint.config import Config, ConfigurationError, load_config
from bindlint.shadertools import nearest_config
from click.testing import CliRunner

NAME = "shadertoolsconfig.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    return tmp_path


def test_files_add_up_to_the_root_and_the_nearest_has_the_last_word(folder: Path) -> None:
    (folder / NAME).write_text('{"hlsl.additionalIncludeDirectories": ["never"]}', encoding="utf-8")
    (folder / "a" / NAME).write_text(
        '{ // of the editor\n"root": true, "other": 1,\n'
        '"hlsl.preprocessorDefinitions": {"A": "1", "B": 2, "C": true,},\n'
        '/* here */ "hlsl.additionalIncludeDirectories": ["up", "http://x,]"],\n'
        '"hlsl.virtualDirectoryMappings": {"/Engine": "Engine\\\\Shaders"}}',
        encoding="utf-8",
    )
    (folder / "a" / "b" / NAME).write_text(
        '{"hlsl.preprocessorDefinitions": {"A": "9"}, "hlsl.additionalIncludeDirectories": ["own"]}', encoding="utf-8"
    )
    config = nearest_config(folder / "a" / "b")
    assert set(config.defines) == {"A=9", "B=2", "C=1"}
    places = [str(folder / "a" / "b" / "own"), str(folder / "a" / "up"), str(folder / "a" / "http:" / "x,]")]
    assert list(config.include_dirs) == places
    assert config.virtual_directories == {"/Engine": str(folder / "a" / "Engine" / "Shaders")}
    assert Path(config.folder) == (folder / "a").resolve()


def test_bindlint_toml_goes_before(folder: Path) -> None:
    (folder / "a" / NAME).write_text('{"hlsl.additionalIncludeDirectories": ["x"]}', encoding="utf-8")
    (folder / "bindlint.toml").write_text('include-dirs = ["y"]\n', encoding="utf-8")
    assert nearest_config(folder / "a").include_dirs == ("y",)
    (folder / "bindlint.toml").unlink()
    (folder / "a" / NAME).unlink()
    assert nearest_config(folder / "a") == Config()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n"a": [}', ":2: is no JSON"),
        ('{\n\n"hlsl.additionalIncludeDirectories": 3}', ":3: `hlsl.additionalIncludeDirectories`: expected `array`"),
        ('{"hlsl.preprocessorDefinitions": {"A": []}}', ":1: `hlsl.preprocessorDefinitions"),
        ("[]", ":1: "),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(folder: Path, text: str, message: str) -> None:
    (folder / NAME).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as fault:
        nearest_config(folder)
    assert str(fault.value).startswith(f"{folder / NAME}{message}")


@pytest.mark.parametrize(
    ("spelled", "status"),
    [
        ("/Engine/Common.ush", 0),
        ("\\\\Engine\\\\Common.ush", 1),
        ("/Engine/Private/Deep.ush", 0),
        ("/EngineX/Common.ush", 1),
        ("Engine/Common.ush", 1),
    ],
)
def test_virtual_directories(folder: Path, monkeypatch: pytest.MonkeyPatch, spelled: str, status: int) -> None:
    (folder / "src" / "Deeper").mkdir(parents=True)
    (folder / "src" / "Common.ush").write_text("Texture2D a : register(t0);\n", encoding="utf-8")
    (folder / "src" / "Deeper" / "Deep.ush").write_text('#include "../Common.ush"\n', encoding="utf-8")
    (folder / "bindlint.toml").write_text(
        '[virtual-directories]\n"/Engine" = "src"\n"/Engine/Private/" = "src/Deeper"\n', encoding="utf-8"
    )
    text = f'#include "{spelled}"\nfloat4 main() : SV_Target {{ return a.Load(0); }}\n'
    (folder / "a.hlsl").write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(group, ["check", "--format", "concise", "-T", "ps_6_0", "a.hlsl"])
    assert result.exit_code == status, result.output
    Path("m.jsonl").write_text('{"file": "a.hlsl", "arguments": ["-T", "ps_6_0"]}\n', encoding="utf-8")
    assert CliRunner().invoke(group, ["check", "--manifest", "m.jsonl"]).exit_code == status


@pytest.mark.parametrize("key", ["additionalIncludeDirectories", "virtualDirectoryMappings"])
def test_paths_that_can_be_none_are_told_with_their_line(folder: Path, key: str) -> None:
    value = '["\\u0000"]' if key.startswith("add") else '{"/Engine": "\\u0000"}'
    (folder / NAME).write_text(f'{{"root": true,\n"hlsl.{key}": {value}}}', encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        nearest_config(folder)
    assert f"{NAME}:2: `hlsl.{key}`: no path has a NUL character" in str(raised.value)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("stages", "[[pipeline]]\nname = 'p'\nstages = [{ file = 'FILE' }]"),
        ("root-signature", "[[pipeline]]\nname = 'p'\nstages = [{ file = 'a.hlsl' }]\nroot-signature = 'FILE:RS'"),
        ("files", "[cpp]\nfiles = ['FILE']"),
    ],
)
def test_a_configuration_that_was_found_reads_nothing_outside_of_its_repository(
    folder: Path, key: str, text: str
) -> None:
    for name in ("outside.hlsl", "a/in.hlsl", "a/b/a.hlsl"):
        (folder / name).touch()
    (folder / ".git").rmdir()
    (folder / "a" / ".git").mkdir()
    config = folder / "a" / "b" / "bindlint.toml"
    config.write_text(text.replace("FILE", "../in.hlsl"), encoding="utf-8")
    nearest_config(config.parent)
    config.write_text(text.replace("FILE", "../../outside.hlsl"), encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        nearest_config(config.parent)
    assert f"`{key}`: `../../outside.hlsl` lies outside of the repository" in str(raised.value)
    assert load_config(config).folder == str(config.parent.resolve())
