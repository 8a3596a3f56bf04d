"""The command line: inputs, exit statuses, streams. What it prints about whole shaders is in tests/programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from bindlint.cli import group
from click.testing import CliRunner, Result

CLEAN = "Texture2D a : register(t0);\nfloat4 main() : SV_Target { return a.Load(0); }\n"
OVERLAP = """\
Texture2D a : register(t0);
Texture2D b : register(t0);
float4 main() : SV_Target { return a.Load(0) + b.Load(0); }
"""
COMMAND = [sys.executable, "-m", "bindlint"]
PACKS = Path(__file__).resolve().parents[1] / "packs"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory that is a repository of its own."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**files: str) -> None:
    for name, text in files.items():
        Path(name.replace("__", "/")).with_suffix(".hlsl").write_text(text, encoding="utf-8")


def bindlint(*words: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(group, words, input=stdin)


def check(*words: str, stdin: bytes | None = None) -> Result:
    return bindlint("check", "--format", "concise", *words, stdin=stdin)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["clean.hlsl", "-T", "ps_6_0"], 0),
        (["-Tps_6_0", "-Emain", "clean.hlsl"], 0),
        (["/T", "ps_6_0", "/E", "main", "clean.hlsl"], 0),
        (["clean.hlsl"], 0),
        (["bad.hlsl", "-T", "ps_6_0"], 1),
        (["bad.hlsl"], 1),
        (["clean.hlsl", "bad.hlsl", "-T", "ps_6_0"], 1),
        (["."], 1),
        (["bad.hlsl", "-T", "ps_6_0", "--fail-on", "never"], 0),
        (["bad.hlsl", "-T", "ps_6_0", "--ignore", "register-overlap"], 0),
        (["bad.hlsl", "-T", "ps_6_0", "--ignore", "BL1"], 0),
        (["bad.hlsl", "-T", "ps_6_0", "--select", "BL2,BL3"], 0),
        (["bad.hlsl", "-T", "ps_6_0", "--select", "registers"], 1),
        (["partial.hlsl", "-T", "ps_6_0"], 1),
        (["partial.hlsl", "-T", "ps_6_0", "--allow-partial"], 0),
        (["partial.hlsl", "-T", "ps_6_0", "--allow-partial", "--fail-on", "info"], 1),
        (["clean.hlsl", "-T", "ps_6_0", "--isolated", "--jobs", "1", "--no-cache"], 0),
    ],
)
def test_exit_status(folder: Path, words: list[str], status: int) -> None:
    write(clean=CLEAN, bad=OVERLAP, partial='#include "gone.hlsli"\n' + CLEAN)
    result = check(*words)
    assert result.exit_code == status, result.output
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to check"),
        (["gone.hlsl"], "there is no file or folder `gone.hlsl`"),
        (["claen.hlsl"], "did you mean `clean.hlsl`?"),
        (["-T", "ps_6_66", "clean.hlsl"], "no target profile `ps_6_66`; did you mean `ps_6_6`?"),
        (["clean.hlsl", "-T"], "`-T` needs a value"),
        (["clean.hlsl", "--selct", "BL1"], "did you mean `--select`?"),
        (["clean.hlsl", "--D", "X=3"], "there is no option `--D`; did you mean `-D`?"),
        (["clean.hlsl", "-D", "3X=1"], "`-D` needs the name of a macro, not `3X`"),
        (["clean.hlsl", "-D=3"], "`-D` needs the name of a macro"),
        (["clean.hlsl", "--isolated", "--config", "x.toml"], "--isolated reads no configuration"),
        (["nowhere.hlsl"], "there is no file or folder `nowhere.hlsl`: it is a link that leads nowhere"),
        (["-", "--stdin-filename", ""], "`-` needs --stdin-filename"),
        (["clean.hlsl", "-rootsig-defin", "RS"], "did you mean `-rootsig-define`?"),
        (["clean.hlsl", "--select", "register-overlp"], "did you mean `register-overlap`?"),
        (["clean.hlsl", "--config", "gone.toml"], "gone.toml: cannot be read"),
        (["--manifest", "gone.jsonl"], "manifest `gone.jsonl` cannot be read"),
        (["--manifest", "m.jsonl", "-DX"], "`-DX` has no place beside it"),
        (["-"], "`-` needs --stdin-filename"),
        (["clean.hlsl", "--format", "xml"], "xml"),
    ],
)
def test_what_cannot_be_used_ends_with_status_2(folder: Path, words: list[str], message: str) -> None:
    write(clean=CLEAN)
    Path("nowhere.hlsl").symlink_to("gone.hlsl")
    result = check(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_an_absent_entry_point_names_the_nearest(folder: Path) -> None:
    write(clean=CLEAN)
    result = check("clean.hlsl", "-T", "ps_6_0", "-E", "mian")
    assert result.exit_code == 2
    assert "BL012" in result.stdout
    assert "main" in result.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "bindlint.toml:1: unknown key `selct`; did you mean `select`?"),
        ("[limits]\ninclude-dept = 3", "bindlint.toml:2: unknown key `limits.include-dept`; did you mean"),
        ("ignore = ['BL77']", "`BL77`"),
        ("defines = ['3X=1']", "bindlint.toml: `defines`: `-D` needs the name of a macro, not `3X`"),
    ],
)
def test_a_faulty_configuration_ends_with_status_2(folder: Path, text: str, message: str) -> None:
    write(clean=CLEAN)
    Path("bindlint.toml").write_text(text, encoding="utf-8")
    result = check("clean.hlsl", "-T", "ps_6_0")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert check("clean.hlsl", "-T", "ps_6_0", "--isolated").exit_code == 0


def test_configuration_is_found_from_the_file_and_overridden_by_options(folder: Path) -> None:
    Path("sub/include").mkdir(parents=True)
    Path("sub/include/a.hlsli").write_text("Texture2D a : register(NUMBER);\n", encoding="utf-8")
    Path("sub/bindlint.toml").write_text(
        'include-dirs = ["include"]\ndefines = ["NUMBER=t0"]\n[severity]\nregister-overlap = "warning"\n',
        encoding="utf-8",
    )
    write(sub__x='#include "a.hlsli"\n' + OVERLAP.partition("\n")[2])
    assert check("sub/x.hlsl", "-T", "ps_6_0").exit_code == 0
    result = check("sub/x.hlsl", "-T", "ps_6_0", "--fail-on", "warning")
    assert result.exit_code == 1
    assert "warning[BL103]" in result.stdout
    assert check("sub/x.hlsl", "-T", "ps_6_0", "--fail-on", "warning", "-D", "NUMBER=t1").exit_code == 0


def test_folders_are_searched_by_suffix_and_gitignore(folder: Path) -> None:
    Path(".gitignore").write_text("build/\n*.gen.hlsl\n!keep.gen.hlsl\n", encoding="utf-8")
    for name in ("build", "src/deep", ".hidden"):
        Path(name).mkdir(parents=True)
    write(build__x=CLEAN, src__a=CLEAN, src__deep__b=CLEAN, _hidden=CLEAN)
    for name in (".hidden/c.hlsl", "src/d.txt", "src/e.gen.hlsl", "src/keep.gen.hlsl", "src/F.HLSLI"):
        Path(name).write_text(CLEAN, encoding="utf-8")
    result = bindlint("check", ".", "-T", "ps_6_0", "--format", "jsonl")
    files = [json.loads(line)["file"] for line in result.stdout.splitlines()]
    paths = ("_hidden.hlsl", "src/F.HLSLI", "src/a.hlsl", "src/keep.gen.hlsl", "src/deep/b.hlsl")
    assert files == [os.path.normpath(path) for path in paths]


@pytest.mark.parametrize("line", ["!", "\\", "[", "!!", "!/", "/", "a\\", "**/[]", "\0"])
def test_patterns_that_are_none_are_passed_over(folder: Path, line: str) -> None:
    Path(".gitignore").write_text(f"{line}\nold.hlsl\n", encoding="utf-8")
    write(a=CLEAN, old=OVERLAP)
    result = bindlint("check", ".", "-T", "ps_6_0", "--format", "jsonl")
    assert [json.loads(line)["file"] for line in result.stdout.splitlines()] == ["a.hlsl"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_that_leave_the_repository_stay_unread(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.hlsl"
    outside.write_text(OVERLAP, encoding="utf-8")
    Path("link.hlsl").symlink_to(outside)
    Path("loop").symlink_to(folder)
    write(a=CLEAN)
    result = bindlint("check", ".", "-T", "ps_6_0", "--format", "jsonl")
    assert [json.loads(line)["file"] for line in result.stdout.splitlines()] == ["a.hlsl"]


def manifest(*lines: dict[str, Any] | str) -> None:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    Path("m.jsonl").write_text(text, encoding="utf-8")


def test_a_manifest_gives_one_object_a_line_whatever_is_wrong(folder: Path) -> None:
    write(clean=CLEAN, bad=OVERLAP)
    manifest(
        {"directory": ".", "file": "bad.hlsl", "arguments": ["-T", "ps_6_0"]},
        "{",
        {"directory": ".", "file": "gone.hlsl", "arguments": ["-T", "ps_6_0"]},
        {"directory": ".", "file": "clean.hlsl", "arguments": ["-T", "xx_6_0"]},
        {"directory": ".", "file": "clean.hlsl", "arguments": ["-T", "ps_6_0", "-E", "mian"]},
        {"directory": ".", "file": "clean.hlsl", "arguments": ["-T", "ps_6_0", "-unknown-option"]},
    )
    result = bindlint("check", "--manifest", "m.jsonl", "--format", "jsonl")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert result.stderr == ""
    assert [a["file"] for a in answers] == ["bad.hlsl", "", "gone.hlsl", "clean.hlsl", "clean.hlsl", "clean.hlsl"]
    assert [a["status"] for a in answers] == ["ok", "failed", "failed", "failed", "failed", "ok"]
    assert [bool(a["problems"]) for a in answers] == [False, True, True, True, True, True]
    assert [[f["code"] for f in a["findings"]] for a in answers] == [
        ["BL103"],
        ["BL093"],
        ["BL093"],
        ["BL093"],
        ["BL012"],
        ["BL093"],
    ]


def test_several_processes_give_the_same_output(folder: Path) -> None:
    write(**{f"s{n}": OVERLAP.replace("t0", f"t{n}") for n in range(40)})
    manifest(*({"file": f"s{n}.hlsl", "arguments": ["-T", "ps_6_0"]} for n in range(40)))
    words = ["check", "--manifest", "m.jsonl", "--format", "jsonl", "--jobs"]
    one, two = run(*words, "1"), run(*words, "2")
    assert (one.stdout, one.returncode) == (two.stdout, two.returncode)
    assert len(one.stdout.splitlines()) == 40
    assert two.stderr == ""


def test_standard_input_stands_in_for_a_file(folder: Path) -> None:
    Path("a.hlsli").write_text("Texture2D a : register(t0);\n", encoding="utf-8")
    source = '#include "a.hlsli"\n' + OVERLAP.partition("\n")[2]
    result = check("-", "--stdin-filename", "new.hlsl", "-T", "ps_6_0", stdin=source.encode())
    assert result.exit_code == 1
    assert result.stdout.startswith("new.hlsl:2:11: error[BL103] ")


def test_a_finding_that_several_shaders_share_is_printed_once(folder: Path) -> None:
    Path("a.hlsli").write_text("Texture2D a : register(q0);\n", encoding="utf-8")
    write(x='#include "a.hlsli"\n' + CLEAN.partition("\n")[2], y='#include "a.hlsli"\n' + CLEAN.partition("\n")[2])
    result = bindlint("check", "x.hlsl", "y.hlsl", "-T", "ps_6_0")
    assert result.stdout.count("error[BL101]") == 1
    assert result.stdout.endswith("2 shaders: 1 error\n")


def test_suppressions_are_judged_over_the_run(folder: Path) -> None:
    Path("a.hlsli").write_text(
        "Texture2D a : register(t0);\nTexture2D b : register(t0); // bindlint: allow(register-overlap) one or other\n",
        encoding="utf-8",
    )
    body = '#include "a.hlsli"\nfloat4 main() : SV_Target {{ return {}; }}\n'
    write(both=body.format("a.Load(0) + b.Load(0)"), one=body.format("a.Load(0)"))
    result = check("both.hlsl", "one.hlsl", "-T", "ps_6_0", "--select", "BL0,BL103", "--fail-on", "info")
    assert (result.exit_code, result.stdout) == (0, "")
    result = check("one.hlsl", "-T", "ps_6_0", "--select", "BL0,BL103", "--fail-on", "info")
    assert result.exit_code == 1
    assert "a.hlsli:2:48: warning[BL091]" in result.stdout


def test_show_prints_the_binding_table(folder: Path) -> None:
    write(clean=CLEAN)
    result = bindlint("show", "clean.hlsl", "-T", "ps_6_0")
    assert result.exit_code == 0
    assert "clean.hlsl: main (ps_6_0)" in result.stdout
    assert "t0" in result.stdout
    (line,) = bindlint("show", "clean.hlsl", "-T", "ps_6_0", "--format", "jsonl").stdout.splitlines()
    answer = json.loads(line)
    assert "findings" not in answer
    assert [(b["name"], b["class"], b["lower"], b["upper"]) for b in answer["bindings"]] == [("a", "t", 0, 0)]


@pytest.mark.parametrize("word", ["BL103", "bl103", "register-overlap", "BL091", "rule-crashed"])
def test_explain_prints_the_page(word: str) -> None:
    result = bindlint("explain", word)
    assert result.exit_code == 0
    assert "## Why it matters" in result.stdout
    assert word.upper() in result.stdout or word in result.stdout


def test_explain_names_the_nearest() -> None:
    result = bindlint("explain", "register-overlp")
    assert result.exit_code == 2
    assert "did you mean `register-overlap`?" in result.stderr


def test_rules_lists_every_rule_with_its_family() -> None:
    result = bindlint("rules")
    rows = {line.split()[0]: line.split()[1:5] for line in result.stdout.splitlines()}
    assert rows["BL103"] == ["register-overlap", "error", "registers", "bindlint_rules"]
    assert rows["BL091"] == ["unused-suppression", "warning", "input", "bindlint"]


def test_an_unknown_command_names_the_nearest() -> None:
    result = bindlint("chek")
    assert result.exit_code == 2
    assert "did you mean `check`?" in result.stderr


@pytest.fixture
def acme(tmp_path: Path) -> dict[str, str]:
    """An environment in which the third-party pack of tests/packs is installed: its folder and its metadata."""
    project = tomllib.loads((PACKS / "acme" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = tmp_path / "site" / f"acme_rules-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    entries = "\n".join(f"{k} = {v}" for k, v in project["entry-points"]["bindlint.rules"].items())
    (info / "entry_points.txt").write_text(f"[bindlint.rules]\n{entries}\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path / "site"), str(PACKS / "acme")))}


def run(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, encoding="utf-8", env=env, check=False)


def test_a_third_party_pack_is_found_and_its_crash_is_its_own(folder: Path, acme: dict[str, str]) -> None:
    write(clean=CLEAN)
    listed = run("rules", env=acme)
    assert "ACME1  unprefixed-resource" in listed.stdout
    assert run("explain", "ACME1", env=acme).stdout.startswith("# unprefixed-resource (ACME1)")
    result = run("check", "clean.hlsl", "-T", "ps_6_0", "--format", "concise", "--debug", env=acme)
    assert result.returncode == 2
    assert "warning[ACME1] `a` must be named acme..." in result.stdout
    assert "error[BL090] rule ACME2 `house-register` of `acme_rules` crashed: LookupError" in result.stdout
    assert "Traceback" in result.stderr
    quiet = run("check", "clean.hlsl", "-T", "ps_6_0", "--ignore", "ACME2", "--fail-on", "warning", env=acme)
    assert quiet.returncode == 1
    assert quiet.stderr == ""


def test_output_never_dies_of_an_encoding(folder: Path) -> None:
    Path("日本.hlsl").write_text(OVERLAP, encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for form in ("text", "concise"):
        words = ["check", ".", "-T", "ps_6_0", "--format", form]
        result = subprocess.run([*COMMAND, *words], capture_output=True, env=env, check=False)
        assert result.returncode == 1
        assert b"\\u65e5\\u672c.hlsl" in result.stdout
        assert result.stderr == b""


def test_version_is_quick_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; from bindlint.cli import main\n"
        "try: main(['--version'])\n"
        "except SystemExit: print(sorted(m for m in ('networkx', 'rich', 'lark', 'tree_sitter') if m in sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("bindlint ")
    assert result.stdout.endswith("[]\n")


def test_an_entry_point_that_is_not_there_without_a_profile(folder: Path) -> None:
    write(a=CLEAN)
    result = CliRunner().invoke(group, ["check", "--format", "concise", "-E", "mian", "a.hlsl"])
    assert result.exit_code == 2
    assert "there is no entry point `mian` in this file; did you mean `main`?" in result.output


@pytest.mark.parametrize(
    "words",
    [
        ("integration", "cmake", "-o"),
        ("manifest", "s.cfg", "-o"),
        ("rootsig", "convert", "CBV(b0)", "--to", "toml", "--output"),
        ("check", "a.hlsl", "--depfile"),
        ("check", "a.hlsl", "--write-baseline", "--baseline"),
        ("audit", ".", "--results"),
        ("audit", ".", "--html"),
    ],
)
def test_folders_of_files_to_be_written_are_made(folder: Path, words: tuple[str, ...]) -> None:
    write(a=CLEAN)
    Path("s.cfg").write_text("a.hlsl -T ps\n", encoding="utf-8")
    result = bindlint(*words, "some/where/out.d")
    assert (result.exit_code, Path("some/where/out.d").is_file()) == (0, True), result.output
    assert bindlint(*words, "a.hlsl/out.d").exit_code == 2
