"""Arrays of commands as manifests, `check --manifest` and `bindlint manifest` over every kind of source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bindlint.cli import group
from bindlint.manifests import SourceOptions, entries
from bindlint.manifests.commands import compiler_of
from bindlint.manifests.reading import split_words
from click.testing import CliRunner, Result

OVERLAP = """\
Texture2D a : register(t0);
Texture2D b : register(t0);
float4 main() : SV_Target { return a.Load(0) + b.Load(0); }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.hlsl").write_text(OVERLAP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bindlint(*words: str) -> Result:
    return CliRunner().invoke(group, words)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("dxc -T ps_6_0 a.hlsl", ["dxc", "-T", "ps_6_0", "a.hlsl"]),
        (r'"C:\Program Files\dxc.exe" a.hlsl', [r"C:\Program Files\dxc.exe", "a.hlsl"]),
        (r"C:\dxc.exe /D N=\"x\" b\ c.hlsl", [r"C:\dxc.exe", "/D", 'N="x"', "b c.hlsl"]),
        (r'-D "N=a \"b\" c" -I "x y"\z', ["-D", 'N=a "b" c', "-I", "x y\\z"]),
        ("a '' \"\" b", ["a", "", "", "b"]),
        (r"\\server\share\dxc", [r"\\server\share\dxc"]),
    ],
)
def test_words_of_a_command(command: str, words: list[str]) -> None:
    assert list(split_words(command)) == words


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["dxc"], (0, "dxc")),
        ([r"C:\x86\FXC.EXE", "/T"], (0, "fxc")),
        (["/opt/dxc-1.8", "a"], (0, "dxc")),
        (["wine64", "fxc.exe"], (1, "fxc")),
        (["clang-dxc"], (0, "dxc")),
        (["g++", "-c", "dxc.cpp"], None),
        (["glslc", "dxc.hlsl"], None),
        ([], None),
    ],
)
def test_compilers(words: list[str], found: tuple[int, str] | None) -> None:
    assert compiler_of(words) == found


def test_commands_are_checked_and_others_counted(folder: Path) -> None:
    entries = [
        {"directory": ".", "command": "dxc -T ps_6_0 a.hlsl -Fo x", "file": "a.hlsl"},
        {"directory": ".", "arguments": ["g++", "-c", "a.cpp"], "file": "a.cpp"},
        {"directory": 3},
        {"arguments": "dxc"},
        {"file": "a.hlsl"},
        7,
        {"command": "dxc -T ps_6_0"},
    ]
    Path("c.json").write_text("[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n", encoding="utf-8")
    result = bindlint("check", "--format", "concise", "--manifest", "c.json")
    assert result.exit_code == 1
    lines = sorted(result.stdout.splitlines())
    assert lines[0].startswith("a.hlsl:2:11: error[BL103]")
    assert [line.partition(":1: ")[0] for line in lines[1:]] == [f"c.json:{number}" for number in (4, 5, 6, 7, 8)]
    assert [line.partition("BL093] ")[2] for line in lines[1:]] == [
        "entry 3: `directory` is no string",
        "entry 4: `arguments` is no array of strings",
        "entry 5: has neither `command` nor `arguments`",
        "entry 6: is no object",
        "entry 7: names no file",
    ]
    assert "1 of 7 entries compile no shader by dxc or fxc" in result.stderr


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("dxc -T ps_6_0 ok.hlsl && dxc -T ps_6_1 a.hlsl", [("ok.hlsl", "ps_6_0"), ("a.hlsl", "ps_6_1")]),
        ("mkdir out ; dxc -T ps_6_0 a.hlsl", [("ok.hlsl", "ps_6_0")]),
        (
            "cd sub && fxc /T ps_5_0 a.hlsl || echo no && dxc -T ps_6_1 b.hlsl",
            [("sub/a.hlsl", "ps_5_0"), ("sub/b.hlsl", "ps_6_1")],
        ),
        ("cd sub && dxc -T ps_6_0 c.hlsl", [("sub/c.hlsl", "ps_6_0")]),
        ("make && true", []),
    ],
)
def test_every_command_of_a_line_counts(folder: Path, command: str, expected: list[tuple[str, str]]) -> None:
    Path("c.json").write_text(json.dumps([{"directory": "", "command": command, "file": "ok.hlsl"}]), encoding="utf-8")
    with open("c.json", "rb") as stream:
        found = [entry.line for entry in entries("c.json", stream, SourceOptions(), lambda _: None)]
    shown = [(f"{line.directory}/{line.file}".lstrip("/"), line.arguments[1]) for line in found]
    assert shown == expected


