"""What a shader decides by values that are known: each case held against the analysis and the real compiler."""

from __future__ import annotations

from cases.usage import Case


def decided(name: str, body: str, bound: str, before: str = "", arguments: str = "-T ps_6_6 -E main") -> Case:
    """A pixel shader that returns `sum`, with what stands before it."""
    head = "float4 main(uint at : AT, float4 v : V, int q : Q) : SV_Target { float4 sum = v;"
    return Case(name, f"{before}\n{head}\n{body}\nreturn sum; }}\n", bound, arguments)


SWITCHES: tuple[Case, ...] = (
    decided(
        "switches: literal taken case",
        """
switch (1) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break; default: sum += LOAD(C); }
""",
        "B",
    ),
    decided(
        "switches: macro returns",
        """
switch (MODE) { case 0: return LOAD(A); case 1: return LOAD(B); default: return LOAD(C); }
""",
        "B",
        "#define MODE 1",
    ),
    decided(
        "switches: static const",
        """
switch (One) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break; default: sum += LOAD(C);
}
""",
        "B",
    ),
    decided(
        "switches: no case taken, no default",
        "switch (One) { case 0: sum += LOAD(A); break; case 2: sum += LOAD(B); break; }",
        "",
    ),
    decided(
        "switches: default",
        """
switch (5) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break; default: sum += LOAD(C); }
""",
        "C",
    ),
    decided(
        "switches: default first",
        """
switch (5) { default: sum += LOAD(C); break; case 0: sum += LOAD(A); break; case 1: sum += LOAD(B);
break;  }
""",
        "C",
    ),
    decided(
        "switches: default in middle, taken other",
        """
switch (1) { case 0: sum += LOAD(A); break; default: sum += LOAD(C); break; case 1: sum += LOAD(B);
break;  }
""",
        "B",
    ),
    decided(
        "switches: shared labels", "switch (1) { case 0: case 1: sum += LOAD(B); break; default: sum += LOAD(C); }", "B"
    ),
    decided(
        "switches: shared label default",
        "switch (1) { case 0: sum += LOAD(A); break; case 1: default: sum += LOAD(C); }",
        "C",
    ),
    decided(
        "switches: fallthrough empty",
        "switch (0) { case 0: case 1: sum += LOAD(B); break; default: sum += LOAD(C); }",
        "B",
    ),
    decided(
        "switches: block after label",
        """
switch (0) { case 0: { sum += LOAD(A); break; } case 1: { sum += LOAD(B); break; }
default: sum += LOAD(C); }
""",
        "A",
    ),
    decided(
        "switches: block then break",
        """
switch (0) { case 0: { sum += LOAD(A); } break; case 1: { sum += LOAD(B); } break;
default: { sum += LOAD(C); } break; }
""",
        "A",
    ),
    decided(
        "switches: enumerators",
        """
switch (Second) { case First: sum += LOAD(A); break; case Second: sum += LOAD(B); break; }
""",
        "B",
    ),
    decided(
        "switches: cast",
        """
switch ((int)One) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break;
default: sum += LOAD(C); }
""",
        "B",
    ),
    decided(
        "switches: arithmetic",
        """
switch (One + 1) { case 0: sum += LOAD(A); break; case 2: sum += LOAD(B); break;
default: sum += LOAD(C); }
""",
        "B",
    ),
    decided(
        "switches: case expressions",
        """
switch (Two) { case One: sum += LOAD(A); break; case One + 1: sum += LOAD(B); break;
default: sum += LOAD(C); }
""",
        "B",
        "static const int Two = 2;",
    ),
    decided(
        "switches: case with cast",
        """
switch (One) { case (0): sum += LOAD(A); break; case uint(1): sum += LOAD(B); break;
default: sum += LOAD(C); }
""",
        "B",
    ),
    decided(
        "switches: case ternary",
        """
switch (One) { case (true ? 0 : 1): sum += LOAD(A); break; case 1: sum += LOAD(B); break;
default: sum += LOAD(C); }
""",
        "B",
    ),
    decided(
        "switches: parameter",
        "sum += f(1);",
        "B",
        """
float4 f(int m) { switch (m) { case 0: return LOAD(A); case 1: return LOAD(B);
default: return LOAD(C); } }
""",
    ),
    decided(
        "switches: parameter twice",
        "sum += f(1) + f(0);",
        "A B",
        """
float4 f(int m) { switch (m) { case 0: return LOAD(A); case 1: return LOAD(B);
default: return LOAD(C); } }
""",
    ),
    Case(
        "switches: template argument",
        """
template<int M> float4 f() { switch (M) { case 0: return LOAD(A); case 1: return LOAD(B);
default: return LOAD(C); } }
float4 main() : SV_Target { return f<1>(); }
""",
        "B",
    ),
    decided(
        "switches: local const",
        """
const int m = 1; switch (m) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break; }
""",
        "B",
    ),
    decided(
        "switches: local var",
        "int m = 1; switch (m) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break; }",
        "B",
    ),
    decided(
        "switches: nested switch",
        """
switch (1) { case 0: sum += LOAD(A); break; case 1: switch (0) { case 0: sum += LOAD(B); break;
default: sum += LOAD(C); } break; }
""",
        "B",
    ),
    decided(
        "switches: nested unknown outer",
        """
switch (q) { case 0: sum += LOAD(A); break; case 1: switch (0) { case 0: sum += LOAD(B); break;
default: sum += LOAD(C); } break; }
""",
        "A B",
    ),
    decided(
        "switches: in a loop with continue",
        """
for (int i = 0; i < q; i++) { switch (1) { case 0: sum += LOAD(A); continue; case 1: sum += LOAD(B);
break; default: sum += LOAD(C); } }
""",
        "B",
    ),
    decided(
        "switches: loop inside a case",
        """
switch (1) { case 0: for (int i = 0; i < q; i++) { sum += LOAD(A); break; } break;
case 1: for (int j = 0; j < q; j++) { if (j == 3) break; sum += LOAD(B); } break;
default: sum += LOAD(C); }
""",
        "B",
    ),
    decided(
        "switches: code after return-only switch",
        "switch (1) { case 0: return LOAD(A); case 1: return LOAD(B); } sum += LOAD(C);",
        "B",
    ),
    decided(
        "switches: code after switch default returns",
        """
switch (1) { case 0: return LOAD(A); case 1: sum += LOAD(B); break; default: return sum; }
sum += LOAD(C);
""",
        "B C",
    ),
    decided("switches: bool", "switch (true) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break; }", "B"),
    decided(
        "switches: negative", "switch (-1) { case -1: sum += LOAD(A); break; case 1: sum += LOAD(B); break; }", "A"
    ),
    decided("switches: hex", "switch (0x10u) { case 16: sum += LOAD(A); break; case 17: sum += LOAD(B); break; }", "A"),
    decided("switches: char", "switch ('a') { case 97: sum += LOAD(A); break; case 'b': sum += LOAD(B); break; }", "A"),
    decided(
        "switches: scoped enum",
        """
switch (E::B0) { case E::A0: sum += LOAD(A); break; case E::C0: sum += LOAD(C); break;
default: sum += LOAD(B); }
""",
        "B",
        "enum class E : uint { A0, B0 = 4, C0 };",
        arguments="-T ps_6_6 -E main -HV 2021",
    ),
    decided(
        "switches: scoped enum parameter",
        "sum += f(E::B0);",
        "B",
        """
enum class E : uint { A0, B0 = 4, C0 }; float4 f(E e) { switch (e) { case E::A0: return LOAD(A);
case E::B0: return LOAD(B); default: return LOAD(C); } }
""",
        arguments="-T ps_6_6 -E main -HV 2021",
    ),
    decided(
        "switches: scoped enum if",
        "if (E::B0 == E::A0) sum += LOAD(A); if (E::B0 == E::B0) sum += LOAD(B);",
        "B",
        "enum class E : uint { A0, B0 = 4, C0 };",
        arguments="-T ps_6_6 -E main -HV 2021",
    ),
    decided(
        "switches: enum param if",
        "sum += f(Second);",
        "B",
        "float4 f(Order e) { if (e == First) return LOAD(A); return LOAD(B); }",
    ),
    decided(
        "switches: scoped enum param if",
        "sum += f(E::B0);",
        "B",
        """
enum class E : uint { A0, B0 = 4, C0 }; float4 f(E e) { if (e == E::A0) return LOAD(A);
return LOAD(B); }
""",
        arguments="-T ps_6_6 -E main -HV 2021",
    ),
    decided(
        "switches: declarations in case",
        """
switch (1) { case 0: { float4 a = LOAD(A); sum += a; } break; case 1: float4 b = LOAD(B); sum += b;
break; }
""",
        "B",
    ),
    decided(
        "switches: fallthrough with statements",
        """
switch (0) { case 0: sum += LOAD(A); case 1: sum += LOAD(B); break; default: sum += LOAD(C); }
""",
        "A B",
    ),
    decided(
        "switches: attribute",
        """
[forcecase] switch (1) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break; }
""",
        "B",
    ),
    decided(
        "switches: loop var unrolled",
        """
[unroll] for (int i = 0; i < 2; i++) { switch (i) { case 0: sum += LOAD(A); break;
case 1: sum += LOAD(B); break; default: sum += LOAD(C); } }
""",
        "A B C",
    ),
    decided("switches: no cases", "switch (1) { default: sum += LOAD(A); }", "A"),
    decided(
        "switches: -Od",
        """
switch (1) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break; default: sum += LOAD(C); }
""",
        "B",
        arguments="-T ps_6_6 -E main -Od",
    ),
    decided(
        "switches: -O0",
        """
switch (One) { case 0: sum += LOAD(A); break; case 1: sum += LOAD(B); break; default: sum += LOAD(C);
}
""",
        "B",
        arguments="-T ps_6_6 -E main -O0",
    ),
    decided(
        "switches: -O0 func",
        "sum += f(1);",
        "B",
        """
float4 f(int m) { switch (m) { case 0: return LOAD(A); case 1: return LOAD(B);
default: return LOAD(C); } }
""",
        arguments="-T ps_6_6 -E main -O0",
    ),
    decided(
        "switches: -Od func",
        "sum += f(1);",
        "B",
        """
float4 f(int m) { switch (m) { case 0: return LOAD(A); case 1: return LOAD(B);
default: return LOAD(C); } }
""",
        arguments="-T ps_6_6 -E main -Od",
    ),
    decided(
        "switches: -Od func if",
        "sum += f(1);",
        "B",
        "float4 f(int m) { if (m == 0) return LOAD(A);return LOAD(B); }",
        arguments="-T ps_6_6 -E main -Od",
    ),
)
"""`switch` of a value that is known."""


