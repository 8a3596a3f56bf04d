Texture2D<float4> source : register(t0);
Texture2D<float4> history : register(t0);
RWTexture2D<float4> result : register(u0);
SamplerState unused : register(b1);

cbuffer Weights
{
    float4 weights[4];
};

float4 Weighted(uint2 at, uint2 step)
{
    return source[at] * weights[0].x + source[at + step] * weights[0].y;
}
