"""`bindlint new-rule`: what it makes is installed, found and passes its own test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bindlint.cli import group
from click.testing import CliRunner, Result

PACKS = Path(__file__).resolve().parents[1] / "packs"
COMMAND = [sys.executable, "-m", "bindlint"]


def new_rule(*words: str) -> Result:
    return CliRunner().invoke(group, ["new-rule", *words])


def installed(folder: Path, module: str, site: Path) -> dict[str, str]:
    """An environment with the pack in it: its folder on the path, and metadata as an installer writes them."""
    info = site / f"{module}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 0.1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[bindlint.rules]\n{module} = {module}\n", encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(folder)))}


def run(words: list[str], env: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, encoding="utf-8", env=env, cwd=folder, check=False)


def test_a_pack_is_made_installed_found_and_tests_itself(tmp_path: Path) -> None:
    folder = tmp_path / "studio-rules"
    assert new_rule("no-shadow-maps", "--pack", str(folder)).exit_code == 0
    second = new_rule("named-samplers", "--pack", str(folder), "--family", "names")
    assert second.exit_code == 0
    assert "STUDIO002 named-samplers" in second.stdout
    env = installed(folder, "studio_rules", tmp_path / "site")
    rules = run([*COMMAND, "rules"], env, folder).stdout
    assert "STUDIO001  no-shadow-maps" in rules and "STUDIO002  named-samplers" in rules
    shader = (
        "Texture2D NoShadowMapsHere : register(t2);\nfloat4 main() : SV_Target { return NoShadowMapsHere.Load(0); }\n"
    )
    (folder / "a.hlsl").write_text(shader, encoding="utf-8")
    checked = run([*COMMAND, "check", "a.hlsl", "-T", "ps_6_0", "--format", "concise"], env, folder)
    assert checked.stdout == "a.hlsl:1:11: warning[STUDIO001] `NoShadowMapsHere` is at t2\n"
    tested = run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], env, folder)
    assert tested.returncode == 0 and "2 passed" in tested.stdout, tested.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["NoCapitals"], "`NoCapitals` is no rule name"),
        (["a-b", "--code", "x1"], "`x1` is no code"),
        (["unprefixed-resource"], "unprefixed_resource.md is already there"),
    ],
)
def test_what_cannot_be_made(words: list[str], message: str) -> None:
    result = new_rule(*words, "--pack", str(PACKS / "acme"))
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("project", "message"),
    [
        ("[project]\nname = 'x'\n", "so it is no rule pack"),
        ("[project", "pyproject.toml"),
        ('[project.entry-points."bindlint.rules"]\nx = "x_rules"\n', "there is no x_rules/__init__.py"),
    ],
)
def test_projects_that_are_no_pack(tmp_path: Path, project: str, message: str) -> None:
    (tmp_path / "pyproject.toml").write_text(project, encoding="utf-8")
    result = new_rule("a-b", "--pack", str(tmp_path))
    assert result.exit_code == 2
    assert message in result.stderr


PROJECT = '[project.entry-points."bindlint.rules"]\nx = "x_rules"\n'
RULE = "from bindlint.rule import Rule\nRULE = Rule({code!r}, 'a', 'error', 'shader', '', None)\n"


def pack(folder: Path, init: str, *modules: tuple[str, str]) -> Path:
    """A pack with rules of the codes given, by the modules' paths."""
    (folder / "src" / "x_rules").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (folder / "src" / "x_rules" / "__init__.py").write_text(init, encoding="utf-8")
    for name, code in modules:
        path = folder / "src" / "x_rules" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(RULE.format(code=code), encoding="utf-8")
    return folder


def test_the_next_code_and_what_is_left_to_do(tmp_path: Path) -> None:
    folder = pack(tmp_path, "RULES = ()\n", ("one.py", "X007"), ("two.py", "X009"))
    result = new_rule("a-b", "--pack", str(folder))
    assert "X010 a-b" in result.stdout
    assert "to be done: put the rule into RULES" in result.stdout
    assert (folder / "src" / "x_rules" / "a_b.md").read_text(encoding="utf-8").startswith("# a-b (X010)\n")


def test_rules_of_bindlint_itself_have_a_family(tmp_path: Path) -> None:
    modules = (("heaps/one.py", "BL701"), ("limits/two.py", "BL401"))
    folder = pack(tmp_path, "RULES = collect(__name__, __path__)\n", *modules)
    missing = new_rule("a-b", "--pack", str(folder))
    assert missing.exit_code == 2 and "--family says where the rule belongs: input, registers" in missing.stderr
    made = new_rule("a-b", "--pack", str(folder), "--family", "tiers")
    assert "BL402 a-b" in made.stdout and "to be done" not in made.stdout
    assert (folder / "src" / "x_rules" / "limits" / "a_b.py").exists()
    assert "BL501 c" in new_rule("c", "--pack", str(folder), "--family", "pipelines").stdout
    assert (folder / "src" / "x_rules" / "pipelines" / "c.py").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [("register-overlap", "is called `register-overlap` already"), ("a" * 300, "a name of 303 bytes is longer")],
)
def test_names_that_are_taken_or_too_long(tmp_path: Path, name: str, message: str) -> None:
    result = new_rule(name, "--pack", str(tmp_path / "studio"))
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "studio").exists()