TYPES: tuple[Case, ...] = (
    decided("types: a local uint of -1", "uint m = -1; if (m > 0) { sum += LOAD(A); } else sum += LOAD(B);", "A", ""),
    decided("types: a local bool of 2", "bool b = 2; if (b == 1) { sum += LOAD(A); } else sum += LOAD(B);", "A", ""),
    decided(
        "types: a local int of a real", "int m = 0.7; if (m > 0.5) { sum += LOAD(A); } else sum += LOAD(B);", "B", ""
    ),
    decided(
        "types: a local int of a real above one",
        "int m = 1.2; if (m > 0.5) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "",
    ),
    decided(
        "types: a bool is handed 2",
        "sum += f(2);",
        "A",
        "float4 f(bool x) { if (x == 1) return LOAD(A); return LOAD(B); }",
    ),
    decided(
        "types: a uint is handed -1",
        "sum += f(-1);",
        "A",
        "float4 f(uint x) { if (x > 0) return LOAD(A); return LOAD(B); }",
    ),
    decided(
        "types: an int is handed a large uint",
        "sum += f(0xFFFFFFFFu);",
        "B",
        "float4 f(int x) { if (x > 0) return LOAD(A); return LOAD(B); }",
    ),
    decided(
        "types: half of a local float", "float m = 3; if (m / 2 == 1) { sum += LOAD(A); } else sum += LOAD(B);", "B", ""
    ),
    decided(
        "types: half of a local const float",
        "const float m = 3; if (m / 2 == 1.5) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "",
    ),
    decided(
        "types: half of a float that is handed over",
        "sum += f(3);",
        "B",
        "float4 f(float x) { if (x / 2 == 1) return LOAD(A); return LOAD(B); }",
    ),
    decided(
        "types: a template's uint wraps",
        "sum += f<3>();",
        "A",
        "template<uint X> float4 f() { if (X - 4 > 0) return LOAD(A); return LOAD(B); }",
        arguments="-T ps_6_6 -E main -HV 2021",
    ),
    decided(
        "types: a template's bool of 2",
        "sum += f<2>();",
        "A",
        "template<bool X> float4 f() { if (X == 1) return LOAD(A); return LOAD(B); }",
        arguments="-T ps_6_6 -E main -HV 2021",
    ),
    decided(
        "types: a parameter with a default is handed another value",
        "sum += f(3);",
        "A",
        "float4 f(uint x = 4) { if (x - 4 > 0) return LOAD(A); return LOAD(B); }",
    ),
    decided(
        "types: a default argument wraps",
        "sum += f();",
        "A",
        "float4 f(uint x = 3) { if (x - 4 > 0) return LOAD(A); return LOAD(B); }",
    ),
    decided(
        "types: a local uint wraps", "uint m = 3; if (m - 4 > 0) { sum += LOAD(A); } else sum += LOAD(B);", "A", ""
    ),
    decided(
        "types: an alias", "BB m = 5; if (m == 1) { sum += LOAD(A); } else sum += LOAD(B);", "A", "typedef bool BB;"
    ),
    decided(
        "types: hexadecimal as int",
        "int m = 0xFFFFFFFF; if (m == -1) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "",
    ),
    decided(
        "types: a real as double", "double m = 0.1; if (m == 0.1f) { sum += LOAD(A); } else sum += LOAD(B);", "B", ""
    ),
    decided(
        "types: minimum precision", "min16uint m = -1; if (m > 0) { sum += LOAD(A); } else sum += LOAD(B);", "A", ""
    ),
)
"""Variables and parameters convert what they take."""


