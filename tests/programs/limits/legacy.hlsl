RWBuffer<uint> Counter : register(u0);
Texture2D<float4> Albedo : register(t0, space1);

struct Output
{
    float4 color : SV_Target0;
    float4 normal : SV_Target1;
};

Output main()
{
    Counter[0] = 1;
    Output result;
    result.color = result.normal = Albedo.Load(0);
    return result;
}
