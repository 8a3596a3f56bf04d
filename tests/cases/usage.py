"""What is used of a shader, case by case: each held against the analysis and against the real compiler."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.model.binding import ShaderAnalysis


class Case(NamedTuple):
    """Declarations and functions after the prelude, or (`statements`) the body of a pixel shader.

    `bound` are the names of the resources that are bound.
    """

    name: str
    source: str
    bound: str
    arguments: str = "-T ps_6_6 -E main"

    @property
    def text(self) -> str:
        """The whole shader."""
        return PRELUDE + self.source


PRELUDE = """\
#define LOAD(texture) texture.Load(int3(0, 0, 0))
struct Pair { float4 one; float4 two; };
struct Outer { Pair first; Pair second; };
enum Order { First, Second };
static const uint One = 1;
Texture2D<float4> A : register(t0);
Texture2D<float4> B : register(t1);
Texture2D<float4> C : register(t2);
Buffer<uint> I : register(t4);
RWBuffer<float4> U : register(u0);
RWStructuredBuffer<float4> V : register(u1);
RWBuffer<uint> W : register(u2);
RWByteAddressBuffer R : register(u3);
SamplerState S : register(s0);
cbuffer K : register(b1) { float4 k; uint n; float4 ks[4]; };
float4 loose;
groupshared uint Shared[4];
"""


def in_a_body(name: str, statements: str, bound: str) -> Case:
    """Statements of a pixel shader whose result is `sum`."""
    head = "float4 main(uint at : AT, float4 v : V) : SV_Target { float4 sum = v;"
    return Case(name, f"{head}\n{statements}\nreturn sum; }}\n", bound)


STATEMENTS: tuple[Case, ...] = (
    in_a_body("result that nobody reads", "float4 unused = LOAD(A); sum += LOAD(B);", "B"),
    in_a_body("chain of locals", "float4 a = LOAD(A); float4 b = a * 2; float4 c = b; sum += c;", "A"),
    in_a_body(
        "chain of locals that ends nowhere",
        """
float4 a = LOAD(A); float4 b = a * 2; float4 c = b; sum += LOAD(B);
""",
        "B",
    ),
    in_a_body(
        "assigned over in both branches",
        """
float4 a; if (n > 1) a = LOAD(A); else a = LOAD(B); sum += a;
""",
        "A B K",
    ),
    in_a_body("compound assignment", "float4 a = 1; a *= LOAD(A); a -= LOAD(B); sum += a;", "A B"),
    in_a_body("store that dies", "float4 a = LOAD(A); a = LOAD(B); sum += a;", "B"),
    in_a_body("store that dies after a read", "float4 a = LOAD(A); sum += a; a = LOAD(B);", "A"),
    in_a_body("store over before a branch", "sum = LOAD(A); sum = v; if (n > 1) sum += LOAD(B);", "B K"),
    in_a_body("store over in a branch only", "float4 a = LOAD(A); if (n > 1) a = LOAD(B); sum += a;", "A B K"),
    in_a_body(
        "store over in a branch that is always taken", "float4 a = LOAD(A); if (true) a = LOAD(B); sum += a;", "B"
    ),
    in_a_body(
        "store over in one case", "switch (n) { case 0: sum = LOAD(A); break; default: sum = LOAD(B); }", "A B K"
    ),
    in_a_body("store over by what reads it", "float4 a = LOAD(A); a = a + LOAD(B); sum += a;", "A B"),
    in_a_body("store over of a part", "float4 a = LOAD(A); a.xyz = 1; sum += a;", "A"),
    in_a_body(
        "read before the store in a loop",
        "float4 a = LOAD(A); for (uint i = 0; i < n; i++) { sum += a; a = LOAD(B); }",
        "A B K",
    ),
    in_a_body(
        "store behind a break",
        "float4 a = LOAD(A); while (n > at) { if (v.x > 1) break; a = LOAD(B); at++; } sum += a;",
        "A B K",
    ),
    in_a_body(
        "store in a condition", "float4 a = LOAD(A); if (n > 1 && (a = LOAD(B)).x > 0) sum += 1; sum += a;", "A B K"
    ),
    in_a_body(
        "fields that are stored over", "Pair p; p.one = LOAD(A); p.two = LOAD(B); p.one = LOAD(C); sum += p.one;", "C"
    ),
    in_a_body(
        "a field of what is stored over",
        "Pair p, q; q.one = v; q.two = LOAD(C); p.one = LOAD(A); p.two = LOAD(B); p = q; sum += p.one;",
        "",
    ),
    in_a_body("copy before the store", "float4 a = LOAD(A); float4 b = a; a = LOAD(B); sum += b;", "A"),
    in_a_body(
        "result that is returned before the last store", "sum = LOAD(A); if (n > 1) return sum; sum = LOAD(B);", "A B K"
    ),
    in_a_body(
        "branch that decides itself in the next round",
        "for (uint i = 0; i < at; ++i) { U[at] = 1; if (v.x > 1) v = LOAD(A); }",
        "A U",
    ),
    in_a_body(
        "ternary that decides itself in the next round",
        "for (uint i = 0; i < at; ++i) { U[at] = 1; v = v.x > 1 ? LOAD(A) : LOAD(B); }",
        "A B U",
    ),
    in_a_body(
        "switch that decides itself in the next round",
        "for (uint i = 0; i < at; ++i) { U[at] = 1; "
        "switch (uint(v.x)) { case 0: v = LOAD(A); break; default: v = LOAD(B); } }",
        "A B U",
    ),
    in_a_body(
        "loop that decides itself in the next round",
        "for (uint i = 0; i < at; ++i) { U[at] = 1; while (v.x > 1) { v = LOAD(A); } }",
        "A U",
    ),
    in_a_body(
        "branches that decide each other",
        "for (uint i = 0; i < at; ++i) { U[at] = 1; "
        "float4 w = LOAD(B); if (v.x > 1) w = LOAD(A); if (w.x > 1) v = LOAD(C); }",
        "A B C U",
    ),
    in_a_body(
        "branch on what goes round, that decides nothing",
        "for (uint i = 0; i < at; ++i) { U[at] = 1; if (i > 1) v = LOAD(A); }",
        "U",
    ),
    in_a_body("sum that nobody reads in a loop", "for (uint i = 0; i < at; ++i) { U[at] = 1; v = v + LOAD(A); }", "U"),
    in_a_body(
        "selection without a branch in a loop",
        "for (uint i = 0; i < at; ++i) { U[at] = 1; v = select(v > 1, k, LOAD(A)); }",
        "U",
    ),
    in_a_body(
        "branch that decides itself in a loop that goes",
        "for (uint i = 0; i < at; ++i) { if (v.x > 1) v = LOAD(A); }",
        "",
    ),
    in_a_body(
        "condition of a branch that goes, in which a variable decides that decides later as well",
        "float4 w; if (n == 2) { if (at == 1) w = A.SampleLevel(S, v.xy, 0); else w = U[at]; } "
        "if (at > 2) sum = LOAD(C);",
        "C K",
    ),
    in_a_body(
        "condition of a branch that goes, in which a variable decides that decides nothing later",
        "float4 w; if (n == 2) { if (at == 1) w = A.SampleLevel(S, v.xy, 0); else w = U[at]; } "
        "if (v.x > 2) sum = LOAD(C);",
        "C",
    ),
    in_a_body("assigned within a selection", "n > 1 ? v : --v; sum = v;", "K"),
    in_a_body("assigned within a selection, which nobody reads", "n > 1 ? v : --v; sum = LOAD(A);", "A"),
    in_a_body("written within a selection", "at > 1 ? v : (U[at] = LOAD(A));", "A U"),
    in_a_body("written within a selection on a constant", "n > 1 ? v : (U[at] = v);", "K U"),
    in_a_body("for loop that never runs", "for (uint i = 0; i < 0; ++i) sum += LOAD(A);", ""),
    in_a_body(
        "for loop that never runs, from a constant",
        "for (uint i = One; i < One; ++i) sum += LOAD(A); sum += LOAD(B);",
        "B",
    ),
    in_a_body("for loop that runs", "for (uint i = 0; i < 1; ++i) sum += LOAD(A);", "A"),
    in_a_body("several declarators", "float4 a = LOAD(A), b = LOAD(B), c = LOAD(C); sum += a + c;", "A C"),
    in_a_body("comma operator", "float4 a, b; a = LOAD(A), b = LOAD(B); sum += b;", "B"),
    in_a_body("ternary", "sum += n > 1 ? LOAD(A) : LOAD(B);", "A B K"),
    in_a_body("ternary on a constant", "sum += true ? LOAD(A) : LOAD(B);", "A"),
    in_a_body("nested ternaries", "sum += n > 1 ? n > 2 ? LOAD(A) : LOAD(B) : LOAD(C);", "A B C K"),
    in_a_body("condition of a ternary", "sum += LOAD(A).x > 0 ? 1 : 2;", "A"),
    in_a_body("select intrinsic", "sum += select(LOAD(A) > 0, LOAD(B), LOAD(C));", "A B C"),
    in_a_body("if on a constant", "if (false) sum += LOAD(A); else sum += LOAD(B);", "B"),
    in_a_body("if on constant arithmetic", "if (3 * 2 == 6 && !(1 > 2)) sum += LOAD(A); else sum += LOAD(B);", "A"),
    in_a_body("if on a static constant", "if (One == 1) sum += LOAD(A); else sum += LOAD(B);", "A"),
    in_a_body("if on an enumerator", "if (Second == 1) sum += LOAD(A); else sum += LOAD(B);", "A"),
    in_a_body("constant on the left of and", "if (false && LOAD(A).x > 0) sum += LOAD(B); sum += LOAD(C);", "C"),
    in_a_body("condition that only decides itself", "if (LOAD(A).x > 0) { float4 unused = 1; } sum += LOAD(B);", "B"),
    in_a_body("condition of something that stays", "if (LOAD(A).x > 0) sum += 1;", "A"),
    in_a_body(
        "else if",
        """
