// Tone mapping, with three slips in the way its resources are bound.

#define TonemapSignature                                  \
    "CBV(b0),"                                            \
    "DescriptorTable(SRV(t0, numDescriptors = 2),"        \
    "                UAV(u0)),"                           \
    "StaticSampler(s0)"

cbuffer Settings : register(b0)
{
    float Exposure;
    float2 TexelSize;
};

Texture2D<float4> Scene : register(t0);
Texture2D<float4> Bloom : register(t2);
StructuredBuffer<float> Histogram : register(t0);
RWTexture2D<float4> Result : register(u0, space1);
SamplerState Linear : register(s0);

float Luminance()
{
    return Histogram[0] * Exposure;
}

[RootSignature(TonemapSignature)]
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float2 uv = id.xy * TexelSize;
    float4 color = Scene.SampleLevel(Linear, uv, 0) + Bloom.SampleLevel(Linear, uv, 0);
    Result[id.xy] = color / (color + Luminance());
}
