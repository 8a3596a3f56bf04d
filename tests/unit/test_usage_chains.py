"""Chains of calls from the entry point to a use, what is known of uses, and the usage graph."""

from __future__ import annotations

import pytest
from bindlint.model.binding import EntryPoint
from bindlint.usage.graph import usage_graph
from cases.usage import PRELUDE, analysed


def entry(text: str, arguments: str = "-T ps_6_6 -E main") -> EntryPoint:
    return analysed(PRELUDE + text, arguments).entries[0]


@pytest.mark.parametrize(
    ("text", "name", "chain"),
    [
        ("float4 main() : SV_Target { return LOAD(A); }", "A", "main"),
        ("float4 f() { return LOAD(A); } float4 main() : SV_Target { return f(); }", "A", "main f"),
        ("float4 f() { return LOAD(A); } float4 g() { return f(); } float4 main() : SV_Target { return g(); }", "A",
         "main g f"),
        ("float4 f() { return LOAD(A); } float4 g() { return f(); } float4 main() : SV_Target { return g() + f(); }",
         "A", "main f"),
        ("float4 f() { return LOAD(A); } float4 main() : SV_Target { return f() + LOAD(A); }", "A", "main"),
        ("float4 f(Texture2D<float4> t) { return LOAD(t); } float4 main() : SV_Target { return f(A); }", "A", "main"),
        ("struct S { float4 f() { return LOAD(A); } }; float4 main() : SV_Target { S s; return s.f(); }", "A",
         "main f"),
        ("float4 f() { return k; } float4 main() : SV_Target { return f(); }", "K", "main f"),
        ("float4 f() { return loose; } float4 main() : SV_Target { return f(); }", "$Globals", "main f"),
        ("static float4 kept = LOAD(A); float4 f() { return kept; } float4 main() : SV_Target { return f(); }", "A",
         "main f"),
        ("float4 load() { return LOAD(A); } static float4 kept = load(); float4 f() { return kept; }"
         " float4 main() : SV_Target { return f(); }", "A", "main f load"),
        ("static float4 one = LOAD(A); static float4 two = one; float4 f() { return two; }"
         " float4 main() : SV_Target { return f(); }", "A", "main f"),
        ("static float4 kept; void f() { kept = LOAD(A); } float4 main() : SV_Target { f(); return kept; }", "A",
         "main f"),
        ("struct Set { Texture2D<float4> one; }; Set set; float4 f() { return LOAD(set.one); }"
         " float4 main() : SV_Target { return f(); }", "set.one", "main f"),
        ("float4 f(bool b) { return b ? LOAD(A) : LOAD(B); } float4 main() : SV_Target { return f(true) + f(false); }",
         "A", "main f"),
        ("float4 f(float4 x = LOAD(A)) { return x; } float4 main() : SV_Target { return f(); }", "A", "main"),
    ],
)  # fmt: skip
def test_chain(text: str, name: str, chain: str) -> None:
    (use,) = [use for use in entry(text).uses if use.resource.name == name]
    assert " ".join(step.function for step in use.chain) == chain


def test_chain_of_clip_planes_is_the_entry_point() -> None:
    (use,) = entry("[clipplanes(k)] float4 vs() : SV_Position { return 0; }", "-T vs_6_0 -E vs").uses
    assert (use.resource.name, [step.function for step in use.chain]) == ("K", ["vs"])


@pytest.mark.parametrize(
    ("statement", "name", "kinds"),
    [
        ("sum += LOAD(A);", "A", {"read"}),
        ("sum += A.SampleLevel(S, 0, 0);", "A", {"sample"}),
        ("sum += A.SampleLevel(S, 0, 0);", "S", {"read"}),
        ("uint w, h; A.GetDimensions(w, h); sum += w;", "A", {"query"}),
        ("U[0] = 1;", "U", {"write"}),
        ("sum += U[0]; U[0] = 1;", "U", {"read", "write"}),
        ("U[0] += 1;", "U", {"write"}),
        ("sum += V.IncrementCounter();", "V", {"counter"}),
        ("R.Store(0, 1);", "R", {"write"}),
        ("InterlockedAdd(W[0], 1);", "W", {"read", "write"}),
        ("Texture2D<float4> t = A; sum += t.SampleLevel(S, 0, 0);", "A", {"sample"}),
        ("sum += k;", "K", {"read"}),
    ],
)
def test_kinds_of_access(statement: str, name: str, kinds: set[str]) -> None:
    found = entry(f"float4 main() : SV_Target {{ float4 sum = 1; {statement} return sum; }}")
    assert next(use.kinds for use in found.uses if use.resource.name == name) == kinds


@pytest.mark.parametrize(
    ("statement", "heaps"),
    [
        ("sum += 1;", (False, False)),
        ("Texture2D<float4> t = ResourceDescriptorHeap[1]; sum += LOAD(t);", (True, False)),
        ("SamplerState s = SamplerDescriptorHeap[1]; sum += A.SampleLevel(s, 0, 0);", (False, True)),
        ("Texture2D<float4> t = ResourceDescriptorHeap[1];", (False, False)),
        ("RWBuffer<float4> t = ResourceDescriptorHeap[NonUniformResourceIndex(n)]; t[0] = 1;", (True, False)),
    ],
)
def test_heaps(statement: str, heaps: tuple[bool, bool]) -> None:
    found = entry(f"float4 main() : SV_Target {{ float4 sum = 1; {statement} return sum; }}")
    assert (found.resource_heap, found.sampler_heap) == heaps


@pytest.mark.parametrize(
    ("parameters", "needed"),
    [
        ("", False),
        ("uint id : SV_VertexID", False),
        ("uint id : SV_VertexID, uint instance : SV_InstanceID", False),
        ("float4 position : POSITION", True),
        ("Input input", True),
        ("Ids ids", False),
        ("out float4 colour : COLOR", False),
    ],
)
def test_input_layout(parameters: str, needed: bool) -> None:
    types = "struct Input { float4 p : POSITION; }; struct Ids { uint id : SV_VertexID; };"
    text = f"{types} float4 vs({parameters}) : SV_Position {{ return 0; }}"
    assert entry(text, "-T vs_6_0 -E vs").needs_input_assembler == needed


def test_usage_graph() -> None:
    text = "float4 f() { return LOAD(A); } float4 main() : SV_Target { U[0] = 1; return f() + k; }"
    graph = usage_graph(analysed(PRELUDE + text, "-T ps_6_6 -E main"))
    names = {node: f"{data['kind']}:{data['label'].split()[-1]}" for node, data in graph.nodes(data=True)}
    assert {(names[a], names[b], data["kind"]) for a, b, data in graph.edges(data=True)} == {
        ("entry:(ps_6_6)", "function:f", "calls"),
        ("function:f", "resource:A", "reads"),
        ("entry:(ps_6_6)", "resource:U", "writes"),
        ("entry:(ps_6_6)", "resource:K", "reads"),
    }