if (n == 1) sum += LOAD(A); else if (n == 2) sum += LOAD(B); else sum += LOAD(C);
""",
        "A B C K",
    ),
    in_a_body(
        "switch",
        """
switch (n) { case 1: sum += LOAD(A); break; case 2: sum += LOAD(B); break; default: sum += LOAD(C); }
""",
        "A B C K",
    ),
    in_a_body("switch on a read", "switch (I[0]) { case 1: sum += 1; break; default: sum += 2; }", "I"),
    in_a_body(
        "switch that decides nothing",
        """
uint q = 0; switch (I[0]) { case 1: q = 1; break; default: q = 2; } sum += LOAD(B);
""",
        "B",
    ),
    in_a_body("for loop", "for (uint i = 0; i < n; i++) sum += A.Load(int3(i, 0, 0));", "A K"),
    in_a_body("for loop, bound from a buffer", "for (uint i = 0; i < I[0]; i++) sum += 1;", "I"),
    in_a_body("while loop", "uint i = 0; while (i < n) { sum += LOAD(A); ++i; }", "A K"),
    in_a_body("do loop", "uint i = 0; do { sum += LOAD(A); i++; } while (i < I[2]);", "A I"),
    in_a_body("loop that never runs", "while (false) { sum += LOAD(A); } sum += LOAD(B);", "B"),
    in_a_body("break on a read", "for (uint i = 0; i < 8; i++) { if (I[i] == 3) break; sum += 1; }", "I"),
    in_a_body("continue on a read", "for (uint i = 0; i < 8; i++) { if (I[i] == 3) continue; sum += 1; }", "I"),
    in_a_body("early return on a read", "if (LOAD(A).x > 0) return 1; sum += LOAD(B);", "A B"),
    in_a_body("unreachable after return", "return LOAD(A); sum += LOAD(B);", "A"),
    in_a_body(
        "behind a loop that returns unless it goes on",
        "for (int k = 0; k < 3; k++) { if (v.x > k) continue; return LOAD(A); } sum += LOAD(B);",
        "A B",
    ),
    in_a_body(
        "behind a loop that returns unless it breaks",
        "while (true) { if (v.x > 1) break; return LOAD(A); } sum += LOAD(B);",
        "A B",
    ),
    in_a_body("discard on a read", "if (LOAD(A).w < 0.5) discard; sum += 1;", "A"),
    in_a_body("clip", "clip(LOAD(A).w - 0.5); sum += 1;", "A"),
    in_a_body(
        "attributes on statements",
        """
[unroll] for (uint i = 0; i < 2; i++) { [branch] if (n > i) sum += LOAD(A);
    [flatten] if (n > 3) sum += LOAD(B); }
""",
        "A B K",
    ),
    in_a_body("shadowing by a local", "float4 A = 1; sum += A; sum += LOAD(B);", "B"),
    in_a_body("shadowing in an inner scope only", "{ float4 A = 1; sum += A; } sum += LOAD(A);", "A"),
    in_a_body("shadowing in a loop head", "for (uint A = 0; A < 2; A++) sum += A; sum += LOAD(B);", "B"),
    in_a_body("local array", "float4 all[2] = { LOAD(A), LOAD(B) }; sum += all[n];", "A B K"),
    in_a_body(
        "local array, other element written",
        """
