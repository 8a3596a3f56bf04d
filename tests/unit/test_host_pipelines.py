"""Pipelines in C++ host code: their stages, where the bytecode comes from, and what is never guessed."""

from __future__ import annotations

import pytest
from bindlint.facts.host.signatures import HostReader
from bindlint.facts.host.texts import entry_and_profile, literal, options, shader_file
from bindlint.model.device import HostPipeline
from bindlint_grammars.hlsl.source_files import SourceStore

CLASS = """
class App {
    ComPtr<ID3D12Device2> m_device;
    ComPtr<ID3D12RootSignature> m_rs;
    ComPtr<ID3D12PipelineState> m_pso, m_other, m_psos[3];
    ComPtr<ID3DBlob> m_vs, m_ps;
    std::unordered_map<std::string, ComPtr<ID3DBlob>> m_shaders;
    void Init(bool dark);
    void Load();
};
"""
CREATE = "m_device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&m_pso));"
COMPILED = """
ComPtr<ID3DBlob> vs, ps, error;
D3DCompileFromFile(L"a.hlsl", nullptr, nullptr, "VSMain", "vs_5_0", 0, 0, &vs, &error);
D3DCompileFromFile(L"a.hlsl", nullptr, nullptr, "PSMain", "ps_5_0", 0, 0, &ps, nullptr);
"""
A = ["vs a.hlsl:VSMain vs_5_0", "ps a.hlsl:PSMain ps_5_0"]


def pipelines(text: str, **files: str) -> tuple[HostPipeline, ...]:
    overlays = {"main.cpp": text.encode()} | {name.replace("_h", ".h"): body.encode() for name, body in files.items()}
    return HostReader(SourceStore(overlays=overlays)).read("main.cpp", calls=True).pipelines


def made(body: str, more: str = "") -> tuple[HostPipeline, ...]:
    return pipelines(f"{CLASS}{more}\nvoid App::Init(bool dark) {{ {body} }}")


def one(body: str, more: str = "") -> HostPipeline:
    found = made(body, more)
    assert len(found) == 1, found
    return found[0]


def stages(pipeline: HostPipeline) -> list[str]:
    lines = []
    for stage in pipeline.stages:
        entry = f":{stage.entry}" if stage.entry else ""
        defines = "".join(f" {name}={value}" for name, value in stage.defines)
        lines.append(f"{stage.stage} {stage.file}{entry} {stage.profile}{defines}".strip())
    return lines


@pytest.mark.parametrize(
    "desc",
    [
        "D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {}; desc.pRootSignature = m_rs.Get();"
        "desc.VS = CD3DX12_SHADER_BYTECODE(vs.Get()); desc.PS = CD3DX12_SHADER_BYTECODE(ps.Get());"
        "desc.NumRenderTargets = 2;",
        "D3D12_GRAPHICS_PIPELINE_STATE_DESC desc; ZeroMemory(&desc, sizeof(desc)); desc.pRootSignature = m_rs.Get();"
        "desc.VS = { reinterpret_cast<BYTE*>(vs->GetBufferPointer()), vs->GetBufferSize() };"
        "desc.PS.pShaderBytecode = ps->GetBufferPointer(); desc.PS.BytecodeLength = ps->GetBufferSize();"
        "desc.NumRenderTargets = _countof(formats);",
        "D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = { .pRootSignature = m_rs.Get(), .VS = { vs->GetBufferPointer(),"
        "vs->GetBufferSize() }, .PS = CD3DX12_SHADER_BYTECODE(ps.Get()), .NumRenderTargets = 2 };",
        "D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = { m_rs.Get(), { vs->GetBufferPointer(), vs->GetBufferSize() },"
        "CD3DX12_SHADER_BYTECODE(ps.Get()) }; desc.NumRenderTargets = 2;",
    ],
)
def test_a_description_is_read_however_it_is_filled(desc: str) -> None:
    pipeline = one(f"DXGI_FORMAT formats[2]; {COMPILED} {desc} {CREATE}")
    assert stages(pipeline) == A
    assert pipeline.unread == ""
    assert (pipeline.key, pipeline.function, pipeline.bind_point) == ("App::m_pso", "App::Init", "graphics")
    assert pipeline.signature is not None
    assert (pipeline.signature.key, pipeline.signature.text) == ("App::m_rs", "m_rs.Get()")
    assert pipeline.render_targets == 2


