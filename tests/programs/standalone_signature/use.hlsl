#include "signatures.hlsli"

cbuffer Sizes : register(b0)
{
    uint count;
};
StructuredBuffer<uint> keys : register(t0);
RWStructuredBuffer<uint> sorted : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    if (id < count)
    {
        sorted[id] = keys[id];
    }
}