float4 all[2]; all[0] = LOAD(A); all[1] = 1; sum += all[n];
""",
        "A K",
    ),
    in_a_body("index into a local array", "float4 all[2] = { k, k }; sum += all[I[0]];", "I K"),
    in_a_body("swizzles are the whole", "float4 a = 0; a.x = LOAD(A).x; a.y = LOAD(B).y; sum += a;", "A B"),
    in_a_body("casts", "sum += (float4)LOAD(A) + (float)(uint)I[0] + float4(B.Load(int3(0, 0, 0)).xyz, 1);", "A B I"),
    in_a_body("prefix and postfix", "uint i = I[0]; ++i; i++; sum += i--;", "I"),
    in_a_body("initializer list for a struct", "Pair p = { LOAD(A), LOAD(B) }; sum += p.one + p.two;", "A B"),
    in_a_body("zero initializer", "Pair p = (Pair)0; p.one = LOAD(A); sum += p.two + LOAD(B);", "B"),
    in_a_body("field not read", "Pair p; p.one = LOAD(A); p.two = LOAD(B); sum += p.two;", "B"),
    in_a_body(
        "fields of fields",
        """
Outer o = (Outer)0; o.first.one = LOAD(A); o.first.two = LOAD(B); o.second.one = LOAD(C); sum += o.first.two;
""",
        "B",
    ),
    in_a_body("copy of a struct", "Pair p; p.one = LOAD(A); p.two = LOAD(B); Pair q = p; sum += q.one;", "A"),
    in_a_body(
        "copy of a field that is a struct",
        """
Outer o = (Outer)0; Pair p; p.one = LOAD(A); p.two = LOAD(B); o.second = p; Pair q = o.second; sum += q.two;
""",
        "B",
    ),
    in_a_body(
        "copies in a circle",
        """
Pair p; Pair q; p.one = LOAD(A); p.two = LOAD(B); q = p; p = q; sum += p.one;
""",
        "A",
    ),
    in_a_body(
        "local struct type",
        """
struct Own { float4 x; float4 y; }; Own o; o.x = LOAD(A); o.y = LOAD(B); sum += o.x + o.y;
""",
        "A B",
    ),
    in_a_body("static local", "static float4 kept = 2; kept += LOAD(A); sum += kept;", "A"),
    in_a_body("global behind a local of its name", "Texture2D<float4> B = ::B; sum += LOAD(B);", "B"),
    in_a_body("member of a global behind a local", "float4 A = LOAD(B); sum += LOAD(::A) + A;", "A B"),
    in_a_body("local typedef", "typedef float4 Colour; Colour c = LOAD(A); sum += c;", "A"),
    in_a_body("resource in a local", "Texture2D<float4> t = A; sum += LOAD(t);", "A"),
    in_a_body(
        "local array of resources, constant index",
        """
Texture2D<float4> all[2] = { A, B }; sum += LOAD(all[0]) + LOAD(all[1]);
""",
        "A B",
    ),
    in_a_body("dimensions, used", "uint w, h; A.GetDimensions(w, h); sum += w;", "A"),
    in_a_body("dimensions, unused", "uint w, h; A.GetDimensions(w, h); sum += LOAD(B);", "B"),
    in_a_body("sampler and texture", "sum += A.SampleLevel(S, v.xy, 0);", "A S"),
    in_a_body("store", "U[0] = LOAD(A);", "A U"),
    in_a_body("store under a condition", "if (I[0] > 1) U[0] = 1;", "I U"),
    in_a_body("store to a part", "U[I[0]] = LOAD(A); V[0].x = 1;", "A I U V"),
    in_a_body("store through parentheses", "((U))[(0)] = LOAD(A);", "A U"),
    in_a_body("load through parentheses", "sum += ((A))[uint2(0, I[2])] + (ks)[1];", "A I K"),
    in_a_body("load of a written buffer", "sum += U[0];", "U"),
    in_a_body("load of a written buffer, unused", "float4 unused = U[0]; sum += LOAD(A);", "A"),
    in_a_body("interlocked", "InterlockedAdd(W[0], I[0]);", "I W"),
    in_a_body(
        "interlocked with the value before",
        """
uint before; InterlockedAdd(W[0], 1, before); sum += before;
""",
        "W",
    ),
    in_a_body("counter", "sum += V.IncrementCounter();", "V"),
    in_a_body("raw stores", "R.Store4(0, asuint(LOAD(A)));", "A R"),
    in_a_body("raw interlocked", "uint before; R.InterlockedAdd(0, I[0], before); sum += before;", "I R"),
    in_a_body(
        "status",
        """
uint status; float4 unused = A.SampleLevel(S, v.xy, 0, int2(0, 0), status);
    if (CheckAccessFullyMapped(status)) sum += 1;
""",
        "A S",
    ),
    in_a_body("status that nobody reads", "uint status; sum += A.Load(int3(0, 0, 0), int2(0, 0), status);", "A"),
    in_a_body("status of a buffer", "uint status = 7; uint unused = I.Load(3, status); sum += status;", "I"),
    in_a_body("subscript in a subscript", "sum += A.Load(int3(I[I[2]], 0, 0));", "A I"),
    in_a_body("mips", "sum += A.mips[1][uint2(0, I[0])];", "A I"),
    in_a_body("array in a constant buffer", "sum += ks[I[0]];", "I K"),
    in_a_body("member of a constant buffer, unused", "float4 unused = k; sum += 1;", ""),
    in_a_body("loose constant", "sum += loose;", "$Globals"),
    in_a_body("heap", "Texture2D<float4> t = ResourceDescriptorHeap[I[0]]; sum += LOAD(t);", "I"),
    in_a_body(
        "out arguments",
        """
float s, c; sincos(LOAD(A).x, s, c); sum += s; float whole; sum += modf(LOAD(B).x, whole); sum += whole;
""",
        "A B",
    ),
    in_a_body("out arguments that nobody reads", "float s, c; sincos(LOAD(A).x, s, c); sum += LOAD(B);", "B"),
    in_a_body("wave operations", "sum += WaveActiveSum(LOAD(A));", "A"),
    in_a_body("empty statements", ";;; sum += LOAD(A);;", "A"),
    in_a_body("declaration in a condition", "if (bool yes = I[0] > 1) sum += 1;", "I"),
    in_a_body("multiplied by a read", "sum *= LOAD(A).x;", "A"),
    in_a_body(
        "negation and calls in arithmetic",
        """
sum += -LOAD(A) * saturate(dot(LOAD(B), LOAD(C))) - (-k);
""",
        "A B C K",
    ),
    in_a_body("literal suffixes", "sum += 1.0f * 2.0h + 0x10u * 1e-3 * LOAD(A) + .5 + 1.xxxx;", "A"),
    in_a_body("strings of operators", "sum += (n << 2u) >> 1 & 3 | 4 ^ ~I[0];", "I K"),
)

FUNCTIONS: tuple[Case, ...] = (
    Case(
        "out argument that is stored over",
        """
void give(out float4 a) { a = LOAD(A); a = LOAD(B); }
float4 main() : SV_Target { float4 x = LOAD(C); give(x); return x; }
""",
        "B",
    ),
    Case(
        "out argument behind an early return",
        """