EFFECTS: tuple[Case, ...] = (
    decided(
        "effects: before a comma",
        "if ((g(), 0)) { sum += LOAD(A); } else sum += LOAD(B);",
        "B U",
        "bool g() { U[0] = 1; return false; }",
    ),
    decided(
        "effects: before && false",
        "if (g() && false) { sum += LOAD(A); } else sum += LOAD(B);",
        "B U",
        "bool g() { U[0] = 1; return false; }",
    ),
    decided(
        "effects: behind false && in HLSL 2018",
        "if (false && g()) { sum += LOAD(A); } else sum += LOAD(B);",
        "B U",
        "bool g() { U[0] = 1; return false; }",
        arguments="-T ps_6_6 -E main -HV 2018",
    ),
    decided(
        "effects: before && false in HLSL 2018",
        "if (g() && false) { sum += LOAD(A); } else sum += LOAD(B);",
        "B U",
        "bool g() { U[0] = 1; return false; }",
        arguments="-T ps_6_6 -E main -HV 2018",
    ),
    decided(
        "effects: behind true || in HLSL 2018",
        "if (true || g()) { sum += LOAD(A); } else sum += LOAD(B);",
        "A U",
        "bool g() { U[0] = 1; return false; }",
        arguments="-T ps_6_6 -E main -HV 2018",
    ),
    decided(
        "effects: in a local's first value",
        "int m = (g(), 1); if (m == 1) { sum += LOAD(A); } else sum += LOAD(B);",
        "A U",
        "bool g() { U[0] = 1; return false; }",
    ),
    decided(
        "effects: around a loop",
        "for (int j = 0; j < 3; ++j) if (g() && false) { sum += LOAD(A); } else sum += LOAD(B);",
        "B U",
        "bool g() { U[0] = 1; return false; }",
    ),
    decided(
        "effects: in the head of a loop that never starts",
        "for (int j = (g(), 0); j < 0; ++j) { sum += LOAD(A); }",
        "U",
        "bool g() { U[0] = 1; return false; }",
    ),
    decided(
        "effects: in the condition of a loop that never starts",
        "for (int j = 0; g() && false; ++j) { sum += LOAD(A); }",
        "U",
        "bool g() { U[0] = 1; return false; }",
    ),
    decided(
        "effects: in a switch",
        "switch ((g(), 0)) { case 1: sum += LOAD(A); }",
        "U",
        "bool g() { U[0] = 1; return false; }",
    ),
)
"""What is known may do something else."""


