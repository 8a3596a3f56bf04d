"""The command `bindlint rootsig`: sources, verbs, streams and exit statuses; and compiled shaders in `check`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from bindlint.cli import group
from bindlint.facts.root_signature_bytes import from_rts0
from click.testing import CliRunner, Result

CONTAINERS = Path(__file__).parent / "containers"
SHADER = """\
#define SIGNATURE "CBV(b0), DescriptorTable(SRV(t0))"
cbuffer Values : register(b0) { float4 value; };
Texture2D Picture : register(t0);
[RootSignature(SIGNATURE)]
float4 main() : SV_Target { return value + Picture.Load(0); }
"""
LIBRARY = """\
GlobalRootSignature One = { "CBV(b0)" };
LocalRootSignature Two = { "SRV(t0)" };
[shader("miss")] void Miss(inout float4 p) { p = 0; }
"""
HOST = """\
void Renderer::CreateSky()
{
    CD3DX12_DESCRIPTOR_RANGE1 ranges[1];
    ranges[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0);
    CD3DX12_ROOT_PARAMETER1 parameters[2];
    parameters[0].InitAsConstantBufferView(0);
    parameters[1].InitAsDescriptorTable(1, ranges);
    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC description;
    description.Init_1_1(2, parameters);
    D3DX12SerializeVersionedRootSignature(&description, D3D_ROOT_SIGNATURE_VERSION_1_1, &blob, nullptr);
}

