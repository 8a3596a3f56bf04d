"""What stays because something else does: each case held against the analysis and the real compiler."""

from __future__ import annotations

from cases.usage import Case

_FUNCTIONS = """
bool store(float x) { U[0] = x; return x > 1; }
bool give(float x, out float y) { y = x; return x > 2; }
bool keep(float x) { held = x; return x > 2; }
"""


def live(name: str, body: str, bound: str, before: str = "", arguments: str = "-T ps_6_6 -E main") -> Case:
    """A pixel shader that returns `sum`, with what stands before it."""
    head = f"static float held;\n{_FUNCTIONS}{before}\nfloat4 main(uint at : AT, float4 v : V) : SV_Target"
    return Case(f"liveness: {name}", f"{head}\n{{ float4 sum = v;\n{body}\nreturn sum; }}\n", bound, arguments)


SHORT_CIRCUITS: tuple[Case, ...] = (
    live("&& decides about a call", "bool x = LOAD(A).x > 0 && store(LOAD(B).x);", "A B U"),
    live("&& without effects", "bool x = LOAD(A).x > 0 && LOAD(B).x > 0;", ""),
    live("|| as a statement", "LOAD(A).x > 0 || store(1);", "A U"),
    live("each decides about those behind it", "bool x = LOAD(A).x > 0 || LOAD(B).x > 0 || store(1);", "A B U"),
    live("what stands behind the call", "bool x = at > 0 && store(1) && LOAD(C).x > 0;", "U"),
    live("nested", "bool x = !(LOAD(A).x > 0 && (LOAD(B).x > 0 || store(at)) && LOAD(C).x > 0);", "A B U"),
    live("out argument", "float y = 0; bool x = LOAD(A).x > 0 && give(3, y); sum += y;", "A"),
    live("assignment", "float y = 0; bool x = LOAD(A).x > 0 && (y = 3) > 1; sum += y;", "A"),
    live("increment", "uint i = 0; bool x = LOAD(A).x > 0 && i++ > 0; sum += i;", "A"),
    live("static variable that is read", "bool x = LOAD(A).x > 0 && keep(1); sum += held;", "A"),
    live("static variable that nobody reads", "bool x = LOAD(A).x > 0 && keep(1);", ""),
    live("as an argument", "bool y; give(LOAD(A).x > 0 && store(1), sum.x);", "A U"),
    live("in a condition of nothing", "if (LOAD(A).x > 0 && store(at)) {}", "A U"),
    live("in the condition of a loop", "uint i = 0; do ++i; while (LOAD(A).x > i && store(2));", "A U"),
    live("before the rest of a loop's condition", "while (store(at) && LOAD(A).x > 2) {}", "A U"),
    live("in a loop's condition, read after it", "uint i = 0; while (i++ < 3 && LOAD(A).x > 1) {} sum += i;", "A"),
    live(
        "stores in the condition of a loop that is left", "do { if (LOAD(A).x < v.y) break; } while (store(at));", "A U"
    ),
    live("in a subscript", "float4 a[4] = { v, v, v, v }; a[LOAD(A).x > 0 && store(1)] = 2;", "A U"),
    live("after a comma", "float y = 0; bool x = (at, LOAD(A).x > 0 && (y = 2, store(3)));", "A U"),
    live("in a choice", "float y = 1 + ((LOAD(A).x > 0 && store(1)) ? 2 : LOAD(B).x);", "A U"),
    live("choices that only nest", "float y = LOAD(A).x > 0 ? (LOAD(B).x > 0 ? store(at) : 2) : LOAD(C).x;", "A B U"),
)


def with_outputs(name: str, parameters: str, body: str, bound: str, before: str = "") -> Case:
    """A pixel shader with output parameters."""
    head = f"struct Two {{ float4 a : SV_Target1; float4 b : SV_Target2; }};\n{before}\n"
    main = f"float4 main(nointerpolation uint at : AT, float4 v : V, {parameters}) : SV_Target"
    return Case(f"outputs: {name}", f"{head}{main}\n{{\n{body}\nreturn v; }}\n", bound)


