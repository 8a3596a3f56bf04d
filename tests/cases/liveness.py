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
    live("in a subscript", "float4 a[4] = { v, v, v, v }; a[LOAD(A).x > 0 && store(1)] = 2;", "A U"),
    live("after a comma", "float y = 0; bool x = (at, LOAD(A).x > 0 && (y = 2, store(3)));", "A U"),
    live("in a choice", "float y = 1 + ((LOAD(A).x > 0 && store(1)) ? 2 : LOAD(B).x);", "A U"),
    live("choices that only nest", "float y = LOAD(A).x > 0 ? (LOAD(B).x > 0 ? store(at) : 2) : LOAD(C).x;", "A B U"),
)

LIVENESS: tuple[Case, ...] = SHORT_CIRCUITS
