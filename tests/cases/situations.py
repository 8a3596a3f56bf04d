"""Situations that users meet, kind by kind: the whole shader, and what its findings must say."""

from __future__ import annotations

from typing import NamedTuple

from bindlint.testing import MAIN_FILE, Block

PIXEL = "-T ps_6_0 -E main"
COMPUTE = "-T cs_6_0 -E main"
LIBRARY = "-T lib_6_3"
FOUND = ""
"""No target profile: the entry points that the file holds are checked together."""


class Situation(NamedTuple):
    """A shader, and its findings: one a line, the code and then what its text must contain, parted by bars.

    The text is all that a reader sees: severity, certainty, message, notes, their places (`FILE:LINE`) and what is
    proposed as a fix. No line at all: the shader is clean, without as much as an information. Situations that are of
    one kind have the same number. `others` are further files. `oracle` is as in blocks of pages.
    """

    number: int
    kind: str
    source: str
    findings: str = ""
    arguments: str = PIXEL
    configuration: str = ""
    oracle: str = ""
    others: tuple[tuple[str, str], ...] = ()

    @property
    def block(self) -> Block:
        """The situation as a block of a page, so that it runs like one."""
        files = ((MAIN_FILE, self.source), *self.others)
        return Block(
            line=self.number,
            arguments=tuple(self.arguments.split()),
            files=tuple((name, text.encode()) for name, text in files),
            marks=(),
            oracle=self.oracle,
            configuration=self.configuration,
        )


class Inventory(NamedTuple):
    """A shader, and lines of its table as `show` prints it: words in order, parted by blanks, or any text for `*`."""

    number: int
    kind: str
    source: str
    lines: str
    arguments: str = PIXEL


def pixel(signature: str, declarations: str, result: str) -> str:
    """A pixel shader that returns `result`, on the fourth line or later."""
    attribute = f'[RootSignature("{signature}")]' if signature else ""
    return f"{declarations}\n{attribute}\nfloat4 main(float4 at : AT) : SV_Target {{ return {result}; }}\n"


def compute(signature: str, declarations: str, statements: str) -> str:
    """A compute shader of `statements`."""
    attribute = f'[RootSignature("{signature}")]' if signature else ""
    return f"{declarations}\n{attribute}\n[numthreads(8, 1, 1)] void main(uint at : SV_GroupIndex) {{ {statements} }}\n"


TESSELLATION = """\
struct Corner { float4 at : AT; };
struct Factors { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
%s
Factors factors() { Factors f; f.edges[0] = f.edges[1] = f.edges[2] = f.inside = rate; return f; }
[RootSignature("%s")]
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)]
[patchconstantfunc("factors")]
Corner main(InputPatch<Corner, 3> patch, uint i : SV_OutputControlPointID) { return patch[i]; }
"""