void give(out float4 a, uint n) { a = LOAD(A); if (n > 1) return; a = LOAD(B); }
float4 main(uint n : N) : SV_Target { float4 x; give(x, n); return x; }
""",
        "A B",
    ),
    Case(
        "parameter that is stored over",
        """
float4 f(float4 a) { a = LOAD(B); return a; }
float4 main() : SV_Target { return f(LOAD(A)); }
""",
        "B",
    ),
    Case(
        "inout argument that is stored over",
        """
void f(inout float4 a) { a = LOAD(B); }
float4 main() : SV_Target { float4 x = LOAD(A); f(x); return x; }
""",
        "B",
    ),
    Case(
        "member that a method stores over",
        """
struct Held { float4 a; void set() { a = LOAD(A); a = LOAD(B); } };
float4 main(float4 v : V) : SV_Target { Held h; h.a = v; h.set(); return h.a; }
""",
        "B",
    ),
    Case(
        "function that decides itself in the next round",
        """
float4 f(float4 v) { return v.x > 1 ? LOAD(A) : LOAD(B); }
float4 main(uint at : AT, float4 v : V) : SV_Target
{
    for (uint i = 0; i < at; ++i) { U[at] = 1; v = f(v); }
    return 1;
}
""",
        "A B U",
    ),
    Case(
        "default argument that decides a branch",
        """
float4 f(float4 v, bool on = false) { return on ? LOAD(A) : LOAD(B); }
float4 main(float4 v : V) : SV_Target { return f(v); }
""",
        "B",
    ),
    Case(
        "default argument that is handed on",
        """
float4 g(bool x, bool y) { if (x && y) return LOAD(A); return LOAD(B); }
float4 f(uint one = One + 1, bool two = true) { const bool on = one == 1; return g(on, two); }
float4 main() : SV_Target { return f(); }
""",
        "B",
    ),
    Case(
        "default argument and an argument in its place",
        """
float4 f(float4 v, bool on = false) { return on ? LOAD(A) : LOAD(B); }
float4 main(float4 v : V) : SV_Target { return f(v) + f(v, n > 1); }
""",
        "A B K",
    ),
    Case(
        "field of a result that is handed on",
        """
Pair g() { Pair p; p.one = LOAD(A); p.two = LOAD(B); return p; }
Pair f() { return g(); }
float4 main() : SV_Target { return f().one; }
""",
        "A",
    ),
    Case(
        "field of a field of a result that is handed on",
        """
Outer g() { Outer o = (Outer)0; o.first.one = LOAD(A); o.second.two = LOAD(B); return o; }
Pair f() { return g().first; }
float4 main() : SV_Target { return f().one + f().two; }
""",
        "A",
    ),
    Case(
        "argument of a template in parentheses",
        """
template<int N> float4 pick() { if (N > 2) return LOAD(A); return LOAD(B); }
float4 main() : SV_Target { return pick<(3)>() + pick<(1 + (2 > 3))>(); }
""",
        "A B",
    ),
    Case(
        "comparisons that look like arguments of a template",
        """
float4 f(bool a, bool b) { return a && b ? LOAD(A) : LOAD(B); }
float4 main(uint d : D) : SV_Target { float4 b = LOAD(C); return f(n < (b.x), k.x > (d)); }
""",
        "A B C K",
    ),
    Case(
        "never called",
        """
float4 f() { return LOAD(A); }
float4 main() : SV_Target { return LOAD(B); }
""",
        "B",
    ),
    Case(
        "called for nothing",
        """
float4 f() { return LOAD(A); }
float4 main() : SV_Target { f(); return LOAD(B); }
""",
        "B",
    ),
    Case(
        "result of a call",
        """
float4 f() { return LOAD(A); } float4 g() { return f() * 2; }
float4 main() : SV_Target { return g(); }
""",
        "A",
    ),
    Case(
        "parameter that the callee ignores",
        """
float4 f(float4 x, float4 y) { return x; }
float4 main() : SV_Target { return f(LOAD(A), LOAD(B)); }
""",
        "A",
    ),
    Case(
        "parameter only in a dead branch",
        """
float4 f(float4 x, float4 y, bool both) { if (both) return x + y; return x; }
float4 main() : SV_Target { return f(LOAD(A), LOAD(B), false); }
""",
        "A",
    ),
    Case(
        "constant handed down twice",
        """
float4 g(bool both) { return both ? LOAD(A) : LOAD(B); } float4 f(bool both) { return g(both); }
float4 main() : SV_Target { return f(true); }
""",
        "A",
    ),
    Case(
        "parameter that is assigned is no constant",
        """
float4 f(bool both) { if (n > 1) both = true; return both ? LOAD(A) : LOAD(B); }
float4 main() : SV_Target { return f(false); }
""",
        "A B K",
    ),
    Case(
        "out parameter",
        """
void f(out float4 x) { x = LOAD(A); }
float4 main() : SV_Target { float4 x; f(x); return x; }
""",
        "A",
    ),
    Case(
        "out parameters, one unread",
        """
void f(out float4 x, out float4 y) { x = LOAD(A); y = LOAD(B); }
float4 main() : SV_Target { float4 x, y; f(x, y); return y; }
""",
        "B",
    ),
    Case(
        "inout parameter",
        """
void f(inout float4 x) { x *= LOAD(A); }
float4 main() : SV_Target { float4 x = LOAD(B); f(x); return x; }
""",
        "A B",
    ),
    Case(
        "field of an out parameter",
        """
void f(out Pair x) { x.one = LOAD(A); x.two = LOAD(B); }
float4 main() : SV_Target { Pair p; f(p); return p.two; }
""",
        "B",
    ),
    Case(
        "field of a field through inout",
        """
void f(inout Pair x) { x.one += LOAD(A); } void g(inout Pair x) { x.two += LOAD(B); }
float4 main() : SV_Target { Outer o = (Outer)0; f(o.first); g(o.first); g(o.second); return o.first.one; }
""",
        "A",
    ),
    Case(
        "field of a result",
        """
Pair f() { Pair p; p.one = LOAD(A); p.two = LOAD(B); return p; }
float4 main() : SV_Target { return f().one; }
""",
        "A",
    ),
    Case(
        "field of a result through a local",
        """
Pair f() { Pair p; p.one = LOAD(A); p.two = LOAD(B); return p; }
float4 main() : SV_Target { Pair q = f(); return q.two; }
""",
        "B",
    ),
    Case(
        "field of a field of a result",
        """
Outer f() { Outer o = (Outer)0; o.first.one = LOAD(A); o.second.one = LOAD(B); return o; }
float4 main() : SV_Target { return f().second.one; }
""",
        "B",
    ),
    Case(
        "result that is a field",
        """
