Texture2D<float4> Albedo : register(t0);
cbuffer Frame : register(b0)
{
    float4 Tint;
};

[RootSignature("DescriptorTable(SRV(t0)), CBV(b0)")]
float4 BasicPS() : SV_Target
{
    return Tint;
}
