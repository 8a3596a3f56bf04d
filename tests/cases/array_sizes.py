"""Sizes of arrays: what stands before the array, the text in its brackets, and how many elements that makes.

0 and `None` (unbounded) look the same in what the compiler writes; `UNTOLD` is what it rejects.
"""

from __future__ import annotations

from typing import NamedTuple

UNTOLD = -1

TYPES = """
struct Plain { float3 a; uint b; };
struct Rows { float4x4 m; float3x3 n; };
struct Wide { float a[3]; double d; };
struct Nothing {};
struct Held { Texture2D<float4> t; float f; };
struct Derived : Plain { float c; };
struct Fields { uint a : 4; uint b : 8; };
struct Small { min16float a; min16float b; };
struct Deep { float a; Plain p[2]; double c; };
enum Order { First, Third = 3 };
enum class Strict { One = 1, Five = 5, Six };
enum class Other { Five = 7 };
typedef float Four[4];
template<typename T> struct Twice { T x; T y; };
template<int N> struct Counted { static const int Double = N * 2; float f[N]; };
typedef Counted<3> Three;
struct Constants { static const uint N = 3; static const uint M = N + 1; float f; };
template<int N> static const int Plus = N + 1;
template<typename T, int N = 2> static const uint Bytes = sizeof(T) * N;
struct Holder { template<int N> static const int Thrice = N * 3; };
struct Outside { static const int N; float f; };
static const int Outside::N = 5;
struct Heir : Constants { float g; };
namespace Inner { static const int N = 4; struct Q { float4 a; float b; }; }
namespace Further { static const int N = 6; static const int Next = N + 1; }
static const uint U = 3;
static const int S = 3;
static const bool B = true;
static const uint64_t Q = 3;
static const min16uint W = 3;
static const float4 Vector = 1;
static const int List[] = { 1, 2, 3, 4 };
static const Order Picked = Third;
static const Strict Exact = Strict::Five;
static const int Known = (int)Strict::Six;
static const int Applied = Plus<7>;
static const int Braced = { 3 };
static const int Cut = 3.7;
static const uint Below = -1;
static const bool Any = 5;
static const int Smaller = min(3, 4);
static const int Size = sizeof(float4);
Constants Instance;
Deep Deeps[3];
row_major float3x4 Matrix;
float Real;
"""


class Size(NamedTuple):
    text: str
    count: int

    @property
    def shader(self) -> str:
        """A shader with an array of that size."""
        return f"{TYPES}Texture2D<float4> Maps[{self.text}] : register(t0);\n{MAIN}"


MAIN = "float4 main(uint i : INDEX) : SV_Target { return Maps[i].Load(0); }\n"