Pair f() { Outer o = (Outer)0; o.first.one = LOAD(A); o.first.two = LOAD(B); o.second.one = LOAD(C);
    return o.first; }
float4 main() : SV_Target { return f().two; }
""",
        "B",
    ),
    Case(
        "struct handed on, one field read",
        """
float4 f(Pair p) { return p.two; }
float4 main() : SV_Target { Pair p; p.one = LOAD(A); p.two = LOAD(B); return f(p); }
""",
        "B",
    ),
    Case(
        "early return before a store",
        """
void f(uint i) { if (I[i] == 0) return; U[i] = 1; }
float4 main() : SV_Target { f(3); return 0; }
""",
        "I U",
    ),
    Case(
        "early return on a constant",
        """
float4 f(bool all) { if (!all) return LOAD(A); return LOAD(B); }
float4 main() : SV_Target { return f(false); }
""",
        "A",
    ),
    Case(
        "return without a value",
        """
[numthreads(4, 1, 1)] void cs(uint i : SV_GroupIndex) { if (I[i] == 0) return; float4 unused = LOAD(A); }
""",
        "",
        "-T cs_6_6 -E cs",
    ),
    Case(
        "return without a value before an effect",
        """
[numthreads(4, 1, 1)] void cs(uint i : SV_GroupIndex) { if (I[i] == 0) return; U[i] = LOAD(A); }
""",
        "A I U",
        "-T cs_6_6 -E cs",
    ),
    Case(
        "constants returned under a condition",
        """
float f(uint i) { if (I[i] == 0) return 0; return 1; }
float4 main() : SV_Target { return f(2); }
""",
        "I",
    ),
    Case(
        "deep chain with a constant",
        """
float4 f(bool b) { return b ? LOAD(A) : LOAD(B); } float4 g(bool b) { return f(b); } float4 h(bool b) {
    return g(!b); }
float4 main() : SV_Target { return h(true); }
""",
        "B",
    ),
    Case(
        "constant that differs from call to call",
        """
float4 f(bool b) { return b ? LOAD(A) : LOAD(B); }
float4 main() : SV_Target { return f(true) + f(false); }
""",
        "A B",
    ),
    Case(
        "store in a callee",
        """
void f(float4 x) { U[0] = x; }
float4 main() : SV_Target { f(LOAD(A)); return 0; }
""",
        "A U",
    ),
    Case(
        "resource as a parameter",
        """
float4 f(Texture2D<float4> t, SamplerState s) { return t.SampleLevel(s, 0, 0); }
float4 main() : SV_Target { return f(A, S) + f(B, S); }
""",
        "A B S",
    ),
    Case(
        "resource as an unused parameter",
        """
float4 f(Texture2D<float4> t, Texture2D<float4> u) { return LOAD(u); }
float4 main() : SV_Target { return f(A, B); }
""",
        "B",
    ),
    Case(
        "written resource as a parameter",
        """
void f(RWBuffer<float4> t, float4 x) { t[0] = x; }
float4 main() : SV_Target { f(U, LOAD(A)); return 0; }
""",
        "A U",
    ),
    Case(
        "counter through a parameter",
        """
uint f(RWStructuredBuffer<float4> t) { return t.IncrementCounter(); }
float4 main() : SV_Target { return f(V); }
""",
        "V",
    ),
    Case(
        "counter through a struct",
        """
struct Holder { RWStructuredBuffer<float4> held; };
uint f(Holder h) { return h.held.IncrementCounter(); }
float4 main() : SV_Target { Holder h; h.held = V; return f(h); }
""",
        "V",
    ),
    Case(
        "default argument",
        """
float4 f(float4 x = LOAD(A)) { return x; }
float4 main() : SV_Target { return f() + f(k); }
""",
        "A K",
    ),
    Case(
        "overloads by number of arguments",
        """
float4 f(uint i) { return LOAD(A); } float4 f(uint i, uint j) { return LOAD(B); }
float4 main() : SV_Target { return f(1, 2); }
""",
        "B",
    ),
    Case(
        "prototype first",
        """
float4 f(uint i);
float4 main() : SV_Target { return f(1); }
float4 f(uint i) { return LOAD(A); }
""",
        "A",
    ),
    Case(
        "name of a parameter hides a resource",
        """
float4 f(float4 A) { return A; }
float4 main() : SV_Target { return f(k); }
""",
        "K",
    ),
    Case(
        "static global written by a callee",
        """
static float4 kept; void f() { kept = LOAD(A); }
float4 main() : SV_Target { f(); return kept; }
""",
        "A",
    ),
    Case(
        "static global that nobody reads",
        """
static float4 kept; void f() { kept = LOAD(A); }
float4 main() : SV_Target { f(); return LOAD(B); }
""",
        "B",
    ),
    Case(
        "field of a static global",
        """
static Pair kept; void f() { kept.one = LOAD(A); kept.two = LOAD(B); }
float4 main() : SV_Target { f(); return kept.two; }
""",
        "B",
    ),
    Case(
        "initializer of a static global",
        """
static float4 kept = LOAD(A); static float4 other = LOAD(B);
float4 main() : SV_Target { return kept; }
""",
        "A",
    ),
    Case(
        "static globals that read each other",
        """
static float4 one = LOAD(A); static float4 two = one * 2;
float4 main() : SV_Target { return two; }
""",
        "A",
    ),
    Case(
        "static resource",
        """
static Texture2D<float4> Alias = A;
float4 main() : SV_Target { return LOAD(Alias); }
""",
        "A",
    ),
    Case(
        "groupshared",
        """
groupshared float4 cache[4];
[numthreads(4, 1, 1)] void cs(uint i : SV_GroupIndex) { cache[i] = LOAD(A); GroupMemoryBarrierWithGroupSync();
    U[i] = cache[3 - i]; }
""",
        "A U",
        "-T cs_6_6 -E cs",
    ),
    Case(
        "groupshared that nobody reads",
        """
groupshared float4 cache[4];
[numthreads(4, 1, 1)] void cs(uint i : SV_GroupIndex) { cache[i] = LOAD(A); U[i] = 1; }
""",
        "A U",
        "-T cs_6_6 -E cs",
    ),
    Case(
        "interlocked on groupshared",
        """
[numthreads(4, 1, 1)] void cs(uint i : SV_GroupIndex) { uint before; InterlockedAdd(Shared[i], I[0], before);
    U[i] = before; }
""",
        "I U",
        "-T cs_6_6 -E cs",
    ),
    Case(
        "interlocked on groupshared that nobody reads",
        """
[numthreads(4, 1, 1)] void cs(uint i : SV_GroupIndex) { InterlockedAdd(Shared[i], I[0]); }
""",
        "I",
        "-T cs_6_6 -E cs",
    ),
    Case(
        "groupshared written in a dead branch",
        """
