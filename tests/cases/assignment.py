"""Register assignment, case by case: each held against the analysis and against the real compiler."""

from __future__ import annotations

from typing import NamedTuple


class Assignment(NamedTuple):
    """Declarations, the statements of the entry point that use them, and what is bound ("-": never assigned).

    Where the compiler finds no registers, `bound` is "" and `fault` names the kind of allocation fault and the resource
    (a plain overlap is no such fault).
    """

    name: str
    declarations: str
    statements: str
    bound: str = ""
    options: str = ""
    fault: str = ""

    @property
    def text(self) -> str:
        """The whole shader."""
        head, tail = (RAYS, "Out[0] = sum; }") if self.library else (PIXEL, "return sum; }")
        return f"{PRELUDE}{self.declarations}\n{head} {self.statements} {tail}\n"

    @property
    def library(self) -> bool:
        return "lib_" in self.options

    @property
    def arguments(self) -> str:
        return self.options if self.library else f"-T ps_6_0 -E main {self.options}"


PRELUDE = """\
struct Item { float4 value; };
#define TABLE "ResourceName,Binding,Space;A,t5,2;S0,s3,0;X,b4,1;B,t0,0"
"""
PIXEL = "float4 main() : SV_Target { float4 sum = 1;"
RAYS = """\
RWBuffer<float4> Out : register(u9);
[shader("raygeneration")] void main() { float4 sum = 1;"""

