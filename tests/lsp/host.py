"""A small program: host code with a root signature and a pipeline, and the shader of that."""

SKY_CPP = """\
#include <d3d12.h>
#include "Sky.h"
ComPtr<ID3D12RootSignature> skySignature;
ComPtr<ID3D12PipelineState> skyPipeline;
void Create(ID3D12Device* device) {
    CD3DX12_DESCRIPTOR_RANGE1 ranges[1];
    ranges[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, TEXTURES, 0);
    CD3DX12_ROOT_PARAMETER1 parameters[2];
    parameters[0].InitAsConstantBufferView(0);
    parameters[1].InitAsDescriptorTable(1, &ranges[0], D3D12_SHADER_VISIBILITY_PIXEL);
    CD3DX12_STATIC_SAMPLER_DESC sampler(0, D3D12_FILTER_MIN_MAG_MIP_LINEAR);
    CD3DX12_VERSIONED_ROOT_SIGNATURE_DESC desc;
    desc.Init_1_1(2, parameters, 1, &sampler, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT);
    ComPtr<ID3DBlob> blob;
    D3DX12SerializeVersionedRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_1, &blob, nullptr);
    device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&skySignature));
    ComPtr<ID3DBlob> vs, ps;
    D3DCompileFromFile(L"Sky.hlsl", nullptr, nullptr, "VSMain", "vs_5_0", 0, 0, &vs, nullptr);
    D3DCompileFromFile(L"Sky.hlsl", nullptr, nullptr, "PSMain", "ps_5_0", 0, 0, &ps, nullptr);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC pso = {};
    pso.pRootSignature = skySignature.Get();
    pso.VS = CD3DX12_SHADER_BYTECODE(vs.Get());
    pso.PS = CD3DX12_SHADER_BYTECODE(ps.Get());
    device->CreateGraphicsPipelineState(&pso, IID_PPV_ARGS(&skyPipeline));
}
void Draw(ID3D12GraphicsCommandList* list, D3D12_GPU_VIRTUAL_ADDRESS place) {
    list->SetGraphicsRootSignature(skySignature.Get());
    list->SetPipelineState(skyPipeline.Get());
    list->SetGraphicsRootConstantBufferView(1, place);
    list->DrawInstanced(3, 1, 0, 0);
}
"""

SKY_HLSL = """\
cbuffer Frame : register(b0) { float4x4 view; float4 tint; }
Texture2D<float4> Sky : register(t0);
Texture2D<float4> Stars : register(t3);
SamplerState Linear : register(s0);
struct Out { float4 place : SV_Position; float2 uv : TEXCOORD0; };
Out VSMain(uint id : SV_VertexID) { Out o; o.place = mul(view, float4(id, 0, 0, 1)); o.uv = 0; return o; }
float4 PSMain(Out i) : SV_Target { return Sky.Sample(Linear, i.uv) * tint + Stars.Load(0); }
"""

SKY_H = """\
#pragma once
#define TEXTURES 2
void Create(ID3D12Device* device);
"""