def test_dxc_takes_old_profiles_for_6_0_and_fxc_does_not(folder: Path) -> None:
    commands = [{"command": f"{name} /T ps_5_1 a.hlsl"} for name in ("dxc", "fxc.exe")]
    Path("c.json").write_text(json.dumps(commands), encoding="utf-8")
    shown = bindlint("show", "--format", "jsonl", "--manifest", "c.json").stdout.splitlines()
    assert [json.loads(line)["profile"] for line in shown] == ["ps_6_0", "ps_5_1"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("c.json", '[{"a": 1},\n{]', "c.json:2: is no JSON"),
        ("c.json", "3", "c.json:1: is no array of commands"),
        ("c.json", "[\n1,", "c.json:2: is no JSON"),
        ("c.vcxproj", "\n<a", "c.vcxproj:2: is no XML"),
    ],
)
def test_what_is_no_source_ends_with_status_2(folder: Path, name: str, text: str, message: str) -> None:
    Path(name).write_text(text, encoding="utf-8")
    for command in (["check", "--manifest", name], ["manifest", name]):
        result = bindlint(*command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr


def test_what_is_written_is_what_is_read(folder: Path) -> None:
    Path("sub").mkdir()
    Path("s.cfg").write_text("a.hlsl -T ps -D X={0,1}\n", encoding="utf-8")
    read = bindlint("check", "--format", "json", "--manifest", "s.cfg", "-DY", "-I", "inc", "--shader-model", "6_6")
    written = bindlint("manifest", "s.cfg", "-DY", "-I", "inc", "--shader-model", "6_6", "-o", "sub/m.jsonl")
    assert (read.exit_code, written.exit_code) == (1, 0)
    first = json.loads(Path("sub/m.jsonl").read_text(encoding="utf-8").splitlines()[0])
    arguments = ["-T", "ps_6_6", "-E", "main", "-D", "X=0", "-DY", "-Iinc"]
    assert first == {"directory": "..", "file": "a.hlsl", "arguments": arguments}
    again = bindlint("check", "--format", "json", "--manifest", "sub/m.jsonl")
    assert len(json.loads(again.stdout)["shaders"]) == 2
    assert again.stdout.replace("sub/../", "") == read.stdout.replace("./", "")


def test_unusable_lines_are_told_with_their_place_and_the_rest_is_written(folder: Path) -> None:
    Path("s.cfg").write_text("a.hlsl -T ps\nb.hlsl\n", encoding="utf-8")
    result = bindlint("manifest", "s.cfg")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["file"] == "a.hlsl"
    assert "s.cfg:2: `-T` needs a stage" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["manifest"], "name a source"),
        (["manifest", "a.hlsl"], "is no .vcxproj, no .cfg"),
        (["manifest", "none.cfg"], "cannot be read"),
        (["manifest", "s.cfg", "-o", "s.cfg/m.jsonl"], "cannot be written"),
        (["check", "--manifest", "s.cfg", "a.hlsl"], "`a.hlsl` has no place beside it"),
        (["check", "a.vcxproj"], "`--manifest a.vcxproj` reads what it compiles"),
        (["check", "a.hlsl", "--configuration", "Debug|x64"], "--configuration goes with --manifest"),
    ],
)
def test_misuse(folder: Path, words: list[str], message: str) -> None:
    Path("s.cfg").write_text("a.hlsl -T ps\n", encoding="utf-8")
    Path("a.vcxproj").touch()
    result = bindlint(*words)
    assert result.exit_code == 2
    assert message in result.stderr


NOTHING = {
    "a.json": '[{"directory": ".", "command": "dxc -P a.hlsl"}, {"directory": ".", "command": "fxc /T fx_5_0 a.fx"}]',
    "b.json": '[{"directory": ".", "command": "cc -c a.c", "file": "a.c"}]',
    "a.cfg": "#if 0\na.hlsl -T ps\n#endif\n",
    "a.vcxproj": "<Project><ItemGroup Condition='$([X]::Y(1))'><FxCompile Include='a.hlsl'/></ItemGroup></Project>",
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_source_that_asks_for_nothing_is_no_success(folder: Path, name: str) -> None:
    Path(name).write_text(NOTHING[name], encoding="utf-8")
    Path("s.cfg").write_text("a.hlsl -T ps\n", encoding="utf-8")
    for words in (["check", "--format", "json", "--manifest", name], ["manifest", name]):
        result = bindlint(*words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"`{name}` asks for no shader" in result.stderr
    result = bindlint("manifest", name, "s.cfg")
    assert (result.exit_code, result.stdout.count("a.hlsl")) == (0, 1)
    assert f"`{name}` asks for no shader" in result.stderr


@pytest.mark.parametrize(("name", "text"), [("a.json", "[]\n"), ("a.cfg", ""), ("a.jsonl", "\n")])
def test_a_source_that_is_empty_may_well_be(folder: Path, name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")
    result = bindlint("check", "--manifest", name)
    assert (result.exit_code, "the manifest names no shader" in result.stderr) == (0, True)


PROJECT = """\
<Project><ItemGroup><FxCompile Include="a.hlsl"><ShaderType>Pixel</ShaderType><ShaderModel>6.0</ShaderModel>
<AdditionalIncludeDirectories>../out</AdditionalIncludeDirectories></FxCompile></ItemGroup></Project>
"""


@pytest.mark.parametrize("name", ["a.vcxproj", "a.cfg"])
def test_a_part_of_a_repository_opens_nothing_outside_of_it(folder: Path, name: str) -> None:
    (folder / ".git").rmdir()
    for path in ("in/.git", "out"):
        (folder / path).mkdir(parents=True)
    (folder / "in/a.hlsl").write_text(
        f'#include "h.hlsli"\n{OVERLAP.replace("b : register(t0)", "b")}', encoding="utf-8"
    )
    (folder / "out/h.hlsli").write_text("static const int Secret = 1;\n", encoding="utf-8")
    text = PROJECT if name == "a.vcxproj" else "a.hlsl -T ps --compilerOptionsDXIL=-I../out\n"
    (folder / "in" / name).write_text(text, encoding="utf-8")
    result = bindlint("check", "--format", "concise", "--manifest", f"in/{name}")
    assert (result.exit_code, "BL004" in result.stdout) == (1, True), result.output
    result = bindlint("check", "--format", "concise", "--manifest", f"in/{name}", "-I", "out")
    assert (result.exit_code, result.stdout) == (0, ""), result.output