def test_one_description_makes_several_pipelines() -> None:
    found = made(
        f"{COMPILED} D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {{}}; desc.VS = CD3DX12_SHADER_BYTECODE(vs.Get());"
        f"desc.PS = CD3DX12_SHADER_BYTECODE(ps.Get()); {CREATE} desc.PS = {{}};"
        "ThrowIfFailed(m_device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&m_psos[1])));"
    )
    assert [(p.key, stages(p)) for p in found] == [("App::m_pso", A), ("App::m_psos[1]", A[:1])]
    assert [p.signature for p in found] == [None, None]


def test_a_compute_pipeline() -> None:
    pipeline = one(
        'ComPtr<ID3DBlob> code; D3DReadFileToBlob(L"Blur.cso", &code);'
        "D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {}; desc.pRootSignature = m_rs.Get();"
        "desc.CS = CD3DX12_SHADER_BYTECODE(code.Get());"
        "m_device->CreateComputePipelineState(&desc, __uuidof(ID3D12PipelineState), (void**)&m_pso);"
    )
    assert (stages(pipeline), pipeline.bind_point, pipeline.key) == (["cs Blur.cso"], "compute", "App::m_pso")
    assert pipeline.render_targets is None


STREAM = "D3D12_PIPELINE_STATE_STREAM_DESC desc = { sizeof(stream), &stream };"
CREATE_STREAM = "m_device->CreatePipelineState(&desc, IID_PPV_ARGS(&m_pso));"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "struct { CD3DX12_PIPELINE_STATE_STREAM_ROOT_SIGNATURE Root; CD3DX12_PIPELINE_STATE_STREAM_VS Vertex;"
            "CD3DX12_PIPELINE_STATE_STREAM_PS Pixel; CD3DX12_PIPELINE_STATE_STREAM_RENDER_TARGET_FORMATS Out; } stream;"
            f"{COMPILED} stream.Root = m_rs.Get(); stream.Vertex = CD3DX12_SHADER_BYTECODE(vs.Get());"
            f"stream.Pixel = CD3DX12_SHADER_BYTECODE(ps.Get()); {STREAM}",
            A,
        ),
        (
            "struct { CD3DX12_PIPELINE_STATE_STREAM_ROOT_SIGNATURE Root; CD3DX12_PIPELINE_STATE_STREAM_VS Vertex;"
            f"CD3DX12_PIPELINE_STATE_STREAM_PS Pixel; }} stream; {COMPILED}"
            "stream.Root = CD3DX12_PIPELINE_STATE_STREAM_ROOT_SIGNATURE(m_rs.Get());"
            "stream.Vertex = CD3DX12_PIPELINE_STATE_STREAM_VS(CD3DX12_SHADER_BYTECODE(vs.Get()));"
            f"stream.Pixel = CD3DX12_PIPELINE_STATE_STREAM_PS(CD3DX12_SHADER_BYTECODE(ps.Get())); {STREAM}",
            A,
        ),
        (
            'auto ms = ReadData(L"m.cso"), as = ReadData(L"as.cso"), ps = ReadData(L"p.cso");'
            "D3DX12_MESH_SHADER_PIPELINE_STATE_DESC d = {}; d.pRootSignature = m_rs.Get(); d.NumRenderTargets = 1;"
            "d.AS = { as.data(), as.size() }; d.MS = { ms.data(), ms.size() }; d.PS = { ps.data(), ps.size() };"
            f"auto stream = CD3DX12_PIPELINE_MESH_STATE_STREAM(d); {STREAM}",
            ["as as.cso", "ms m.cso", "ps p.cso"],
        ),
    ],
)
def test_streams_of_subobjects(body: str, expected: list[str]) -> None:
    pipeline = one(body + CREATE_STREAM)
    assert stages(pipeline) == expected
    assert pipeline.signature is not None
    assert (pipeline.signature.key, pipeline.unread) == ("App::m_rs", "")


