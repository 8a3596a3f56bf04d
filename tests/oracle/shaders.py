"""Valid HLSL made from a seed: resources of every type, placed and used in the ways that real shaders do."""

from __future__ import annotations

import random
from typing import NamedTuple


class GeneratedShader(NamedTuple):
    source: str
    arguments: list[str]


class Kind(NamedTuple):
    """A resource type: its register letter, how it is used (`{r}` is the resource), which arrays of it are tried."""

    type: str
    letter: str
    use: str
    arrays: str = "any"
    stages: str = "ps vs cs lib"


KINDS = (
    Kind("Texture1D<float>", "t", "sum.x += {r}.Load(int2(at, 0));"),
    Kind("Texture2D<float4>", "t", "sum += {r}.Load(int3(at, 1, 0));"),
    Kind("Texture2D", "t", "sum += {r}.Load(int3(at, 2, 0));"),
    Kind("Texture2DArray<float4>", "t", "sum += {r}.Load(int4(at, 0, 0, 0));"),
    Kind("Texture2DMS<float4>", "t", "sum += {r}.Load(int2(at, 0), 0);"),
    Kind("Texture3D<float2>", "t", "sum.xy += {r}.Load(int4(at, 0, 0, 0));"),
    Kind("TextureCube<float4>", "t", "{{ uint w, h; {r}.GetDimensions(w, h); sum += w; }}"),
    Kind("Buffer<float4>", "t", "sum += {r}[at];"),
    Kind("Buffer<uint>", "t", "sum.y += READ({r});"),
    Kind("StructuredBuffer<Item>", "t", "sum += {r}[at].value;"),
    Kind("ByteAddressBuffer", "t", "sum += asfloat({r}.Load4(at * 16));"),
    Kind("TextureBuffer<Item>", "t", "sum += {r}.value;", "constant"),
    Kind("ConstantBuffer<Item>", "b", "sum += {r}.value;", "flat"),
    Kind("RWTexture2D<float4>", "u", "{r}[uint2(at, 0)] = sum;"),
    Kind("RWTexture3D<float>", "u", "{r}[uint3(at, 0, 0)] = sum.x;"),
    Kind("RWBuffer<float4>", "u", "WRITE({r}, sum);"),
    Kind("RWBuffer<uint>", "u", "InterlockedAdd({r}[at], 1u);"),
    Kind("RWByteAddressBuffer", "u", "{r}.Store4(at * 16, asuint(sum));"),
    Kind("RWStructuredBuffer<Item>", "u", "{r}[at].value = sum;"),
    Kind("RWStructuredBuffer<float>", "u", "sum += {r}.IncrementCounter();", "none"),
    Kind("AppendStructuredBuffer<float4>", "u", "{r}.Append(sum);", "none"),
    Kind("ConsumeStructuredBuffer<float4>", "u", "sum += {r}.Consume();", "none"),
    Kind("RasterizerOrderedTexture2D<float4>", "u", "{r}[uint2(at, 1)] = sum;", "none", "ps"),
    Kind("SamplerState", "s", "sum += Shared.SampleLevel({r}, sum.xy, 0);"),
    Kind("SamplerComparisonState", "s", "sum += Shared.SampleCmpLevelZero({r}, sum.xy, 0.5);"),
)

PRELUDE = """\
#define SLOT(letter, number) register(letter##number)
#define READ(buffer) buffer[at]
#define WRITE(buffer, value) buffer[at] = (value)
#define JOIN(a, b) a##b
struct Item { float4 value; float extra; };
typedef Texture2D<float4> Map;
float4 Fetch(Map source, uint at) { return source.Load(int3(at, 5, 0)); }
static const uint Unused = 3;
groupshared float Scratch[4];
"""

MAINS = {
    "ps": """\
float4 main(uint at : AT) : SV_Target
{{
    float4 sum = at;
{body}    return sum;
}}
""",
    "vs": """\
float4 main(uint at : AT) : SV_Position
{{
    float4 sum = at;
{body}    return sum;
}}
""",
    "cs": """\
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{{
    uint at = id.x;
    float4 sum = at;
{body}    Output[at] = sum;
}}
""",
    "lib": """\
[shader("raygeneration")]
void Rays()
{{
    uint at = DispatchRaysIndex().x;
    float4 sum = at;
{body}    Output[at] = sum;
}}
""",
}


