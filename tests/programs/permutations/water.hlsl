Texture2D waves : register(t0);
#ifdef FOAM
Texture2D foam : register(t0);
#endif
SamplerState linearSampler : register(s0); // bindlint: allow(register-class) was once a texture

float4 Surface(float2 uv : TEXCOORD) : SV_Target
{
    float4 color = waves.Sample(linearSampler, uv);
#ifdef FOAM
    color += foam.Sample(linearSampler, uv);
#endif
    return color;
}