SHADER_AGAINST_SIGNATURE: tuple[Situation, ...] = (
    Situation(
        1,
        "UAV in a space that the signature lacks",
        compute("DescriptorTable(UAV(u0))", "RWTexture2D<float> dst : register(u0, space1);", "dst[uint2(at, 0)] = 1;"),
        "BL301 error | `dst` needs u0, space1 in the compute shader | u0 only in space0 (parameter 0, range 0)\n"
        "BL313 parameter 0",
        COMPUTE,
    ),
    Situation(
        1,
        "UAV in a space that the signature lacks, by a macro, in a pixel shader",
        pixel(
            "CBV(b0), DescriptorTable(SRV(t0, space = 3), UAV(u2, space = 3))",
            "#define OUTPUT(n) register(u##n, space2)\nRWBuffer<float4> Out : OUTPUT(2);",
            "Out[0] = 1",
        ),
        "BL301 `Out` needs u2, space2 in the pixel shader | u2 only in space3 (parameter 1, range 1) | shader.hlsl:1 | "
        "from the macro `OUTPUT`, used at | shader.hlsl:2",
    ),
    Situation(
        2,
        "image that is read but declared for writing, against an SRV",
        compute(
            "DescriptorTable(SRV(t0)), UAV(u1)",
            "RWTexture3D<uint> vol : register(u0); RWStructuredBuffer<uint> sum : register(u1);",
            "sum[at] = vol[uint3(at, 0, 0)];",
        ),
        "BL301 `vol` needs u0 in the compute shader | has t0 (parameter 0, range 0) | an SRV that the shader does not "
        "use | `vol` is a UAV\nBL133 `vol` is only read | Texture3D at a t register | SRV\nBL313 t0",
        COMPUTE,
    ),
    Situation(
        2,
        "texture against a UAV of the same number",
        pixel("DescriptorTable(UAV(u4))", "Texture2DArray<float4> layers : register(t4);", "layers.Load(0)"),
        "BL301 `layers` needs t4 | has u4 (parameter 0, range 0) | a UAV that the shader does not use | is an SRV",
    ),
    Situation(
        3,
        "structured buffer for writing that is only read, against an SRV",
        pixel("SRV(t0)", "RWStructuredBuffer<uint> ids : register(u0);", "ids[at.x]"),
        "BL301 `ids` needs u0 | has t0 (parameter 0) | an SRV | `ids` is a UAV\n"
        "BL133 info | `ids` is only read | StructuredBuffer at a t register | SRV",
    ),
    Situation(
        3,
        "raw buffer for writing that is only read, through a function",
        pixel(
            "",
            "RWByteAddressBuffer words : register(u3);\nuint word(uint i) { return words.Load(4 * i); }",
            "word(at.x)",
        ),
        "BL133 info | `words` is only read | ByteAddressBuffer at a t register",
    ),
    Situation(
        3,
        "buffer that is read and written",
        pixel("", "RWStructuredBuffer<uint> ids : register(u0);", "ids[at.x]++"),
    ),
    Situation(
        5,
        "buffer beside the register of the root SRV",
        pixel("SRV(t6)", "StructuredBuffer<float4> b : register(t7);", "b[0]"),
        "BL301 `b` needs t7 in the pixel shader | nearest | t6 (parameter 0)",
    ),
    Situation(
        5,
        "typed buffer behind the last register of a table",
        pixel(
            "DescriptorTable(SRV(t0, numDescriptors = 7))",
            "Buffer<uint> first : register(t0); Buffer<uint> b : register( t7 );",
            "first[0] + b[0]",
        ),
        "BL301 `b` needs t7 | range t0-t6 (parameter 0, range 0) ends before it",
    ),
    Situation(
        5,
        "sampler without any",
        pixel(
            "DescriptorTable(SRV(t0))",
            "Texture2D image : register(t0); SamplerState smp : register(s1);",
            "image.Sample(smp, at.xy)",
        ),
        "BL301 `smp` needs s1 | shows it no `s` register in space0",
    ),
    Situation(
        6,
        "typed buffer for writing on a root UAV",
        compute("UAV(u3)", "RWBuffer<uint> hist : register(u3);", "hist[at] = 1;"),
        "BL303 `hist` is typed (RWBuffer) | u3 is a root UAV (parameter 0) | raw or structured | descriptor table or a "
        "RWStructuredBuffer",
        COMPUTE,
    ),
    Situation(
        6,
        "typed buffer on a root SRV, in a space",
        pixel("CBV(b0), SRV(t1, space = 2)", "Buffer<float4> rows : register(t1, space2);", "rows[0]"),
        "BL303 `rows` is typed (Buffer) | t1, space2 is a root SRV (parameter 1) | StructuredBuffer",
    ),
    Situation(
        6,
        "texture on a root SRV",
        pixel("SRV(t0)", "TextureCube<float4> sky : register(t0);", "sky.SampleLevel(smp, at.xyz, 0)")
        .replace(
            "TextureCube", 'SamplerState smp : register(s0);\n#define RS "SRV(t0), StaticSampler(s0)"\nTextureCube', 1
        )
        .replace('"SRV(t0)")', "RS)"),
        "BL303 `sky` is typed (TextureCube) | t0 is a root SRV | descriptor table | shader.hlsl:2",
    ),
    Situation(
        6,
        "structured buffer on a root UAV",
        compute("UAV(u3)", "RWStructuredBuffer<uint> hist : register(u3);", "hist[at] = 1;"),
        "",
        COMPUTE,
    ),
    Situation(
        7,
        "constants of the hull shader, shown to the domain shader",
        TESSELLATION % ("cbuffer Tess : register(b4) { float rate; };", "CBV(b4, visibility=SHADER_VISIBILITY_DOMAIN)"),
        "BL304 `Tess` needs b4 in the hull shader | to DOMAIN (parameter 0) only | SHADER_VISIBILITY_HULL | "
        "`Tess` is used by factors",
        "-T hs_6_0 -E main",
    ),
    Situation(
        7,
        "buffer of the hull shader, in a table that the pixel shader sees",
        TESSELLATION
        % (
            "Buffer<float> rates : register(t2, space1);\nstatic const float rate = rates[0];",
            "DescriptorTable(SRV(t2, space = 1), visibility = SHADER_VISIBILITY_PIXEL)",
        ),
        "BL304 `rates` needs t2, space1 in the hull shader | to PIXEL (parameter 0, range 0) only | "
        "SHADER_VISIBILITY_ALL",
        "-T hs_6_0 -E main",
    ),
    Situation(
        7,
        "static sampler of another stage",
        pixel(
            "DescriptorTable(SRV(t0)), StaticSampler(s0, visibility = SHADER_VISIBILITY_VERTEX)",
            "Texture2D image : register(t0); SamplerState smp : register(s0);",
            "image.Sample(smp, at.xy)",
        ),
        "BL304 `smp` needs s0 in the pixel shader | VERTEX (static sampler 0) | SHADER_VISIBILITY_PIXEL",
    ),
    Situation(
        7,
        "constants shown to their own stage",
        TESSELLATION % ("cbuffer Tess : register(b4) { float rate; };", "CBV(b4, visibility=SHADER_VISIBILITY_HULL)"),
        "",
        "-T hs_6_0 -E main",
    ),
    Situation(
        10,
        "one register twice in a signature",
        pixel("CBV(b0), CBV(b0)", "cbuffer Frame : register(b0) { float4 tint; };", "tint"),
        "BL202 parameter 1 | b0 | parameter 0 | shader.hlsl:2",
    ),
    Situation(
        10,
        "several faults in a signature, each told",
        pixel(
            "CBV(b0), SRV(t1), SRV(t1), DescriptorTable(SRV(t4), Sampler(s0)), UAV(u0, space = 4294967295)",
            "",
            "1",
        ),
        "BL202 parameter 2 | t1 | parameter 1\nBL204 parameter 3 | SRV | Sampler\nBL208 4294967295 | parameter 4",
    ),
    Situation(
        10,
        "a signature that cannot be read, by a macro",
        '#define LAYOUT "CBV(b0), " \\\n    "SRV(x1)"\n' + pixel("%", "", "1").replace('"%"', "LAYOUT"),
        "BL201 expected a `t` register | found `x1` | shader.hlsl:2",
    ),
    Situation(
        15,
        "loose constants that the signature does not expect",
        pixel("CBV(b0)", "cbuffer Frame : register(b0) { float4 tint; };\nuint lut[3];", "tint * lut[at.x]"),
        "BL301 `$Globals` | loose constants | b1 (chosen by the compiler) | b0 (parameter 0) | cbuffer\n"
        "BL113 info | `lut` | `$Globals`, which takes b1 | cbuffer with a register",
    ),
    Situation(
        15,
        "loose constants without a signature",
        pixel("", "float4 scale, bias;\nstatic const float half_of = 0.5;", "scale * half_of + bias"),
        "BL113 info | `scale` and 1 more | `$Globals`, which takes b0 | `bias` is in `$Globals` | shader.hlsl:1",
    ),
    Situation(
        15,
        "constants that are in a cbuffer",
        pixel("CBV(b0)", "cbuffer Frame : register(b0) { uint lut[3]; };", "lut[at.x]"),
    ),
    Situation(
        17,
        "constant of a library that is not static",
        "const float Pi = 3.14;\nRWBuffer<float> Out : register(u0);\n"
        '[shader("raygeneration")] void rays() { Out[0] = Pi; }',
        "BL112 warning | `Pi` | not static | member of `$Globals` | value written here is ignored | `static const` | "
        "fix: make `Pi` static\nBL111 `$Globals`",
        LIBRARY,
    ),
    Situation(
        17,
        "constants that are not static, of other types and by a macro",
        pixel(
            "",
            "#define CONSTANT(type, name, value) const type name = value\nCONSTANT(uint, Steps, 8u);\n"
            "float3 const Up = float3(0, 1, 0);",
            "float4(Up * Steps, 1)",
        ),
        "BL112 `Steps` | not static | shader.hlsl:2\nBL112 `Up` | not static | shader.hlsl:3\nBL113 $Globals | b0",
    ),
    Situation(
        17,
        "constant that is static",
        pixel("", "static const float Pi = 3.14; const static uint n = 2;", "Pi * n"),
    ),
    Situation(
        18,
        "register on a member of a cbuffer",
        pixel("", "cbuffer Frame : register(b1) {\n    float4 tint : register(b3);\n};", "tint"),
        "BL109 warning | `tint` | b3 | no effect | packoffset | shader.hlsl:2",
    ),
    Situation(
        18,
        "registers on members of a cbuffer, other letters",
        pixel(
            "",
            "cbuffer Frame : register(b1) { row_major float4x4 view : register( c0 ); float fade:register(c4); };",
            "mul(view, at) * fade",
        ),
        "BL109 `view` | no effect | packoffset\nBL109 `fade` | no effect | packoffset",
    ),
    Situation(
        18,
        "packoffset on a member of a cbuffer",
        pixel("", "cbuffer Frame : register(b1) { float4 tint : packoffset(c3); };", "tint"),
    ),
)

