"""Root signatures that host code settles in part, on their way through the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bindlint.cli import main
from bindlint.model.root_signature import RootSignature, StaticSampler
from bindlint.rootsig.diff import difference

HOST = """
void Build(UINT n)
{
    CD3DX12_ROOT_PARAMETER p[4];
    p[0].InitAsConstantBufferView(n);
    p[1].InitAsConstants(n, 1);
    p[2].InitAsShaderResourceView(0);
    p[3].InitAsConstantBufferView(n + 1);
    CD3DX12_ROOT_SIGNATURE_DESC desc(4, p);
    D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error);
}
"""
SHADER = """
cbuffer Frame : register(b0) { float4 colour; }
StructuredBuffer<float4> Rows : register(t0);
float4 main() : SV_Target { return colour + Rows[0]; }
"""
OPEN = (
    "the host code leaves parts of the root signature open: "
    "parameter 0: its ShaderRegister: `n` is an argument of `Build`; "
    "parameter 1: its Num32BitValues: `n` is an argument of `Build`; "
    "parameter 3: its ShaderRegister: "
)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "host.cpp").write_text(HOST)
    (tmp_path / "shader.hlsl").write_text(SHADER)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rootsig", "show", "--format", "json", "host.cpp") == 0
    (table,) = json.loads(capsys.readouterr().out)["root_signatures"]
    assert (table["cost"], table["least_cost"], table["unknown"]) == (None, 6, [])
    rows = [(row["registers"], row["count"], row["cost"], row["total"], row["unknown"]) for row in table["parameters"]]
    assert rows == [
        ("b?", 1, 2, 2, ["register"]),
        ("b1", None, None, None, ["count"]),
        ("t0", 1, 2, None, []),
        ("b?", 1, 2, None, ["register"]),
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("convert", "host.cpp", "--to", "hlsl"),
        ("convert", "host.cpp", "--to", "rts0"),
        ("diff", "host.cpp", "CBV(b0)"),
        ("diff", "CBV(b0)", "host.cpp"),
    ],
)
def test_what_needs_the_whole_signature_names_what_is_open(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("rootsig", *arguments) == 2
    assert OPEN in capsys.readouterr().err


def test_check_judges_nothing_by_what_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--rootsig", "host.cpp", "-T", "ps_6_0", "--format", "concise", "shader.hlsl") == 1
    lines = capsys.readouterr().out.splitlines()
    assert {code for line in lines for code in ("BL201", "BL202", "BL301") if code in line} == {"BL201"}


def test_the_document_of_a_shader(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "--rootsig", "host.cpp", "-T", "ps_6_0", "--format", "jsonl", "shader.hlsl") == 0
    signature = json.loads(capsys.readouterr().out)["root_signature"]
    assert (signature["cost"], signature["least_cost"], signature["rts0"]) == (None, 6, None)
    first, second, third, _ = signature["parameters"]
    assert (first["register"], first["unknown"]) == (None, ["register"])
    assert (second["register"], second["count"], second["cost"]) == (1, None, None)
    assert (third["register"], "unknown" in third) == (0, False)


@pytest.mark.parametrize(
    ("name", "text", "is_host_code"),
    [
        ("shared.h", HOST, True),
        ("shared.hpp", '#define RS "CBV(b0)"\n', False),
        ("shared.inl", '#define RS "CBV(b0)"\n', False),
        ("shared.inl", HOST, True),
        ("shared.h", '#define RS "CBV(b0)"\n', False),
    ],
)
def test_headers_are_of_the_language_that_they_are_written_in(
    name: str, text: str, is_host_code: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_text(text)
    assert run("rootsig", "show", f"{name}:{'Build' if is_host_code else 'RS'}") == 0
    assert ("root SRV" in capsys.readouterr().out) == is_host_code


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        (0.1, 0.10000000149011612, ()),
        (0.1, 0.2, ("s0: mip_lod_bias is 0.2, no longer 0.1",)),
        (float("nan"), float("nan"), ()),
    ],
)
def test_numbers_are_compared_as_they_are_serialized(old: float, new: float, changes: tuple[str, ...]) -> None:
    one, other = (RootSignature(static_samplers=(StaticSampler(0, mip_lod_bias=bias),)) for bias in (old, new))
    assert difference(one, other).shader == changes
