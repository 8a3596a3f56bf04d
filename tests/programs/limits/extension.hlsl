#define NV_SHADER_EXTN_SLOT u77
#define NV_SHADER_EXTN_REGISTER_SPACE space77
#define SIGNATURE "RootConstants(num32BitConstants = 58, b0), CBV(b1), CBV(b2)"

struct NvShaderExtnStruct
{
    uint opcode;
};
RWStructuredBuffer<NvShaderExtnStruct> g_NvidiaExt : register(NV_SHADER_EXTN_SLOT, NV_SHADER_EXTN_REGISTER_SPACE);
Texture2D<float4> Scene : register(t0, space100);
cbuffer View : register(b2)
{
    float4 Tint;
};

[RootSignature(SIGNATURE ", DescriptorTable(SRV(t0, space = 100))")]
float4 main() : SV_Target
{
    g_NvidiaExt[g_NvidiaExt.IncrementCounter()].opcode = 1;
    return Scene.Load(0) * Tint;
}