def test_a_stream_of_a_compute_shader() -> None:
    pipeline = one(
        "struct Stream { CD3DX12_PIPELINE_STATE_STREAM_ROOT_SIGNATURE pRootSignature;"
        'CD3DX12_PIPELINE_STATE_STREAM_CS CS; } stream; auto cs = Load(L"c.cso");'
        f"stream.CS = CD3DX12_SHADER_BYTECODE(cs->GetBufferPointer(), cs->GetBufferSize()); {STREAM} {CREATE_STREAM}"
    )
    assert (stages(pipeline), pipeline.bind_point) == (["cs c.cso"], "compute")


DESC = "D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {}; "
VS = "desc.VS = CD3DX12_SHADER_BYTECODE(vs.Get());" + CREATE
DXC = (
    'ComPtr<IDxcBlobEncoding> text; library->CreateBlobFromFile(L"s.hlsl", nullptr, &text); ComPtr<IDxcResult> result;'
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('auto vs = CompileShader(L"Shaders\\\\a.hlsl", nullptr, "VS", "vs_5_1");', "vs Shaders\\a.hlsl:VS vs_5_1"),
        ('ComPtr<ID3DBlob> vs = Load(GetAssetFullPath(L"a.hlsl").c_str(), L"Main");', "vs a.hlsl:Main"),
        (
            'std::wstring path = m_path + L"a.hlsl"; ComPtr<ID3DBlob> vs;'
            'D3DCompileFromFile(path.c_str(), nullptr, nullptr, "Main", "vs_5_0", 0, 0, &vs, nullptr);',
            "vs a.hlsl:Main vs_5_0",
        ),
        (
            'D3D_SHADER_MACRO defines[] = { {"FOG", "1"}, {"TAPS", "4"}, {nullptr, nullptr} }; ComPtr<ID3DBlob> vs;'
            'D3DCompileFromFile(L"a.hlsl", defines, nullptr, "Main", "vs_5_0", 0, 0, vs.GetAddressOf(), nullptr);',
            "vs a.hlsl:Main vs_5_0 FOG=1 TAPS=4",
        ),
        (
            'LPCWSTR cDefines[] = { L"-D LIT", L"-D TAPS=3", L"-enable-16bit-types" }; ComPtr<IDxcBlob> vs;'
            'CompileFile(L"a.hlsl", L"Main", L"vs_6_2", cDefines, 3, nullptr, 0, &vs);',
            "vs a.hlsl:Main vs_6_2 LIT=1 TAPS=3",
        ),
        ('D3D12_SHADER_BYTECODE vs = {}; Compile("a.hlsl", "main", "-T vs_6_0", &vs);', "vs a.hlsl:main vs_6_0"),
        (
            DXC + "DxcBuffer source = { text->GetBufferPointer(), text->GetBufferSize(), 0 }; ComPtr<IDxcBlob> vs;"
            'LPCWSTR arguments[] = { L"-E", L"Main", L"-T", L"vs_6_0", L"-D", L"N=2" };'
            "compiler->Compile(&source, arguments, _countof(arguments), nullptr, IID_PPV_ARGS(&result));"
            "result->GetOutput(DXC_OUT_OBJECT, IID_PPV_ARGS(&vs), nullptr);",
            "vs s.hlsl:Main vs_6_0 N=2",
        ),
        (
            DXC
            + 'compiler->Compile(text.Get(), L"s.hlsl", L"Main", L"vs_6_0", nullptr, 0, nullptr, 0, nullptr, &result);'
            "ComPtr<IDxcBlob> vs; result->GetResult(&vs);",
            "vs s.hlsl:Main vs_6_0",
        ),
        (
            'ShaderInfo info; info.file = path("x") / "shaders" / "a.hlsl"; info.entry = "Main"; info.model = "vs_6_0";'
            "auto vs = CompileDxc(info);",
            "vs a.hlsl:Main vs_6_0",
        ),
    ],
)
def test_where_bytecode_comes_from(body: str, expected: str) -> None:
    pipeline = one(f"{DESC}{body} {VS.replace('.Get()', '') if 'BYTECODE vs' in body else VS}")
    assert stages(pipeline) == [expected]
    assert pipeline.unread == ""