[numthreads(4, 1, 1)] void cs(uint i : SV_GroupIndex) { if (false) Shared[i] = I[0]; U[0] = Shared[0]; }
""",
        "U",
        "-T cs_6_6 -E cs",
    ),
    Case(
        "method",
        """
struct M { float4 x; float4 get() { return x + LOAD(A); } float4 other() { return LOAD(B); } };
float4 main() : SV_Target { M m; m.x = k; return m.get(); }
""",
        "A K",
    ),
    Case(
        "method that sets fields",
        """
struct M { float4 x; float4 y; void set() { x = LOAD(A); this.y = LOAD(B); } float4 getY() { return y; } };
float4 main() : SV_Target { M m; m.set(); return m.getY(); }
""",
        "B",
    ),
    Case(
        "methods of fields",
        """
struct M { float4 x; float4 y; void set() { x = LOAD(A); y = LOAD(B); } float4 getX() { return x; } };
struct N { M inner; void fill() { inner.set(); } float4 get() { return inner.getX(); } };
float4 main() : SV_Target { N o; o.fill(); return o.get(); }
""",
        "A",
    ),
    Case(
        "method defined outside",
        """
struct M { float4 x; float4 get(); }; float4 M::get() { return x + LOAD(A); }
float4 main() : SV_Target { M m; m.x = k; return m.get(); }
""",
        "A K",
    ),
    Case(
        "method of a base",
        """
struct Base { float4 get() { return LOAD(A); } }; struct Derived : Base { float4 x; };
float4 main() : SV_Target { Derived d; d.x = 1; return d.get(); }
""",
        "A",
    ),
    Case(
        "method that hides one of a base",
        """
struct Base { float4 get() { return LOAD(A); } }; struct Derived : Base { float4 get() { return LOAD(B); } };
float4 main() : SV_Target { Derived d; return d.get(); }
""",
        "B",
    ),
    Case(
        "static method",
        """
struct M { static float4 get() { return LOAD(A); } };
float4 main() : SV_Target { return M::get(); }
""",
        "A",
    ),
    Case(
        "operators",
        """
struct M { float4 x; M operator+(M o) { M r; r.x = x + o.x + LOAD(A); return r; } float4 operator[](uint i) {
    return LOAD(B); } };
float4 main() : SV_Target { M m; m.x = 1; return m[0]; }
""",
        "B",
    ),
    Case(
        "template function",
        """
template<typename T> T f(Texture2D<T> t) { return t.Load(int3(0, 0, 0)); }
float4 main() : SV_Target { return f<float4>(A); }
""",
        "A",
    ),
    Case(
        "template function with a number",
        """
template<int N> float4 f() { if (N == 1) return LOAD(A); return LOAD(B); }
float4 main() : SV_Target { return f<1>(); }
""",
        "A",
    ),
    Case(
        "template struct",
        """
template<typename T> struct Box { T value; T get() { return value; } };
float4 main() : SV_Target { Box<float4> b; b.value = LOAD(A); return b.get(); }
""",
        "A",
    ),
    Case(
        "template struct that holds a resource",
        """
template<typename T> struct Box { Texture2D<T> held; T get() { return held.Load(int3(0, 0, 0)); } };
float4 main() : SV_Target { Box<float4> b; b.held = A; return b.get(); }
""",
        "A",
    ),
    Case(
        "namespaces",
        """
namespace X { Texture2D<float4> Q : register(t10); float4 f() { return LOAD(Q); } } namespace Y {
    Texture2D<float4> Q : register(t11); float4 f() { return LOAD(Q); } }
float4 main() : SV_Target { return Y::f(); }
""",
        "Q",
    ),
    Case(
        "nested namespaces",
        """
namespace X { Texture2D<float4> Q : register(t10); namespace Z { float4 f() { return LOAD(Q); } } }
float4 main() : SV_Target { return X::Z::f(); }
""",
        "Q",
    ),
    Case(
        "using a namespace",
        """
namespace X { Texture2D<float4> Q : register(t10); } using namespace X;
float4 main() : SV_Target { return LOAD(Q); }
""",
        "Q",
    ),
    Case(
        "aliases of resource types",
        """
typedef Texture2D<float4> Map; using Map2 = Map; Map One10 : register(t10); Map2 Two : register(t11);
float4 f(Map2 m) { return LOAD(m); }
float4 main() : SV_Target { return f(One10) + LOAD(Two); }
""",
        "One10 Two",
    ),
    Case(
        "clip planes",
        """
[clipplanes(k, loose)] float4 vs() : SV_Position { return 1; }
""",
        "$Globals K",
        "-T vs_6_0 -E vs",
    ),
    Case(
        "hull shader and its patch function",
        """
struct Point { float4 p : P; }; struct Factors { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
Factors patch(InputPatch<Point, 3> points) { Factors f; f.e[0] = f.e[1] = f.e[2] = LOAD(A).x; f.i = 1;
    return f; }
float4 patch() { return LOAD(C); }
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)]
    [patchconstantfunc("patch")]
Point hs(InputPatch<Point, 3> points, uint id : SV_OutputControlPointID) { Point q = points[id];
    q.p += LOAD(B); return q; }
""",
        "A B",
        "-T hs_6_0 -E hs",
    ),
    Case(
        "geometry shader",
        """
struct Point { float4 p : SV_Position; };
[maxvertexcount(3)] void gs(point Point points[1], inout TriangleStream<Point> stream) { Point q;
    q.p = LOAD(A); stream.Append(q); stream.RestartStrip(); }
""",
        "A",
        "-T gs_6_0 -E gs",
    ),
    Case(
        "mesh shader",
        """
struct Point { float4 p : SV_Position; };
[numthreads(1, 1, 1)] [outputtopology("triangle")] void ms(out vertices Point points[3], out indices uint3
    faces[1]) { SetMeshOutputCounts(3, 1); points[0].p = LOAD(A); faces[0] = I[0]; }
""",
        "A I",
        "-T ms_6_5 -E ms",
    ),
    Case(
        "amplification shader",
        """
struct Load { uint at; }; groupshared Load load;
[numthreads(1, 1, 1)] void as() { load.at = I[0]; DispatchMesh(1, 1, 1, load); }
""",
        "I",
        "-T as_6_5 -E as",
    ),
    Case(
        "outputs of a pixel shader",
        """
void ps(out float4 one : SV_Target0, out float depth : SV_Depth) { one = LOAD(A); depth = LOAD(B).x; }
""",
        "A B",
        "-T ps_6_0 -E ps",
    ),
    Case(
        "output struct",
        """
struct Out { float4 one : SV_Target0; float4 two : SV_Target1; };
Out ps() { Out o; o.one = LOAD(A); o.two = LOAD(B); return o; }
""",
        "A B",
        "-T ps_6_0 -E ps",
    ),
    Case(
        "inline ray tracing",
        """
