"""Situations that users meet with whole pipelines and state objects; each like those of `cases.situations`."""

from __future__ import annotations

from cases.situations import COMPUTE, LIBRARY, Situation

VERTEX = "float4 main(uint id : SV_VertexID) : SV_Position { return %s; }\n"
PIXEL_BODY = "float4 main() : SV_Target { return %s; }\n"

HOST = """\
#include <d3d12.h>
void Scene::Load()
{
    ComPtr<ID3DBlob> blob, error, vs, ps, cs, code;
%s}
"""
MADE = """\
    D3D12SerializeRootSignature(&layout, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error);
    m_device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&m_signature));
"""
SIGNATURE = """\
    CD3DX12_ROOT_PARAMETER parameters[%d];
%s    CD3DX12_ROOT_SIGNATURE_DESC layout(%d, parameters, 0, nullptr, %s);
"""
DRAWN = """\
    D3DCompileFromFile(L"vertex.hlsl", nullptr, nullptr, "main", "vs_5_1", 0, 0, &vs, nullptr);
    D3DCompileFromFile(L"shader.hlsl", nullptr, nullptr, "main", "ps_5_1", 0, 0, &ps, nullptr);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {};
    desc.pRootSignature = m_signature.Get();
    desc.VS = { vs->GetBufferPointer(), vs->GetBufferSize() };
    desc.PS = { ps->GetBufferPointer(), ps->GetBufferSize() };
    m_device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&m_pipeline));
"""
COMPUTED = """\
    D3DCompileFromFile(L"shader.hlsl", nullptr, nullptr, "main", "cs_5_1", 0, 0, &cs, nullptr);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {};
    desc.pRootSignature = m_signature.Get();
    desc.CS = CD3DX12_SHADER_BYTECODE(cs.Get());
    m_device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&m_pipeline));
"""
RAYS = """\
    D3DReadFileToBlob(L"shader.cso", &code);
    CD3DX12_STATE_OBJECT_DESC desc(D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE);
    auto library = desc.CreateSubobject<CD3DX12_DXIL_LIBRARY_SUBOBJECT>();
    D3D12_SHADER_BYTECODE bytecode = CD3DX12_SHADER_BYTECODE(code.Get());
    library->SetDXILLibrary(&bytecode);
    auto group = desc.CreateSubobject<CD3DX12_HIT_GROUP_SUBOBJECT>();
    group->SetClosestHitShaderImport(L"%s");
    group->SetHitGroupExport(L"Walls");
    auto local = desc.CreateSubobject<CD3DX12_LOCAL_ROOT_SIGNATURE_SUBOBJECT>();
    local->SetRootSignature(m_signature.Get());
    m_device->CreateStateObject(desc, IID_PPV_ARGS(&m_rays));
"""


def signature(*parameters: str, flags: str = "D3D12_ROOT_SIGNATURE_FLAG_NONE") -> str:
    lines = "".join(f"    parameters[{i}].{each};\n" for i, each in enumerate(parameters))
    return SIGNATURE % (len(parameters), lines, len(parameters), flags) + MADE


def host(*parts: str) -> tuple[str, str]:
    return "host.cpp", HOST % "".join(parts)


def pipelines(*described: str) -> str:
    """A configuration: each pipeline a root signature, a bar, and its stages as `file:profile`."""
    text = ""
    for number, each in enumerate(described):
        signature, _, stages = each.partition("|")
        given = f'root-signature = "{signature.strip()}"\n' if signature.strip() else ""
        files = ", ".join(
            f'{{ file = "{file}", profile = "{profile}" }}'
            for file, _, profile in (stage.partition(":") for stage in stages.split())
        )
        text += f'[[pipeline]]\nname = "P{number}"\n{given}stages = [{files}]\n'
    return text


LOCAL = "D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE"
BOTH = "vertex.hlsl:vs_6_0 shader.hlsl:ps_6_0"
HIT = '[shader("closesthit")] void %s(inout Hit hit, BuiltInTriangleIntersectionAttributes at) { hit.color = %s; }\n'
SCENE = "RaytracingAccelerationStructure s : register(t0);\n"
QUERY = (
    "RWBuffer<float> o : register(u0);\n[numthreads(8, 1, 1)] void main() { RayQuery<RAY_FLAG_NONE> q; "
    "RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; q.TraceRayInline(s, 0, 255, r); q.Proceed(); "
    "o[0] = q.CommittedRayT(); }\n"
)
COPY = "RWBuffer<float> o : register(u0);\n[numthreads(8, 1, 1)] void main() { o[0] = s.Load(0); }\n"
SAMPLERS = (
    '#define S1(n) "StaticSampler(s" #n ", maxLOD = " #n "),"\n'
    + "".join(f"#define S{ten}0(n) {' '.join(f'S{ten}(n##{digit})' for digit in range(10))}\n" for ten in (1, 10, 100))
    + "[RootSignature(%s)] [numthreads(8, 1, 1)] void main() { }\n"
)

