#include "common.hlsli"

cbuffer Frame : register(b0)
{
    float4x4 inverseViewProjection;
    uint lightCount;
};

Texture2D<float4> albedo : TEXTURE(0);
Texture2D<float4> normals : TEXTURE(1);
Texture2D<float> depth : TEXTURE(2);
#ifdef FIXED
StructuredBuffer<Light> lights : TEXTURE(3);
#else
StructuredBuffer<Light> lights : TEXTURE(2);
#endif
Texture2D<float> shadowMaps[] : register(t0);
SamplerState pointSampler : register(s0);
Texture2D<float4> retired : TEXTURE(1);

float3 Shade(Light light, float2 uv)
{
    return light.color * albedo.Sample(pointSampler, uv).rgb * shadowMaps[light.shadow].Sample(pointSampler, uv);
}

[RootSignature(LightRootSignature)]
float4 LightPixel(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target
{
    float3 sum = normals.Sample(pointSampler, uv).xyz * depth.Sample(pointSampler, uv);
    for (uint i = 0; i < lightCount; ++i)
    {
        sum += Shade(lights[i], uv);
    }
    return float4(sum, 1);
}
