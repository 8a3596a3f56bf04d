"""What names mean, case by case: how they are spelled, where they are looked up, and which function a call means."""

from __future__ import annotations

from cases.usage import Case, in_a_body

SPELLINGS: tuple[Case, ...] = (
    in_a_body("names with letters of other scripts", "float4 é = LOAD(A); float4 e = LOAD(B); sum += é;", "A"),
    in_a_body("names with a dollar", "float4 a$ = LOAD(A); float4 $a = LOAD(B); sum += a$;", "A"),
    in_a_body("letters as universal character names", "float4 x\\u00e9y = LOAD(A); sum += xéy;", "A"),
    in_a_body(
        "a loop over a name with a dollar", "for (int $i = 0; $i < 0; $i++) sum += LOAD(A); sum += LOAD(B);", "B"
    ),
    in_a_body("wide spaces between words", "float4\u00a0x\u2003=\u3000LOAD(A);\u0085sum += x;", "A"),
    Case(
        "wide spaces in directives and registers",
        """
#define\u00a0LOADED LOAD(q)
Texture2D<float4> q :\u00a0register(t9);
float4 main() : SV_Target { return LOADED; }
""",
        "q",
    ),
    Case(
        "resources, structs, fields and functions of other scripts",
        """
static const uint größe = 2;
Texture2D<float4> 変数[größe] : register(t9);
struct Señal { float4 ñ; float4 n; float4 λ() { return ñ; } };
float4 main() : SV_Target { Señal s; s.ñ = LOAD(変数[0]); s.n = LOAD(A); return s.λ(); }
""",
        "変数",
    ),
    Case("an entry point with a dollar", "float4 $main() : SV_Target { return LOAD(A); }", "A", "-T ps_6_6 -E $main"),
)
"""Letters that a name may have, and white space beside that of ASCII."""

_HULL = """
struct Point { float4 p : P; }; struct Factors { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
Factors Constant() { Factors f; f.e[0] = f.e[1] = f.e[2] = LOAD(A).x; f.i = 1; return f; }
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)]
[PatchConstantFunc("Constant")] Point main(InputPatch<Point, 3> p, uint i : SV_OutputControlPointID);
Point main(InputPatch<Point, 3> p, uint i : SV_OutputControlPointID) { return p[i]; }
"""

PROTOTYPES: tuple[Case, ...] = (
    Case(
        "an attribute of the prototype makes a shader of a library",
        """
[shader("pixel")] float4 one(float4 v : V) : SV_Target;
float4 one(float4 v : V) : SV_Target { return LOAD(A); }
""",
        "A",
        "-T lib_6_3",
    ),
    Case(
        "linkage of the prototype that has the same parameters",
        """
export float4 one(int a); float4 one(int a) { return LOAD(A); } float4 one(float a) { return LOAD(B); }
float4 two(int a) { return LOAD(C); } export float4 two(int a);
""",
        "A",
        "-T lib_6_3",
    ),
    Case(
        "a prototype that is static",
        "static float4 one(); float4 one() { return LOAD(A); } float4 two() { return LOAD(B); }",
        "B",
        "-T lib_6_3 -default-linkage external",
    ),
    Case("the patch constant function that a prototype names", _HULL, "A", "-T hs_6_0 -E main"),
    Case(
        "clip planes of a prototype",
        """
[clipplanes(k)] float4 main(float4 v : P) : SV_Position;
float4 main(float4 v : P) : SV_Position { return v; }
""",
        "K",
        "-T vs_6_0 -E main",
    ),
    Case(
        "a root signature in another letter case is none",
        """
[rootsignature("")] float4 main() : SV_Target { return LOAD(A); }
""",
        "A",
    ),
    Case(
        "the last root signature counts, those of prototypes first",
        """
[RootSignature("")] float4 main() : SV_Target;
[RootSignature("DescriptorTable(SRV(t0))")] float4 main() : SV_Target;
float4 main() : SV_Target { return LOAD(A); }
""",
        "A",
    ),
)
"""What a function takes over from the prototypes before it."""

