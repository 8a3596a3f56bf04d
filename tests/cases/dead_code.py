"""Statements that never run, and twins of them that may: `FAULT` stands for what is only a fault where it runs."""

from __future__ import annotations

REJECTED = {"BL127": "q.DecrementCounter()"}
"""By rule, what the compiler rejects in the shader below as long as it may run."""

FAULTS = REJECTED | {"BL117": "maps[7].Load(0).x"}
"""With what it takes."""

SHADER = """\
static const bool Off = false;
#define OFF 0
RWStructuredBuffer<float> q : register(u0);
RWBuffer<float> data : register(u1);
Texture2D<float4> maps[4] : register(t0);
cbuffer Constants : register(b0) { uint n; };
template<bool On> void chosen() { if (On) FAULT; }
void given(bool on) { if (on) FAULT; else data[1] = 1; }
void unused() { FAULT; }
[numthreads(1, 1, 1)] void main(uint at : SV_GroupIndex)
{
    data[0] = q.IncrementCounter();
    BODY
}
"""

DEAD = (
    "if (false) FAULT;",
    "if (Off) { data[2] = 1; FAULT; }",
    "if (OFF && n > 1) FAULT;",
    "if (true) data[2] = 1; else FAULT;",
    "if (n > 1) { if (2 < 1) FAULT; }",
    "while (false) { FAULT; }",
    "data[3] = true ? 1 : FAULT;",
    "data[3] = Off ? FAULT : 2;",
    "given(false);",
    "given(Off); given(1 > 2);",
    "chosen<false>();",
    "return; FAULT;",
    "if (true) return; FAULT;",
    "if (n > 1) { return; FAULT; }",
    "while (true) { if (false) break; return; } FAULT;",
    "if (n > 1) return; else return; FAULT;",
    "data[4] = 1; if (false) { /* \u00e9 */ FAULT; } data[5] = 1;",
    "",
)

LIVE = (
    "FAULT;",
    "if (true) FAULT;",
    "if (n > 1) FAULT;",
    "if (false) data[2] = 1; else FAULT;",
    "while (n > at) { FAULT; }",
    "do { FAULT; } while (false);",
    "data[3] = false ? 1 : FAULT;",
    "given(false); given(true);",
    "given(n > 1);",
    "chosen<false>(); chosen<true>();",
    "if (n > 1) return; FAULT;",
    "while (true) { if (n > 1) break; return; } FAULT;",
    "for (int k = 0; k < 3; k++) { if (n > k) continue; return; } FAULT;",
    "for (int k = 0; k < 3; k++) { switch (n) { case 1: continue; } return; } FAULT;",
    "unused();",
)


def shaders(bodies: tuple[str, ...], faults: dict[str, str] = FAULTS) -> list[tuple[str, str]]:
    """The code of the rule and the shader, for every fault in every body."""
    return [
        (code, SHADER.replace("BODY", body).replace("FAULT", fault))
        for body in bodies
        for code, fault in faults.items()
    ]
