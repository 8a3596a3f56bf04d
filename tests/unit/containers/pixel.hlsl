// Compiled with DXC 1.8: -T ps_6_6 -E main -Fo pixel.cso
#define SIGNATURE "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT), CBV(b0), DescriptorTable(SRV(t0, numDescriptors = 3), UAV(u1)), DescriptorTable(SRV(t3, space = 2, numDescriptors = unbounded)), StaticSampler(s0)"
cbuffer PerFrame : register(b0) { float4x4 World; float4 Tint; };
Texture2D Albedo : register(t0);
StructuredBuffer<float4> Lights : register(t1);
ByteAddressBuffer Raw : register(t2);
RWStructuredBuffer<uint> Counts : register(u1);
Texture2D Bindless[] : register(t3, space2);
SamplerState Linear : register(s0);

[RootSignature(SIGNATURE)]
float4 main(float2 uv : TEXCOORD, uint i : INSTANCE) : SV_Target1
{
    Counts.IncrementCounter();
    return Albedo.Sample(Linear, uv) * Tint + Lights[i] + Raw.Load(i) + Bindless[i].Sample(Linear, uv);
}