void CreateSized(UINT count)
{
    CD3DX12_ROOT_PARAMETER1 parameters[1];
    parameters[0].InitAsConstants(count, 0);
    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC description;
    description.Init_1_1(1, parameters);
    D3DX12SerializeVersionedRootSignature(&description, D3D_ROOT_SIGNATURE_VERSION_1_1, &blob, nullptr);
}
"""
DOCUMENT = '[[root_signature]]\nname = "Sky"\nparameters = [{ cbv = "b0" }, { table = ["t0"] }]\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with one source of each kind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.hlsl").write_text(SHADER, encoding="utf-8")
    (tmp_path / "a.cpp").write_text(HOST, encoding="utf-8")
    (tmp_path / "lib.hlsl").write_text(LIBRARY, encoding="utf-8")
    (tmp_path / "a.toml").write_text(DOCUMENT + DOCUMENT.replace("Sky", "Sea"), encoding="utf-8")
    (tmp_path / "bindlint.toml").write_text('fail-on = "error"\n' + DOCUMENT, encoding="utf-8")
    for name in ("pixel.cso", "library.cso", "vertex.cso"):
        shutil.copy(CONTAINERS / name, tmp_path / name)
    return tmp_path


def bindlint(*words: str) -> Result:
    return CliRunner().invoke(group, words)


def rootsig(*words: str) -> Result:
    return bindlint("rootsig", *words)


@pytest.mark.parametrize(
    "source",
    [
        ["CBV(b0), DescriptorTable(SRV(t0))"],
        ["a.hlsl"],
        ["a.hlsl", "-T", "ps_6_0"],
        ["-Tps_6_0", "-Emain", "a.hlsl"],
        ["a.hlsl:SIGNATURE"],
        ["a.cpp:CreateSky"],
        ["a.cpp:Renderer::CreateSky"],
        ["a.cpp#CreateSky"],
        ["a.toml#Sky"],
        ["bindlint.toml#Sky"],
        ["bindlint.toml"],
    ],
)
def test_every_source_of_the_same_signature_shows_the_same(folder: Path, source: list[str]) -> None:
    result = rootsig("show", "--format", "json", *source)
    assert result.exit_code == 0, result.output
    (table,) = json.loads(result.stdout)["root_signatures"]
    assert [(row["kind"], row["total"]) for row in table["parameters"]] == [("cbv", 2), ("table", 3)]
    assert table["parameters"][1]["ranges"][0]["registers"] == "t0"
    assert rootsig("diff", "CBV(b0), DescriptorTable(SRV(t0))", *source).exit_code == 0


@pytest.mark.parametrize(("source", "names"), [("a.toml", ["Sky", "Sea"]), ("library.cso", ["Global", "Local"])])
def test_several_signatures_are_all_shown_but_one_is_converted(folder: Path, source: str, names: list[str]) -> None:
    shown = json.loads(rootsig("show", "--format", "json", source).stdout)["root_signatures"]
    assert [table["name"] for table in shown] == names
    result = rootsig("convert", source, "--to", "hlsl")
    assert result.exit_code == 2
    assert f"has 2 root signatures (`{names[0]}`, `{names[1]}`)" in result.stderr
    assert f"#define {names[1]} " in rootsig("convert", f"{source}#{names[1]}", "--to", "hlsl").stdout


def test_what_host_code_leaves_open_is_said_and_never_converted(folder: Path) -> None:
    shown = rootsig("show", "a.cpp:CreateSized")
    assert shown.exit_code == 0, shown.output
    assert "fault: a.cpp:16:5: parameter 0: its Num32BitValues: `count` is an argument" in shown.stdout
    assert rootsig("convert", "a.cpp:CreateSized", "--to", "hlsl").exit_code == 2
    assert "`CreatSky` builds no root signature" in rootsig("show", "a.cpp:CreatSky").stderr


@pytest.mark.parametrize("form", ["cpp", "cpp-raw"])
@pytest.mark.parametrize("source", ["pixel.cso", "library.cso#Global", "a.toml#Sky"])
def test_what_is_written_as_cpp_reads_back(folder: Path, source: str, form: str) -> None:
    assert rootsig("convert", source, "--to", form, "--name", "Back", "--output", "back.cpp").exit_code == 0
    result = rootsig("diff", source, "back.cpp:SerializeBack")
    assert (result.exit_code, result.output) == (0, "")


def test_subobjects_of_a_library_in_hlsl(folder: Path) -> None:
    result = rootsig("show", "lib.hlsl#Two", "-T", "lib_6_3")
    assert result.exit_code == 0, result.output
    assert "local root signature Two" in result.stdout
    assert "8 of 4064 bytes" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "gone.toml"], "neither a file nor the text"),
        (["show", "a.tml"], "did you mean `a.toml`?"),
        (["show", "a.hlsl:SIGNATUR"], "there is no macro `SIGNATUR`"),
        (["show", "a.toml#Ski"], "it holds no root signature `Ski`; did you mean `Sky`?"),
        (["show", "vertex.cso"], "no root signature is embedded in it"),
        (["show"], "name one source, not 0"),
        (["diff", "a.hlsl"], "name two sources, not 1"),
        (["convert", "CBV(", "--to", "toml"], "cannot be read"),
        (["convert", "CBV(b0), CBV(b0)", "--to", "rts0"], "D3D12 refuses"),
        (["convert", "CBV(b0)", "--to", "json", "--output", "a.hlsl/x.json"], "cannot be written"),
        (["suggest"], "nothing to check"),
        (["suggest", "a.hlsl", "-T", "ps_6_0", "--constants", "Valus"], "did you mean `Values`?"),
        (["suggest", "a.hlsl", "-T", "ps_6_0", "-E", "mian"], "mian"),
    ],
)
def test_what_cannot_be_used_ends_with_status_2(folder: Path, words: list[str], message: str) -> None:
    result = rootsig(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("form", ["hlsl", "json", "toml", "rts0"])
def test_what_is_converted_is_a_source_again(folder: Path, form: str) -> None:
    name = {"hlsl": "x.hlsl", "rts0": "x.rts0"}.get(form, f"x.{form}")
    result = rootsig("convert", "pixel.cso", "--to", form, "--name", "X", "--output", name)
    assert (result.exit_code, result.output) == (0, "")
    assert rootsig("diff", "pixel.cso", f"{name}:X" if form == "hlsl" else name).output == ""
    assert bindlint("check", "pixel.cso", "--rootsig", f"{name}:X" if form == "hlsl" else name).exit_code == 0


def test_bytes_go_to_standard_output(folder: Path) -> None:
    result = rootsig("convert", "pixel.cso", "--to", "rts0", "--version", "1.0")
    assert from_rts0(result.stdout_bytes).version == "1.0"
    assert result.stderr == "lost: parameters 0, 1, 2: version 1.0 takes their descriptors and data for volatile\n"


def test_differences_end_with_status_1(folder: Path) -> None:
    result = rootsig("diff", "a.hlsl", "pixel.cso")
    assert result.exit_code == 1
    assert "for shaders:\n" in result.stdout and "for callers:\n" in result.stdout


def test_suggestions_come_with_their_reasons(folder: Path) -> None:
    result = rootsig("suggest", "a.hlsl", "-T", "ps_6_0", "--budget", "8", "--name", "Mine")
    assert result.exit_code == 0
    assert result.stdout.startswith("// 0: `Values` (b0): 16 bytes, set without a buffer\n")
    assert "#define Mine \\\n" in result.stdout
    in_json = rootsig("suggest", "a.hlsl", "-T", "ps_6_0", "--to", "json")
    assert json.loads(in_json.stdout)["root_signature"][0]["parameters"] == [
        {"table": ["b0", "t0"], "visibility": "PIXEL"}
    ]
    assert in_json.stderr.startswith("parameter 0: `Values`, `Picture` in one table for PIXEL, 1 DWORD")


def test_suggestions_for_a_manifest_and_for_compiled_shaders(folder: Path) -> None:
    lines = [
        {"file": "a.hlsl", "arguments": ["-T", "ps_6_0", "-E", "main"]},
        {"file": "vertex.cso", "arguments": []},
    ]
    Path("m.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    result = rootsig("suggest", "--manifest", "m.jsonl", "--version", "1.0", "--to", "toml")
    assert result.exit_code == 0, result.output
    assert 'version = "1.0"' in result.stdout
    assert '{ table = ["b0", "b3, space1", "t0"] }' in result.stdout
    assert "ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT" in result.stdout


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["pixel.cso"], 0, ""),
        (["vertex.cso"], 0, ""),
        (["vertex.cso", "--rootsig", "CBV(b3)"], 1, "needs b3, space1 in the vertex shader"),
        (["vertex.cso", "--rootsig", "a.toml#Sky"], 1, "needs b3, space1 in the vertex shader"),
        (["pixel.cso", "--rootsig", "a.hlsl:SIGNATURE"], 1, "`Bindless` needs t3-unbounded, space2"),
        (["a.hlsl", "-Tps_6_0", "--rootsig", "a.toml#Sky"], 0, ""),
        (["a.hlsl", "-Tps_6_0", "--rootsig", "a.toml#Ski"], 1, "did you mean `Sky`?"),
        (["a.hlsl", "-Tps_6_0", "--rootsig", "a.toml"], 1, "has 2 root signatures"),
        (["broken.cso"], 1, "it does not begin with DXBC"),
    ],
)
def test_check_takes_compiled_shaders_and_any_root_signature(
    folder: Path, words: list[str], status: int, message: str
) -> None:
    Path("broken.cso").write_bytes(b"nothing")
    result = bindlint("check", "--format", "concise", *words)
    assert result.exit_code == status, result.output
    assert message in result.stdout
    assert "Traceback" not in result.output


def test_a_compiled_shader_goes_by_its_registers_where_names_are_stripped(folder: Path) -> None:
    result = bindlint("check", "vertex.cso", "--rootsig", "CBV(b3)")
    assert "`b3, space1` needs b3, space1" in result.stdout
    shown = json.loads(bindlint("show", "--format", "jsonl", "pixel.cso").stdout)
    assert [binding["name"] for binding in shown["bindings"]][:3] == ["PerFrame", "Linear", "Albedo"]
    assert shown["root_signature"]["cost"] == 4


def test_a_file_outside_a_repository_includes_nothing_beside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "table.hlsli").write_text('#define TABLE "CBV(b0)"\n')
    (tmp_path / "in" / "rs.hlsl").write_text('#include "../table.hlsli"\n#define RS TABLE\n')
    source = f"{tmp_path / 'in' / 'rs.hlsl'}:RS"
    assert "b0" not in CliRunner().invoke(group, ["rootsig", "show", source]).output
    assert "b0" in CliRunner().invoke(group, ["rootsig", "show", source, "-I", str(tmp_path)]).output


@pytest.mark.parametrize(("source", "status"), [("CBV(b0)", 0), ("CBV(b0", 1)])
def test_show_ends_with_one_where_nothing_can_be_read(source: str, status: int) -> None:
    assert CliRunner().invoke(group, ["rootsig", "show", "--isolated", source]).exit_code == status


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("app.cpp", "int main() { return 0; }", "app.cpp is C++, and a suggestion is made of shaders"),
        ("none.hlsl", "float unused;", "none.hlsl: no entry point is found"),
    ],
)
def test_suggestions_are_made_of_shaders_only(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    result = CliRunner().invoke(group, ["rootsig", "suggest", str(tmp_path / name)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_suggestion_for_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.hlsl").write_text("float4 main() : SV_Target { return 0; }", encoding="utf-8")
    result = CliRunner().invoke(group, ["rootsig", "suggest", "-T", "ps_6_0", str(tmp_path / "a.hlsl")])
    assert result.exit_code == 0
    assert "note: the shaders use no resources" in result.stderr


def test_marks_that_reorder_text_are_escaped_in_toml() -> None:
    result = CliRunner().invoke(group, ["rootsig", "convert", "CBV(b0)", "--to", "toml", "--name", "a\u202eb\x7f"])
    assert 'name = "a\\u202eb\\u007f"' in result.stdout