class Declared(NamedTuple):
    """One declaration, and the statements of which each would use it."""

    text: str
    uses: tuple[str, ...]


def generate(seed: int) -> GeneratedShader:
    """The shader of that seed, with the compiler's arguments for it. Some are rejected, for their registers only."""
    return _Writer(random.Random(seed)).shader()


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.stage = rng.choice(("ps", "ps", "vs", "cs", "cs", "lib"))
        self.model = rng.choice((0, 2, 5, 6)) if self.stage != "lib" else rng.choice((3, 5, 6))
        self.careful = rng.random() < 0.65
        self.taken: set[tuple[str, int, int]] = set()
        self.next_space = 4
        self.legacy = False
        self.count = 0

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def shader(self) -> GeneratedShader:
        rng = self.rng
        shared = f"Texture2D<float4> Shared{self.register('t', 1)};\n"
        declared = [Declared(shared, ("sum += Shared.Load(int3(at, 0, 0));",))]
        if self.stage in ("cs", "lib"):
            declared.append(Declared(f"RWBuffer<float4> Output{self.register('u', 1)};\n", ()))
        makers = [self.resource] * 8 + [self.block, self.block, self.loose, self.pair, self.instance, self.scoped]
        declared += (rng.choice(makers)() for _ in range(rng.randint(3, 16)))
        if self.model >= 5 and self.stage in ("ps", "cs") and self.chance(0.2):
            declared.append(self.acceleration_structure())
        rng.shuffle(declared)
        functions, main = self.functions(declared)
        text = PRELUDE + "".join(item.text for item in declared) + functions + main
        arguments = ["-T", f"{self.stage}_6_{self.model}", "-D", f"FEATURE={rng.randint(0, 1)}"]
        if self.stage != "lib":
            arguments += ["-E", "main"]
        if self.chance(0.2):
            arguments += ["-auto-binding-space", str(rng.choice((0, 7)))]
        if self.chance(0.15) and "[]" not in text:
            arguments.append("-flegacy-resource-reservation")
        return GeneratedShader(text, arguments)

    def name(self) -> str:
        self.count += 1
        return f"{self.rng.choice(('albedo', 'Shadow', 'g_data', 'lights'))}{self.count}"

    def register(self, letter: str, size: int | None) -> str:
        """A register annotation or none; a careful writer keeps clear of the registers that it has given away."""
        rng = self.rng
        if size is None:
            if not self.careful and self.chance(0.5):
                return rng.choice(("", f" : register({letter}{rng.randint(0, 9)})"))
            self.next_space += 1
            return f" : register({letter}{rng.randint(0, 5)}, space{self.next_space})"
        form = rng.random()
        if form < 0.45:
            return ""
        space = rng.choice((0, 0, 0, 1, 2))
        if form < 0.52:
            return f" : register(space{space})"
        base = rng.randint(0, 12)
        while self.careful and any((letter, space, base + i) in self.taken for i in range(size)):
            base += 1
        self.taken |= {(letter, space, base + i) for i in range(size)}
        if space:
            return f" : register({letter}{base}, space{space})"
        spelled = letter.upper() if self.chance(0.1) else letter
        return f" : SLOT({spelled}, {base})" if self.chance(0.2) else f" : register({spelled}{base})"

    def resource(self) -> Declared:
        kind = self.rng.choice([kind for kind in KINDS if self.stage in kind.stages.split()])
        name = self.name()
        sizes = self.array(kind)
        count = 1
        for size in sizes:
            count *= size or 0
        annotation = self.register(kind.letter, count or None)
        brackets = "".join(f"[{size or ''}]" for size in sizes)
        reference = name + "".join(self.index(kind, size) for size in sizes)
        uses = [kind.use.format(r=reference)]
        if kind.type == "Texture2D<float4>":
            uses += [f"sum += Fetch({reference}, at);", f"{{ Map local = {reference}; sum += Fetch(local, at); }}"]
        return Declared(f"{kind.type} {name}{brackets}{annotation};\n", tuple(uses))

    def array(self, kind: Kind) -> tuple[int | None, ...]:
        form = self.rng.random()
        if kind.arrays == "none" or form < 0.6:
            return ()
        if form < 0.7 and kind.arrays in ("any", "flat"):
            return (None,)
        if form < 0.8 and kind.arrays == "any":
            return self.rng.randint(1, 3), self.rng.randint(2, 3)
        return (self.rng.randint(1, 6),)

    def index(self, kind: Kind, size: int | None) -> str:
        if kind.arrays == "constant" or self.chance(0.3):
            return f"[{self.rng.randrange(size or 4)}]"
        return "[NonUniformResourceIndex(at)]" if self.chance(0.5) else "[at]"

    def block(self) -> Declared:
        name, keyword = self.name(), self.rng.choice(("cbuffer", "cbuffer", "tbuffer"))
        annotation = self.register("b" if keyword == "cbuffer" else "t", 1)
        member = f"m_{name}"
        text = f"{keyword} {name}{annotation}\n{{\n    float4 {member};\n    float3 rest_{name}[2];\n}}\n"
        return Declared(text, (f"sum += {member};", f"sum.xyz += rest_{name}[1];"))

    def loose(self) -> Declared:
        name = self.name()
        return Declared(f"float4 {name}{self.rng.choice(('', ' : register(c2)'))};\n", (f"sum += {name};",))

    def pair(self) -> Declared:
        """Two declarators of one declaration, each with its own register; either is used, or both."""
        one, other = self.name(), self.name()
        text = f"Buffer<float4> {one}{self.register('t', 1)}, {other}{self.register('t', 1)};\n"
        return Declared(text, (f"sum += {one}[at];", f"sum += {other}[at];", f"sum += {one}[at] * {other}[at + 1];"))

    def instance(self) -> Declared:
        """A struct with resources, given a base for each class: where none is given their order is the optimizer's."""
        name = self.name()
        base = 40 + 4 * self.count
        text = f"struct T_{name} {{ Map map; Map more[2]; SamplerState state; float4 tint; }};\n"
        text += f"T_{name} {name} : register(t{base}) : register(s{base});\n"
        uses = (
            f"sum += {name}.map.SampleLevel({name}.state, sum.xy, 0);",
            f"sum += {name}.more[1].Load(int3(at, 0, 0));",
            f"sum += {name}.tint;",
        )
        return Declared(text, uses)

    def scoped(self) -> Declared:
        name = self.name()
        text = f"namespace Scope_{name} {{ Map {name}{self.register('t', 1)}; }}\n"
        return Declared(text, (f"sum += Scope_{name}::{name}.Load(int3(at, 3, 0));",))

    def acceleration_structure(self) -> Declared:
        text = f"RaytracingAccelerationStructure Scene{self.register('t', 1)};\n"
        use = "{ RayQuery<RAY_FLAG_NONE> query; RayDesc ray = (RayDesc)0; ray.TMax = sum.x; "
        use += "query.TraceRayInline(Scene, 0, 255, ray); query.Proceed(); sum += query.CommittedStatus(); }"
        return Declared(text, (use,))

    def functions(self, declared: list[Declared]) -> tuple[str, str]:
        """Functions that use the declarations and call each other, and the entry point; some are never called."""
        bodies: list[list[str]] = [[] for _ in range(self.rng.randint(1, 5))]
        for item in declared:
            for use in item.uses:
                if self.chance(0.75 / len(item.uses) ** 0.5):
                    self.rng.choice(bodies).append(self.guarded(use))
        for caller in range(1, len(bodies)):
            for callee in range(caller):
                if self.chance(0.55):
                    bodies[caller].append(f"sum = Step{callee}(sum, at);")
        for body in bodies:
            self.rng.shuffle(body)
        *steps, main = ("".join(f"    {line}\n" for line in body) for body in bodies)
        text = "".join(
            f"float4 Step{number}(float4 sum, uint at)\n{{\n{body}    return sum;\n}}\n"
            for number, body in enumerate(steps)
        )
        return text, MAINS[self.stage].format(body=main)

    def guarded(self, use: str) -> str:
        form = self.rng.random()
        if form < 0.1:
            return f"\n#if FEATURE\n    {use}\n#endif"
        if form < 0.2:
            return f"if (at > {self.rng.randint(1, 9)}) {{ {use} }}"
        if form < 0.25:
            return f"for (uint i = 0; i < at; ++i) {{ {use} }}"
        return use
