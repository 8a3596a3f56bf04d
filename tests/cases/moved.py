"""Resources that are moved about: what a variable may stand for where it is read, and whether the compiler rejects it.

`sure` says that no optimizer can help, so that DXC rejects it; what is not sure is left to the compiler.
"""

from __future__ import annotations

from typing import NamedTuple

PRELUDE = """\
Texture2D<float4> a : register(t0), b : register(t1), c[4] : register(t2);
cbuffer Frame : register(b0) { uint k; };
struct Pair { Texture2D<float4> one, two; float4 first() { return one.Load(0); } };
static Texture2D<float4> s;
"""


class Moved(NamedTuple):
    """`sources` are those of the one finding, () where there is none; `before` stands before the entry point."""

    name: str
    body: str
    sources: tuple[str, ...] = ()
    sure: bool = True
    before: str = ""

    @property
    def source(self) -> str:
        entry = f"float4 main(uint x : X, float u : U) : SV_Target {{ {self.body} }}"
        return f"{PRELUDE}{self.before}\n{entry}\n"


ARRAYS = (
    Moved("an element that is told", "Texture2D<float4> t[2] = { a, b }; return t[1].Load(0);"),
    Moved("any element", "Texture2D<float4> t[2] = { a, b }; return t[x].Load(0);", ("a", "b")),
    Moved("an element that was never assigned", "Texture2D<float4> t[2]; t[0] = a; return t[1].Load(0);", ("",)),
    Moved(
        "each element of an unrolled loop",
        "Texture2D<float4> t[2] = { a, b }; float4 v = 0; [unroll] for (uint i = 0; i < 2; ++i) v += t[i].Load(0);"
        " return v;",
    ),
    Moved(
        "each element of a loop that stays",
        "Texture2D<float4> t[2] = { a, b }; float4 v = 0; [loop] for (uint i = 0; i < 2; ++i) v += t[i].Load(0);"
        " return v;",
        ("a", "b"),
    ),
    Moved(
        "structs in an array",
        "Pair p[2]; p[0].one = a; p[0].two = b; p[1].one = b; p[1].two = a; return p[x].two.Load(0);",
        ("b", "a"),
    ),
)
FIELDS = (
    Moved("a list", "Pair p = { a, b }; return p.two.Load(0);"),
    Moved("a field", "Pair p; p.one = a; p.two = b; if (x) p.one = b; return p.one.Load(0);", ("a", "b")),
    Moved("another field", "Pair p; p.one = a; p.two = b; if (x) p.one = b; return p.two.Load(0);"),
    Moved("a field in a method", "Pair p; p.one = a; p.two = b; if (x) p.one = b; return p.first();", ("a", "b")),
    Moved(
        "a struct that a function returns",
        "return get(x).two.Load(0);",
        ("b", ""),
        before="Pair get(uint n) { Pair p; p.one = a; if (n) p.two = b; return p; }",
    ),
)
_GET = "Texture2D<float4> get(uint n) { if (n) return a; return b; }"
_READ = "float4 read(Texture2D<float4> t) { t = b; return t.Load(0); }"
CALLS = (
    Moved(
        "a static variable that a function sets",
        "set(x); return s.Load(0);",
        ("a", "b"),
        before="void set(uint n) { if (n) s = a; else s = b; }",
    ),
    Moved("one that is always the same", "set(); return s.Load(0);", before="void set() { s = a; }"),
    Moved(
        "an out parameter",
        "Texture2D<float4> t; set(t, x); return t.Load(0);",
        ("a", "b"),
        before="void set(out Texture2D<float4> t, uint n) { if (n) t = a; else t = b; }",
    ),
    Moved(
        "an out parameter by a constant",
        "Texture2D<float4> t; set(t, 1); return t.Load(0);",
        before="void set(out Texture2D<float4> t, uint n) { if (n) t = a; else t = b; }",
    ),
    Moved(
        "an out parameter whose type is an alias",
        "Tex t; set(t); return t.Load(0);",
        before="typedef Texture2D<float4> Tex; void set(out Tex t) { t = a; }",
    ),
    Moved(
        "an out parameter that is never assigned",
        "Texture2D<float4> t = a; set(t); return t.Load(0);",
        before="void set(out Texture2D<float4> t) { }",
    ),
    Moved(
        "an out parameter that may be assigned",
        "Texture2D<float4> t = b; set(t, x); return t.Load(0);",
        ("b", "a"),
        before="void set(out Texture2D<float4> t, uint n) { if (n) t = a; }",
    ),
    Moved(
        "a variable that is given twice",
        "Texture2D<float4> t = x ? a : b; set(t, t); return t.Load(0);",
        before="void set(out Texture2D<float4> t, inout Texture2D<float4> r) { t = a; }",
    ),
    Moved("two returns", "return get(x).Load(0);", ("a", "b"), before=_GET),
    Moved("two returns, one by a constant", "return get(0).Load(0);", before=_GET),
    Moved(
        "a call or a global",
        "return (k ? get() : b).Load(0);",
        ("a", "b"),
        before="Texture2D<float4> get() { return a; }",
    ),
    Moved("a parameter given a local", "Texture2D<float4> t = a; return read(t);", before=_READ),
    Moved("a parameter given a global", "return read(a);", ("a", "b"), before=_READ),
    Moved("a parameter given an element", "return read(c[1]);", ("c", "b"), before=_READ),
    Moved(
        "a parameter given a global by another",
        "return outer(a);",
        ("a", "b"),
        before=_READ + " float4 outer(Texture2D<float4> t) { return read(t); }",
    ),
    Moved(
        "a parameter that keeps its register",
        "return same(a);",
        before="float4 same(Texture2D<float4> t) { t = t; return t.Load(0); }",
    ),
    Moved(
        "a parameter that gets its register back",
        "return back(a);",
        ("a", "b"),
        False,
        "float4 back(Texture2D<float4> t) { t = b; t = a; return t.Load(0); }",
    ),
)
WAYS = (
    Moved("a branch that has returned", "Texture2D<float4> t = a; if (x) { t = b; return t.Load(0); } return u;"),
    Moved("a value that is dead", "Texture2D<float4> t = a; if (x) t = b; float4 v = t.Load(0); return u;"),
    Moved("the same condition again", "Texture2D<float4> t = a; if (x) t = b; if (x) return t.Load(0); return u;"),
    Moved("a condition that is known by then", "if (!x) return 0; return (x != 0 ? a : b).Load(0);", ("a", "b"), False),
    Moved(
        "one that a loop tells",
        "float4 v = 0; for (uint i = 0; i < x; ++i) v += (x != 0 ? a : b).Load(0); return v;",
        ("a", "b"),
        False,
    ),
    Moved(
        "one that a loop tells that returns",
        "for (uint i = 0; i < x; ++i) return 1; return (x == 3 ? a : b).Load(0);",
        ("a", "b"),
        False,
    ),
    Moved(
        "one that a switch tells",
        "switch (x) { case 0: return 1; } return (x != 0 ? a : b).Load(0);",
        ("a", "b"),
        False,
    ),
    Moved("a switch", "Texture2D<float4> t = a; switch (x) { case 0: t = b; break; } return t.Load(0);", ("a", "b")),
    Moved("a switch that is told", "Texture2D<float4> t = a; switch (1) { case 0: t = b; break; } return t.Load(0);"),
    Moved("a loop", "Texture2D<float4> t = a; for (uint i = 0; i < x; ++i) t = b; return t.Load(0);", ("a", "b")),
    Moved("a loop that runs", "Texture2D<float4> t; uint i = 0; do { t = a; ++i; } while (i < x); return t.Load(0);"),
    Moved("in two conditions", "Texture2D<float4> t = a; if (x) { if (u > 0) t = b; } return t.Load(0);", ("a", "b")),
)
MOVED = (*ARRAYS, *FIELDS, *CALLS, *WAYS)