LOOKUP: tuple[Case, ...] = (
    Case(
        "a method of the base before a function outside, whatever it takes",
        """
float4 f(int i) { return LOAD(A); }
struct Base { float4 f() { return LOAD(B); } }; struct Derived : Base { float4 g() { return f(); } };
float4 main() : SV_Target { Derived d; return d.g(); }
""",
        "B",
    ),
    Case(
        "a leading :: is the outermost scope",
        """
float4 f() { return LOAD(A); } static float4 x = LOAD(C);
struct Own { float4 f() { return LOAD(B); } float4 g() { float4 x = 1; return ::f() + ::x; } };
float4 main() : SV_Target { Own o; return o.g(); }
""",
        "A C",
    ),
    Case(
        "qualified names from the innermost scope outwards",
        """
namespace p { float4 f() { return LOAD(A); } }
namespace m { namespace p { float4 f() { return LOAD(B); } } float4 g() { return p::f(); } }
float4 main() : SV_Target { return m::g(); }
""",
        "B",
    ),
    Case(
        "a qualified name of the outer of two namespaces",
        """
namespace p { float4 f() { return LOAD(A); } } namespace m { namespace p { float4 f() { return LOAD(B); } } }
float4 main() : SV_Target { return p::f(); }
""",
        "A",
    ),
    Case(
        "a static method that is inherited",
        """
struct Base { static float4 f() { return LOAD(A); } }; struct Derived : Base {};
struct Other { static float4 f() { return LOAD(B); } };
float4 main() : SV_Target { return Derived::f(); }
""",
        "A",
    ),
    Case(
        "a default argument that only the prototype has",
        """
float4 f(float4 x = LOAD(A)); float4 main() : SV_Target { return f(); } float4 f(float4 x) { return x; }
""",
        "A",
    ),
    Case(
        "names in a default argument are those of the function's scope",
        """
namespace p { float4 g() { return LOAD(A); } float4 f(float4 x = g(), float4 y = LOAD(C)) { return x; } }
float4 g() { return LOAD(B); } float4 main() : SV_Target { return p::f(); }
""",
        "A",
    ),
)
"""Where names are looked for."""

_COLOUR = """
struct Colour
{
    float4 x;
    Colour operator+(Colour o) { Colour r; r.x = x + o.x + LOAD(A); return r; }
    Colour operator*(float f) { Colour r; r.x = x * f + LOAD(B); return r; }
    bool operator<(Colour o) { return LOAD(C).x < o.x.x; }
    float4 operator()(int i) { return W[i]; }
};
static Colour Grey = { 1, 1, 1, 1 };
static Colour Double = Grey + Grey;
struct Held { Colour inner; };
"""


def coloured(name: str, statements: str, bound: str) -> Case:
    """Statements of a pixel shader over a struct with operators."""
    case = in_a_body(name, f"Colour a = {{v}}, b = {{v * 2}}; {statements}", bound)
    return case._replace(source=_COLOUR + case.source)


OPERATORS: tuple[Case, ...] = (
    coloured("operator: one that is used", "sum = (a + b).x;", "A"),
    coloured("operator: none on numbers", "sum = a.x + b.x * 2 + dot(v, v);", ""),
    coloured("operator: those that bind tightly first", "Colour c = a + b * 2; sum = c.x;", "A B"),
    coloured("operator: of a result", "sum = (a * 2 * v.x).x;", "B"),
    coloured("operator: a result that nobody reads", "Colour c = a + b; Colour d = a * 2; sum = d.x;", "B"),
    coloured("operator: in conditions", "if (a < b) sum = 1;", "C"),
    coloured("operator: in a loop", "for (uint i = 0; i < at; i++) a = a + b; sum = a.x;", "A"),
    coloured("operator: a branch that never runs", "if (false) a = a + b; sum = a.x;", ""),
    coloured("operator: a call", "sum = a(at);", "W"),
    coloured(
        "operator: a call of an element, of a field and of a static variable",
        "Colour c[2] = { a, b }; Held h; h.inner = a; sum = c[1](at) + h.inner(at) + Grey(at);",
        "W",
    ),
    coloured("operator: in the initializer of a static variable", "sum = Double.x;", "A"),
    coloured("operator: by its name", "sum = a.operator+(b).x;", "A"),
    Case(
        "operator: in a function template",
        _COLOUR
        + """
template<typename T> T Sum(T a, T b) { return a + b; }
float4 main(float4 v : V) : SV_Target { Colour a = {v}; return Sum(a, a).x; }
""",
        "A",
    ),
    Case(
        "operator: of two structs",
        """
struct One { float4 x; float4 operator-(One o) { return LOAD(A); } };
struct Two { float4 x; float4 operator-(Two o); }; float4 Two::operator-(Two o) { return LOAD(B) + o.x; }
float4 main(float4 v : V) : SV_Target { Two a = {v}; return a - a; }
""",
        "B",
    ),
)
"""Operators that structs define (HLSL 2021)."""

