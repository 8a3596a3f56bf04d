#include "blur.hlsli"

[numthreads(64, 1, 1)]
void BlurHorizontal(uint3 id : SV_DispatchThreadID)
{
    result[id.xy] = Weighted(id.xy, uint2(1, 0));
}

[numthreads(1, 64, 1)]
void BlurVertically(uint3 id : SV_DispatchThreadID)
{
    result[id.xy] = Weighted(id.xy, uint2(0, 1)) + history[id.xy];
}
