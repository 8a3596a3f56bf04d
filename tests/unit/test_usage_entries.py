"""Entry points: which function a compilation starts from, what a library keeps, and stages that nobody named."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.bindings.analyse import Analyser
from bindlint.model.shader import Shader
from cases.usage import analysed

TEXTURE = "Texture2D A : register(t0); Texture2D B : register(t1);\n"


def used(text: str, arguments: str) -> list[str]:
    return [b.name for b in analysed(TEXTURE + text, arguments).bindings if b.used]


@pytest.mark.parametrize(
    ("text", "entry", "names"),
    [
        ("float4 main() : SV_Target { return A.Load(0); }", "main", ["A"]),
        ("float4 one() : SV_Target { return A.Load(0); } float4 two() : SV_Target { return B.Load(0); }", "two", ["B"]),
        ("float4 main(); float4 main() : SV_Target { return A.Load(0); }", "main", ["A"]),
        (
            "namespace N { float4 main() { return A.Load(0); } } float4 main() : SV_Target { return B.Load(0); }",
            "main",
            ["B"],
        ),
        (
            "struct S { float4 main() { return A.Load(0); } }; float4 main() : SV_Target { return B.Load(0); }",
            "main",
            ["B"],
        ),
    ],
)
def test_entry_function(text: str, entry: str, names: list[str]) -> None:
    assert used(text, f"-T ps_6_0 -E {entry}") == names


def test_missing_entry_names_what_may_be_meant() -> None:
    analysis = analysed("float4 PSMain() : SV_Target { return 0; } void helper() {}", "-T ps_6_0 -E PsMain")
    assert analysis.status == "failed"
    (problem,) = analysis.problems
    assert problem.kind == "missing-entry"
    assert "`PSMain`" in problem.message


@pytest.mark.parametrize(
    ("text", "arguments", "entries"),
    [
        ('[shader("pixel")] float4 a() : SV_Target { return 0; } void b() {}', "", [("a", "pixel")]),
        ('[shader("miss")] void a(inout P p) {} [shader("callable")] void b(inout P p) {}', "",
         [("a", "miss"), ("b", "callable")]),
        ("[numthreads(1, 1, 1)] void a() {}", "", []),
        ("[maxvertexcount(3)] void a() {}", "", [("a", "gs")]),
        ('[domain("tri")] float4 a() : SV_Position { return 0; }', "", [("a", "ds")]),
        ("[clipplanes(k)] float4 a() : SV_Position { return 0; }", "", [("a", "vs")]),
        ("[earlydepthstencil] float4 a() : SV_Target { return 0; }", "", [("a", "ps")]),
        ('[domain("tri")] [patchconstantfunc("p")] void a() {} void p() {}', "", [("a", "hs"), ("p", "lib")]),
        ("export void a() {} void b() {}", "", [("a", "lib")]),
        ("void a() {} static void b() {}", "-default-linkage external", [("a", "lib")]),
        ("struct S { void m() {} }; template<typename T> void t(T x) {} void a() {}", "-default-linkage external",
         [("a", "lib")]),
    ],
)  # fmt: skip
def test_library_entries(text: str, arguments: str, entries: list[tuple[str, str]]) -> None:
    assert [(e.name, e.stage) for e in analysed(text, f"-T lib_6_3 {arguments}").entries] == entries


def test_a_library_for_linking_keeps_every_function() -> None:
    assert [e.name for e in analysed("void a() {} void b() {}", "-T lib_6_x").entries] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[shader("compute")] [numthreads(1, 1, 1)] void a() {}', [("a", "cs_6_6")]),
        ("[numthreads(1, 1, 1)] void a() {}", [("a", "cs_6_6")]),
        ("[numthreads(1, 1, 1)] void a() { DispatchMesh(1, 1, 1, p); }", [("a", "as_6_6")]),
        ('[numthreads(1, 1, 1)] [outputtopology("line")] void a() {}', [("a", "ms_6_6")]),
        ("[maxvertexcount(3)] void a() {}", [("a", "gs_6_6")]),
        ('[domain("tri")] void a() {}', [("a", "ds_6_6")]),
        ('[domain("tri")] [patchconstantfunc("p")] void a() {} void p() {}', [("a", "hs_6_6")]),
        (
            '[domain("tri")] [outputtopology("line")] [outputcontrolpoints(3)] [patchconstantfunc("p")] void a() {}',
            [("a", "hs_6_6")],
        ),
        ("float4 a() : SV_Target { return 0; }", [("a", "ps_6_6")]),
        ("void a(out float4 c : SV_Target0) { c = 0; }", [("a", "ps_6_6")]),
        ("float4 a() : SV_Position { return 0; }", [("a", "vs_6_6")]),
        ("S a(uint i : SV_VertexID) { }", [("a", "vs_6_6")]),
        ("void a(uint3 i : SV_DispatchThreadID) { }", [("a", "cs_6_6")]),
        ("struct R { float4 c : SV_Target0; }; R a() { }", [("a", "ps_6_6")]),
        ("struct R { float4 c : SV_Target0; }; void a(out R r) { }", [("a", "ps_6_6")]),
        (
            "struct B { float4 p : SV_Position; }; struct R : B { float u : U; }; R a(float4 v : V) { }",
            [("a", "vs_6_6")],
        ),
        ("struct R { float4 p : SV_Position; }; R shared() { } R a() { return shared(); }", [("a", "vs_6_6")]),
        (
            "struct R { float4 p : SV_Position; }; R VSBase() { } R VSMore() { return VSBase(); }",
            [("VSBase", "vs_6_6"), ("VSMore", "vs_6_6")],
        ),
        ("struct R { float4 p : SV_Position; }; void helper(R r) { }", []),
        ("S main() { }", [("main", "ps_6_6")]),
        ("S VSMain() { }", [("VSMain", "vs_6_6")]),
        ("float4 helper(float4 c) { return c; }", []),
        ('[shader("raygeneration")] void a() {} [shader("miss")] void b(inout P p) {}', [("", "lib_6_6")]),
    ],
)
def test_discovery(text: str, found: list[tuple[str, str]]) -> None:
    analyser = Analyser()
    analyser.overlay("/project/look.ps.hlsl", text.encode())
    shaders = analyser.discover(Shader("/project/look.ps.hlsl", directory="/project"))
    assert [(s.entry, str(s.profile)) for s in shaders if s.profile is not None] == found
    assert all(s.inferred for s in shaders if s.profile is not None)


def test_a_shader_without_functions_takes_the_entry_points_of_its_header(tmp_path: Path) -> None:
    body = "Texture2D A : register(t0);\nfloat4 main() : SV_Target { return A.Load(0); }\n"
    (tmp_path / "impl.hlsli").write_text(body)
    (tmp_path / "high.hlsl").write_text('#define HIGH\n#include "impl.hlsli"\n')
    (tmp_path / "other.hlsl").write_text('#include "impl.hlsli"\nfloat4 helper() { return 0; }\n')
    names = ("high.hlsl", "other.hlsl")
    found = {name: [s.entry for s in Analyser().discover(Shader(str(tmp_path / name)))] for name in names}
    assert found == {"high.hlsl": ["main"], "other.hlsl": [""]}