def test_a_helper_that_reads_files_is_followed() -> None:
    helper = """
    HRESULT ReadFile(LPCWSTR name, byte** data, UINT* size) { *data = (byte*)malloc(7); *size = 7; return S_OK; }
    """
    body = f'{DESC} byte* p; UINT n; ThrowIfFailed(ReadFile(L"v.cso", &p, &n)); desc.VS = {{ p, n }}; {CREATE}'
    assert stages(one(body, helper)) == ["vs v.cso"]


def test_members_that_another_function_fills() -> None:
    load = """
    void App::Load() {
        m_vs = Compile(L"a.hlsl", "VS", "vs_5_1"); D3DReadFileToBlob(L"p.cso", &m_ps);
        m_shaders["lit"] = Compile(L"lit.hlsl", "GS", "gs_5_1");
    }
    """
    body = (
        f"{DESC} desc.VS = CD3DX12_SHADER_BYTECODE(m_vs.Get());"
        "desc.PS = { m_ps->GetBufferPointer(), m_ps->GetBufferSize() };"
        f'desc.GS = {{ m_shaders["lit"]->GetBufferPointer(), m_shaders["lit"]->GetBufferSize() }}; {CREATE}'
    )
    assert stages(one(body, load)) == ["vs a.hlsl:VS vs_5_1", "gs lit.hlsl:GS gs_5_1", "ps p.cso"]
    again = load + 'void Other(App* app) {} void App::Again() { m_vs = Compile(L"b.hlsl", "VS", "vs_5_1"); }'
    pipeline = one(body, again)
    assert stages(pipeline) == ["gs lit.hlsl:GS gs_5_1", "ps p.cso"]
    assert "`m_vs` gets several shaders" in pipeline.unread


def test_arrays_of_compiled_headers() -> None:
    text = f"""#include "CompiledShaders/FooVS.h"
    {CLASS} void App::Init(bool dark) {{
        {DESC} desc.VS = CD3DX12_SHADER_BYTECODE(g_pFooVS, sizeof(g_pFooVS));
        desc.PS = {{ g_pFooPS, sizeof(g_pFooPS) }}; {CREATE} }}
    """
    (pipeline,) = pipelines(text)
    assert stages(pipeline) == ["vs FooVS.h"]
    assert "`g_pFooPS` is set elsewhere" in pipeline.unread


MINIENGINE = """
#include "CompiledShaders/LitVS.h"
#include "CompiledShaders/LitPS.h"
#include "CompiledShaders/SortCS.h"
RootSignature s_RootSig; GraphicsPSO s_Lit; GraphicsPSO s_Depth(L"depth"); ComputePSO s_Sort;
void Initialize() {
    s_Lit.SetRootSignature(s_RootSig); s_Lit.SetRasterizerState(RasterizerDefault);
    s_Lit.SetVertexShader(g_pLitVS, sizeof(g_pLitVS)); s_Lit.SetPixelShader(g_pLitPS, sizeof(g_pLitPS));
    s_Lit.SetRenderTargetFormats(2, formats, DXGI_FORMAT_D32_FLOAT); s_Lit.Finalize();
    s_Depth = s_Lit; s_Depth.SetPixelShader(nullptr, 0); s_Depth.SetDepthTargetFormat(DXGI_FORMAT_D32_FLOAT);
    s_Depth.Finalize();
    s_Sort.SetRootSignature(s_RootSig); s_Sort.SetComputeShader(g_pSortCS, sizeof(g_pSortCS)); s_Sort.Finalize();
}
"""


def test_pipelines_of_miniengine() -> None:
    found = pipelines(MINIENGINE)
    assert [(p.key, stages(p), p.render_targets, p.unread) for p in found] == [
        ("s_Lit", ["vs LitVS.h", "ps LitPS.h"], 2, ""),
        ("s_Depth", ["vs LitVS.h"], 0, ""),
        ("s_Sort", ["cs SortCS.h"], None, ""),
    ]
    assert {p.signature.key for p in found if p.signature is not None} == {"s_RootSig"}
    assert found[2].bind_point == "compute"