TARGET = "out float4 o : SV_Target1"
OUTPUTS: tuple[Case, ...] = (
    with_outputs("an overwritten store", TARGET, "o = LOAD(A); o = LOAD(B);", "A B"),
    with_outputs("under a condition", TARGET, "if (LOAD(C).x > 1) o = LOAD(A); o = LOAD(B);", "A B C"),
    with_outputs("a condition of equal values", TARGET, "if (LOAD(A).x > 1) o = 1; o = 1;", "A"),
    with_outputs("in a loop", TARGET, "for (uint i = 0; i < n; ++i) o = LOAD(B); o = LOAD(A);", "A B K"),
    with_outputs("in a switch", TARGET, "switch (at) { case 0: o = LOAD(B); break; default: o = 2; } o = 1;", "B"),
    with_outputs("a field", "out Two o", "o.a = LOAD(A); o.b = LOAD(C); o.a = LOAD(B);", "A B C"),
    with_outputs("a struct", "out Two o", "o.a = LOAD(A); o.b = LOAD(C); o = (Two)0;", "A C"),
    with_outputs("of a local that is copied", "out Two o", "Two t; t.a = LOAD(A); t.b = 1; t.a = 2; o = t;", ""),
    with_outputs(
        "through a function",
        TARGET,
        "f(o, LOAD(A)); f(o, LOAD(B));",
        "A B",
        "void f(out float4 x, float4 y) { x = y; }",
    ),
    with_outputs(
        "in a function",
        TARGET,
        "f(o, LOAD(A), LOAD(B));",
        "A B",
        "void f(out float4 x, float4 y, float4 z) { x = y; x = z; }",
    ),
    with_outputs(
        "in a function, of a local",
        TARGET,
        "float4 t; f(t, LOAD(A), LOAD(B)); o = t;",
        "B",
        "void f(out float4 x, float4 y, float4 z) { x = y; x = z; }",
    ),
    Case(
        "outputs: inout parameters keep the last",
        "float4 main(inout float4 o : POS) : SV_Position { o = LOAD(A); o = LOAD(B); return 1; }\n",
        "B",
        "-T vs_6_0 -E main",
    ),
)

_RAYS = """
RaytracingAccelerationStructure Scene : register(t9);
struct Hit { float2 at; };
#define TRACE(payload) TraceRay(Scene, 0, 0, 0, 0, 0, (RayDesc)0, payload)
void trace(inout Pair p) { TRACE(p); }
Pair traced(Pair p) { TRACE(p); return p; }
void second(inout Pair p) { p.one = LOAD(B); }
void ignore() { IgnoreHit(); }
"""


def rays(stage: str, name: str, body: str, bound: str) -> Case:
    """A shader of a library: with `Pair p` as a payload, given or its own."""
    parameters = {"anyhit": "inout Pair p, Hit hit", "closesthit": "inout Pair p, Hit hit"}.get(stage, "")
    local = "Pair p = (Pair)0; Hit hit = (Hit)0;" if not parameters else ""
    text = f'{_RAYS}[shader("{stage}")] void main({parameters})\n{{ {local}\n{body}\n}}\n'
    return Case(f"{stage}: {name}", text, bound, "-T lib_6_6")


PAYLOADS: tuple[Case, ...] = (
    rays("raygeneration", "an overwritten store", "p.one = LOAD(A); p.one = LOAD(B); TRACE(p);", "A B Scene"),
    rays("raygeneration", "under a condition", "if (LOAD(A).x > 1) p.one = 2; p.one = 3; TRACE(p);", "A Scene"),
    rays("raygeneration", "by a function", "second(p); p.one = LOAD(A); TRACE(p);", "A B Scene"),
    rays("raygeneration", "afterwards", "TRACE(p); p.one = LOAD(B);", "Scene"),
    rays("raygeneration", "afterwards, perhaps", "TRACE(p); if (LOAD(A).x > 1) p.one = 1;", "A Scene"),
    rays("raygeneration", "in a function", "p.one = LOAD(A); p.one = LOAD(B); trace(p);", "A B Scene"),
    rays("raygeneration", "a copy in a function", "p.one = LOAD(A); p.one = LOAD(B); traced(p);", "B Scene"),
    rays("raygeneration", "to a callable shader", "p.one = LOAD(A); p.one = LOAD(B); CallShader(0, p);", "A B"),
    rays("intersection", "attributes", "hit.at = LOAD(A).xy; hit.at = LOAD(B).xy; ReportHit(1, 0, hit);", "A B"),
    rays("closesthit", "not handed on", "p.one = LOAD(A); p.one = LOAD(B);", "B"),
    rays("closesthit", "handed on", "TRACE(p); p.one = LOAD(A); p.one = LOAD(B);", "A B Scene"),
    rays("anyhit", "before IgnoreHit", "p.one = LOAD(A); if (hit.at.x > 1) IgnoreHit(); p.one = LOAD(B);", "A B"),
    rays("anyhit", "before the last store", "p.one = LOAD(A); p.one = LOAD(B); if (hit.at.x > 1) IgnoreHit();", "B"),
    rays("anyhit", "in a branch", "if (LOAD(C).x > 1) { p.one = LOAD(A); IgnoreHit(); } p.one = LOAD(B);", "A B C"),
    rays("anyhit", "in a function", "p.one = LOAD(A); if (LOAD(C).x > 1) ignore(); p.one = LOAD(B);", "A B C"),
    rays(
        "anyhit",
        "before AcceptHitAndEndSearch",
        "p.one = LOAD(A); if (hit.at.x > 1) AcceptHitAndEndSearch(); p.one = LOAD(B);",
        "A B",
    ),
)

