struct Object { float4x4 world; uint material; };
ConstantBuffer<Object> object : register(b0);
cbuffer Frame : register(b1) { float4x4 viewProjection; float3 sun; };
StructuredBuffer<float4> materials : register(t0);
Texture2D textures[] : register(t0, space1);
Texture2D<float> shadow : register(t1);
SamplerState linearSampler : register(s0);
SamplerComparisonState shadowSampler : register(s1);

struct Varying { float4 position : SV_Position; float3 normal : NORMAL; float2 uv : TEXCOORD; };

Varying VertexMain(float3 position : POSITION, float3 normal : NORMAL, float2 uv : TEXCOORD)
{
    Varying o;
    o.position = mul(viewProjection, mul(object.world, float4(position, 1)));
    o.normal = normal;
    o.uv = uv;
    return o;
}

float4 PixelMain(Varying i) : SV_Target
{
    float lit = shadow.SampleCmp(shadowSampler, i.uv, 0.5) * dot(i.normal, sun);
    return lit * materials[object.material] * textures[NonUniformResourceIndex(object.material)].Sample(linearSampler, i.uv);
}
