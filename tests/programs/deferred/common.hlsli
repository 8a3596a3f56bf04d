#pragma once

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXTURE(number) register(JOIN(t, number), space1)

#define LightRootSignature \
    "RootFlags(0)," \
    "CBV(b0)," \
    "DescriptorTable(SRV(t0, numDescriptors = 3, space = 1), visibility = SHADER_VISIBILITY_PIXEL)," \
    "DescriptorTable(SRV(t0, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE), visibility = SHADER_VISIBILITY_VERTEX)," \
    "StaticSampler(s0, visibility = SHADER_VISIBILITY_PIXEL)"

struct Light
{
    float3 position;
    float radius;
    float3 color;
    uint shadow;
};