RaytracingAccelerationStructure Scene : register(t12);
float4 main() : SV_Target { RayQuery<RAY_FLAG_NONE> query; RayDesc ray = (RayDesc)0;
    query.TraceRayInline(Scene, 0, 255, ray); query.Proceed(); return query.CommittedStatus(); }
""",
        "Scene",
    ),
    Case(
        "sampler feedback",
        """
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Feedback : register(u9);
float4 main(float2 uv : UV) : SV_Target { Feedback.WriteSamplerFeedback(A, S, uv); return 0; }
""",
        "A Feedback S",
    ),
    Case(
        "static variable that goes round a loop and decides what it takes",
        """
static float4 Kept = 0;
void turn(uint at) { V[at] = k; Kept = max(Kept.x > 1 ? LOAD(A) : LOAD(B), 0); }
[numthreads(4, 1, 1)]
void main(uint at : SV_GroupIndex) { for (uint i = 0; i < n; ++i) turn(at); }
""",
        "A B K V",
        "-T cs_6_0 -E main",
    ),
    Case(
        "static variable that goes round a loop and decides nothing",
        """
static float4 Kept = 0;
void turn(uint at) { V[at] = k; Kept += LOAD(A); }
[numthreads(4, 1, 1)]
void main(uint at : SV_GroupIndex) { for (uint i = 0; i < n; ++i) turn(at); }
""",
        "K V",
        "-T cs_6_0 -E main",
    ),
    Case(
        "a static variable that exported functions leave to each other",
        """
static float4 kept; static Pair pair; static float4 lost;
void give() { kept = LOAD(A); pair.one = LOAD(B); lost = LOAD(C); }
float4 take() { return kept + pair.two; }
""",
        "A",
        "-T lib_6_3 -default-linkage external",
    ),
    Case(
        "a static variable that a shader leaves to an exported function, and an exported function to a shader",
        """
static float4 given; static float4 taken;
export void give() { given = LOAD(A); }
export float4 take() { return taken; }
[shader("raygeneration")] void main() { taken = LOAD(B); U[0] = given; }
""",
        "A B U",
        "-T lib_6_3",
    ),
    Case(
        "a static variable of two shaders, of which each has its own",
        """
static float4 given;
[shader("raygeneration")] void give() { given = LOAD(A); }
[shader("raygeneration")] void take() { U[0] = given; }
""",
        "U",
        "-T lib_6_3",
    ),
    Case(
        "loops that stand in loops that go",
        """
void turn(uint at, inout uint sum) { for (uint k = at; k <= I[1]; ++k) sum += I[k]; }
float4 main(uint at : AT) : SV_Target
{
    uint sum = at, other = at, product = 1;
    for (uint i = 0; i < n; ++i)
    {
        for (uint k = i; k < n; ++k) { sum += I[k]; }
        while (product < n) product = product * 3 + i;
        turn(i, other);
    }
    return LOAD(A);
}
""",
        "A",
    ),
    Case(
        "loop that gives what the loop around it decides",
        """
float4 main(uint at : AT) : SV_Target
{
    uint a = 1, b = 2, c = at, d = n;
    while (c < b)
    {
        for (uint i = a; i < b; ++i) { for (uint j = 0; j < b; ++j) a = b; d = I[d]; c = I[b] ^ I[a]; }
        c = ((n ^ (d ^ ((c ^ W[b]) ^ 3))) ^ at) + W[a];
        if (c > 3) break;
    }
    return b;
}
""",
        "I K W",
    ),
    Case(
        "loop that stands in a loop and gives what is read",
        """
float4 main(uint at : AT) : SV_Target
{
    uint sum = at, lost = at;
    for (uint i = 0; i < n; ++i) { for (uint k = i; k < I[i]; ++k) { sum += k; lost += 1; } }
    return sum;
}
""",
        "I K",
    ),
    Case(
        "loop of a function that decides itself, in a loop that stays",
        """
float4 turn(float4 v, uint at)
{
    float4 sum = v;
    float4 loaded = A.Load(int3(at, 0, 0));
    U[at] = at > 2 ? sum : loaded;
    while (sum.x > 100 && n > 3) { sum = C.Load(int3(at, 1, 0)); }
    return v + (n > 1 ? (true ? k : sum) : v) * A.Load(int3(at, 1, 0));
}
float4 main(uint at : AT, float4 v : V) : SV_Position
{
    float4 given = v;
    for (uint i = 0; i < 4; ++i) { if (B.Load(int3(at, 0, 0)).x > 0) given = turn(given, at); }
    return v;
}
""",
        "A B C K U",
        "-T vs_6_6 -E main",
    ),
    Case(
        "loops of which each takes through a static variable what the one before gives",
        """
static float4 Kept = 0;
void circle(float4 v, uint at)
{
    float4 sum;
    while (sum.x && 3) { Kept += LOAD(C); sum = B.SampleLevel(S, v.xy, 0) - Kept; }
}
[numthreads(4, 1, 1)]
void main(uint at : SV_GroupIndex)
{
    float4 given = A.Load(int3(at, 0, 0));
    circle(given, at);
    circle(given, at);
    U[at] = LOAD(C);
}
""",
        "A B C S U",
        "-T cs_6_0 -E main",
    ),
    Case(
        "loop whose value a later loop with a branch takes, which goes",
        """
float4 main(uint at : AT, float4 v : V) : SV_Target
{
    float4 sum = v;
    while (sum.x > 100 && n > 3) { v = LOAD(B); sum = A.SampleLevel(S, v.xy, 0); }
    float4 w = k;
    for (uint i = 0; i < 4; ++i) { if (any(ks[0])) w += at & 1 ? LOAD(C) : sum; }
    return LOAD(B);
}
""",
        "A B K S",
        "-T ps_6_0 -E main",
    ),
    Case(
        "function whose loop with a branch takes what a loop gives, and goes",
        """
float4 mixed(float4 given, uint at)
{
    float4 w = k;
    for (uint i = 0; i < 4; ++i)
        if (any(ks[0])) w += at & 1 ? w : lerp(given.wzyx, 1, 5);
    return w;
}
float4 main(uint at : AT, float4 v : V) : SV_Target
{
    float4 sum = v;
    while (sum.x > 100 && n > 3) { v = LOAD(B); sum = A.SampleLevel(S, v.xy, 0); }
    mixed(sum, at);
    return LOAD(B);
}
""",
        "A B K S",
        "-T ps_6_0 -E main",
    ),
)

STRUCTS: tuple[Case, ...] = (
    Case(
        "resources in a struct",
        """
struct Set { Texture2D<float4> one; Texture2D<float4> two; SamplerState state; float4 tint; };
    Set set : register(t20) : register(s20);