OVERLAPS: tuple[Situation, ...] = (
    Situation(
        19,
        "resources of two include files",
        '#include "a.hlsli"\n#include "b.hlsli"\n' + pixel("", "", "sky.Load(0) + first()"),
        "BL103 error | `sky` at t9 | `ids` at t9 | next free base is t10 | `ids` is used by main -> first | "
        "a.hlsli:1 | b.hlsli:2 | "
        "`a.hlsli` is included here | shader.hlsl:1 | `b.hlsli` is included here | shader.hlsl:2",
        others=(
            ("a.hlsli", "StructuredBuffer<uint> ids : register(t9);\nuint first() { return ids[0]; }\n"),
            ("b.hlsli", "\nTexture2D sky : register(t9);\n"),
        ),
    ),
    Situation(
        19,
        "resources of two include files, deeper, by macros, ranges",
        '#include "all.hlsli"\n' + pixel("", "", "Maps[3].Load(0) + LUT.Load(0)"),
        "BL103 `LUT` at t6, space2 | `Maps` at t4-t7, space2 | both take t6, space2 | t8 | lut.hlsli:2 | all.hlsli:2 | "
        "`lut.hlsli` is included here | all.hlsli:3 | shader.hlsl:1",
        others=(
            (
                "all.hlsli",
                '#define SRV(n) register(t##n, space2)\nTexture2D Maps[4] : SRV(4);\n#include "deep/lut.hlsli"\n',
            ),
            ("deep/lut.hlsli", "#define SLOT SRV(6)\nTexture3D LUT : SLOT;\n"),
        ),
    ),
    Situation(
        21,
        "two on a register, one of them used",
        pixel("", "Buffer<uint> p : register(t2);\nBuffer<uint> q : register(t2);", "p[0]"),
        "BL104 info | `q` at t2 is not used | shares registers with `p` at t2 | shader.hlsl:1 | shader.hlsl:2",
    ),
    Situation(
        21,
        "two cbuffers on a register, one of them used in dead code only",
        pixel(
            "",
            "cbuffer Off : register(b2) { float4 off; };\nfloat4 dead() { return off; }\n"
            "cbuffer On : register( b2 ) { float4 on; };",
            "on",
        ),
        "BL104 info | `Off` at b2 is not used | `On` at b2",
    ),
    Situation(
        21,
        "two on a register, neither used",
        pixel("", "RWBuffer<uint> p : register(u2); RWByteAddressBuffer q : register(u2);", "1"),
    ),
    Situation(
        21,
        "two on a register, both used",
        pixel("", "Buffer<uint> p : register(t2);\nBuffer<uint> q : register(t2);", "p[0] + q[0]"),
        "BL103 `q` at t2 | `p` at t2 | t3",
    ),
    Situation(
        22,
        "two on a register, one of them in a branch that only arithmetic rules out",
        pixel(
            "",
            "cbuffer A : register(b1) { float a; uint k; }\ncbuffer B : register(b1) { float b; }",
            "(min(0u, k) == 1) ? b : a",
        ),
        "BL103 likely | `B` at b1 | `A` at b1",
        oracle="skip:what the optimizer folds",
    ),
    Situation(
        23,
        "two unbounded arrays on purpose",
        pixel(
            "",
            "Texture2D<float4> images[] : register(t0, space1);\nTexture3D<float4> volumes[] : register(t0, space1);",
            "images[1].Load(0) + volumes[2].Load(0)",
        ),
        "BL103 error | `volumes` at t0-unbounded, space1 | `images` | one unbounded resource | space0 is | "
        "table of its own that may start at the same descriptor",
    ),
    Situation(
        23,
        "two unbounded arrays on purpose, for Vulkan",
        pixel(
            "",
            "Texture2D<float4> images[] : register(t0, space1);\nTexture3D<float4> volumes[] : register(t0, space1);",
            "images[1].Load(0) + volumes[2].Load(0)",
        ),
        "BL103 warning | `volumes` | `images`",
        "-T ps_6_0 -E main -spirv",
        oracle="skip:this build writes no SPIR-V",
    ),
    Situation(
        23,
        "two views of one heap as unbounded arrays, each in a space and a table of its own",
        pixel(
            "DescriptorTable(SRV(t0, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE)), "
            "DescriptorTable(SRV(t0, space = 1, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE))",
            "Texture2D<float4> images[] : register(t0); Texture3D<float4> volumes[] : register(t0, space1);",
            "images[1].Load(0) + volumes[2].Load(0)",
        ),
    ),
    Situation(
        25,
        "unbounded array in a space of its own",
        pixel(
            "", "Texture2D a[]:register(t0, space1); Texture2D b : register(t5, space2);", "a[3].Load(0) + b.Load(0)"
        ),
    ),
    Situation(
        25,
        "unbounded array below a texture",
        pixel(
            "", "Texture2D a[]:register(t0, space1); Texture2D b : register(t5, space1);", "a[3].Load(0) + b.Load(0)"
        ),
        "BL103 `b` at t5, space1 | `a` at t0-unbounded, space1 | no base above is free | space0 is",
    ),
    Situation(
        25,
        "unbounded array above a buffer, declared after it",
        compute(
            "",
            "RWByteAddressBuffer b : register(u5);\nRWStructuredBuffer<uint> a[] : register(u6);",
            "b.Store(0, a[3][at]); a[2][at] = 1;",
        ),
        "",
        COMPUTE,
    ),
    Situation(
        25,
        "unbounded array of samplers that a sampler lies in",
        pixel(
            "",
            "Texture2D t : register(t0); SamplerState one:register(s9); SamplerState many[]:register(s2);",
            "t.Sample(one, at.xy) + t.Sample(many[4], at.xy)",
        ),
        "BL103 `many` at s2-unbounded | `one` at s9 | both take s9",
    ),
    Situation(
        26,
        "arrays packed one apart",
        pixel("", "Texture2D l[16] : register(t4);\nTexture2D s[16] : register(t5);", "l[3].Load(0) + s[15].Load(0)"),
        "BL103 `s` at t5-t20 | `l` at t4-t19 | both take t5-t19 | next free base is t20",
    ),
    Situation(
        26,
        "arrays packed one apart, sizes by constants, two dimensions",
        compute(
            "",
            "static const uint Rows = 2;\n#define COLUMNS 3\nRWBuffer<uint> l[Rows][COLUMNS] : register(u0, space4);\n"
            "RWBuffer<float> s[COLUMNS] : register(u1, space4);",
            "l[1][2][at] = 1; s[0][at] = 1;",
        ),
        "BL103 `s` at u1-u3, space4 | `l` at u0-u5, space4 | both take u1-u3, space4 | next free base is u6",
        COMPUTE,
    ),
    Situation(
        26,
        "arrays end to end",
        pixel("", "Texture2D l[16] : register(t4); Texture2D s[16] : register(t20);", "l[3].Load(0) + s[15].Load(0)"),
    ),
    Situation(
        27,
        "fifty resources on one register",
        pixel(
            "",
            "\n".join(f"ByteAddressBuffer x{i} : register(t0);" for i in range(50)),
            " + ".join(f"x{i}.Load(0)" for i in range(50)),
        ),
        "BL103 `x1` at t0 | `x0` at t0 | 50 resources overlap here | next free base is t1 | `x49` is at t0",
    ),
    Situation(
        27,
        "two groups on two registers",
        pixel(
            "",
            "".join(f"Texture2D a{i} : register(t0); Texture3D<float4> b{i} : register(t1, space1);" for i in range(3)),
            " + ".join(f"a{i}.Load(0) + b{i}.Load(0)" for i in range(3)),
        ),
        "BL103 `a1` at t0 | 3 resources overlap here\nBL103 `b1` at t1, space1 | 3 resources overlap here",
    ),
    Situation(
        30,
        "two types on a register, one of them used",
        pixel("", "Texture2D a : register(t1);\nTexture3D b : register(t1);", "a.Load(0)"),
        "BL104 warning | `b` at t1 is not used | `a` is at t1 | shader.hlsl:1",
        configuration='[severity]\nlatent-overlap = "warning"\n',
    ),
    Situation(
        30,
        "two types on a register, with a severity of the project's own",
        pixel("", "Texture2D a : register(t1);\nTexture3D<float4> b : register(t1);", "a.Load(0) + b.Load(0)"),
        "BL103 warning | `b` at t1 | `a` is at t1 | shader.hlsl:1",
        configuration='[severity]\nregister-overlap = "warning"\n',
        oracle="skip:an error there",
    ),
    Situation(
        31,
        "loose constants on one offset",
        pixel("", "float4 a : register(c5);\nfloat4 b : register(c5);", "a + b"),
        "BL114 warning | `a` | `b` | c5 | shader.hlsl:1\nBL113 $Globals",
    ),
    Situation(
        31,
        "loose matrix that reaches into the next offset",
        pixel("", "#define AT(n) register(c##n)\nfloat4x4 m : AT(0);\nfloat3 v : AT(3);", "mul(m, float4(v, 1))"),
        "BL114 `m` | `v` | c3\nBL113 $Globals",
    ),
    Situation(
        31,
        "loose constants on offsets of their own",
        pixel("", "float4x4 m : register(c0); float3 v : register(c4);", "mul(m, float4(v, 1))"),
        "BL113 info | $Globals",
    ),
    Situation(
        33,
        "one register in a table and in root constants",
        pixel(
            "DescriptorTable(CBV(b0)), RootConstants(num32BitConstants = 4, b0)",
            "cbuffer Frame : register(b0) { float4 tint; };",
            "tint",
        ),
        "BL202 b0 | parameter 1 | parameter 0, range 0",
    ),
    Situation(
        33,
        "one register in two tables of overlapping visibility",
        pixel(
            "DescriptorTable(SRV(t0, numDescriptors = 4), visibility = SHADER_VISIBILITY_PIXEL), "
            "DescriptorTable(SRV(t8), SRV(t3, numDescriptors = 2))",
            "Texture2D<float4> image : register(t0);",
            "image.Load(0)",
        ),
        "BL202 t3 | parameter 1, range 1 | parameter 0, range 0",
    ),
    Situation(
        33,
        "one sampler in a table and static",
        pixel("DescriptorTable(Sampler(s0, numDescriptors = 3)), StaticSampler(s2)", "", "1"),
        "BL202 s2 | static sampler 0 | parameter 0, range 0",
    ),
    Situation(
        33,
        "one register for different stages",
        pixel(
            "CBV(b0, visibility = SHADER_VISIBILITY_PIXEL), "
            "DescriptorTable(CBV(b0), visibility = SHADER_VISIBILITY_VERTEX)",
            "cbuffer Frame : register(b0) { float4 tint; };",
            "tint",
        ),
        "",
    ),
)