FOUR = "float4 a[4] = { v, v, v, v };"
MEMORY: tuple[Case, ...] = (
    live("an array that decides about its stores", f"{FOUR} if (a[at].x > 2) a[1] = LOAD(A);", "A"),
    live("an array that ends the shader before", f"{FOUR} if (a[at].x > 2) return v; a[n] = LOAD(A);", "A K"),
    live("an array that feeds itself in a branch", f"{FOUR} if (at > 2) a[at] = a[n] + LOAD(A);", "A K"),
    live("an array that feeds itself in a straight line", f"{FOUR} a[at] = a[n] + LOAD(A); a[at] += LOAD(B);", ""),
    live("an array that is only stored in", f"{FOUR} for (uint i = 0; i < n; ++i) a[LOAD(B).x] = LOAD(A);", ""),
    live("an array that is added to in a loop", f"{FOUR} for (uint i = 0; i < n; ++i) a[i] += LOAD(A);", "A K"),
    live("by a subscript that is known", f"{FOUR} for (uint i = 0; i < n; ++i) a[1] += LOAD(A);", ""),
    live("counters", "uint a[4] = { 0, 0, 0, 0 }; for (uint i = 0; i < n; ++i) a[LOAD(A).x]++;", "A K"),
    live("a vector's components", "float4 x = v; if (x[at] > 2) x[n] = LOAD(A).x;", "A K"),
    live("a matrix's rows", "float4x4 x = 0; for (uint i = 0; i < n; ++i) x[i] += LOAD(A).x;", "A K"),
    live("a matrix's elements", "float4x4 x = 0; for (uint i = 0; i < n; ++i) x[i][i] = LOAD(A).x;", "A K"),
    live("an array in a choice", f"{FOUR} float4 x = a[at].x > 1 ? (a[n] = LOAD(A)) : 2;", "A K"),
    live(
        "an array in a function",
        f"{FOUR} f(a, at, LOAD(A));",
        "A",
        "void f(float4 a[4], uint i, float4 x) { if (a[i].x > 1) a[i + 1] = x; }",
    ),
    live("an array that is added to under a condition", f"{FOUR} a[at] = 1; if (n > 1) a[2] += v;", "K"),
    live(
        "an array handed to a function that branches",
        "float a[3] = { 1, 2, 3 }; if (grow(LOAD(A).x, a[at & 1])) {}",
        "A",
        "bool grow(float x, inout float y) { if (x > 1) return false; y += x; return true; }",
    ),
    live("a static array that feeds itself", "rows[at] = rows[n] + LOAD(A);", "A K", "static float4 rows[4];"),
    live(
        "a static array that a loop looks at",
        "rows[at] = LOAD(A); while (rows[n].x > v.x) {}",
        "A",
        "static float4 rows[4];",
    ),
    live("a subscript of an out argument", f"{FOUR} give(1, a[LOAD(A).x].x); sum += a[1];", "A"),
    live("a static array that is only stored in", "rows[at] = LOAD(A);", "", "static float4 rows[4];"),
    live("a static array's known element", "rows[1] += LOAD(A);", "", "static float4 rows[4];"),
    live("the count of a buffer", "uint c, s; E.GetDimensions(c, s); sum += c;", "E", "StructuredBuffer<float4> E;"),
    live("the stride of a buffer", "uint c, s; E.GetDimensions(c, s); sum += s;", "", "StructuredBuffer<float4> E;"),
    live("sizes stored in a buffer", "uint c; A.GetDimensions(W[0], c);", "A W"),
    live("sizes of a level", "uint w, h, l; A.GetDimensions(W[0], w, h, l);", ""),
    live("a status stored in a buffer", "LOAD(B); A.Load(int3(0, 0, 0), int2(0, 0), W[0]);", "A W"),
    live("an old value stored in a buffer", "InterlockedAdd(W[0], 1, W[1]); R.InterlockedAdd(0, 1, W[2]);", "R W"),
    live("a local struct's object", "struct L { float4 q; void f() { U[0] = q; } }; L l; l.q = LOAD(A); l.f();", "A U"),
    live("a local struct's fields", "struct L { float4 q; void f() { q = LOAD(A); } }; L l; l.f(); sum += l.q;", "A"),
)

LIVENESS: tuple[Case, ...] = SHORT_CIRCUITS + OUTPUTS + PAYLOADS + MEMORY
