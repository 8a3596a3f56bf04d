"""The graph of a project in each form, and what is told of a range of registers."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bindlint.cli import main
from bindlint.project.graph import KINDS

PROGRAM = Path(__file__).parents[1] / "programs" / "project"
HOST = """#include <d3d12.h>
void Sky::Create()
{
    CD3DX12_DESCRIPTOR_RANGE ranges[2];
    ranges[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 4, 0);
    ranges[1].Init(D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 1, 0);
    CD3DX12_ROOT_PARAMETER parameters[1];
    parameters[0].InitAsDescriptorTable(2, ranges);
    CD3DX12_ROOT_SIGNATURE_DESC desc;
    desc.Init(1, parameters, 0, nullptr);
    ComPtr<ID3DBlob> blob, error;
    D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error);
    m_device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&m_rs));
}
void Sky::Draw(ID3D12GraphicsCommandList* list)
{
    list->SetComputeRootSignature(m_rs.Get());
    list->SetComputeRootDescriptorTable(0, m_table);
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sky.cpp").write_text(HOST)
    shader = "RWTexture2D<float4> O : register(u0);\nTexture2D A : register(t1);\nTexture2D B : register(t2);\n"
    shader += "Texture2D Unused : register(t3);\nfloat4 Load() { return A.Load(0); }\n"
    shader += "[numthreads(1, 1, 1)] void Main() { O[uint2(0, 0)] = Load() + B.Load(0); }\n"
    (tmp_path / "sky.hlsl").write_text(shader)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main([*words])
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


def graph(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[dict[str, str], set[tuple[str, str, str]]]:
    """Labels by node, and edges by labels."""
    status, out, _ = run(capsys, "graph", "--format", "json", "--isolated", *words)
    assert status == 0
    document = json.loads(out)
    labels = {node["id"]: node["label"] for node in document["nodes"]}
    edges = {(labels[edge["source"]], edge["kind"], labels[edge["target"]]) for edge in document["edges"]}
    return {node["id"]: node["kind"] for node in document["nodes"]}, edges


@pytest.mark.usefixtures("project")
def test_from_entry_point_to_register(capsys: pytest.CaptureFixture[str]) -> None:
    kinds, edges = graph(capsys, "sky.hlsl")
    assert edges == {
        ("Main (cs_6_6)", "calls", "Load"),
        ("Main (cs_6_6)", "reads", "Texture2D B"),
        ("Main (cs_6_6)", "writes", "RWTexture2D<float4> O"),
        ("Load", "reads", "Texture2D A"),
        ("Texture2D A", "binds", "t1"),
        ("Texture2D B", "binds", "t2"),
        ("RWTexture2D<float4> O", "binds", "u0"),
    }
    assert set(kinds.values()) == {"entry", "function", "resource", "register"}


def test_from_pipelines_and_calls_to_registers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROGRAM)
    kinds, edges = graph(capsys, "terrain.hlsl", "terrain.cpp")
    assert set(kinds.values()) == set(KINDS)
    assert edges >= {
        ("m_terrain", "runs", "TerrainPS (ps_5_1)"),
        ("m_terrain", "takes", "m_signature"),
        ("SetGraphicsRootDescriptorTable(2)", "feeds", "[2] table, PIXEL"),
        ("SetPipelineState(m_terrain)", "sets", "m_terrain"),
        ("m_signature", "has", "[2] table, PIXEL"),
        ("[2] table, PIXEL", "has", "t1-t8"),
        ("t1-t8", "covers", "t2-t5"),
        ("[0] cbv b0", "covers", "b0"),
        ("static sampler s0", "covers", "s0"),
        ("cbuffer Frame", "holds", "sunDirection"),
    }
    assert ("cbuffer Frame", "holds", "time") not in edges, "nothing reads it"


def test_what_is_left_out_joins_its_ends(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROGRAM)
    kinds, edges = graph(capsys, "terrain.hlsl", "terrain.cpp", "--without", "function,register", "--without", "call")
    assert not {"function", "register", "call"} & set(kinds.values())
    assert edges >= {
        ("TerrainVS (vs_5_1)", "samples", "Texture2D Heights"),
        ("t1-t8", "covers", "Texture2D Layers[4]"),
    }


@pytest.mark.usefixtures("project")
def test_an_unknown_kind_of_node(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "graph", "--without", "functions", "sky.hlsl")
    assert (status, err) == (2, "Error: there is no kind of node `functions`; did you mean `function`?\n")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("form", ["dot", "graphml", "json", "mermaid"])
def test_order_of_files_changes_nothing(capsys: pytest.CaptureFixture[str], form: str) -> None:
    one = run(capsys, "graph", "--format", form, "sky.hlsl", "sky.cpp")
    assert one == run(capsys, "graph", "--format", form, "sky.cpp", "sky.hlsl")
    assert one[0] == 0


@pytest.mark.parametrize("form", ["dot", "graphml", "mermaid"])
def test_names_are_escaped(capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str) -> None:
    folder = tmp_path / 'a"<\x01\\b'
    folder.mkdir()
    (folder / "x.hlsl").write_text("Buffer<float4> T; float4 main() : SV_Target { return T[0]; }")
    (tmp_path / "y.hlsl").write_text("float4 main() : SV_Target { return 0; }")
    status, out, _ = run(capsys, "graph", "--format", form, "-T", "ps_6_0", "-E", "main", str(tmp_path))
    assert status == 0
    assert "\x01" not in out
    if form == "graphml":
        names = [element.text or "" for element in ElementTree.fromstring(out).iter() if element.tag.endswith("data")]
        assert any('a"<\\x01\\b' in name for name in names)
    elif form == "dot":
        assert 'label="a\\"<\\\\x01\\\\b/x.hlsl"' in out
    else:
        assert '["a#34;#60;#92;x01#92;b/x.hlsl"]' in out


@pytest.mark.usefixtures("project")
def test_what_is_not_read_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    Path("half.hlsl").write_text('#include "gone.hlsli"\nfloat4 main() : SV_Target { return 0; }')
    for words in (("graph",), ("impact", "t0")):
        _, _, err = run(capsys, *words, "-T", "ps_6_0", "-E", "main", "half.hlsl")
        assert err == "bindlint: half.hlsl could only in part be read\n"


@pytest.mark.usefixtures("project")
def test_impact_of_shaders_alone(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "impact", "t0-t3", "--isolated", "sky.hlsl")
    assert (status, out.splitlines()) == (
        0,
        [
            "t0-t3: used by 2 resources of 1 entry point",
            "resources",
            "  `A` t1 (sky.hlsl:2:11)",
            "    sky.hlsl:Main (cs_6_6): read by Main > Load",
            "  `B` t2 (sky.hlsl:3:11)",
            "    sky.hlsl:Main (cs_6_6): read",
            "  `Unused` t3, not used (sky.hlsl:4:11)",
            "if the range moves",
            "  `A` needs another register (sky.hlsl:Main)",
            "  `B` needs another register (sky.hlsl:Main)",
            "if it shrinks from its end",
            "  to t0-t2 nothing breaks",
            "  without t2: `B` (sky.hlsl:Main)",
            "  without t1: `A` (sky.hlsl:Main)",
        ],
    )


@pytest.mark.usefixtures("project")
def test_impact_on_host_code(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "impact", "t2", "--isolated", ".")
    assert "`m_rs`, parameter 0, range 0: t0-t3 for ALL" in out
    assert "SetComputeRootDescriptorTable(0, ...) sets it" in out
    assert "behind it in the table of parameter 0 descriptors move up: u0 (range 1)" in out
    assert "calls that set parameter 0 stay" in out


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("registers", "used", "least", "losses"),
    [
        ("t0-t9", ["A", "B"], "t0-t2", [(2, ["B"]), (1, ["A"])]),
        ("t0-unbounded", ["A", "B"], "t0-t2", [(2, ["B"]), (1, ["A"])]),
        ("t1", ["A"], "t1", [(1, ["A"])]),
        ("u0", ["O"], "u0", [(0, ["O"])]),
        ("t1, space1", [], None, []),
        ("b0", [], None, []),
    ],
)
def test_impact_as_json(
    capsys: pytest.CaptureFixture[str], registers: str, used: list[str], least: str | None, losses: list[object]
) -> None:
    _, out, _ = run(capsys, "impact", registers, "--format", "json", "sky.hlsl")
    document = json.loads(out)
    assert document["registers"] == registers
    assert [each["name"] for each in document["resources"] if each["uses"]] == used
    assert document["least"] == least
    assert [(each["register"], each["resources"]) for each in document["losses"]] == losses


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("t7-t3", "t3-t7"),
        ("t3 space1", "t3, space1"),
        ("register(b2)", "b2"),
        ("t4-", "t4"),
        ("t99999999999", "t0-t7, space1"),
        ("sky.hlsl", "t0-t7, space1"),
    ],
)
def test_an_unknown_range_names_the_nearest_form(capsys: pytest.CaptureFixture[str], text: str, nearest: str) -> None:
    status, _, err = run(capsys, "impact", text, "sky.hlsl")
    assert (status, err) == (2, f"Error: `{text}` names no registers; write it as `{nearest}`\n")