ASSIGNMENT: tuple[Situation, ...] = (
    Situation(
        34,
        "two stages whose cbuffers land on one register",
        "cbuffer Camera { float4x4 view; };\ncbuffer Paint { float4 tint; };\n"
        "float4 vs(float4 p : POSITION) : SV_Position { return mul(view, p); }\n"
        "float4 ps() : SV_Target { return tint; }",
        "BL131 info | b0 | `Camera` | vertex | `Paint` | pixel\nBL129 info | `Paint` | b0 | `Camera`",
        FOUND,
    ),
    Situation(
        34,
        "helper cbuffer of one stage on the register that another stage names",
        "cbuffer Auto { int base; };\ncbuffer Fog : register(b0) { float4 fog; };\n"
        '[shader("vertex")] float4 vs(float4 p : POSITION) : SV_Position { return p + base; }\n'
        '[shader("pixel")] float4 ps() : SV_Target { return fog; }',
        "BL131 info | b0 | `Auto` in vs (vertex) | `Fog` in ps (pixel) | give `Auto` a register\n"
        "BL104 `Fog` at b0\nBL129 `Auto` | b0 | `Fog` is not used | b1",
        FOUND,
    ),
    Situation(
        39,
        "a register that an unused resource holds",
        pixel("", "Texture2D keep : register(t0); Texture2D live;", "live.Load(0)"),
        "BL104 `keep` at t0 | `live` at t0\n"
        "BL129 info | `live` | t0 | `keep` is not used | where it is used, `live` is at t1 | give it a register",
    ),
    Situation(
        39,
        "a register that an unused cbuffer of an include file holds",
        '#include "engine.hlsli"\n' + pixel("", "cbuffer Live { float4 tint; };", "tint"),
        "BL104 `Engine` at b0 | `Live` at b0\nBL129 `Live` | b0 | `Engine` is not used | at b1 | engine.hlsli:1",
        others=(("engine.hlsli", "cbuffer Engine : register(b0) { float4 unused; };\n"),),
    ),
    Situation(
        39,
        "a register of its own beside an unused resource",
        pixel("", "Texture2D keep : register(t0); Texture2D live : register(t1);", "live.Load(0)"),
    ),
    Situation(
        43,
        "resources without a register, asked for",
        pixel("", "RWBuffer<uint> a : register(u0);\nRWBuffer<uint> b;", "a[0] = b[0] = 1"),
        "BL128 warning | `b` | u1 | shader.hlsl:2",
        configuration='[severity]\nimplicit-binding = "warning"\n',
    ),
    Situation(
        43,
        "resources without a register, nothing asked",
        pixel("", "RWBuffer<uint> a : register(u0); RWBuffer<uint> b;", "a[0] = b[0] = 1"),
    ),
    Situation(
        43,
        "resource with a space alone, asked for",
        pixel("", "Texture2D a : register(space2);\ncbuffer C { float4 c; };", "a.Load(0) + c"),
        "BL128 `C` has no register | 1 more | b0 | `a` is placed at t0, space2",
        configuration='[severity]\nimplicit-binding = "warning"\n',
    ),
    Situation(
        45,
        "register that is a space alone",
        pixel("DescriptorTable(SRV(t0, space = 2))", "Texture2D a : register(space2);", "a.Load(0)"),
    ),
    Situation(
        45,
        "register that is a space alone, in which others are",
        pixel(
            "DescriptorTable(SRV(t0, space = 2))",
            "Texture2D a : register( space2 ); Texture2D b : register(t0, space2);",
            "a.Load(0) + b.Load(0)",
        ),
        "BL301 `a` needs t1, space2 (chosen by the compiler) | t0, space2 (parameter 0, range 0)",
    ),
    Situation(
        46,
        "cbuffer that slides when another is not used",
        "cbuffer Time { float time; };\ncbuffer Model { float4x4 world; };\n"
        '[shader("vertex")] float4 still(float4 p : POSITION) : SV_Position { return mul(world, p); }\n'
        '[shader("vertex")] float4 moving(float4 p : POSITION) : SV_Position { return mul(world, p) + time; }',
        "BL130 `Model` | b0 in still | b1 in moving | give it a register\nBL129 `Model` | b0 | `Time` is not used | b1",
        FOUND,
    ),
    Situation(
        46,
        "texture that slides when another is not used, in one entry point",
        pixel("", "Texture2D detail; Texture2D base;", "base.Load(0)"),
        "BL129 `base` | t0 | `detail` is not used | `base` is at t1 | give it a register",
    ),
    Situation(
        46,
        "cbuffers that stay",
        "cbuffer Time : register(b0) { float time; };\ncbuffer Model : register(b1) { float4x4 world; };\n"
        '[shader("vertex")] float4 still(float4 p : POSITION) : SV_Position { return mul(world, p); }\n'
        '[shader("vertex")] float4 moving(float4 p : POSITION) : SV_Position { return mul(world, p) + time; }',
        "",
        FOUND,
    ),
    *(
        Situation(
            47,
            f"misspelt register: {word}",
            pixel("", declaration.format(word), "1"),
            f"BL101 error | {name} | unknown annotation `{word}(...)` | did you mean `register`?",
            oracle="" if name == "`C`" else "skip:the compiler crashes",
        )
        for word, name, declaration in (
            ("regsiter", "`o`", "RWBuffer<uint> o : {}(u1);"),
            ("registers", "`o`", "RWBuffer<uint> o : {}(u3);"),
            ("Registre", "`C`", "cbuffer C : {}(b0) {{ float4 c; }};"),
            ("regster", "`smp`", "SamplerState smp :{} (s0, space1);"),
        )
    ),
)