FUNCTIONS: tuple[Case, ...] = (
    decided(
        "functions: a constant",
        "if (Enabled()) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "bool Enabled() { return false; }",
    ),
    decided(
        "functions: a constant argument",
        "if (Enabled(3)) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "bool Enabled(int m) { return m > 4; }",
    ),
    decided(
        "functions: through two",
        "if (Outer2()) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "bool Enabled(int m) { return m > 4; } bool Outer2() { return Enabled(5); }",
    ),
    decided(
        "functions: one of two returns",
        "if (Mode() == 2) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "int Mode() { if (One == 1) return 2; return 3; }",
    ),
    decided(
        "functions: a local",
        "if (Mode() == 2) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "int Mode() { int m = 2; return m; }",
    ),
    decided(
        "functions: a switch",
        "if (Mode(1) == 2) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "int Mode(int x) { switch (x) { case 1: return 2; default: return 3; } }",
    ),
    decided(
        "functions: a real",
        "if (Mode() > 0.5) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "float Mode() { return 0.25; }",
    ),
    decided(
        "functions: in a local",
        "bool b = Enabled(5); if (b) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "bool Enabled(int m) { return m > 4; }",
    ),
    decided(
        "functions: a static method",
        "if (S2::E()) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "struct S2 { static bool E() { return false; } };",
    ),
    decided(
        "functions: before &&",
        "if (Enabled() && q > 1) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "bool Enabled() { return false; }",
    ),
    decided(
        "functions: intrinsics",
        "if (max3(1,2,3) == 3) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "int max3(int a,int b,int c) { return max(a, max(b, c)); }",
    ),
    decided(
        "functions: no round of a loop", "for (int i = 0; i < f(); i++) sum += LOAD(A);", "", "int f() { return 0; }"
    ),
)
"""What functions of the shader return."""