float4 main() : SV_Target { return set.two.SampleLevel(set.state, 0, 0); }
""",
        "set.state set.two",
    ),
    Case(
        "data in a struct with resources",
        """
struct Set { Texture2D<float4> one; float4 tint; }; Set set : register(t20);
float4 main() : SV_Target { return set.tint; }
""",
        "$Globals",
    ),
    Case(
        "both",
        """
struct Set { Texture2D<float4> one; float4 tint; }; Set set : register(t20);
float4 main() : SV_Target { return set.tint + LOAD(set.one); }
""",
        "$Globals set.one",
    ),
    Case(
        "struct with resources handed on",
        """
struct Set { Texture2D<float4> one; Texture2D<float4> two; float4 tint; }; Set set : register(t20);
float4 f(Set s) { return LOAD(s.two); }
float4 main() : SV_Target { return f(set); }
""",
        "set.two",
    ),
    Case(
        "struct with resources copied",
        """
struct Set { Texture2D<float4> one; Texture2D<float4> two; float4 tint; }; Set set : register(t20);
float4 main() : SV_Target { Set s = set; return s.tint + LOAD(s.two); }
""",
        "$Globals set.two",
    ),
    Case(
        "method of a struct with resources",
        """
struct Set { Texture2D<float4> one; float4 tint; float4 inner() { return LOAD(one); } float4 get() {
    return inner(); } }; Set set : register(t20);
float4 main() : SV_Target { return set.get(); }
""",
        "set.one",
    ),
    Case(
        "array of structs with resources",
        """
struct Set { Texture2D<float4> one; Texture2D<float4> two; }; Set sets[3] : register(t20);
float4 main() : SV_Target { return LOAD(sets[1].two); }
""",
        "sets.1.two",
    ),
    Case(
        "array of resources in a struct",
        """
struct Set { Texture2D<float4> many[3]; RWBuffer<float4> out1; }; Set set : register(t20) : register(u20);
float4 main() : SV_Target { set.out1[0] = 1; return LOAD(set.many[2]); }
""",
        "set.many.2 set.out1",
    ),
    Case(
        "nested structs with resources",
        """
struct In { Texture2D<float4> one; float4 tint; }; struct Set { In a; In many[2]; }; Set set : register(t20);
float4 f(In i) { return LOAD(i.one); }
float4 main() : SV_Target { return f(set.many[1]); }
""",
        "set.many.1.one",
    ),
    Case(
        "resource of a base class",
        """
struct Base { Texture2D<float4> one; }; struct Derived : Base { Texture2D<float4> two; };
    Derived set : register(t20);
float4 main() : SV_Target { return LOAD(set.two) + LOAD(set.one); }
""",
        "set.Base.one set.two",
    ),
    Case(
        "resource of a base class alone",
        """
struct Base { Texture2D<float4> one; float4 tint; }; struct Derived : Base { Texture2D<float4> two; };
    Derived set : register(t20);
float4 main() : SV_Target { return LOAD(set.one); }
""",
        "set.Base.one",
    ),
    Case(
        "resource inside a cbuffer",
        """
cbuffer Mixed : register(b5) { Texture2D<float4> inside : register(t9); float4 rest; };
float4 main() : SV_Target { return LOAD(inside) + rest; }
""",
        "Mixed inside",
    ),
    Case(
        "only the resource inside a cbuffer",
        """
cbuffer Mixed : register(b5) { Texture2D<float4> inside; float4 rest; };
float4 main() : SV_Target { return LOAD(inside); }
""",
        "inside",
    ),
    Case(
        "array of resources inside a cbuffer",
        """
cbuffer Mixed : register(b5) { Texture2D<float4> inside[3]; float4 rest; };
float4 main() : SV_Target { return LOAD(inside[1]) + rest; }
""",
        "Mixed inside.1",
    ),
    Case(
        "struct with a resource inside a cbuffer",
        """
struct Set { Texture2D<float4> one; float4 tint; }; cbuffer Mixed : register(b5) { Set set; float4 rest; };
float4 main() : SV_Target { return LOAD(set.one); }
""",
        "set.one",
    ),
    Case(
        "resource in a constant buffer view",
        """
struct Set { Texture2D<float4> one; float4 tint; }; ConstantBuffer<Set> view : register(b5);
float4 main() : SV_Target { return LOAD(view.one); }
""",
        "view.one",
    ),
    Case(
        "resource and data of a constant buffer view",
        """
struct Set { Texture2D<float4> one; float4 tint; }; ConstantBuffer<Set> view : register(b5);
float4 main() : SV_Target { Set s = view; return LOAD(s.one) + s.tint; }
""",
        "view view.one",
    ),
    Case(
        "constant buffer view in a struct is data",
        """
struct Data { float4 x; }; struct Set { ConstantBuffer<Data> view; Texture2D<float4> one; };
    Set set : register(t20);
float4 main() : SV_Target { return LOAD(set.one); }
""",
        "set.one",
    ),
    Case(
        "struct without data",
        """
struct Nothing { }; Nothing nothing; struct Set { Texture2D<float4> one; }; struct Outer2 { Set set; };
    Outer2 set : register(t20);
float4 f(Outer2 s) { return LOAD(s.set.one); }
float4 main() : SV_Target { return f(set); }
""",
        "set.set.one",
    ),
    Case(
        "two instances",
        """
struct Set { Texture2D<float4> one; }; Set first : register(t20); Set second : register(t30);
float4 main() : SV_Target { return LOAD(second.one); }
""",
        "second.one",
    ),
    Case(
        "static member that is defined outside of its struct",
        """
struct Set { static const int Count; static int counted; float4 v; }; const int Set::Count = 1; int Set::counted = 2;
float4 main() : SV_Target { return Set::Count + Set::counted + LOAD(A); }
""",
        "A",
    ),
    Case(
        "namespace in a cbuffer",
        """
cbuffer Frame : register(b2) { float4 a; namespace Inner { float4 b; namespace Deep { float4 c; } } float4 d; }
float4 main() : SV_Target { return Inner::Deep::c; }
""",
        "Frame",
    ),
    Case(
        "method of the struct in a constant buffer, of which a parameter is never read",
        """
struct Grid
{
    float4 size;
    float4 at(Texture2D<float4> used, Texture2D<float4> other) { return used.Load(0) * size; }
};
ConstantBuffer<Grid> grid : register(b3);
float4 main() : SV_Target { return grid.at(A, B); }
""",
        "A grid",
    ),
)

CASES = STATEMENTS + FUNCTIONS + STRUCTS


def analysed(text: str, arguments: str) -> ShaderAnalysis:
    """The analysis of a shader that is no file."""
    analyser = Analyser()
    analyser.overlay("/project/shader.hlsl", text.encode())
    shader = parse_arguments(arguments.split(), "/project").shader
    return analyser.analyse(msgspec.structs.replace(shader, file="/project/shader.hlsl"))