RAYS = '[shader("raygeneration")] void rays() { %s }\n'

RAY_TRACING: tuple[Situation, ...] = (
    Situation(
        49,
        "resource of a library without a register",
        "RWTexture2D<float4> o;\n" + RAYS % "o[uint2(0, 0)] = 1;",
        "BL111 warning | `o` | register | -auto-binding-space",
        LIBRARY,
    ),
    Situation(
        49,
        "cbuffer of a library without a register, used by a hit shader",
        "struct Hit { float4 color; };\ncbuffer Tint { float4 tint; };\n"
        '[shader("miss")] void miss(inout Hit hit) { hit.color = tint; }\n',
        "BL111 `Tint` | -auto-binding-space",
        LIBRARY,
    ),
    Situation(
        49,
        "resource of a library, with a space for what has no register",
        "RWTexture2D<float4> o;\n" + RAYS % "o[uint2(0, 0)] = 1;",
        "",
        f"{LIBRARY} -auto-binding-space 0",
    ),
    Situation(
        50,
        "signature on a ray-tracing shader",
        'RWBuffer<float> o : register(u0);\n[RootSignature("UAV(u0)")]\n' + RAYS % "o[0] = 1;",
        "BL216 error | `rays` | raygeneration | GlobalRootSignature | LocalRootSignature",
        LIBRARY,
    ),
    Situation(
        50,
        "signature on a miss shader, by a macro",
        'struct Hit { float4 color; };\n#define RS "CBV(b0)"\n'
        '[shader("miss")] [RootSignature(RS)]\nvoid miss(inout Hit hit) { hit.color = 0; }\n',
        "BL216 error | `miss` | GlobalRootSignature",
        "-T lib_6_4",
    ),
    Situation(
        51,
        "slot of NVAPI that the signature lacks",
        compute(
            "UAV(u0)",
            "#define NV_SHADER_EXTN_SLOT u77\n#define NV_SHADER_EXTN_REGISTER_SPACE space77\n"
            "struct NvShaderExtnStruct { uint opcode; };\nRWBuffer<uint> o : register(u0, space1);\n"
            "RWStructuredBuffer<NvShaderExtnStruct> g_NvidiaExt : "
            "register(NV_SHADER_EXTN_SLOT, NV_SHADER_EXTN_REGISTER_SPACE);",
            "g_NvidiaExt[g_NvidiaExt.IncrementCounter()].opcode = 1;",
        ),
        "BL424 error | NVAPI | `g_NvidiaExt` | u77, space77 | root signature\nBL301 `g_NvidiaExt` | u77, space77\n"
        "BL313 u0",
        COMPUTE,
        '[policy]\nextension-slots = { nvapi = "u77, space77" }\n',
    ),
    Situation(
        51,
        "slot of NVAPI elsewhere than the program says, by a define",
        compute(
            "",
            "struct NvShaderExtnStruct { uint opcode; };\n"
            "RWStructuredBuffer<NvShaderExtnStruct> g_NvidiaExt : register(NV_SHADER_EXTN_SLOT);",
            "g_NvidiaExt[g_NvidiaExt.IncrementCounter()].opcode = 1;",
        ),
        "BL424 `g_NvidiaExt` is at u5 | u999999, space999999",
        f"{COMPUTE} -D NV_SHADER_EXTN_SLOT=u5",
        '[policy]\nextension-slots = ["nvapi"]\n',
        oracle="gap",
    ),
    Situation(
        51,
        "slot of AGS that the signature lacks",
        compute(
            "DescriptorTable(UAV(u0))",
            "RWByteAddressBuffer AmdExtD3DShaderIntrinsicsUAV : register(u0, space2147420894);",
            "AmdExtD3DShaderIntrinsicsUAV.Store(0, at);",
        ),
        "BL424 error | AGS's `AmdExtD3DShaderIntrinsicsUAV` needs a range for u0, space2147420894\n"
        "BL301 u0, space2147420894\nBL313 parameter 0",
        COMPUTE,
        '[policy]\nextension-slots = ["ags"]\n',
    ),
    Situation(
        51,
        "slot of NVAPI in its own range",
        compute(
            "DescriptorTable(UAV(u77, space = 77))",
            "struct NvShaderExtnStruct { uint opcode; };\n"
            "RWStructuredBuffer<NvShaderExtnStruct> g_NvidiaExt : register(u77, space77);",
            "g_NvidiaExt[g_NvidiaExt.IncrementCounter()].opcode = 1;",
        ),
        "",
        COMPUTE,
        '[policy]\nextension-slots = { nvapi = "u77, space77" }\n',
    ),
)

