"""What HLSL's own functions and methods do to their arguments, as far as use is concerned.

Everything that is not named here takes its arguments, gives a result and has no effect (HLSL specification, DXIL.rst).
"""

from __future__ import annotations

import re

from bindlint.model.binding import AccessKind

OUT_ARGUMENTS: dict[str, tuple[int, ...]] = {
    "sincos": (1, 2),
    "modf": (1,),
    "frexp": (1,),
    "asuint": (1, 2),
    "TraceRay": (7,),
    "CallShader": (1,),
    "Invoke": (1,),
    "ProcessIsolineTessFactors": (2, 3),
    **{
        f"Process{shape}TessFactors{how}": (2, 3, 4)
        for shape in ("2DQuad", "Quad", "Tri")
        for how in ("Avg", "Max", "Min")
    },
}
"""Arguments that a function writes."""

EFFECTS = frozenset(
    "clip abort printf TraceRay CallShader ReportHit IgnoreHit AcceptHitAndEndSearch DispatchMesh SetMeshOutputCounts"  # noqa: SIM905
    " Barrier DebugBreak ThreadNodeOutputRecords GroupNodeOutputRecords OutputComplete ThreadIncrementOutputCount"
    " GroupIncrementOutputCount Invoke MaybeReorderThread TraceRayInline Proceed Abort CommitNonOpaqueTriangleHit"
    " CommitProceduralPrimitiveHit AllMemoryBarrier AllMemoryBarrierWithGroupSync DeviceMemoryBarrier"
    " DeviceMemoryBarrierWithGroupSync GroupMemoryBarrier GroupMemoryBarrierWithGroupSync".split()
)
"""Functions whose call stays, with everything that it is given, whether or not the result is read."""

PAYLOADS = frozenset("TraceRay CallShader ReportHit DispatchMesh Invoke".split())  # noqa: SIM905
"""Functions that hand their last argument to another shader."""

LEAVING = frozenset(("IgnoreHit", "AcceptHitAndEndSearch"))
"""Functions from which the shader does not go on."""

FUNCTIONS = frozenset(
    "abs acos all and any asdouble asfloat asfloat16 asin asint asint16 asuint asuint16 atan atan2 ceil"  # noqa: SIM905
    " clamp clip cos cosh countbits cross ddx ddx_coarse ddx_fine ddy ddy_coarse ddy_fine degrees"
    " determinant distance dot dot2add dot4add_i8packed dot4add_u8packed dst exp exp2 f16tof32 f32tof16"
    " faceforward firstbithigh firstbitlow floor fma fmod frac frexp fwidth isfinite isinf isnan ldexp"
    " length lerp lit log log10 log2 mad max min modf msad4 mul normalize or pow radians rcp reflect"
    " refract reversebits round rsqrt saturate select sign sin sincos sinh smoothstep sqrt step tan tanh"
    " transpose trunc".split()
)
"""Functions that a shader may have overloads of; where one takes exactly what is given, DXC prefers its own."""

EFFECT_PREFIXES = ("Wave", "Quad", "__builtin", "Nv", "AmdExt", "Intel")
"""Wave and quad operations are not removed by DXC's dead-code elimination; vendor extensions are kept as well."""

WRITING_METHODS: dict[str, AccessKind] = {
    "Store": "write",
    "Store2": "write",
    "Store3": "write",
    "Store4": "write",
    "Append": "counter",
    "IncrementCounter": "counter",
    "DecrementCounter": "counter",
    "Consume": "counter",
    "WriteSamplerFeedback": "write",
    "WriteSamplerFeedbackBias": "write",
    "WriteSamplerFeedbackGrad": "write",
    "WriteSamplerFeedbackLevel": "write",
}
"""Methods of resources that change them; `Interlocked...` methods do so as well."""


def method_kind(name: str) -> AccessKind:
    """How a resource's method touches it."""
    kind = WRITING_METHODS.get(name)
    if kind is not None:
        return kind
    if name.startswith("Interlocked"):
        return "write"
    if name == "GetDimensions" or name == "GetSamplePosition":
        return "query"
    return "sample" if name.startswith(("Sample", "Gather", "CalculateLevelOfDetail")) else "read"


_STATUS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("GatherCmp", (4, 7)),
    ("Gather", (3, 6)),
    ("SampleCmpLevelZero", (4,)),
    ("SampleCmpLevel", (5,)),
    ("SampleCmpBias", (6,)),
    ("SampleCmpGrad", (7,)),
    ("SampleCmp", (5,)),
    ("SampleLevel", (4,)),
    ("SampleBias", (5,)),
    ("SampleGrad", (6,)),
    ("Sample", (4,)),
)
"""Where the methods of a texture with offsets take the status; cubes have none. Source: gen_intrin_main.txt."""


LEVEL_COUNTS = {
    "Texture1D": 3,
    "Texture1DArray": 4,
    "Texture2D": 4,
    "Texture2DArray": 5,
    "Texture3D": 5,
    "TextureCube": 4,
    "TextureCubeArray": 5,
}
"""How many arguments `GetDimensions` of a texture has where the first is a level. Source: gen_intrin_main.txt."""


def status_position(name: str, type_name: str, count: int) -> int | None:
    """Which of `count` arguments takes the status of a load or sample; `type_name` is "" where it cannot be told."""
    last = count - 1
    if name.startswith("Load"):
        if not type_name:
            return last if last > 0 else None
        texture = type_name.startswith("Texture") and type_name != "TextureBuffer"
        expected = 3 if type_name.startswith("Texture2DMS") else 2 if texture else 1
        return last if last == expected else None
    for prefix, positions in _STATUS:
        if name.startswith(prefix):
            cube = last + 1 in positions and (not type_name or type_name.startswith("TextureCube"))
            return last if last in positions or cube else None
    return None


def has_effect(name: str) -> bool:
    """Whether a call of a function of HLSL's own stays although nobody reads its result."""
    last = name.rsplit("::", 1)[-1]
    return last in EFFECTS or last.startswith(EFFECT_PREFIXES)


def is_object(name: str) -> bool:
    """HLSL's own objects that are no resources (streams, patches, records, ray queries)."""
    return name.endswith(("Stream", "Patch", "Record", "Records", "Output", "OutputArray")) or name in (
        "RayQuery",
        "HitObject",
    )


_NUMERIC = re.compile(
    r"(?:float|u?int|bool|half|double|dword|vector|matrix|min16(?:float|u?int)|min10float|min12int|u?int(?:16|32|64)_t"
    r"|float(?:16|32|64)_t|u?int8_t4_packed)(?:[1-4](?:x[1-4])?)?"
)


def is_numeric(name: str) -> bool:
    """Whether a type name is one of HLSL's scalars, vectors or matrices."""
    return _NUMERIC.fullmatch(name) is not None