CASES: tuple[Assignment, ...] = (
    Assignment(
        "declaration order, not order of use",
        "Texture2D A; Texture2D B; Texture2D C;",
        "sum += C.Load(0); sum += B.Load(0); sum += A.Load(0);",
        "A t0, B t1, C t2",
    ),
    Assignment(
        "unused in the middle",
        "Texture2D A; Texture2D B; Texture2D C;",
        "sum += A.Load(0); sum += C.Load(0);",
        "A t0, C t1",
    ),
    Assignment(
        "explicit ones first",
        "Texture2D A : register(t0); Texture2D B; Texture2D C : register(t2); Texture2D D;",
        "sum += A.Load(0); sum += B.Load(0); sum += C.Load(0); sum += D.Load(0);",
        "A t0, B t1, C t2, D t3",
    ),
    Assignment(
        "unused explicit register is free", "Texture2D A : register(t0); Texture2D B;", "sum += B.Load(0);", "B t0"
    ),
    Assignment(
        "legacy reservation keeps it",
        "Texture2D A : register(t0); Texture2D B;",
        "sum += B.Load(0);",
        "B t1",
        "-flegacy-resource-reservation",
    ),
    Assignment(
        "legacy reservation of an array",
        "Texture2D A[4] : register(t0); Texture2D B;",
        "sum += B.Load(0);",
        "B t4",
        "-flegacy-resource-reservation",
    ),
    Assignment(
        "legacy reservation per space",
        "Texture2D A : register(t0, space1); Texture2D B; Texture2D C : register(space1);",
        "sum += B.Load(0); sum += C.Load(0);",
        "B t0, C t1, space1",
        "-flegacy-resource-reservation",
    ),
    Assignment(
        "legacy reservations may overlap",
        "Texture2D A[4] : register(t0); Texture2D X : register(t2); Texture2D B;",
        "sum += B.Load(0);",
        "B t4",
        "-flegacy-resource-reservation",
    ),
    Assignment(
        "legacy reservation of a tbuffer",
        "tbuffer Tb : register(t1) { float4 tb; } cbuffer C0 { float4 c0; } cbuffer C1 { float4 c1; } "
        "Texture2D A; Texture2D B;",
        "sum += c0; sum += c1; sum += A.Load(0); sum += B.Load(0);",
        "C0 b0, C1 b2, A t0, B t2",
        "-flegacy-resource-reservation",
    ),
    Assignment(
        "arrays fit where there is room",
        "Texture2D A : register(t2); Texture2D B[4]; Texture2D C[2]; Texture2D D;",
        "sum += A.Load(0); sum += B[0].Load(0); sum += C[0].Load(0); sum += D.Load(0);",
        "A t2, B t3-t6, C t0-t1, D t7",
    ),
    Assignment(
        "unbounded goes last, others into holes",
        "Texture2D A : register(t1); Texture2D B[]; Texture2D C : register(t5); Texture2D D[3];",
        "sum += A.Load(0); sum += B[0].Load(0); sum += C.Load(0); sum += D[0].Load(0);",
        "A t1, B t6-unbounded, C t5, D t2-t4",
    ),
    Assignment(
        "unbounded starves",
        "Texture2D A : register(t1); Texture2D B[]; Texture2D C : register(t5); Texture2D D[4];",
        "sum += A.Load(0); sum += B[0].Load(0); sum += C.Load(0); sum += D[0].Load(0);",
        fault="no-room D",
    ),
    Assignment(
        "spaces",
        "Texture2D A : register(t0, space1); Texture2D B : register(space1); Texture2D C; Texture2D D[2] : "
        "register(space1);",
        "sum += A.Load(0); sum += B.Load(0); sum += C.Load(0); sum += D[0].Load(0);",
        "A t0, space1, B t1, space1, C t0, D t2-t3, space1",
    ),
    Assignment(
        "tbuffers come after textures",
        "Texture2D A; tbuffer Tb { float4 tb; } Texture2D B; TextureBuffer<Item> Z; Buffer<float4> Q;",
        "sum += A.Load(0); sum += tb; sum += B.Load(0); sum += Z.value; sum += Q[0];",
        "A t0, B t1, Q t2, Tb t3, Z t4",
    ),
    Assignment(
        "loose constants come first",
        "ConstantBuffer<Item> CA; cbuffer CB0 { float4 cb; } float4 loose; ConstantBuffer<Item> CC[2]; "
        "cbuffer CD { float4 cd; }",
        "sum += CA.value; sum += cb; sum += loose; sum += CC[0].value; sum += cd;",
        "$Globals b0, CA b1, CB0 b2, CC b3-b4, CD b5",
    ),
    Assignment(
        "loose constants beside an explicit buffer",
        "cbuffer CB0 : register(b0) { float4 cb; } float4 loose; cbuffer CD { float4 cd; }",
        "sum += cb; sum += loose; sum += cd;",
        "$Globals b1, CB0 b0, CD b2",
    ),
    Assignment(
        "automatic space",
        "Texture2D A; Texture2D B : register(t0); Texture2D C : register(space3); cbuffer X { float4 cb; }",
        "sum += A.Load(0); sum += B.Load(0); sum += C.Load(0); sum += cb;",
        "X b0, space7, A t0, space7, B t0, C t0, space3",
        "-auto-binding-space 7",
    ),
    Assignment(
        "automatic space of loose constants",
        "float4 loose; cbuffer X { float4 cb; }",
        "sum += loose; sum += cb;",
        "$Globals b0, X b0, space7",
        "-auto-binding-space 7",
    ),
    Assignment(
        "automatic space of resources inside structs",
        "struct Pair { Texture2D a[2]; Texture2D c; float4 k; }; Texture2D A; Pair P; ConstantBuffer<Pair> Q;",
        "sum += A.Load(0); sum += P.a[1].Load(0); sum += P.c.Load(0); sum += P.k; sum += Q.k; sum += Q.c.Load(0);",
        "$Globals b0, Q b0, space7, A t0, space7, P.a.1 t0, P.c t1, Q.c t2",
        "-auto-binding-space 7",
    ),
    Assignment(
        "automatic space of a resource inside a cbuffer",
        "cbuffer X { Texture2D T; float4 cb; } Texture2D A;",
        "sum += A.Load(0); sum += T.Load(0); sum += cb;",
        "X b0, space7, A t0, space7, T t0",
        "-auto-binding-space 7",
    ),
    Assignment(
        "automatic space of a resource inside a struct, in a library",
        "struct Pair { Texture2D a; Texture2D c; }; Texture2D A; Pair P;",
        "sum += A.Load(0); sum += P.a.Load(0); sum += P.c.Load(0);",
        "A t0, space3, P.a t0, P.c t1, Out u9",
        "-T lib_6_3 -auto-binding-space 3",
    ),
    Assignment(
        "explicit register in the automatic space",
        "Texture2D A; Texture2D B : register(t0, space7);",
        "sum += A.Load(0); sum += B.Load(0);",
        "A t1, space7, B t0, space7",
        "-auto-binding-space 7",
    ),
    Assignment(
        "one, then unbounded",
        "Texture2D A; Texture2D B[];",
        "sum += A.Load(0); sum += B[0].Load(0);",
        "A t0, B t1-unbounded",
    ),
    Assignment(
        "unbounded, then one",
        "Texture2D B[]; Texture2D A;",
        "sum += A.Load(0); sum += B[0].Load(0);",
        fault="no-room A",
    ),
    Assignment(
        "unbounded from a base, room below",
        "Texture2D B[] : register(t3); Texture2D A[3];",
        "sum += A[0].Load(0); sum += B[0].Load(0);",
        "B t3-unbounded, A t0-t2",
    ),
    Assignment(
        "unbounded from a base, no room",
        "Texture2D B[] : register(t3); Texture2D A[4];",
        "sum += A[0].Load(0); sum += B[0].Load(0);",
        fault="no-room A",
    ),
    Assignment(
        "unbounded in several spaces",
        "Texture2D A; Texture2D B[] : register(space1); Texture2D D[] : register(space2);",
        "sum += A.Load(0); sum += B[0].Load(0); sum += D[0].Load(0);",
        "A t0, B t0-unbounded, space1, D t0-unbounded, space2",
    ),
    Assignment(
        "two unbounded in one space",
        "Texture2D B[]; Texture2D D[];",
        "sum += B[0].Load(0); sum += D[0].Load(0);",
        fault="second-unbounded D",
    ),
    Assignment(
        "two unbounded at bases",
        "Texture2D B[] : register(t0); Texture2D D[] : register(t9);",
        "sum += B[0].Load(0); sum += D[0].Load(0);",
        fault="second-unbounded D",
    ),
    Assignment(
        "overlap with an unbounded one",
        "Texture2D B[] : register(t3); Texture2D A : register(t7);",
        "sum += A.Load(0); sum += B[0].Load(0);",
    ),
    Assignment(
        "below an unbounded one",
        "Texture2D B[] : register(t3); Texture2D A : register(t2);",
        "sum += A.Load(0); sum += B[0].Load(0);",
        "B t3-unbounded, A t2",
    ),
    Assignment(
        "overlap",
        "Texture2D A[4] : register(t0); Texture2D B : register(t3);",
        "sum += A[0].Load(0); sum += B.Load(0);",
    ),
    Assignment(
        "overlap that nobody uses",
        "Texture2D A[4] : register(t0); Texture2D B : register(t3);",
        "sum += A[0].Load(0);",
        "A t0-t3",
    ),
    Assignment(
        "no overlap across classes and spaces",
        "Texture2D A : register(t0); RWBuffer<float4> U0 : register(u0); cbuffer X : register(b0) { float4 "
        "cb; } Texture2D B : register(t0, space1);",
        "sum += A.Load(0); U0[0] = sum; sum += cb; sum += B.Load(0);",
        "X b0, A t0, B t0, space1, U0 u0",
    ),
    Assignment(
        "arrays of arrays",
        "Texture2D A[2][5] : register(t3); Texture2D B; Texture2D C; Texture2D D; Texture2D E;",
        "sum += A[0][0].Load(0); sum += B.Load(0); sum += C.Load(0); sum += D.Load(0); sum += E.Load(0);",
        "A t3-t12, B t0, C t1, D t2, E t13",
    ),
    Assignment(
        "a typedef with sizes",
        "typedef Texture2D Four[4]; Four A[2]; Texture2D B;",
        "sum += A[0][0].Load(0); sum += B.Load(0);",
        "A t0-t7, B t8",
    ),
    Assignment(
        "sizes from constants and macros",
        "static const uint Count = 2 + 1; Texture2D A[Count * 2]; Texture2D B;",
        "sum += A[0].Load(0); sum += B.Load(0);",
        "A t0-t5, B t6",
    ),
    Assignment(
        "the largest array",
        "Texture2D A[4294967294]; Texture2D B;",
        "sum += A[0].Load(0); sum += B.Load(0);",
        "A t0-t4294967293, B t4294967294",
    ),
    Assignment(
        "space only",
        "Texture2D A : register(space3); Texture2D B : register(space3);",
        "sum += B.Load(0); sum += A.Load(0);",
        "A t0, space3, B t1, space3",
    ),
    Assignment(
        "no number", "Texture2D A : register(t); Texture2D B;", "sum += A.Load(0); sum += B.Load(0);", "A t0, B t1"
    ),
    Assignment(
        "the sentinel is no number",
        "Texture2D A : register(t4294967295); Texture2D B;",
        "sum += A.Load(0); sum += B.Load(0);",
        "A t0, B t1",
    ),
    Assignment(
        "upper case",
        "Texture2D A : register(T3); RWBuffer<float4> U0 : register(U2);",
        "sum += A.Load(0); U0[0] = sum;",
        "A t3, U0 u2",
    ),
    Assignment(
        "sampler letter on a texture",
        "Texture2D A : register(s3); Texture2D B : register(t2);",
        "sum += A.Load(0); sum += B.Load(0);",
        "A t3, B t2",
    ),
    Assignment(
        "last annotation wins",
        "Texture2D A : register(t5, space1) : register(t5, space2);",
        "sum += A.Load(0);",
        "A t5, space2",
    ),
    Assignment("profile argument", "Texture2D A : register(vs, t5);", "sum += A.Load(0);", "A t5"),
    Assignment(
        "subscript", "Texture2D A : register(t1[2]); Texture2D B;", "sum += A.Load(0); sum += B.Load(0);", "A t1, B t0"
    ),
    Assignment(
        "nested cbuffers",
        "cbuffer Outer0 { float4 o; cbuffer Inner { float4 i; } }",
        "sum += o; sum += i;",
        "Inner b0, Outer0 b1",
    ),
    Assignment(
        "two blocks of one name",
        "cbuffer Twice : register(b2) { float4 o; } cbuffer Twice : register(b3) { float4 i; }",
        "sum += o; sum += i;",
        "Twice b2, Twice b3",
    ),
    Assignment(
        "struct base beside others",
        "struct Set { Texture2D x; Texture2D y; }; Texture2D A; Set s : register(t1); Texture2D B;",
        "sum += A.Load(0); sum += s.y.Load(0); sum += B.Load(0);",
        "A t0, B t1, s.y t2",
    ),
    Assignment(
        "struct leaf comes last",
        "struct Set { Texture2D x; }; Set s; Texture2D A; Texture2D B;",
        "sum += s.x.Load(0); sum += A.Load(0); sum += B.Load(0);",
        "A t0, B t1, s.x t2",
    ),
    Assignment(
        "samplers and UAVs",
        "SamplerState S0; RWBuffer<float4> U0; SamplerState S1; RWBuffer<float4> U1; Texture2D Helper : register(t99);",
        "sum += Helper.SampleLevel(S0, 0, 0); U0[0] = sum; sum += Helper.SampleLevel(S1, 0, 0); U1[0] = sum;",
        "S0 s0, S1 s1, Helper t99, U0 u0, U1 u1",
    ),
    Assignment(
        "counters take no register",
        "RWStructuredBuffer<float4> V0; AppendStructuredBuffer<float4> V1; ConsumeStructuredBuffer<float4> V2;",
        "sum += V0.IncrementCounter(); V1.Append(sum); sum += V2.Consume();",
        "V0 u0, V1 u1, V2 u2",
    ),
    Assignment(
        "library without automatic space",
        "Texture2D A; Texture2D B : register(t3); Texture2D C : register(space4); float4 loose;",
        "sum += A.Load(0); sum += B.Load(0); sum += C.Load(0); sum += loose;",
        "$Globals -, A -, B t3, C -, Out u9",
        "-T lib_6_3",
    ),
    Assignment(
        "library with automatic space 0",
        "Texture2D A; Texture2D B : register(t3); Texture2D C : register(space4); float4 loose;",
        "sum += A.Load(0); sum += B.Load(0); sum += C.Load(0); sum += loose;",
        "$Globals b0, A t0, B t3, C t0, space4, Out u9",
        "-T lib_6_3 -auto-binding-space 0",
    ),
    Assignment(
        "library with automatic space 3",
        "Texture2D A; Texture2D B : register(t3); float4 loose; cbuffer X { float4 cb; }",
        "sum += A.Load(0); sum += B.Load(0); sum += loose; sum += cb;",
        "$Globals b0, X b0, space3, A t0, space3, B t3, Out u9",
        "-T lib_6_3 -auto-binding-space 3",
    ),
    Assignment(
        "binding table",
        "Texture2D A; Texture2D B; SamplerState S0; cbuffer X { float4 cb; } Texture2D Helper : register(t99);",
        "sum += A.Load(0); sum += B.Load(0); sum += Helper.SampleLevel(S0, 0, 0); sum += cb;",
        "X b4, space1, S0 s3, A t5, space2, B t0, Helper t99",
        "-binding-table-define TABLE",
    ),
    Assignment(
        "binding table and explicit registers",
        "Texture2D A : register(t8); Texture2D B; Texture2D C;",
        "sum += A.Load(0); sum += B.Load(0); sum += C.Load(0);",
        "A t8, B t0, C t1",
        "-binding-table-define TABLE",
    ),
)

TABLE_FAULTS = (
    ("ResourceName,Binding,Space;A,t5,2", ""),
    ("ResourceName,Space;A,5", "its first row must name the columns ResourceName, Binding and Space"),
    ("ResourceName,Binding,Space;A,t5,2,x", "row 2: 4 cells where the heading has 3"),
    ("ResourceName,Binding,Space;A,t5,2;B,t6", "row 3: 2 cells where the heading has 3"),
    ("ResourceName,Binding,Space;A,,2", "row 2: `` is no register"),
    ("ResourceName,Binding,Space;A,b,2", "row 2: `b` is no register"),
    ("ResourceName,Binding,Space;A,e10,2", "row 2: `e10` is no register"),
    ("ResourceName,Binding,Space;A,b4294967296,2", "row 2: `b4294967296` is no register"),
    ("ResourceName,Binding,Space;A,b1,0x100000000", "row 2: `0x100000000` is no register space"),
    ("ResourceName,Binding,Space;A,b1,far", "row 2: `far` is no register space"),
)
"""Texts of binding tables, and what is wrong with each."""