LOCALS: tuple[Case, ...] = (
    in_a_body("local struct: a method", "struct Own { float4 f() { return LOAD(A); } }; Own o; sum = o.f();", "A"),
    in_a_body(
        "local struct: a static method", "struct Own { static float4 f() { return LOAD(A); } }; sum = Own::f();", "A"
    ),
    in_a_body(
        "local struct: a method that stores", "struct Own { void f() { U[0] = LOAD(A); } }; Own o; o.f();", "A U"
    ),
    in_a_body(
        "local struct: what a method is given",
        "struct Own { float4 f(Texture2D<float4> t) { return LOAD(t); } }; Own o; sum = o.f(B);",
        "B",
    ),
    in_a_body(
        "local struct: one that hides another",
        "struct Pair { float4 x; float4 f() { return x; } }; Pair p; p.x = LOAD(B); sum = p.f();",
        "B",
    ),
    Case(
        "local struct: its method's result is stored, by a function whose own result is none",
        """
void g(uint i) { struct Own { float4 f() { return LOAD(A); } }; Own o; U[i] = o.f(); }
float4 main(uint at : AT) : SV_Target { g(at); return LOAD(B); }
""",
        "A B U",
    ),
    Case(
        "static local: the value of the call before",
        """
float4 f() { static float4 kept = 0; float4 before = kept; kept = LOAD(A); return before; }
float4 main() : SV_Target { return f() + f(); }
""",
        "A",
    ),
    Case(
        "static local: a call that only gives it a value",
        """
float4 f(bool give) { static float4 kept = 0; if (give) { kept = LOAD(A); return 0; } return kept; }
float4 main() : SV_Target { f(true); return f(false); }
""",
        "A",
    ),
)
"""Structs and static variables that functions declare."""

_TRAITS = """
template<typename T> struct Traits { T x; float4 f() { return LOAD(A); } static float4 g() { return LOAD(A); } };
template<> struct Traits<float> { float4 x; float4 f() { return LOAD(B) + x; } };
"""
_METHOD = """
template<typename T> struct Own { T x; float4 f() { return LOAD(A); } };
template<> float4 Own<float>::f() { return LOAD(B); }
"""
_FLAG = """
template<typename T> static const int flag = 1; template<> static const int flag<float> = 2;
template<int N> static const int fall = fall<N - 1> + 1; template<> static const int fall<0> = 1;
"""
_BASES = """
struct Left { float4 y; float4 f() { return LOAD(A) * y; } void g() { y = LOAD(C); } };
struct Right { float4 f() { return LOAD(B); } };
template<typename T> struct Derived : T { float4 h() { return this.f(); } };
template<typename T> struct Filled : T { float4 h() { this.g(); return this.y; } };
"""


def templated(name: str, declarations: str, statements: str, bound: str) -> Case:
    """Statements of a pixel shader over templates."""
    case = in_a_body(name, statements, bound)
    return case._replace(source=declarations + case.source)


