"""What editors are told: the extension's settings are the server's, and the examples of the README hold."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import msgspec
import pytest
from bindlint.lsp.settings import Settings
from bindlint.paths import SHADER_SUFFIXES

EDITORS = Path(__file__).resolve().parents[2] / "analyzer" / "editors"
EXTENSION = EDITORS / "vscode"
PACKAGE = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
README = (EDITORS / "README.md").read_text(encoding="utf-8")


def test_settings_of_the_extension_are_those_of_the_server() -> None:
    given = PACKAGE["contributes"]["configuration"]["properties"]
    server = msgspec.to_builtins(Settings())
    assert {f"bindlint.{name}": value for name, value in server.items()} == {
        name: each["default"] for name, each in given.items() if name != "bindlint.command"
    }
    assert given["bindlint.command"]["default"] == ["bindlint", "server"]
    assert all(f"| `{name}` |" in README for name in server)


def test_the_extension_takes_every_shader() -> None:
    (language,) = PACKAGE["contributes"]["languages"]
    assert set(language["extensions"]) == SHADER_SUFFIXES


def test_the_lock_is_of_this_package() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["dependencies"] == PACKAGE["dependencies"]
    assert lock["packages"][""]["devDependencies"] == PACKAGE["devDependencies"]


def test_examples_can_be_read() -> None:
    toml = re.findall(r"```toml\n(.*?)```", README, re.S)
    assert [tomllib.loads(text)["language-server"]["bindlint"]["command"] for text in toml] == ["bindlint"]
    for text in re.findall(r"```elisp\n(.*?)```", README, re.S):
        plain = re.sub(r'"(?:\\.|[^"\\])*"', "", text)
        assert plain.count("(") == plain.count(")")


@pytest.mark.skipif(shutil.which("nvim") is None, reason="nvim is not installed")
def test_examples_for_neovim_can_be_parsed(tmp_path: Path) -> None:
    for number, text in enumerate(re.findall(r"```lua\n(.*?)```", README, re.S)):
        file = tmp_path / f"{number}.lua"
        file.write_text(text)
        command = ["nvim", "--headless", "--clean", "-c", f"lua assert(loadfile('{file}'))", "-c", "qall!"]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert not ended.stderr.strip(), ended.stderr


@pytest.mark.skipif(os.environ.get("BINDLINT_VSIX") != "1", reason="BINDLINT_VSIX=1 builds the extension, with npm")
def test_the_extension_builds(tmp_path: Path) -> None:
    folder = tmp_path / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))
    subprocess.run("npm ci && npm run package", shell=True, cwd=folder, check=True, timeout=600)
    with zipfile.ZipFile(folder / "bindlint.vsix") as package:
        packed = {name.lower() for name in package.namelist() if name.startswith("extension/")}
        licenses = package.read("extension/dist/licenses.txt").decode()
    own = {"readme.md", "license.txt", "icon.png", "package.json", "dist/extension.js", "dist/licenses.txt"}
    assert packed == {f"extension/{name}" for name in own}
    assert "vscode-languageclient" in licenses and "Microsoft" in licenses
