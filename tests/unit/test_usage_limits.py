"""Long chains, deep structs, much of everything: followed to the end or told as a limit, in bounded time."""

from __future__ import annotations

import tracemalloc

import pytest
from bindlint.engine import Engine
from bindlint.model.binding import ShaderAnalysis
from bindlint.plugins import load_rules
from cases.usage import analysed

MAIN = "float4 main() : SV_Target {{ return {}.Load(0); }}"


def used(analysis: ShaderAnalysis) -> dict[str, str]:
    return {b.name: str(b.registers) for b in analysis.bindings if b.used}


def nested(depth: int, innermost: str = "Texture2D<float4> t;") -> str:
    structs = "".join(f"struct S{i} {{ S{i - 1} m; }};\n" for i in range(1, depth + 1))
    return f"struct S0 {{ {innermost} }};\n{structs}S{depth} g : register(t1);\n"


@pytest.mark.parametrize("length", [33, 2000])
def test_chains_of_typedefs_are_followed(length: int) -> None:
    chain = "".join(f"typedef T{i} T{i + 1};\n" for i in range(length))
    text = f"typedef Texture2D<float4> T0;\n{chain}T{length} A : register(t1);\n" + MAIN.format("A")
    assert used(analysed(text, "-T ps_6_0 -E main")) == {"A": "t1"}


@pytest.mark.parametrize("length", [33, 2000])
def test_chains_of_constants_are_followed(length: int) -> None:
    chain = "".join(f"static const uint N{i} = N{i - 1} + 1;\n" for i in range(1, length))
    text = f"static const uint N0 = 1;\n{chain}Texture2D<float4> A[N{length - 1}];\n" + MAIN.format("A[0]")
    assert used(analysed(text, "-T ps_6_0 -E main")) == {"A": f"t0-t{length - 1}"}


@pytest.mark.parametrize("depth", [33, 250])
def test_resources_in_nested_structs_are_found(depth: int) -> None:
    path = "g" + ".m" * depth + ".t"
    analysis = analysed(nested(depth) + MAIN.format(path), "-T ps_6_0 -E main")
    assert used(analysis) == {path: "t1"}
    assert analysis.status == "ok"


@pytest.mark.parametrize(
    "text",
    [
        nested(300) + MAIN.format("g" + ".m" * 300 + ".t"),
        "struct S { Texture2D<float4> t[5000]; }; S g;\n" + MAIN.format("g.t[4999]"),
        "struct S { Texture2D<float4> t[70]; }; S g[70];\n" + MAIN.format("g[0].t[0]"),
        "struct S { Texture2D<float4> t[70]; }; struct R { S s[70]; }; R g;\n" + MAIN.format("g.s[0].t[0]"),
        "cbuffer C { Texture2D<float4> t[70][70]; }\n" + MAIN.format("t[0][0]"),
    ],
)
def test_what_is_too_deep_or_too_much_is_told(text: str) -> None:
    analysis = analysed(text, "-T ps_6_0 -E main")
    assert [p.kind for p in analysis.problems] == ["analysis-limit"]
    assert analysis.status == "partial"


def test_sizes_of_nested_structs_are_told() -> None:
    text = nested(2000, "float4 v;").replace("S2000 g : register(t1);", "cbuffer C { S2000 g; }")
    analysis = analysed(text + "float4 main() : SV_Target { return g" + ".m" * 2000 + ".v; }", "-T ps_6_0 -E main")
    assert [r.size for r in analysis.resources] == [16]


def test_structs_that_hold_each_other_end() -> None:
    text = "struct A { B b; Texture2D<float4> t; }; struct B { A a; float4 v; }; A g; B h;\n"
    analysis = analysed(text + MAIN.format("g.t"), "-T ps_6_0 -E main")
    assert "g.t" in used(analysis)


@pytest.mark.parametrize(
    ("loop", "branch"),
    [
        ("switch (j) {{ {} }}", "case {0}: r += A.Load({0}); j = i * {0}; break;\n"),
        ("{}", "if (j == {0}) {{ r += A.Load({0}); j = i * {0}; }} else if (j < {0}) continue;\n"),
    ],
)
def test_many_branches_in_a_loop_take_no_square_of_memory(loop: str, branch: str) -> None:
    branches = loop.format("".join(branch.format(i) for i in range(700)))
    main = f"float4 main(int i : I) : SV_Target {{ float4 r = 0; int j = i; while (j > 0) {{ {branches} }} return r; }}"
    tracemalloc.start()
    assert used(analysed(f"Texture2D<float4> A : register(t1);\n{main}", "-T ps_6_0 -E main")) == {"A": "t1"}
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400 * len(main)


