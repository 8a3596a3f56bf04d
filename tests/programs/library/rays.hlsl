GlobalRootSignature global = { "SRV(t0), DescriptorTable(UAV(u0))" };

RaytracingAccelerationStructure scene : register(t0);
RWTexture2D<float4> target : register(u0);
cbuffer Camera
{
    float4x4 view;
};
ByteAddressBuffer indices : register(t1);
ByteAddressBuffer vertices : register(t1);

struct Payload
{
    float4 color;
};

[shader("raygeneration")]
void Generate()
{
    RayDesc ray;
    ray.Origin = view[3].xyz;
    ray.Direction = view[2].xyz;
    ray.TMin = 0;
    ray.TMax = 1000;
    Payload payload = { float4(0, 0, 0, 0) };
    TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
    target[DispatchRaysIndex().xy] = payload.color;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes at)
{
    uint index = indices.Load(PrimitiveIndex() * 4);
    payload.color = asfloat(vertices.Load4(index * 16));
}