BUDGETS: tuple[Situation, ...] = (
    Situation(
        55,
        "root constants that the struct has outgrown",
        pixel(
            "RootConstants(num32BitConstants = 12, b999)",
            "struct Push { float4 a, b, c; float2 d; };\nConstantBuffer<Push> p : register(b999);",
            "p.a + p.b + p.c + p.d.xyxy",
        ),
        "BL307 `p` is 14 DWORDs | passes 12 (parameter 0) | `d` lies out of range | shader.hlsl:2",
        oracle="gap",
    ),
    Situation(
        55,
        "root constants that the cbuffer has outgrown, by an alignment, unread",
        pixel(
            "CBV(b0), RootConstants(b1, num32BitConstants=6)",
            "cbuffer Draw : register(b1) { float3 place; float2 scale; uint material; };",
            "place.xyzz",
        ),
        "BL307 warning | `Draw` is 7 DWORDs | passes 6 (parameter 1) | `material` lies out of range",
    ),
    Situation(
        55,
        "root constants that are enough",
        pixel(
            "RootConstants(num32BitConstants = 14, b999)",
            "struct Push { float4 a, b, c; float2 d; };\nConstantBuffer<Push> p : register(b999);",
            "p.a + p.b + p.c + p.d.xyxy",
        ),
    ),
    Situation(
        57,
        "array of scalars in root constants",
        pixel(
            "RootConstants(num32BitConstants = 16, b0)",
            "cbuffer Weights : register(b0) { uint v[16]; };",
            "v[0] + v[15]",
        ),
        "BL307 `Weights` is 61 DWORDs | passes 16 | `v[4]`..`v[15]` | 16 bytes apart",
        oracle="gap",
    ),
    Situation(
        57,
        "array of vectors behind a scalar in root constants",
        pixel(
            "RootConstants(b2, num32BitConstants=7)",
            "struct Push { uint n; float2 v[3]; };\nConstantBuffer<Push> push : register(b2);",
            "push.n + push.v[2].xyxy",
        ),
        "BL307 `push` is 14 DWORDs | passes 7 | `v[1]`..`v[2]` | 16 bytes apart",
        oracle="gap",
    ),
    Situation(
        57,
        "array of whole rows in root constants",
        pixel("RootConstants(num32BitConstants = 8, b0)", "cbuffer W : register(b0) { uint4 v[2]; };", "v[0] + v[1]"),
    ),
    Situation(
        58,
        "signature over its DWORDs",
        pixel("RootConstants(num32BitConstants = 60, b0), CBV(b1), CBV(b2), SRV(t0)", "", "1"),
        "BL203 error | costs 66 of 64 DWORDs (60+2+2+2) | moving b1 and b2 into a descriptor table saves 3",
        oracle="gap",
    ),
    Situation(
        58,
        "signature over its DWORDs by constants alone, from a macro",
        '#define RS "RootConstants(num32BitConstants=40, b0)," "RootConstants(b1, num32BitConstants=25)"\n'
        + pixel("%", "", "1").replace('"%"', "RS"),
        "BL203 costs 65 of 64 DWORDs (40+25) | a root CBV in place of the constants at b0 saves 38",
        oracle="gap",
    ),
    Situation(
        58,
        "signature of just its DWORDs",
        pixel(
            "RootConstants(num32BitConstants = 62, b0), CBV(b1)",
            "cbuffer A : register(b0) { float4 a; }; cbuffer B : register(b1) { float4 b; };",
            "a + b",
        ),
    ),
    Situation(
        61,
        "table that no tier 1 shader may leave empty",
        pixel("DescriptorTable(SRV(t0)), CBV(b0)", "cbuffer Frame : register(b0) { float4 tint; };", "tint"),
        "BL406 warning | tier 1 | parameter 0 | `main` never touches anything of it | table of their own",
        configuration="[target]\ntier = 1\n",
    ),
    Situation(
        61,
        "table of which a part is touched, tier 2",
        pixel(
            "DescriptorTable(CBV(b0, numDescriptors = 3), SRV(t0, numDescriptors = 9))",
            "cbuffer Frame : register(b1) { float4 tint; };",
            "tint",
        ),
        "BL406 tier 2 | parameter 0 | b0 and b2",
        configuration="[target]\ntier = 2\n",
    ),
    Situation(
        61,
        "table that may stay empty, tier 3",
        pixel("DescriptorTable(SRV(t0)), CBV(b0)", "cbuffer Frame : register(b0) { float4 tint; };", "tint"),
        configuration="[target]\ntier = 3\n",
    ),
    Situation(
        62,
        "array of UAVs over the slots of feature level 11.0",
        compute("", "RWBuffer<uint> a[9] : register(u0);", "a[8][at] = 1;"),
        "BL404 error | 9 UAVs (9 in `a`) | 11_0 allows 8",
        COMPUTE,
        '[target]\ntier = 1\nfeature-level = "11_0"\n',
        oracle="gap",
    ),
    Situation(
        62,
        "arrays and single UAVs over the slots together",
        pixel(
            "",
            "RWTexture2D<float4> a[2][3] : register(u1); RWByteAddressBuffer b : register(u20);\n"
            "RWStructuredBuffer<uint> c[2] : register(u30, space1);",
            "a[1][2][uint2(0, 0)] = c[1][0] = b.Load(0)",
        ),
        "BL404 9 UAVs | 6 in `a` | 2 in `c` | 1 in `b`\nBL133 `b` is only read",
        configuration='[target]\nfeature-level = "11_0"\n',
        oracle="gap",
    ),
    Situation(
        62,
        "array of just the slots",
        compute("", "RWBuffer<uint> a[8] : register(u0);", "a[7][at] = 1;"),
        "",
        COMPUTE,
        '[target]\nfeature-level = "11_0"\n',
    ),
    Situation(
        63,
        "UAV on the slot of a render target",
        "RWBuffer<uint> u : register(u0);\n"
        "void main(out float4 a : SV_Target0, out float4 b : SV_Target1) { a = b = 1; u[0] = 1; }",
        "BL414 error | `u` | u0 | SV_Target0 | u2",
        "-T ps_5_0 -E main",
        oracle="skip:not its shader models",
    ),
    Situation(
        63,
        "UAV on the slot of a render target, of a struct",
        "struct Out { float4 color : SV_Target; float2 motion : SV_TARGET3; };\n"
        "RWStructuredBuffer<uint> list : register(u3);\nOut main() { list[0] = 1; Out o = (Out)0; return o; }",
        "BL414 `list` | u3 | SV_Target3 | u4",
        "-T ps_5_0 -E main",
        oracle="skip:not its shader models",
    ),
    Situation(
        63,
        "UAV behind the render targets",
        "RWBuffer<uint> u : register(u2);\n"
        "void main(out float4 a : SV_Target0, out float4 b : SV_Target1) { a = b = 1; u[0] = 1; }",
        "",
        "-T ps_5_0 -E main",
        oracle="skip:not its shader models",
    ),
    Situation(
        63,
        "two UAVs in shader model 4",
        compute(
            "",
            "RWStructuredBuffer<uint> a : register(u0); RWByteAddressBuffer b : register(u1);",
            "a[at] = 1; b.Store(0, 1);",
        ),
        "BL415 `b` | one UAV",
        "-T cs_4_0 -E main",
        oracle="skip:not its shader models",
    ),
    Situation(
        65,
        "unbounded range with static descriptors",
        pixel(
            "DescriptorTable(SRV(t0, numDescriptors = unbounded))",
            "Texture2D<float4> mats[] : register(t0);",
            "mats[2].Load(0)",
        ),
        "BL213 warning | range 0 (SRV t0-unbounded) of parameter 0 | DESCRIPTORS_VOLATILE",
    ),
    Situation(
        65,
        "unbounded range of samplers with static descriptors, by a macro",
        '#define RS "DescriptorTable(SRV(t0)), DescriptorTable(Sampler(s4, space=1, numDescriptors=unbounded))"\n'
        + pixel(
            "%",
            "Texture2D t : register(t0); SamplerState all[] : register(s4, space1);",
            "t.Sample(all[1], at.xy)",
        ).replace('"%"', "RS"),
        "BL213 range 0 (Sampler s4-unbounded, space1) of parameter 1 | DESCRIPTORS_VOLATILE",
    ),
    Situation(
        65,
        "unbounded range with volatile descriptors",
        pixel(
            "DescriptorTable(SRV(t0, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE))",
            "Texture2D<float4> mats[] : register(t0);",
            "mats[2].Load(0)",
        ),
    ),
    Situation(
        65,
        "unbounded range of version 1.0",
        pixel(
            "DescriptorTable(SRV(t0, numDescriptors = unbounded))",
            "Texture2D<float4> mats[] : register(t0);",
            "mats[2].Load(0)",
        ),
        "",
        f"{PIXEL} -force-rootsig-ver rootsig_1_0",
    ),
    Situation(
        66,
        "sampler flags of version 1.2 in version 1.0",
        pixel(
            "StaticSampler(s0, flags = UINT_BORDER_COLOR, borderColor = STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT), "
            "DescriptorTable(SRV(t0))",
            "Texture2D t : register(t0); SamplerState smp : register(s0);",
            "t.Sample(smp, at.xy)",
        ),
        "BL201 error | version 1.0 has no flags here | 1.2 | -force-rootsig-ver rootsig_1_2",
        "-T ps_6_7 -E main -force-rootsig-ver rootsig_1_0",
    ),
    Situation(
        66,
        "sampler flags of version 1.2",
        pixel(
            "StaticSampler(s0, flags = UINT_BORDER_COLOR, borderColor = STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT), "
            "DescriptorTable(SRV(t0))",
            "Texture2D t : register(t0); SamplerState smp : register(s0);",
            "t.Sample(smp, at.xy)",
        ),
        "",
        "-T ps_6_7 -E main -force-rootsig-ver rootsig_1_2",
        oracle="skip:this build has no version 1.2",
    ),
    Situation(
        67,
        "more static samplers than a device holds",
        pixel(",".join(f"StaticSampler(s{i}, mipLODBias = {i / 150})" for i in range(2100)), "", "1"),
        "BL409 error | 2100 different static samplers | 2032",
        oracle="gap",
    ),
    Situation(
        67,
        "as many static samplers, few of them different",
        pixel(",".join(f"StaticSampler(s{i}, mipLODBias = {i % 9})" for i in range(2100)), "", "1"),
    ),
    Situation(
        71,
        "counter on a root UAV",
        compute("UAV(u0)", "AppendStructuredBuffer<uint> q : register(u0);", "q.Append(at);"),
        "BL303 `q` is an AppendStructuredBuffer whose counter is used | u0 is a root UAV (parameter 0) | "
        "descriptor table",
        COMPUTE,
    ),
    Situation(
        71,
        "counter on a root UAV, through a helper",
        compute(
            "CBV(b0), UAV(u3, space = 1)",
            "RWStructuredBuffer<float4> particles : register(u3, space1);\n"
            "uint claim(RWStructuredBuffer<float4> pool) { return pool.DecrementCounter(); }",
            "particles[claim(particles)] = at;",
        ),
        "BL303 `particles` is a RWStructuredBuffer whose counter is used | u3, space1 | root UAV (parameter 1)\n"
        "BL313 parameter 0",
        COMPUTE,
    ),
    Situation(
        71,
        "counter in a table",
        compute("DescriptorTable(UAV(u0))", "AppendStructuredBuffer<uint> q : register(u0);", "q.Append(at);"),
        "",
        COMPUTE,
    ),
    Situation(
        71,
        "counter up and down",
        compute(
            "",
            "RWStructuredBuffer<uint> q : register(u0);\nuint take() { return q[q.DecrementCounter()]; }",
            "q[q.IncrementCounter()] = take();",
        ),
        "BL127 error | `q` | shader.hlsl:2",
        COMPUTE,
    ),
    Situation(
        79,
        "register pasted from a macro's name",
        "#define CB(n, s) cbuffer n : register(b##s)\n#define SLOT 6\n"
        "CB(Constants, SLOT) { float4 tint; }\nfloat4 main() : SV_Target { return tint; }\n",
        "BL101 `Constants` | 'bSLOT' | the macro `SLOT` and not its value | -flegacy-macro-expansion, read b6 | second "
        "macro | shader.hlsl:3 | shader.hlsl:1",
    ),
    Situation(
        79,
        "space pasted from a macro's name",
        "#define IN(s) register(t0, space##s)\n#define FRAME 2\n" + pixel("", "Buffer<float4> a : IN(FRAME);", "a[0]"),
        "BL101 `a` | 'spaceFRAME' | read space2 | shader.hlsl:3",
    ),
    Situation(
        79,
        "the same with FXC's macros",
        "#define CB(n, s) cbuffer n : register(b##s)\n#define SLOT 6\n"
        "CB(Constants, SLOT) { float4 tint; }\nfloat4 main() : SV_Target { return tint; }\n",
        arguments=f"{PIXEL} -flegacy-macro-expansion",
    ),
    Situation(
        79,
        "a second macro that pastes",
        "#define JOIN(a, b) a##b\n#define AT(a, b) JOIN(a, b)\n#define CB(n, s) cbuffer n : register(AT(b, s))\n"
        "#define SLOT 6\nCB(Constants, SLOT) { float4 tint; }\nfloat4 main() : SV_Target { return tint; }\n",
    ),
    Situation(
        81,
        "signature from nested macros and adjacent literals",
        '#define A "CBV(b0),"\n#define RS A "SRV(t0)"\n'
        + pixel("%", "ByteAddressBuffer b : register(t1);", "b.Load(0)").replace('"%"', "RS"),
        "BL301 `b` needs t1 | t0 (parameter 1) | shader.hlsl:2:15",
    ),
    Situation(
        81,
        "fault in a signature from nested macros",
        '#define A "CBV(b0)," \\\n    "CVB(b1),"\n#define RS A "SRV(t0)"\n' + pixel("%", "", "1").replace('"%"', "RS"),
        "BL201 `CVB` | shader.hlsl:2:6",
    ),
    Situation(
        70,
        "bindless beside registers",
        "cbuffer Frame : register(b0) { uint albedo; };\n"
        "Texture2D<float4> slotted : register(t0);\n"
        "float4 main() : SV_Target\n"
        "{ Texture2D<float4> a = ResourceDescriptorHeap[albedo]; return a.Load(0) + slotted.Load(0); }\n",
        "BL901 warning | `main` uses ResourceDescriptorHeap, but `slotted` (t0) has a register | shader.hlsl:2",
        arguments="-T ps_6_6 -E main",
        configuration='[severity]\nmixed-bindless = "warning"\n',
    ),
    Situation(
        94,
        "two unbounded arrays in one space",
        "Texture2D<float4> a[] : register(t0);\nTexture2D<float4> b[] : register(t0);\n"
        "float4 main(nointerpolation uint i : I) : SV_Target\n"
        "{ return a[NonUniformResourceIndex(i)].Load(0) + b[NonUniformResourceIndex(i)].Load(0); }\n",
        "BL103 error | `b` at t0-unbounded overlaps `a` at t0-unbounded | a register space holds one unbounded "
        "resource | space1 is, with a descriptor table of its own that may start at the same descriptor",
    ),
)

