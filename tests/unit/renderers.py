"""Host code that makes a root signature and a pipeline of `sky.hlsl` with it."""

from __future__ import annotations


def renderer(*parameters: str) -> str:
    """The C++; each parameter is the call that initializes it."""
    made = "".join(f"    parameters[{number}].{call};\n" for number, call in enumerate(parameters))
    return f"""#include <d3d12.h>
void Renderer::Create()
{{
    CD3DX12_ROOT_PARAMETER parameters[{len(parameters)}];
{made}    CD3DX12_ROOT_SIGNATURE_DESC desc;
    desc.Init({len(parameters)}, parameters, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT);
    ComPtr<ID3DBlob> blob, error;
    D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error);
    m_device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&m_rs));

    D3D12_GRAPHICS_PIPELINE_STATE_DESC pso = {{}};
    pso.pRootSignature = m_rs.Get();
    ComPtr<ID3DBlob> vs, ps;
    D3DCompileFromFile(L"sky.hlsl", nullptr, nullptr, "VS", "vs_5_1", 0, 0, &vs, nullptr);
    D3DCompileFromFile(L"sky.hlsl", nullptr, nullptr, "PS", "ps_5_1", 0, 0, &ps, nullptr);
    pso.VS = CD3DX12_SHADER_BYTECODE(vs.Get());
    pso.PS = CD3DX12_SHADER_BYTECODE(ps.Get());
    m_device->CreateGraphicsPipelineState(&pso, IID_PPV_ARGS(&m_pso));
}}
"""