CONSTANTS: tuple[Case, ...] = (
    decided(
        "constants: an array of what is no literal, with -Od",
        "if (Table[1]) sum += LOAD(A); else sum += LOAD(B);",
        "A B",
        "static const float2 Two = float2(0, 1); static const float Table[2] = {Two.x, Two.x + 0.5};",
        arguments="-T ps_6_6 -E main -Od",
    ),
    decided(
        "constants: a vector's member",
        "if (K3.x > 0) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "static const float3 K3 = float3(0,1,0);",
    ),
    decided(
        "constants: a list",
        "if (K3.y > 0) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "static const float3 K3 = {0,1,0};",
    ),
    decided(
        "constants: an array",
        "if (T3[1]) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "static const int T3[3] = {1,0,2};",
    ),
    decided(
        "constants: by a constant subscript",
        "if (T3[One] == 0) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "static const int T3[3] = {1,0,2};",
    ),
    decided(
        "constants: a vector's subscript",
        "if (K3[1] > 0) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "static const float3 K3 = float3(0,1,0);",
    ),
    decided(
        "constants: one scalar for all",
        "if (K3.x > 0) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "static const float3 K3 = 0;",
    ),
    decided(
        "constants: a field",
        "if (P.on) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "struct Set { bool on; int m; }; static const Set P = { false, 2 };",
    ),
    decided(
        "constants: another field",
        "if (P.m == 2) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "struct Set { bool on; int m; }; static const Set P = { false, 2 };",
    ),
    decided(
        "constants: a real",
        "if (F0 > 0.5) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "static const float F0 = 0.25;",
    ),
    decided(
        "constants: a matrix",
        "if (M[0][1] > 0.5) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "static const float2x2 M = float2x2(0,0,1,1);",
    ),
    decided(
        "constants: an array of arrays",
        "if (TT[1][0] == 3) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "static const int TT[2][2] = {{1,2},{3,4}};",
    ),
    decided(
        "constants: an unknown subscript",
        "if (T3[q]) { sum += LOAD(A); } else sum += LOAD(B);",
        "A B",
        "static const int T3[3] = {0,0,0};",
    ),
    decided(
        "constants: in a namespace",
        "if (N9::K) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "namespace N9 { static const float K = 0.f; }",
    ),
    decided(
        "constants: a static variable that nobody writes",
        "if (G) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "static bool G = false;",
    ),
    decided(
        "constants: a static vector that nobody writes",
        "if (G.x) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "static int2 G = int2(0,1);",
    ),
    decided(
        "constants: read in a function",
        "if (r()) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "static bool G = false; bool r() { return G; }",
    ),
    decided(
        "constants: a global of the program",
        "if (G) { sum += LOAD(A); } else sum += LOAD(B);",
        "$Globals A B",
        "bool G;",
    ),
)
"""Constants of other than whole types, and variables that are constants."""


LITERALS: tuple[Case, ...] = (
    decided(
        "literals: a large one and true",
        "if ((0xFFFFFFFF + true) == 0) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "",
    ),
    decided(
        "literals: a large one times true",
        "if (2 < (0xFFFFFFFF * true)) { sum += LOAD(A); } else sum += LOAD(B);",
        "B",
        "",
    ),
    decided(
        "literals: a large one less than true",
        "if (0xFFFFFFFF < true) { sum += LOAD(A); } else sum += LOAD(B);",
        "A",
        "",
    ),
)
"""Literals have 64 bits but where a bool meets them."""


FOLDED = SWITCHES + TYPES + EFFECTS + FUNCTIONS + CONSTANTS + LITERALS
