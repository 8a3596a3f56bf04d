"""Shaders against a root signature that C++ builds: where they disagree, both places are shown."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.cli import main
from bindlint.engine import Engine
from bindlint.plugins import load_rules

RULES = load_rules()

HERE = "// here"
"""Ends each of the two lines that disagree."""


def parameter(call: str) -> str:
    """A root signature of one parameter that is no table, which is marked."""
    return f"""
    CD3DX12_ROOT_PARAMETER1 parameter;
    parameter.{call}; {HERE}
    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC desc;
    desc.Init_1_1(1, &parameter);"""


def flags(name: str) -> str:
    """A root signature with t0, in which the flags are marked."""
    return f"""
    CD3DX12_ROOT_PARAMETER1 parameter;
    parameter.InitAsShaderResourceView(0);
    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC desc;
    desc.Init_1_1(1, &parameter, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_{name}); {HERE}"""


def table(init: str, visibility: str = "ALL") -> str:
    """A root signature of one table of one range, which is marked."""
    return f"""
    D3D12_DESCRIPTOR_RANGE1 range = {{ D3D12_DESCRIPTOR_RANGE_TYPE_{init} }}; {HERE}
    D3D12_ROOT_PARAMETER1 parameters[1] = {{}};
    parameters[0].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
    parameters[0].DescriptorTable = {{ 1, &range }};
    parameters[0].ShaderVisibility = D3D12_SHADER_VISIBILITY_{visibility};
    D3D12_ROOT_SIGNATURE_DESC1 desc = {{ _countof(parameters), parameters, 0, nullptr }};"""


def sampler(arguments: str) -> str:
    """A root signature of a static sampler, which is marked, and t0 in a table."""
    return f"""
    CD3DX12_DESCRIPTOR_RANGE1 range(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0);
    CD3DX12_ROOT_PARAMETER1 parameter;
    parameter.InitAsDescriptorTable(1, &range);
    CD3DX12_STATIC_SAMPLER_DESC sampler({arguments}); {HERE}
    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC desc;
    desc.Init_1_1(1, &parameter, 1, &sampler);"""


def pixel(declarations: str, result: str, inputs: str = "") -> str:
    return f"{declarations}\nfloat4 main({inputs}) : SV_Target {{ return {result}; }}\n"


CASES = [
    (
        "BL301",
        "ps_6_0",
        pixel("Texture2D<float4> Albedo : register(t0, space1); // here", "Albedo.Load(0)"),
        table("SRV, 1, 0, 0"),
        "`Albedo` needs t0, space1 in the pixel shader; the root signature has t0 only in space0 (parameter 0, range",
    ),
    (
        "BL301",
        "ps_6_0",
        pixel("ByteAddressBuffer Words : register(t0); // here", "Words.Load(0)"),
        "\n    CD3DX12_ROOT_SIGNATURE_DESC desc(0, nullptr); // here",
        "the root signature shows it no `t` register in space0",
    ),
    (
        "BL302",
        "ps_6_0",
        pixel("Texture2D<float4> Maps[6] : register(t0); // here", "Maps[1].Load(0)"),
        table("SRV, 4, 0, 0"),
        "`Maps` needs t0-t5 in the pixel shader; the root signature covers only t0-t3 (parameter 0, range 0)",
    ),
    (
        "BL303",
        "ps_6_0",
        pixel("Texture2D<float4> Albedo : register(t2); // here", "Albedo.Load(0)"),
        parameter("InitAsShaderResourceView(2)"),
        "`Albedo` is typed (Texture2D), but t2 is a root SRV (parameter 0)",
    ),
    (
        "BL304",
        "ps_6_0",
        pixel("Texture2D<float4> Albedo : register(t0); // here", "Albedo.Load(0)"),
        table("SRV, 1, 0, 0", visibility="VERTEX"),
        "the root signature shows it to VERTEX (parameter 0, range 0) only",
    ),
    (
        "BL305",
        "ps_6_0",
        pixel("ByteAddressBuffer Words : register(t0); // here", "Words.Load(0)"),
        flags("DENY_PIXEL_SHADER_ROOT_ACCESS"),
        "`Words` (t0) cannot reach the pixel shader: the root signature has DENY_PIXEL_SHADER_ROOT_ACCESS",
    ),
    (
        "BL306",
        "ps_6_0",
        pixel("StructuredBuffer<float4> Rows[] : register(t0); // here", "Rows[i][0]", "uint i : INDEX"),
        parameter("InitAsShaderResourceView(0)"),
        "`Rows` is an unbounded array, but t0 (parameter 0) is a root descriptor",
    ),
    (
        "BL307",
        "ps_6_0",
        pixel("cbuffer Frame : register(b1) // here\n{\n    float4 a;\n    float2 b;\n};", "a + b.x"),
        parameter("InitAsConstants(4, 1)"),
        "`Frame` is 6 DWORDs large, but the root signature passes 4 (parameter 0); `b` lies out of range",
    ),
    (
        "BL308",
        "ps_6_0",
        pixel("cbuffer Weights : register(b0)\n{\n    float4 w[4]; // here\n};", "w[i]", "uint i : INDEX"),
        parameter("InitAsConstants(16, 0)"),
        "`w` of `Weights` is indexed by no constant, but b0 is root constants (parameter 0)",
    ),
    (
        "BL309",
        "ps_6_6",
        "float4 main(uint i : INDEX) : SV_Target // here\n"
        "{ Texture2D<float4> albedo = ResourceDescriptorHeap[i]; return albedo.Load(0); }\n",
        flags("NONE"),
        "the root signature has no CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED",
    ),
    (
        "BL310",
        "ps_6_0",
        pixel(
            "Texture2D<float> Depth : register(t0);\nSamplerComparisonState Shadow : register(s0); // here",
            "Depth.SampleCmp(Shadow, 0.5, 0.5)",
        ),
        sampler("0, D3D12_FILTER_MIN_MAG_MIP_LINEAR"),
        "`Shadow` is a SamplerComparisonState, but s0 (static sampler 0) has no comparison filter",
    ),
    (
        "BL311",
        "vs_6_0",
        "float4 main(float3 at : POSITION) : SV_Position { return float4(at, 1); } // here\n",
        flags("NONE"),
        "`main` has vertex inputs, but the root signature has no ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT",
    ),
    (
        "BL312",
        "ps_6_0",
        pixel("Texture2D<float4> Maps[] : register(t2); // here", "Maps[i].Load(0)", "uint i : INDEX"),
        table("SRV, 8, 0, 0"),
        "`Maps` is an unbounded array, but its range t0-t7 (parameter 0, range 0) ends",
    ),
    (
        "BL314",
        "ps_6_0",
        "float4 main() : SV_Target { return 0; } // here\n",
        sampler(
            "0, D3D12_FILTER_ANISOTROPIC, D3D12_TEXTURE_ADDRESS_MODE_BORDER, D3D12_TEXTURE_ADDRESS_MODE_BORDER, "
            "D3D12_TEXTURE_ADDRESS_MODE_BORDER, 0, 16, D3D12_COMPARISON_FUNC_LESS_EQUAL, "
            "D3D12_STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT"
        ),
        "static sampler s0 has an integer border color",
    ),
]


def marked(path: Path) -> tuple[str, int]:
    return str(path), next(i for i, line in enumerate(path.read_text().splitlines(), 1) if HERE in line)


def write(folder: Path, shader: str, host: str) -> tuple[Path, Path]:
    (folder / "shader.hlsl").write_text(shader)
    (folder / "host.cpp").write_text(
        f'#include "d3dx12.h"\n\nvoid Renderer::Make()\n{{{host}\n    Serialize(&desc);\n}}\n'
    )
    return folder / "shader.hlsl", folder / "host.cpp"


@pytest.mark.parametrize(("code", "profile", "shader", "host", "message"), CASES, ids=[case[0] for case in CASES])
def test_both_places(code: str, profile: str, shader: str, host: str, message: str, tmp_path: Path) -> None:
    hlsl, cpp = write(tmp_path, shader, host)
    compilation = msgspec.structs.replace(
        parse_arguments(["-T", profile, "-E", "main"]).shader, file=str(hlsl), root_signature=f"{cpp}:Renderer::Make"
    )
    analyser = Analyser()
    report = Engine(RULES, source=analyser.source).check(analyser.analyse(compilation))
    assert [finding.code for finding in report.findings] == [code]
    violation = report.findings[0].violation
    assert message in violation.message
    places = {(span.file, span.line) for span in (violation.span, *(note.span for note in violation.related))}
    assert {marked(hlsl), marked(cpp)} <= places


def test_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, *CASES[0][2:4])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["check", "--rootsig", "host.cpp:Make", "-T", "ps_6_0", "shader.hlsl"])
    shown = capsys.readouterr().out
    assert ended.value.code == 1
    assert "--> shader.hlsl:1:28" in shown and "--> host.cpp:5:39" in shown
    assert "D3D12_DESCRIPTOR_RANGE1 range = {" in shown
