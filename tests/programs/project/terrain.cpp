#include <d3d12.h>
#include "d3dx12.h"

void Terrain::Create(ID3D12Device* device)
{
    CD3DX12_DESCRIPTOR_RANGE heights(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0);
    CD3DX12_DESCRIPTOR_RANGE materials[2];
    materials[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 8, 1);
    materials[1].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, UINT_MAX, 0, 1);

    CD3DX12_ROOT_PARAMETER parameters[3];
    parameters[0].InitAsConstantBufferView(0);
    parameters[1].InitAsDescriptorTable(1, &heights, D3D12_SHADER_VISIBILITY_VERTEX);
    parameters[2].InitAsDescriptorTable(2, materials, D3D12_SHADER_VISIBILITY_PIXEL);
    CD3DX12_STATIC_SAMPLER_DESC linear(0);

    CD3DX12_ROOT_SIGNATURE_DESC desc;
    desc.Init(3, parameters, 1, &linear, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT);
    ComPtr<ID3DBlob> blob, error;
    D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error);
    device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&m_signature));

    ComPtr<ID3DBlob> vertex, pixel;
    D3DCompileFromFile(L"terrain.hlsl", nullptr, nullptr, "TerrainVS", "vs_5_1", 0, 0, &vertex, nullptr);
    D3DCompileFromFile(L"terrain.hlsl", nullptr, nullptr, "TerrainPS", "ps_5_1", 0, 0, &pixel, nullptr);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC pso = {};
    pso.pRootSignature = m_signature.Get();
    pso.VS = CD3DX12_SHADER_BYTECODE(vertex.Get());
    pso.PS = CD3DX12_SHADER_BYTECODE(pixel.Get());
    device->CreateGraphicsPipelineState(&pso, IID_PPV_ARGS(&m_terrain));
}

void Terrain::Draw(ID3D12GraphicsCommandList* list)
{
    list->SetGraphicsRootSignature(m_signature.Get());
    list->SetPipelineState(m_terrain.Get());
    list->SetGraphicsRootConstantBufferView(0, m_frame->GetGPUVirtualAddress());
    list->SetGraphicsRootDescriptorTable(1, m_heights);
    list->SetGraphicsRootDescriptorTable(2, m_materials);
    list->DrawInstanced(4, m_patches, 0, 0);
}