TEMPLATES: tuple[Case, ...] = (
    templated("template: a method specialised", _METHOD, "Own<float> a; Own<int> b; sum = a.f() + b.f();", "A B"),
    templated(
        "template: a method of a method's own template specialised",
        """
struct Own { template<typename T> float4 f(T t) { return LOAD(A); } };
template<> float4 Own::f<float>(float t) { return LOAD(B); }
""",
        "Own o; sum = o.f(1.0f) + o.f(1);",
        "A B",
    ),
    templated(
        "template: methods of a specialisation that stand outside, with its own fields",
        """
template<typename T> struct Own { float4 f() { return LOAD(A); } };
template<> struct Own<float> { float4 w; float4 f(); }; float4 Own<float>::f() { return LOAD(B) * w; }
""",
        "Own<float> a; Own<int> b; a.w = LOAD(C); sum = a.f() + b.f();",
        "A B C",
    ),
    templated("template: a specialisation by its argument", _TRAITS, "Traits<float> t; t.x = v; sum = t.f();", "B"),
    templated("template: another argument", _TRAITS, "Traits<float3> t; sum = t.f();", "A"),
    templated(
        "template: a specialisation in a function template",
        _TRAITS + "template<typename T> float4 f() { Traits<T> t; t.x = 1; return t.f(); }\n",
        "sum = f<float>() + f<int>();",
        "A B",
    ),
    templated(
        "template: a specialisation as base and as field",
        _TRAITS
        + """
template<typename T> struct Derived : Traits<T> { float4 h() { this.x = 1; return this.f(); } };
template<typename T> struct Holder { Traits<T> inner; float4 h() { return inner.f(); } };
""",
        "Derived<float> d; Holder<int> h; sum = d.h() + h.h();",
        "A B",
    ),
    templated(
        "template: what a specialisation inherits, and what the template does",
        """
struct Base { float4 f() { return LOAD(A); } };
template<typename T> struct Own { float4 f() { return LOAD(B); } }; template<> struct Own<float> : Base {};
template<int N> struct Other : Base {}; template<> struct Other<-1> { float4 f() { return LOAD(C); } };
template<typename T> float4 g() { Own<T> o; return o.f(); } template<int N> float4 h() { Other<N> o; return o.f(); }
""",
        "sum = g<float>() + g<int>() + h<-1>();",
        "A B C",
    ),
    templated(
        "template: a partial specialisation",
        """
template<typename T, int N> struct Own { float4 f() { return LOAD(A); } };
template<int N> struct Own<float, N> { float4 f() { return LOAD(B); } };
""",
        "Own<float, 3> a; Own<int, 3> b; sum = a.f() + b.f();",
        "A B",
    ),
    templated(
        "template: a parameter as base",
        _BASES,
        "Derived<Left> a; Derived<Right> b; a.y = v; sum = a.h() + b.h();",
        "A B",
    ),
    templated("template: a parameter as base that is written", _BASES, "Filled<Left> a; sum = a.h();", "C"),
    templated("template: static methods", _TRAITS, "sum = Traits<int>::g();", "A"),
    templated(
        "template: static methods behind several arguments",
        """
template<typename T, int N> struct Own {
    static float4 f() { return LOAD(A) * N; } static void g() { U[N] = LOAD(B); }
};
float4 plus(float4 x) { return x + LOAD(C); }
""",
        "sum = Own<int, 3>::f() + plus(Own<int, 3>::f()); Own<float, 2>::g();",
        "A B C U",
    ),
    templated("template: a variable specialised", _FLAG, "sum = flag<float> == 2 ? LOAD(A) : LOAD(B);", "A"),
    templated("template: a variable with another argument", _FLAG, "sum = flag<int> == 2 ? LOAD(A) : LOAD(B);", "B"),
    templated(
        "template: a variable with several arguments, handed over",
        "template<typename T, int N> static const int size = N; float4 f(int a) { return LOAD(A) * a; }\n",
        "sum = f(size<float, 3>);",
        "A",
    ),
    templated("template: a variable with an end", _FLAG, "sum = fall<0> == 1 ? LOAD(A) : LOAD(B);", "A"),
    templated(
        "template: a variable specialised, as size of an array",
        _FLAG + "Texture2D<float4> many[flag<float>] : register(t8);\n",
        "sum = LOAD(many[at]);",
        "many",
    ),
    templated(
        "an overload of a method inside, the other outside",
        "struct Own { float4 f() { return LOAD(A); } float4 f(int i); }; float4 Own::f(int i) { return LOAD(B); }\n",
        "Own o; sum = o.f(1);",
        "B",
    ),
    *(
        Case(f"an exported function of a namespace, {where}", source, "A", "-T lib_6_6")
        for where, source in (
            ("there", "namespace p { export float4 f(); } float4 p::f() { return LOAD(A); }"),
            ("here", "namespace p { float4 f(int i); } export float4 p::f(int i) { return LOAD(A); }"),
            ("of two", "namespace p { namespace m { export float4 f(); } } float4 p::m::f() { return LOAD(A); }"),
        )
    ),
)
"""Templates and what specialises them; functions that are defined outside of where they are declared."""

NAMES = SPELLINGS + PROTOTYPES + LOOKUP + OPERATORS + LOCALS + TEMPLATES
