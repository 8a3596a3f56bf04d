// Compiled with DXC 1.8: -T lib_6_3 -Fo library.cso
GlobalRootSignature Global = { "UAV(u0), DescriptorTable(SRV(t0))" };
LocalRootSignature Local = { "RootConstants(num32BitConstants = 4, b1)" };
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);
cbuffer Material : register(b1) { float4 Color; };
Texture2D Unassigned;
struct Payload { float4 color; };

[shader("raygeneration")]
void Generate()
{
    Output[uint2(0, 0)] = Color + Unassigned.Load(0);
    RayDesc ray = (RayDesc)0;
    Payload payload = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray, payload);
}

[shader("miss")]
void Miss(inout Payload payload) { payload.color = Color; }