def test_many_overloads_take_no_square_of_time() -> None:
    functions = "".join(f"float4 f(float{i % 4 + 1} a, int b{i}) {{ return A.Load(0); }}\n" for i in range(1200))
    calls = "".join(f"r += f(x, {i});\n" for i in range(1200))
    main = f"float4 main(float x : X) : SV_Target {{ float4 r = 0; {calls} return r; }}"
    text = f"Texture2D<float4> A : register(t1);\n{functions}{main}"
    assert used(analysed(text, "-T ps_6_0 -E main"))["A"] == "t1"


def test_constants_that_many_calls_hand_over_end() -> None:
    functions = "".join(
        f"float4 f{i}(int a) {{ return f{i - 1}(a + 1) + f{i - 1}(a + {i}); }}\n" for i in range(1, 100)
    )
    main = "float4 main() : SV_Target { return f99(0); }"
    text = "Texture2D<float4> A : register(t1);\nfloat4 f0(int a) { return A.Load(a); }\n"
    assert used(analysed(text + functions + main, "-T ps_6_0 -E main"))["A"] == "t1"


def test_what_only_one_of_many_overloads_touches_is_used() -> None:
    functions = "".join(
        f"float4 f(float a, int b{i}) {{ return {'A.Load(0)' if i == 37 else '0'}; }}\n" for i in range(40)
    )
    text = f"Texture2D<float4> A;\nRWBuffer<float> U;\n{functions}void g(out float v, int a) {{ v = U[a]; }}\n"
    text += "".join(f"void g(out float v, uint a{i}) {{ v = {i}; }}\n" for i in range(20))
    main = "float4 main() : SV_Target { float v; g(v, 1); return f(1, 2) + v; }"
    assert used(analysed(text + main, "-T ps_6_0 -E main")) == {"A": "t0", "U": "u0"}


@pytest.mark.parametrize(
    "declared",
    ["register(t{0})", "register(t0, space{0})", "register(t{1})", "packed"],
    ids=["all unbound", "spaces", "pairs", "chosen"],
)
def test_rules_over_many_resources_take_no_square_of_time(declared: str) -> None:
    count = 4000
    clause = "" if declared == "packed" else " : " + declared
    resources = "".join(f"Texture2D<float4> R{i}{clause.format(i + 10, i // 2)};\n" for i in range(count))
    ranges = ", ".join(f"SRV(t{3 * i}, space = 70000)" for i in range(1500))
    loads = "".join(f"r += R{i}.Load(0);" for i in range(count))
    signature = f'[RootSignature("DescriptorTable({ranges})")]'
    main = f"{signature} float4 main() : SV_Target {{ float4 r = 0; {loads} return r; }}"
    analysis = analysed(resources + main, "-T ps_6_0 -E main")
    report = Engine(load_rules()).check(analysis)
    assert len(report.findings) >= count // 2


NESTING = {
    "parentheses": "{open}o[0] = 1{close};",
    "braces": "{braces}o[0] = 1;{unbraces}",
    "ifs": "{ifs}o[0] = 1;{unbraces}",
    "links": "{links}o[0] = 1;",
    "loops": "{loops}o[0] = 1;{unbraces}",
    "calls": "o[0] = {calls}1{close};",
    "choices": "o[0] = {choices}1;",
}


def deep(form: str, depth: int) -> ShaderAnalysis:
    words = {
        "open": "(", "close": ")", "braces": "{", "unbraces": "}", "ifs": "if (x) {", "links": "if (x) x = 2; else ",
        "loops": "while (x) {", "calls": "f(", "choices": "x ? 2 : ",
    }  # fmt: skip
    body = NESTING[form].format(**{name: word * depth for name, word in words.items()})
    main = f"[numthreads(1, 1, 1)] void main(int x : SV_GroupIndex) {{ {body} }}"
    return analysed(f"RWBuffer<int> o : register(u0);\nint f(int a) {{ return a; }}\n{main}", "-T cs_6_0 -E main")


@pytest.mark.parametrize("depth", [50, 150, 450])
@pytest.mark.parametrize("form", NESTING)
def test_deep_nesting_is_read(form: str, depth: int) -> None:
    analysis = deep(form, depth)
    assert analysis.status == "ok"
    assert used(analysis) == {"o": "u0"}
    assert [f.code for f in Engine(load_rules()).check(analysis).findings] == []


@pytest.mark.parametrize("form", NESTING)
def test_what_nests_too_deeply_is_told_and_not_judged(form: str) -> None:
    analysis = deep(form, 5000)
    assert [p.kind for p in analysis.problems] == ["analysis-limit"]
    assert analysis.status == "partial"
    assert used(analysis) == {"o": "u0"}
    assert [f.code for f in Engine(load_rules()).check(analysis).findings] == ["BL013"]