SIZES = tuple(
    Size(text, count)
    for text, count in (
        # scoped enums
        ("Strict::One", UNTOLD),
        ("(int)Strict::Five", 5),
        ("(uint)Strict::Six", 6),
        ("int(Strict::Five)", UNTOLD),
        ("Strict(2)", UNTOLD),
        ("(Strict)2", UNTOLD),
        ("(int)(Strict)2", 2),
        ("Strict::Five + 1", UNTOLD),
        ("-Strict::Five", UNTOLD),
        ("Strict::One | 1", UNTOLD),
        ("1 << Strict::One", UNTOLD),
        ("Strict::One == Strict::Five ? 2 : 3", 3),
        ("Strict::One < Strict::Five ? 2 : 3", UNTOLD),
        ("true ? Strict::One : Strict::Five", UNTOLD),
        ("!Strict::One + 2", UNTOLD),
        ("Strict::One && true ? 2 : 3", UNTOLD),
        ("Exact", UNTOLD),
        ("(int)Exact", 5),
        ("Known", 6),
        ("(Order)3", 3),
        ("First + 2", 2),
        # variable templates
        ("Plus<3>", 4),
        ("Plus<1 + 1> * 2", 6),
        ("Plus<Plus<1> >", 3),
        ("Plus<U>", 4),
        ("Plus<(int)Strict::Five>", 6),
        ("Plus<Strict::Five>", UNTOLD),
        ("Plus<First>", 1),
        ("Plus", UNTOLD),
        ("Bytes<float4>", 32),
        ("Bytes<float, 3>", 12),
        ("Holder::Thrice<2>", 6),
        ("Applied", 8),
        # sizeof
        ("sizeof(int)", 4),
        ("sizeof(double3x3)", 72),
        ("sizeof(float3)", 12),
        ("sizeof(half)", 4),
        ("sizeof(bool2)", 8),
        ("sizeof(min16float)", 2),
        ("sizeof(min16float2)", 8),
        ("sizeof(vector<double, 2>)", 16),
        ("sizeof(matrix<float, 2, 3>)", 24),
        ("sizeof(unsigned int)", 4),
        ("sizeof(const float4)", 16),
        ("sizeof(float[4])", 16),
        ("sizeof(Plain)", 16),
        ("sizeof(struct Plain)", 16),
        ("sizeof(Plain[2])", 32),
        ("sizeof(Rows)", 100),
        ("sizeof(Wide)", 24),
        ("sizeof(Nothing)", 0),
        ("sizeof(Derived)", 20),
        ("sizeof(Fields)", 4),
        ("sizeof(Small)", 8),
        ("sizeof(Deep)", 48),
        ("sizeof(Four)", 16),
        ("sizeof(Twice<float3>)", 24),
        ("sizeof(Three)", 12),
        ("sizeof(Inner::Q)", 20),
        ("sizeof(Held)", UNTOLD),
        ("sizeof(Order)", UNTOLD),
        ("sizeof(Texture2D)", UNTOLD),
        ("sizeof(1)", UNTOLD),
        ("sizeof(1.0f)", 4),
        ("sizeof('a')", 4),
        ("sizeof(Vector)", 16),
        ("sizeof Vector", 16),
        ("sizeof(Vector.xy)", 8),
        ("sizeof(float4(1, 2, 3, 4))", 16),
        ("sizeof(Matrix[0])", 16),
        ("sizeof(List) / sizeof(List[0])", 4),
        ("sizeof(Deeps[1].p[0].a)", 12),
        ("sizeof(Plain) - 5u", 11),
        ("sizeof(int) - 5 >> 28", 15),
        # casts of reals
        ("int(2.5)", 2),
        ("(uint)3.7f", 3),
        ("(int)-2.5 + 9", 7),
        ("(int)(2.5 + 1.6)", 4),
        ("int(1.5e1)", 15),
        ("uint(1.99) + uint(1.99)", 2),
        ("(int)(0.7f * 10)", 7),
        ("(uint)(half)4.7", 4),
        ("(bool)0.5", 1),
        ("2.5 > 1 ? 4 : 5", 4),
        ("2.0", UNTOLD),
        ("4 * 1.5", UNTOLD),
        ("(int)Real", UNTOLD),
        ("int(1e20)", UNTOLD),
        # characters
        ("'a'", 97),
        (r"'\n'", 10),
        (r"'\x41' - 'A' + 2", 2),
        ("'ab'", UNTOLD),
        # what is folded, and what is not
        ("min(2, 3)", 2),
        ("max(-1, 3)", 3),
        ("(uint)max(2.9f, 1)", 2),
        ("asuint(S)", 3),
        ("max(U, 4)", UNTOLD),
        ("abs(-3)", UNTOLD),
        ("countbits(7)", UNTOLD),
        ("int2(3, 4).x", UNTOLD),
        ("(1, 3)", 3),
        # types
        ("U - 5 > 0 ? 6 : 7", 6),
        ("S - 5 > 0 ? 6 : 7", 7),
        ("-1 < U ? 2 : 3", 3),
        ("0xffffffff + 1 == 0 ? 2 : 3", 3),
        ("0xffffffffu + 1 == 0 ? 2 : 3", 2),
        ("W - 4", 65535),
        ("Q - 4 >> 60", 15),
        ("(true ? -1 : 0u) >> 28", 15),
        ("B - 2 < 0 ? 2 : 3", 2),
        ("(S == 3) + (U == 3)", 2),
        ("S + 2147483647", UNTOLD),
        ("S << 31", UNTOLD),
        ("1 << U", 8),
        ("1u << 33", UNTOLD),
        ("Below >> 28", 15),
        ("Any + 1", 2),
        ("B ? 3 : U / 0", 3),
        # names
        ("Cut", 3),
        ("Braced", 3),
        ("Picked", 3),
        ("Smaller", 3),
        ("Size", 16),
        ("Constants::N * 2", 6),
        ("Constants::M", 4),
        ("Heir::N", 3),
        ("Instance.N", 3),
        ("Outside::N", 5),
        ("Counted<4>::Double", 8),
        ("Three::Double", 6),
        ("Inner::N", 4),
        ("Further::Next", 7),
        ("::S", 3),
        ("(int)Strict::Five", 5),
        ("(int)Strict::Six", 6),
        ("(int)Other::Five", 7),
        ("(Order)2", 2),
        ("Order::Third", 3),
    )
)


class Template(NamedTuple):
    """Declarations with an instance `a`, and the subscripts of the last resource in it."""

    text: str
    last: str
    count: int

    @property
    def shader(self) -> str:
        return f"{self.text}\nfloat4 main() : SV_Target {{ return {self.last}.Load(0); }}\n"


COUNTED = "template<int N> struct A { Texture2D<float4> t[N]; }; "
TEMPLATES = (
    Template(COUNTED + "A<4> a;", "a.t[3]", 4),
    Template("template<int N = 3> struct A { Texture2D<float4> t[N]; }; A<> a;", "a.t[2]", 3),
    Template(
        "template<int N> struct A { Texture2D<float4> t[N * 2 + 1]; }; static const int K = 1; A<K + 1> a;", "a.t[4]", 5
    ),
    Template("template<typename T, int N> struct A { T t[N]; }; A<Texture2D<float4>, 2> a;", "a.t[1]", 2),
    Template(COUNTED + "template<int M> struct B { A<M + 1> i; }; B<2> a;", "a.i.t[2]", 3),
    Template(COUNTED + "template<int M> struct B : A<M> { int q; }; B<2> a;", "a.t[1]", 2),
    Template(COUNTED + "typedef A<3> B; B a[2];", "a[1].t[2]", 6),
    Template(COUNTED + "template<int N> using B = A<N + 1>; B<3> a;", "a.t[3]", 4),
    Template(COUNTED + "template<> struct A<4> { Texture2D<float4> t[2]; }; A<4> a;", "a.t[1]", 2),
    Template("template<typename T> struct A { Texture2D<float4> t[sizeof(T) / 4]; }; A<float3> a;", "a.t[2]", 3),
    Template("template<bool B> struct A { Texture2D<float4> t[B ? 2 : 4]; }; A<true> a;", "a.t[1]", 2),
    Template("struct A { static const uint N = 3; Texture2D<float4> t[N]; }; A a;", "a.t[2]", 3),
    Template("template<int N> struct A { static const int K = N + 1; Texture2D<float4> t[K]; }; A<2> a;", "a.t[2]", 3),
    Template(
        "template<int N> struct A { Texture2D<float4> t; A<N - 1> n; }; "
        "template<> struct A<0> { Texture2D<float4> t; }; A<2> a;",
        "a.n.n.t",
        3,
    ),
    Template("template<int N> using A = Texture2D<float4>[N]; A<3> a;", "a[2]", 3),
)