CASES = SHADER_AGAINST_SIGNATURE + OVERLAPS + ASSIGNMENT + RAY_TRACING + BUDGETS

INVENTORIES: tuple[Inventory, ...] = (
    Inventory(
        41,
        "everything in the source, used or not",
        pixel("", "Texture2D shown; Texture2D hidden; Buffer<uint> also : register(t9);", "shown.Load(0)"),
        "shown t0 srv typed assigned main (read)\nhidden - srv typed - unused\nalso t9 srv typed explicit unused",
    ),
    Inventory(
        42,
        "what is explicit and what is not",
        pixel("", "cbuffer A : register(b4) { float4 a; }; cbuffer B { float4 b; };", "a + b"),
        "A b4 cbv cbuffer explicit main (read)\nB b0 cbv cbuffer assigned main (read)",
    ),
    Inventory(
        46,
        "a table for each entry point",
        "cbuffer Time { float time; };\ncbuffer Model { float4x4 world; };\n"
        '[shader("vertex")] float4 still(float4 p : POSITION) : SV_Position { return mul(world, p); }\n'
        '[shader("vertex")] float4 moving(float4 p : POSITION) : SV_Position { return mul(world, p) + time; }',
        "Model b0 cbv cbuffer assigned still (read)\nModel b1 cbv cbuffer assigned moving (read)",
        FOUND,
    ),
    Inventory(
        45,
        "register that is a space alone",
        pixel("", "Texture2D a : register(space2); Texture2D b : register(t0, space2);", "a.Load(0) + b.Load(0)"),
        "a t1, space2 srv typed assigned main (read)\nb t0, space2 srv typed explicit main (read)",
    ),
)
