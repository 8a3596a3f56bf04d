"""Uses that no optimizer can drop are certain; whatever may hang on a condition or on arithmetic is not."""

from __future__ import annotations

import pytest
from cases.usage import PRELUDE, analysed

COMPUTE = "[numthreads(4, 1, 1)] void cs(uint i : SV_GroupIndex) {{ {body} }}"


def certain(text: str, arguments: str) -> str:
    bindings = analysed(PRELUDE + text, arguments).bindings
    return " ".join(sorted(b.name for b in bindings if b.used and b.certainty == "certain"))


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("U[i] = 1;", "U"),
        ("U[i] = 1; U[i] += 2;", "U"),
        ("((U))[i] = 1;", "U"),
        ("V[i].x = 1;", "V"),
        ("R.Store4(0, 1);", "R"),
        ("V.IncrementCounter();", "V"),
        ("InterlockedAdd(W[i], 1u);", "W"),
        ("U[i] = LOAD(A);", "A U"),
        ("U[i] = A.SampleLevel(S, 0, 0);", "A S U"),
        ("U[i] = k;", "K U"),
        ("U[i] = k.wzyx;", "K U"),
        ("U[i] = I[i];", "I U"),
        ("U[i] = LOAD(A) * 0;", "U"),
        ("U[i] = n > 1 ? LOAD(A) : LOAD(B);", "U"),
        ("U[i] += LOAD(A);", "U"),
        ("float4 sum = LOAD(A); U[i] = sum;", "U"),
        ("if (n > 1) U[i] = 1;", ""),
        ("if (n > 1) return; U[i] = 1;", ""),
        ("if (n > 1) { float4 unused = 1; } U[i] = 1;", "U"),
        ("for (uint j = 0; j < 4; j++) U[j] = 1;", ""),
        ("while (n > i) i++; U[i] = 1;", ""),
        ("U[i] = 1; while (n > i) i++;", "U"),
        ("bool b = n > 1 && U[0].x > 0; Shared[i] = b;", ""),
        ("RWBuffer<float4> local = U; local[i] = 1;", ""),
        ("Shared[i] = I[i];", ""),
        ("return; U[i] = 1;", ""),
    ],
)
def test_statements(body: str, names: str) -> None:
    assert certain(COMPUTE.format(body=body), "-T cs_6_6 -E cs") == names


@pytest.mark.parametrize(
    ("functions", "body", "names"),
    [
        ("void f(uint i) { U[i] = 1; }", "f(i);", "U"),
        ("void f(uint i) { if (i > 1) return; U[i] = 1; }", "f(i);", ""),
        ("void f(uint i) { U[i] = 1; }", "if (n > 1) f(i);", ""),
        ("void g(uint i) { U[i] = 1; } void f(uint i) { g(i); }", "f(i);", "U"),
        ("void f(RWBuffer<float4> t, uint i) { t[i] = 1; }", "f(U, i);", "U"),
        ("void f(RWBuffer<float4> t, uint i) { if (i > 2) t[i] = 1; }", "f(U, i);", ""),
        ("float4 f(uint i) { return LOAD(A); }", "U[i] = f(i);", "A U"),
        ("float4 f(uint i) { if (i > 1) return 0; return LOAD(A); }", "U[i] = f(i);", "U"),
        ("float4 f(Texture2D<float4> t) { return LOAD(t); }", "U[i] = f(A);", "A U"),
        ("uint f(uint i) { for (;;) { } return 1; }", "uint j = f(i); U[j] = 1;", ""),
        ("void f(uint i) { U[i] = 1; } void f(float i) { V[0] = 1; }", "f(i);", ""),
        ("uint f(uint i) { U[i] = 1; return i; }", "uint j = f(i);", "U"),
        ("uint f(uint i) { U[i] = 1; return i; }", "uint j = f(i) + 1;", ""),
        ("bool f(uint i) { U[i] = 1; return true; }", "bool j = false && f(i); Shared[i] = j;", ""),
    ],
)
def test_calls(functions: str, body: str, names: str) -> None:
    assert certain(f"{functions}\n{COMPUTE.format(body=body)}", "-T cs_6_6 -E cs") == names


@pytest.mark.parametrize(
    ("text", "arguments", "names"),
    [
        ("float4 main() : SV_Target { return A.SampleLevel(S, 0, 0); }", "-T ps_6_6 -E main", "A S"),
        ("float4 main() : SV_Target { return LOAD(A).x; }", "-T ps_6_6 -E main", "A"),
        ("float4 main() : SV_Target { return LOAD(A) + 1; }", "-T ps_6_6 -E main", ""),
        ("RWBuffer<float> Free; void main() { Free[0] = 1; }", "-T ps_6_6 -E main", ""),
        ("struct Empty { }; RWStructuredBuffer<Empty> E : register(u9); void main() { Empty e; E[0] = e; }",
         "-T ps_6_6 -E main", ""),
        ('[shader("raygeneration")] void main() { U[0] = 1; }', "-T lib_6_6", ""),
    ],
)  # fmt: skip
def test_entry_points(text: str, arguments: str, names: str) -> None:
    assert certain(text, arguments) == names