CASES: tuple[Situation, ...] = (
    Situation(
        9,
        "a root signature without parameters, and a vertex shader that reads constants",
        PIXEL_BODY % "1",
        "BL301 error | `Frame` needs b0 in the vertex shader | pipeline `m_pipeline`: `vertex.hlsl:main` | "
        "vertex.hlsl:1 | host.cpp:5 | its root signature is",
        others=(
            ("vertex.hlsl", "cbuffer Frame : register(b0) { float4 a; };\n" + VERTEX % "a"),
            host("    CD3DX12_ROOT_SIGNATURE_DESC layout(0, nullptr);\n", MADE + DRAWN),
        ),
    ),
    Situation(
        9,
        "a parameter for another stage, where the host line is the place to look at",
        "cbuffer Frame : register(b0) { float4 a; };\n" + PIXEL_BODY % "a",
        "BL304 error | `Frame` needs b0 in the pixel shader | VERTEX (parameter 0) only | pipeline `m_pipeline` | "
        "host.cpp:6",
        others=(
            ("vertex.hlsl", VERTEX % "id"),
            host(
                signature("InitAsConstantBufferView(0, 0, D3D12_SHADER_VISIBILITY_VERTEX)"),
                DRAWN,
            ),
        ),
    ),
    Situation(
        9,
        "a root signature that has what both read",
        "cbuffer Frame : register(b0) { float4 a; };\n" + PIXEL_BODY % "a",
        "",
        others=(
            ("vertex.hlsl", "cbuffer Frame : register(b0) { float4 a; };\n" + VERTEX % "a"),
            host(signature("InitAsConstantBufferView(0)"), DRAWN),
        ),
    ),
    Situation(
        13,
        "a table for all stages that the pixel shader alone reads",
        "Texture2D a : register(t0), b : register(t1);\n" + PIXEL_BODY % "a.Load(0) + b.Load(0)",
        "BL504 info | only PIXEL reaches t0-t1 of parameter 0 | SHADER_VISIBILITY_PIXEL",
        configuration=pipelines(f"DescriptorTable(SRV(t0, numDescriptors = 2)) | {BOTH}"),
        others=(("vertex.hlsl", VERTEX % "id"),),
    ),
    Situation(
        13,
        "root constants of C++ for all stages that the vertex shader alone reads",
        PIXEL_BODY % "1",
        "BL504 info | only VERTEX reaches b3 of parameter 0 | pipeline `m_pipeline` | host.cpp:6",
        others=(
            ("vertex.hlsl", "cbuffer Frame : register(b3) { float4 a; };\n" + VERTEX % "a"),
            host(signature("InitAsConstants(4, 3)"), DRAWN),
        ),
    ),
    Situation(
        13,
        "a table that a second pipeline reads in its vertex shader",
        "Texture2D a : register(t0);\n" + PIXEL_BODY % "a.Load(0)",
        "",
        configuration=pipelines(
            f"DescriptorTable(SRV(t0)) | {BOTH}", "DescriptorTable(SRV(t0)) | moved.hlsl:vs_6_0 shader.hlsl:ps_6_0"
        ),
        others=(
            ("vertex.hlsl", VERTEX % "id"),
            ("moved.hlsl", "Texture2D a : register(t0);\n" + VERTEX % "a.Load(0)"),
        ),
    ),
    Situation(
        14,
        "a flag against mesh shaders where there are none",
        "cbuffer Frame : register(b0) { float4 a; };\n" + PIXEL_BODY % "a",
        "BL507 info | DENY_MESH_SHADER_ROOT_ACCESS | needs a runtime | no mesh shader uses this root signature | "
        "pipeline `m_pipeline`",
        others=(
            ("vertex.hlsl", "cbuffer Frame : register(b0) { float4 a; };\n" + VERTEX % "a"),
            host(
                signature(
                    "InitAsConstantBufferView(0)", flags="D3D12_ROOT_SIGNATURE_FLAG_DENY_MESH_SHADER_ROOT_ACCESS"
                ),
                DRAWN,
            ),
        ),
    ),
    Situation(
        34,
        "constant buffers of two stages that the compiler puts on one register",
        "cbuffer B { float4 tint; };\n" + PIXEL_BODY % "tint",
        "BL501 warning | b0 means `A` in the vertex shader and `B` in the pixel shader | with visibility ALL one CBV "
        "feeds both | shader.hlsl:1 | vertex.hlsl:1",
        configuration=pipelines(f"CBV(b0) | {BOTH}"),
        others=(("vertex.hlsl", "cbuffer A { float4x4 m; };\n" + VERTEX % "m[0]"),),
    ),
    Situation(
        34,
        "textures of other kinds in a table of C++",
        "TextureCube sky : register(t2);\n"
        "float4 main() : SV_Target { uint w, h; sky.GetDimensions(w, h); return w; }\n",
        "BL501 warning | t2 means `heights` in the vertex shader and `sky` in the pixel shader | Texture2D | "
        "TextureCube | one SRV feeds both | host.cpp",
        others=(
            ("vertex.hlsl", "Texture2D heights : register(t2);\n" + VERTEX % "heights.Load(0)"),
            host(
                "    CD3DX12_DESCRIPTOR_RANGE range;\n    range.Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 2);\n",
                signature("InitAsDescriptorTable(1, &range)"),
                DRAWN,
            ),
        ),
    ),
    Situation(
        34,
        "constant buffers with parameters of their own",
        "cbuffer B { float4 tint; };\n" + PIXEL_BODY % "tint",
        "",
        configuration=pipelines(
            "CBV(b0, visibility = SHADER_VISIBILITY_VERTEX), CBV(b0, visibility = SHADER_VISIBILITY_PIXEL) | " + BOTH
        ),
        others=(("vertex.hlsl", "cbuffer A { float4x4 m; };\n" + VERTEX % "m[0]"),),
    ),
    Situation(
        35,
        "a constant buffer without a register on one that has it",
        "cbuffer Fog : register(b0) { float4 fog; };\n" + PIXEL_BODY % "fog",
        "BL501 warning | b0 means `Auto` in the vertex shader and `Fog` in the pixel shader | `Auto`, give it one",
        configuration=pipelines(f"CBV(b0) | {BOTH}"),
        others=(("vertex.hlsl", "cbuffer Auto { int base; };\n" + VERTEX % "id + base"),),
    ),
    Situation(
        35,
        "one header, of which the stages use different parts",
        '#include "frame.hlsli"\n' + PIXEL_BODY % "b",
        "BL502 warning | `B` is b1 in the vertex shader and b0 in the pixel shader | give it a register | "
        "frame.hlsli:2\nBL129 `B`\nBL504 b1",
        configuration=pipelines(f"CBV(b0), CBV(b1) | {BOTH}"),
        others=(
            ("vertex.hlsl", '#include "frame.hlsli"\n' + VERTEX % "a + b"),
            ("frame.hlsli", "cbuffer A { float4 a; };\ncbuffer B { float4 b; };\n"),
        ),
    ),
    Situation(
        37,
        "an acceleration structure for one compute shader, a buffer for another",
        SCENE + QUERY,
        "BL503 warning | t0 | acceleration structure `s` in `shader.hlsl:main` | ByteAddressBuffer `s` in "
        "`copy.hlsl:main`",
        "-T cs_6_5 -E main",
        pipelines(
            "SRV(t0), DescriptorTable(UAV(u0)) | shader.hlsl:cs_6_5",
            "SRV(t0), DescriptorTable(UAV(u0)) | copy.hlsl:cs_6_5",
        ),
        others=(("copy.hlsl", "ByteAddressBuffer s : register(t0);\n" + COPY),),
    ),
    Situation(
        37,
        "an acceleration structure in both",
        SCENE + QUERY,
        "",
        "-T cs_6_5 -E main",
        pipelines(
            "SRV(t0), DescriptorTable(UAV(u0)) | shader.hlsl:cs_6_5",
            "SRV(t0), DescriptorTable(UAV(u0)) | again.hlsl:cs_6_5",
        ),
        others=(("again.hlsl", SCENE + QUERY),),
    ),
    Situation(
        38,
        "a compute pipeline with the root signature of a graphics pipeline",
        "RWByteAddressBuffer o : register(u0);\n[numthreads(8, 1, 1)] void main() { o.Store(0, 1); }\n",
        "BL508 info | compute pipeline `m_pipeline` | parameter 0 (SRV t0) to PIXEL | a compute shader sees what is "
        "visible to ALL only\nBL505 info | parameter 0 (SRV t0) is used by no shader",
        COMPUTE,
        others=(
            host(
                signature(
                    "InitAsShaderResourceView(0, 0, D3D12_SHADER_VISIBILITY_PIXEL)", "InitAsUnorderedAccessView(0)"
                ),
                COMPUTED,
            ),
        ),
    ),
    Situation(
        38,
        "a compute shader that needs what pixel shaders alone see",
        "ByteAddressBuffer a : register(t0);\nRWByteAddressBuffer o : register(u0);\n"
        "[numthreads(8, 1, 1)] void main() { o.Store(0, a.Load(0)); }\n",
        "BL304 error | `a` needs t0 in the compute shader | PIXEL (parameter 0) only | pipeline `m_pipeline`",
        COMPUTE,
        others=(
            host(
                signature(
                    "InitAsShaderResourceView(0, 0, D3D12_SHADER_VISIBILITY_PIXEL)", "InitAsUnorderedAccessView(0)"
                ),
                COMPUTED,
            ),
        ),
    ),
    Situation(
        53,
        "one of two hit shaders is left out of the association",
        'LocalRootSignature L = { "CBV(b0, space = 2)" };\nSubobjectToExportsAssociation X = { "L", "HitA" };\n'
        "struct Hit { float4 color; };\ncbuffer C : register(b0, space2) { float4 c; };\n"
        + HIT % ("HitA", "c")
        + HIT % ("HitB", "c + 1"),
        "BL522 warning | `HitB` has no local root signature covering b0, space2 (`C`) | `L` has it, which is "
        "associated with `HitA` | shader.hlsl:2",
        LIBRARY,
    ),
    Situation(
        53,
        "one register in the local and in the global root signature",
        'GlobalRootSignature G = { "CBV(b0)" };\nLocalRootSignature L = { "CBV(b1), CBV(b0)" };\n'
        "struct Hit { float4 color; };\n" + HIT % ("HitA", "1"),
        "BL521 error | `HitA` gets b0 twice | `L` (parameter 1) | `G` (parameter 0) | shader.hlsl:1 | shader.hlsl:2",
        LIBRARY,
    ),
    Situation(
        53,
        "both hit shaders by their hit groups",
        'LocalRootSignature L = { "CBV(b0, space = 2)" };\nSubobjectToExportsAssociation X = { "L", "A;B" };\n'
        'TriangleHitGroup A = { "", "HitA" };\nTriangleHitGroup B = { "", "HitB" };\n'
        "struct Hit { float4 color; };\ncbuffer C : register(b0, space2) { float4 c; };\n"
        + HIT % ("HitA", "c")
        + HIT % ("HitB", "c + 1"),
        "",
        LIBRARY,
    ),
    Situation(
        54,
        "a hit group whose shader reads what its local root signature lacks",
        "struct Hit { float4 color; };\ncbuffer C : register(b1) { float4 c; };\n" + HIT % ("ChsMain", "c"),
        "BL532 error | `ChsMain` uses `C` at b1 | its local `m_signature.Get()` lacks it | host.cpp | shader.hlsl:2",
        LIBRARY,
        others=(host(signature("InitAsConstantBufferView(0)", flags=LOCAL), RAYS % "ChsMain"),),
    ),
    Situation(
        54,
        "a hit group with a misspelt import",
        "struct Hit { float4 color; };\ncbuffer C : register(b0) { float4 c; };\n" + HIT % ("ChsMain", "c"),
        "BL535 error | hit group `Walls` names `CsMain`, which no library of the state object exports | did you mean "
        "`ChsMain`? | host.cpp",
        LIBRARY,
        others=(host(signature("InitAsConstantBufferView(0)", flags=LOCAL), RAYS % "CsMain"),),
    ),
    Situation(
        54,
        "a hit group that fits",
        "struct Hit { float4 color; };\ncbuffer C : register(b0) { float4 c; };\n" + HIT % ("ChsMain", "c"),
        "",
        LIBRARY,
        others=(host(signature("InitAsConstantBufferView(0)", flags=LOCAL), RAYS % "ChsMain"),),
    ),
    Situation(
        67,
        "2100 different static samplers over three root signatures",
        SAMPLERS % "S1000(1)",
        "BL541 warning | the 3 root signatures of the project have 2100 different static samplers | 2032",
        COMPUTE,
        pipelines("| shader.hlsl:cs_6_0", "| two.hlsl:cs_6_0", "| three.hlsl:cs_6_0"),
        others=(("two.hlsl", SAMPLERS % "S1000(2)"), ("three.hlsl", SAMPLERS % "S100(30)")),
    ),
    Situation(
        67,
        "2100 static samplers, of which a hundred are the same",
        SAMPLERS % "S1000(1)",
        "",
        COMPUTE,
        pipelines("| shader.hlsl:cs_6_0", "| two.hlsl:cs_6_0", "| three.hlsl:cs_6_0"),
        others=(("two.hlsl", SAMPLERS % "S1000(2)"), ("three.hlsl", SAMPLERS % "S100(10)")),
    ),
)