def test_a_helper_is_read_from_where_it_is_called() -> None:
    text = f"""{CLASS}
    void App::Make(const wchar_t* file, ID3D12PipelineState** pso) {{
        ComPtr<ID3DBlob> vs; D3DCompileFromFile(file, nullptr, nullptr, "Main", "vs_5_0", 0, 0, &vs, nullptr);
        {DESC} desc.VS = CD3DX12_SHADER_BYTECODE(vs.Get());
        m_device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(pso)); }}
    void App::Init(bool dark) {{ Make(L"a.hlsl", &m_pso); Make(L"b.hlsl", m_other.GetAddressOf()); }}
    """
    assert [(p.key, stages(p)) for p in pipelines(text)] == [
        ("App::m_pso", ["vs a.hlsl:Main vs_5_0"]),
        ("App::m_other", ["vs b.hlsl:Main vs_5_0"]),
    ]


@pytest.mark.parametrize(
    ("body", "found", "why"),
    [
        (f'{DESC} auto vs = Load(name + L".cso"); {VS}', [], "`vs` is set elsewhere"),
        (f'{DESC} auto vs = dark ? Load(L"a.cso") : Load(L"b.cso"); {VS}', [], "depends on the condition `dark`"),
        (f'{DESC} ComPtr<ID3DBlob> vs; Load(L"a.cso", L"b.cso", &vs); {VS}', [], "is not known"),
        (
            f'{DESC} ComPtr<ID3DBlob> vs; D3DCompileFromFile(L"a.hlsl", 0, 0, entry, "vs_5_0", 0, 0, &vs, 0);{VS}',
            ["vs a.hlsl vs_5_0"],
            "the entry of the VS stage is not known: `entry` is not declared here",
        ),
        (
            f'{DESC} ComPtr<ID3DBlob> vs; D3DCompileFromFile(L"a.hlsl", macros, 0, "E", "vs_5_0", 0, 0, &vs, 0); {VS}',
            ["vs a.hlsl:E vs_5_0"],
            "the defines of the VS stage are not known: they are not constant",
        ),
        (f"{DESC} Fill(&desc); {CREATE}", [], "`Fill` may change it"),
    ],
)
def test_what_is_not_known_is_not_guessed(body: str, found: list[str], why: str) -> None:
    pipeline = one(body)
    assert stages(pipeline) == found
    assert why in pipeline.unread


def test_a_description_of_which_only_some_is_known_may_have_a_signature() -> None:
    text = f"""{CLASS}
    void App::Make(const PipelineDesc& given) {{
        D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = given.Description; auto vs = Load(L"a.cso"); {VS} }}
    """
    (pipeline,) = pipelines(text)
    assert stages(pipeline) == ["vs a.cso"]
    assert pipeline.signature is not None
    assert "the rest of the description is not known" in pipeline.unread


def test_calls_of_another_interface_are_none() -> None:
    assert made("PipelineDesc desc; engine->CreateGraphicsPipelineState(desc, &m_pso);") == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('L"a.hlsl"', "a.hlsl"),
        ('"a" L"b"', "ab"),
        (r'"a\\b\"c"', 'a\\b"c'),
        ('LR"x(a\\b)x"', "a\\b"),
        ('"a" NAME "b"', None),
        (7, None),
    ],
)
def test_the_text_of_a_literal(value: str | int, text: str | None) -> None:
    assert literal(value) == text


@pytest.mark.parametrize(
    ("texts", "entry", "profile"),
    [
        (["a.hlsl", "VS", "vs_5_0"], "VS", "vs_5_0"),
        (["a.hlsl", "cs_6_6", "Main"], "Main", "cs_6_6"),
        (["a.hlsl", "Main", "ps_6_0", "Name"], "Main", "ps_6_0"),
        (["a.hlsl", "One", "Two"], "", ""),
        (["a.hlsl", "-T ps_6_0 -E Main"], "Main", "ps_6_0"),
        (["a.hlsl", "vs_5_0", "ps_5_0"], "", ""),
    ],
)
def test_entry_and_profile_among_texts(texts: list[str], entry: str, profile: str) -> None:
    assert entry_and_profile(texts) == (entry, profile)


def test_options_and_files() -> None:
    assert options(["-Emain", "/T", "lib_6_3", "-DA", "-D", "B=2", "-Zi"]) == (
        "main",
        "lib_6_3",
        (("A", "1"), ("B", "2")),
    )
    assert [shader_file(f'L"{name}"') for name in ("a.HLSL", "x/y.ps.cso", "a.png")] == ["a.HLSL", "x/y.ps.cso", ""]
