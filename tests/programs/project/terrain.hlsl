// A terrain: one table for the vertex shader, one for the pixel shader, and constants of both.
cbuffer Frame : register(b0)
{
    float4x4 viewProjection;
    float4 sunDirection;
    float time;
};

Texture2D Heights : register(t0);
Texture2D Layers[4] : register(t2);
Texture2D Detail[] : register(t0, space1);
SamplerState Linear : register(s0);

float Height(float2 at)
{
    return Heights.SampleLevel(Linear, at, 0).r;
}

float4 TerrainVS(float2 at : POSITION) : SV_Position
{
    return mul(viewProjection, float4(at.x, Height(at), at.y, 1));
}

float4 Layer(uint index, float2 at)
{
    return Layers[index].Sample(Linear, at) * Detail[NonUniformResourceIndex(index)].Sample(Linear, at);
}

float4 TerrainPS(float4 at : SV_Position, uint index : LAYER) : SV_Target
{
    return Layer(index % 4, at.xy) * sunDirection.y;
}
