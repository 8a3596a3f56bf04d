"""What other tools run bindlint by: run on a scratch project where the tool is here, and checked for form."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bindlint.cli import group
from bindlint.integrations import FILES
from bindlint.paths import SHADER_SUFFIXES
from click.testing import CliRunner

ROOT = Path(__file__).resolve().parents[2]
MSBUILD = "{http://schemas.microsoft.com/developer/msbuild/2003}"
CLEAN = '#include "common.hlsli"\nfloat4 main() : SV_Target { return a.Load(0); }\n'
OVERLAP = '#include "common.hlsli"\nTexture2D b : register(t0);\n' + (
    "float4 main() : SV_Target { return a.Load(0) + b.Load(0); }\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A scratch project with a clean shader, a header, and a space in its path."""
    folder = tmp_path / "scratch project"
    folder.mkdir()
    (folder / "common.hlsli").write_text("Texture2D a : register(t0);\n", encoding="utf-8")
    (folder / "clean.hlsl").write_text(CLEAN, encoding="utf-8")
    return folder


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, str]:
    """An environment in which `bindlint` is the one that is tested."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "bindlint"
    script.write_text(f"#!{sys.executable}\nfrom bindlint.cli import main\nmain()\n", encoding="utf-8")
    script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(sys.path)}


def needs(*programs: str) -> None:
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")
    if os.name == "nt":
        pytest.skip("the stand-in for the installed command is a script")


def run(folder: Path, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("tool", FILES)
def test_files_are_printed_named_and_written(tool: str, tmp_path: Path) -> None:
    text = FILES[tool].read_text(encoding="utf-8")
    assert CliRunner().invoke(group, ["integration", tool]).stdout == text
    assert CliRunner().invoke(group, ["integration", tool, "--path"]).stdout == f"{FILES[tool].as_posix()}\n"
    written = tmp_path / "file"
    assert CliRunner().invoke(group, ["integration", tool, "-o", str(written)]).exit_code == 0
    assert written.read_text(encoding="utf-8") == text


CMAKE = """\
cmake_minimum_required(VERSION 3.20)
project(scratch NONE)
execute_process(COMMAND bindlint integration cmake --path
                OUTPUT_VARIABLE bindlint_module OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include(${bindlint_module})
set_source_files_properties(clean.hlsl PROPERTIES
    VS_SHADER_TYPE Pixel VS_SHADER_MODEL 6.0 VS_SHADER_ENTRYPOINT main VS_SHADER_FLAGS "-D A=1 -HV 2021")
bindlint_check(TARGET shaders SHADERS clean.hlsl)
if(WITH_BAD)
  bindlint_check(TARGET shaders SHADERS bad.hlsl ARGUMENTS -T ps_6_0 -E main OPTIONS --ignore BL2)
  bindlint_check(TARGET shaders MANIFEST shaders.cfg)
endif()
"""


@pytest.mark.parametrize(("generator", "program"), [("Ninja", "ninja"), ("Unix Makefiles", "make")])
def test_cmake_checks_again_what_has_changed(
    project: Path, commands: dict[str, str], generator: str, program: str
) -> None:
    needs("cmake", program)
    (project / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")
    configured = run(project, commands, "cmake", "-G", generator, "-B", "build", ".")
    assert configured.returncode == 0, configured.stderr

    def build(*words: str) -> subprocess.CompletedProcess[str]:
        return run(project, commands, "cmake", "--build", "build", *words)

    assert "Checking bindings of clean.hlsl" in build().stdout
    assert "Checking" not in build().stdout
    header = project / "common.hlsli"
    header.write_text("Texture2D a : register(t1);\nTexture2D a2 : register(t1);\n", encoding="utf-8")
    os.utime(header, (header.stat().st_atime + 5, header.stat().st_mtime + 5))
    assert "Checking bindings of clean.hlsl" in build().stdout
    (project / "bad.hlsl").write_text(OVERLAP.replace("t0", "t1"), encoding="utf-8")
    (project / "shaders.cfg").write_text("bad.hlsl -T ps\n", encoding="utf-8")
    assert run(project, commands, "cmake", "-DWITH_BAD=1", "build").returncode == 0
    failed = build("--", "-k" if program == "make" else "-k0")
    assert failed.returncode != 0
    assert (failed.stdout + failed.stderr).count("bad.hlsl:2:11: error[BL103]") == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("bindlint_check(SHADERS a.hlsl)", "TARGET is missing"),
        ("bindlint_check(TARGET t)", "SHADERS or MANIFEST is missing"),
        ("bindlint_check(TARGET t SHADERS a.hlsl FORMAT msvc more)", "more is no argument"),
    ],
)
def test_cmake_says_what_a_call_lacks(project: Path, commands: dict[str, str], call: str, message: str) -> None:
    needs("cmake", "ninja")
    head = CMAKE.partition("set_source_files_properties")[0]
    (project / "CMakeLists.txt").write_text(head + call, encoding="utf-8")
    result = run(project, commands, "cmake", "-G", "Ninja", "-B", "build", ".")
    assert result.returncode != 0
    assert message in " ".join(result.stderr.split())


def test_pre_commit_fails_for_a_commit_with_a_fault(project: Path, commands: dict[str, str]) -> None:
    needs("pre-commit", "git")
    commands["PRE_COMMIT_HOME"] = str(project.parent / "home")
    (project / ".pre-commit-config.yaml").write_text(FILES["pre-commit"].read_text(encoding="utf-8"), encoding="utf-8")
    run(project, commands, "git", "init", "-q", ".")
    run(project, commands, "git", "add", ".")
    passed = run(project, commands, "pre-commit", "run", "--all-files")
    assert passed.returncode == 0, passed.stdout + passed.stderr
    (project / "bad.hlsl").write_text(OVERLAP, encoding="utf-8")
    run(project, commands, "git", "add", ".")
    failed = run(project, commands, "pre-commit", "run", "--all-files")
    assert failed.returncode == 1
    assert "BL103" in failed.stdout


def test_hooks_are_formed_as_pre_commit_asks() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (local,) = yaml.safe_load(FILES["pre-commit"].read_text(encoding="utf-8"))["repos"]
    assert [hook["id"] for hook in hooks] == ["bindlint", "bindlint-manifest"]
    for hook in (*hooks, *local["hooks"]):
        assert {"id", "name", "language", "entry", "files"} <= hook.keys()
        pattern = re.compile(hook["files"])
        assert all(pattern.search(f"shaders/a{suffix}") for suffix in SHADER_SUFFIXES)
        assert not pattern.search("shaders/a.cpp")
        words = hook["entry"].split()
        assert words[:2] == ["bindlint", "check"]
    needs("pre-commit")
    done = subprocess.run(["pre-commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")], check=False)
    assert done.returncode == 0


def test_the_action_is_formed_as_github_asks_and_its_step_runs(project: Path, commands: dict[str, str]) -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert {"name", "description", "inputs", "runs"} <= action.keys()
    assert action["runs"]["using"] == "composite"
    for name, value in action["inputs"].items():
        assert value["description"] and isinstance(value["default"], str), name
    steps = action["runs"]["steps"]
    for step in steps:
        assert ("uses" in step) != ("run" in step)
        # What a caller gives reaches a shell only through the environment.
        assert "run" not in step or (step["shell"] == "bash" and "${{" not in step["run"])
        used = re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", str(step))
        assert set(used) <= action["inputs"].keys()
    needs("bash")
    (project / "bad.hlsl").write_text(OVERLAP, encoding="utf-8")
    (project / "shaders.cfg").write_text("clean.hlsl -T ps\n", encoding="utf-8")

    def check(**given: str) -> subprocess.CompletedProcess[str]:
        values = {
            f"BINDLINT_{name}": action["inputs"][name.lower()]["default"] for name in ("PATHS", "MANIFEST", "ARGUMENTS")
        }
        return run(project, {**commands, **values, **given}, "bash", "-e", "-c", steps[-1]["run"])

    found = check()
    assert found.returncode == 1
    assert "::error " in found.stdout and "bad.hlsl" in found.stdout
    assert check(BINDLINT_PATHS="clean.hlsl").returncode == 0
    assert check(BINDLINT_MANIFEST="shaders.cfg", BINDLINT_ARGUMENTS="--fail-on warning").returncode == 0
    assert check(BINDLINT_PATHS="$(touch owned)").returncode == 2
    assert not (project / "owned").exists()


def test_the_workflow_is_formed_as_github_asks() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    workflow = yaml.safe_load(FILES["github"].read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    assert job["runs-on"] and all(("uses" in step) != ("run" in step) for step in job["steps"])
    assert any(step.get("run", "").startswith("bindlint check --format github") for step in job["steps"])


def test_msbuild_targets_are_formed_as_msbuild_asks() -> None:
    root = ElementTree.parse(FILES["msbuild"]).getroot()
    assert root.tag == f"{MSBUILD}Project"
    assert {child.tag for child in root} == {f"{MSBUILD}PropertyGroup", f"{MSBUILD}Target"}
    (target,) = root.iter(f"{MSBUILD}Target")
    assert target.get("BeforeTargets") == "FxCompile"
    (task,) = target
    assert task.tag == f"{MSBUILD}Exec"
    command = task.get("Command", "")
    assert '--manifest "$(MSBuildProjectFullPath)" --configuration "$(Configuration)|$(Platform)"' in command
    properties = {child.tag.removeprefix(MSBUILD) for group in root.iter(f"{MSBUILD}PropertyGroup") for child in group}
    asked = set(re.findall(r"\$\((Bindlint\w+)\)", command + target.get("Condition", "")))
    assert asked - properties == {"BindlintOptions"}


PROJECT = """\
<Project DefaultTargets="Build" xmlns="http://schemas.microsoft.com/developer/msbuild/2003" ToolsVersion="4.0">
  <ItemGroup Label="ProjectConfigurations"><ProjectConfiguration Include="Debug|x64" /></ItemGroup>
  <PropertyGroup><Configuration>Debug</Configuration><Platform>x64</Platform></PropertyGroup>
  <ItemGroup>
    <FxCompile Include="SHADER"><ShaderType>Pixel</ShaderType><ShaderModel>6.0</ShaderModel></FxCompile>
  </ItemGroup>
  <Target Name="FxCompile"><Message Text="compiling" Importance="high" /></Target>
  <Target Name="Build" DependsOnTargets="FxCompile" />
  <Import Project="bindlint.targets" />
</Project>
"""


def test_msbuild_targets_run_before_shaders_are_compiled(project: Path, commands: dict[str, str]) -> None:
    builder = next((program for program in ("msbuild", "xbuild") if shutil.which(program)), "msbuild")
    needs(builder)
    shutil.copy(FILES["msbuild"], project / "bindlint.targets")
    (project / "bad.hlsl").write_text(OVERLAP, encoding="utf-8")
    for shader, compiled in (("clean.hlsl", True), ("bad.hlsl", False)):
        (project / "scratch.vcxproj").write_text(PROJECT.replace("SHADER", shader), encoding="utf-8")
        result = run(project, commands, builder, "/nologo", "scratch.vcxproj")
        assert ("compiling" in result.stdout) == compiled, result.stdout
        assert (result.returncode == 0) == compiled
        assert ("error BL103" in result.stdout) != compiled
