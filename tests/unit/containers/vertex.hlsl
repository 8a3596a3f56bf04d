// Compiled with DXC 1.8: -T vs_6_0 -E main -Qstrip_reflect -Fo vertex.cso
cbuffer PerObject : register(b3, space1) { float4x4 World; };
float4 main(float3 position : POSITION) : SV_Position { return mul(World, float4(position, 1)); }
