"""What the rules about a shader and its root signature say together, with severities and notes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from bindlint.bindings.analyse import Analyser
from bindlint.engine import Engine
from bindlint.facts.root_signature import read_root_signature
from bindlint.model.binding import Binding, Resource, ShaderAnalysis
from bindlint.model.finding import Certainty, Finding
from bindlint.model.registers import RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint.model.shader import Profile, Shader
from bindlint.model.source import NOWHERE
from bindlint_rules import RULES

ENGINE = Engine([rule for rule in RULES if rule.code.startswith(("BL2", "BL3"))])

PIXEL = "float4 main(uint i : INDEX) : SV_Target { return TINT; }"
TYPES = "struct P { float4 a; float b[3]; float4 c; };\nRWByteAddressBuffer Out : register(u7);\n"


def findings(folder: Path, source: str, profile: str = "ps_6_6") -> tuple[Finding, ...]:
    stage, _, minor = profile.split("_")
    (folder / "a.hlsl").write_text(TYPES + source)
    shader = Shader(str(folder / "a.hlsl"), "" if stage == "lib" else "main", Profile(stage, 6, int(minor)))
    analysis = Analyser().analyse(shader)
    assert [problem.message for problem in analysis.problems if problem.kind != "missing-include"] == []
    return ENGINE.check(analysis).findings


def pixel(signature: str, reads: str = "0") -> str:
    return f"[RootSignature({signature})] {PIXEL.replace('TINT', reads)}"


def compute(signature: str, writes: str = "0") -> str:
    head = f"[RootSignature({signature})] [numthreads(1, 1, 1)] void main(uint i : SV_DispatchThreadID)"
    return f"{head} {{ Out.Store(0, asuint({writes})); }}"


def constants(count: int, register: str = "b0") -> str:
    return f'"RootConstants(num32BitConstants = {count}, {register})"'


BLOCK = "cbuffer C : register(b0) { float4 a; float2 b; float c[3]; float3 d; }; "
VIEW = "ConstantBuffer<P> v : register(b0); "
HEAP = "float4 fetch(uint i) { Texture2D<float4> t = ResourceDescriptorHeap[i]; return t.Load(0); } "
OTHER = "cbuffer Z : register(b1) { float c[9]; float4 z; }; "


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (BLOCK + pixel(constants(20), "d.xyzz"), []),
        (
            BLOCK + pixel(constants(19), "d.xyzz"),
            ["error `C` is 20 DWORDs large|passes 19 (parameter 0); `d` lies out"],
        ),
        (
            BLOCK + pixel(constants(16), "a"),
            ["warning `C`|`c[2]` and `d` (array elements stand 16 bytes apart) lie out"],
        ),
        (BLOCK + pixel(constants(12), "c[0] + d.x"), ["error `C`|; `c[1]`..`c[2]` and `d` (array elements"]),
        (BLOCK + pixel(constants(8), "c[0]"), ["error `C`|; `c[0]`..`c[2]` (array"]),
        (BLOCK + pixel(constants(9), "c[0]"), ["error `C`|; `c[1]`..`c[2]` (array"]),
        (BLOCK + pixel(constants(16), "c[0]"), ["error `C`|; `c[2]` (array elements stand 16 bytes apart) lies out"]),
        (BLOCK + pixel(constants(4), "b.xyxy"), ["error `C`|; `b` lies out of range"]),
        (BLOCK + pixel(constants(1), "a"), ["error `C`|; `a` lies out of range"]),
        (
            BLOCK + pixel(constants(1), "a + b.x + c[1] + d.x"),
            ["error `C`|; `a`, `b`, `c[0]`..`c[2]` and 1 more (array elements stand 16 bytes apart) lie out of range"],
        ),
        (BLOCK + pixel(constants(1), "a + b.x + d.x"), ["error `C`|; `a`, `b` and `d` lie out of range"]),
        (BLOCK + OTHER + pixel(f'{constants(20)} ", CBV(b1)"', "d.x + z"), []),
        (BLOCK + OTHER + pixel(f'"CBV(b0), " {constants(39, "b1")}', "d.x + z"), ["error `Z` is 40|`z` lies out"]),
        (
            "float4 loose; " + pixel(constants(3), "loose"),
            ["error `$Globals` is 4 DWORDs|what the shader reads beyond"],
        ),
        (
            "cbuffer C : register(b0) { float c[1]; float d; }; " + pixel(constants(1), "d"),
            ["error `C`|; `d` lies out"],
        ),
        (
            VIEW + pixel(constants(19), "v.a"),
            ["warning `v` is 20 DWORDs|`c` lies out of range, although the shader does"],
        ),
        (
            "cbuffer C : register(b0) { float4 v[4]; }; " + pixel(constants(8), "v[0]"),
            ["error `C`|; `v[2]`..`v[3]` (arr"],
        ),
        (VIEW + pixel(constants(20), "v.b[2]"), []),
    ],
)
def test_sizes_of_root_constants(tmp_path: Path, source: str, expected: list[str]) -> None:
    agree(findings(tmp_path, source), "BL307", expected)


@pytest.mark.parametrize(
    ("source", "notes"),
    [
        (VIEW + pixel(constants(20), "v.b[i]"), ["the root signature has b0 in parameter 0"]),
        (BLOCK + pixel(constants(20), "c[i]"), ["indexed by `i` here", "the root signature has b0 in parameter 0"]),
        (BLOCK + pixel(constants(20), "c[2] + c[i + 1]"), ["indexed by `i + 1` here", "the root signature has b0"]),
        (
            BLOCK + OTHER.replace(" c[", " q[") + pixel(f'"CBV(b1), " {constants(20)}', "c[i] + q[i]"),
            ["indexed by `i` here", "the root signature has b0 in parameter 1"],
        ),
        (
            BLOCK + OTHER.replace(" c[", " q[") + pixel(f'{constants(40, "b1")} ", " {constants(20)}', "c[i] + q[1]"),
            ["indexed by `i` here", "the root signature has b0 in parameter 1"],
        ),
    ],
)
def test_indexed_root_constants(tmp_path: Path, source: str, notes: list[str]) -> None:
    (found,) = findings(tmp_path, source)
    assert (found.code, found.severity, found.violation.certainty) == ("BL308", "warning", "likely")
    assert [place.message[: len(note)] for place, note in zip(found.violation.related, notes, strict=True)] == notes


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (HEAP + pixel('""', "fetch(i)"), ["error `main` reads ResourceDescriptorHeap"]),
        (HEAP + pixel('"RootFlags(SAMPLER_HEAP_DIRECTLY_INDEXED)"', "fetch(i)"), ["error `main` reads ResourceDesc"]),
        (HEAP + pixel('"RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED)"', "fetch(i)"), []),
        (HEAP + pixel('"RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED)"'), []),
        (HEAP + pixel('""'), []),
    ],
)
def test_heap_flags(tmp_path: Path, source: str, expected: list[str]) -> None:
    agree(findings(tmp_path, source), "BL309", expected)


NEEDLESS = "info the root signature has CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED, but the compute"
FLAG = '"UAV(u7), RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED)"'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (compute(FLAG), [NEEDLESS]),
        (compute('"UAV(u7)"'), []),
        (HEAP + compute(FLAG, "fetch(i).x"), []),
        (f"#define RS {FLAG}\n{compute('RS')}", []),
        (f'#include "missing.hlsli"\n{compute(FLAG)}', []),
        (compute(FLAG.replace("CBV_SRV_UAV", "SAMPLER")), ["info the root signature has SAMPLER_HEAP"]),
    ],
)
def test_needless_heap_flags(tmp_path: Path, source: str, expected: list[str]) -> None:
    agree(findings(tmp_path, source, "cs_6_6"), "BL309", expected)


@pytest.mark.parametrize(
    ("profile", "source", "expected"),
    [
        ("cs_6_0", compute('"UAV(u7), CBV(b0)"'), ["info parameter 1 (CBV b0) serves the compute shader only"]),
        ("cs_6_0", compute('"UAV(u7), CBV(b7)"'), ["info parameter 1 (CBV b7)"]),
        ("cs_6_0", compute('"UAV(u7), StaticSampler(s1), StaticSampler(s0)"'), ["info static sampler s1", "info "]),
        ("cs_6_0", compute('"DescriptorTable(UAV(u0, numDescriptors = 9)), StaticSampler(s0)"'), ["info static"]),
        (
            "cs_6_0",
            'SamplerState S : register(s0); Texture2D M : register(t0); '
            + compute('"CBV(b0), DescriptorTable(SRV(t0), UAV(u7)), StaticSampler(s0)"', "M.SampleLevel(S, 0, 0).x"),
            ["info parameter 0 (CBV b0)"],
        ),
        ("cs_6_0", f'#define RS "UAV(u7), CBV(b0)"\n{compute("RS")}', []),
        ("cs_6_0", f'#include "missing.hlsli"\n{compute(chr(34) + "UAV(u7), CBV(b0)" + chr(34))}', []),
        ("ps_6_0", pixel('"CBV(b0), CBV(b1, visibility = SHADER_VISIBILITY_VERTEX)"'), []),
        ("ps_6_0", pixel('"CBV(b0, visibility = SHADER_VISIBILITY_PIXEL)"'), ["info parameter 0 (CBV b0)"]),
        ("ps_6_0", BLOCK + pixel('"CBV(b0, visibility = SHADER_VISIBILITY_PIXEL)"', "a"), []),
        ("ps_6_0", BLOCK + pixel('"CBV(b0, visibility = SHADER_VISIBILITY_PIXEL)"'), ["info parameter 0 (CBV b0)"]),
    ],
)  # fmt: skip
def test_idle_parts(tmp_path: Path, profile: str, source: str, expected: list[str]) -> None:
    agree(findings(tmp_path, source, profile), "BL313", expected)


def test_an_option_is_nobodys_own_signature(tmp_path: Path) -> None:
    (tmp_path / "a.hlsl").write_text(f"{TYPES}{compute(FLAG)}")
    shader = Shader(str(tmp_path / "a.hlsl"), "main", Profile("cs", 6, 6), root_signature=FLAG.strip('"') + ", CBV(b0)")
    found = ENGINE.check(Analyser().analyse(shader)).findings
    assert [(f.code, f.severity) for f in found] == [("BL216", "info")]


IA = "ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"
VERTEX = '[RootSignature("RootFlags({})")] float4 main({} : {}) : SV_Position {{ return x; }}'


@pytest.mark.parametrize(
    ("profile", "source", "expected"),
    [
        ("vs_6_0", VERTEX.format("0", "float4 x", "POSITION"), ["error `main` has vertex inputs"]),
        ("vs_6_0", VERTEX.format("ALLOW_STREAM_OUTPUT", "float4 x", "POSITION"), ["error `main` has vertex inputs"]),
        ("vs_6_0", VERTEX.format(IA, "float4 x", "POSITION"), []),
        ("vs_6_0", VERTEX.format(IA, "uint x", "SV_VertexID"), []),
        ("vs_6_0", VERTEX.format("0", "uint x", "SV_VertexID"), []),
        ("ps_6_0", pixel(f'"RootFlags({IA})"'), []),
        ("ps_6_0", pixel('"RootFlags(0)"'), []),
        (
            "cs_6_0",
            compute(f'"UAV(u7), RootFlags({IA})"'),
            ["info the root signature has ALLOW_INPUT|the compute shader"],
        ),
        ("cs_6_0", compute('"UAV(u7)"'), []),
    ],
)
def test_input_layouts(tmp_path: Path, profile: str, source: str, expected: list[str]) -> None:
    agree(findings(tmp_path, source, profile), "BL311", expected)


DENIED = "RootFlags(DENY_PIXEL_SHADER_ROOT_ACCESS | CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED)"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (HEAP + pixel(f'"{DENIED}"', "fetch(i)"), ["warning `main` reads ResourceDescriptorHeap in the pixel shader"]),
        (HEAP + pixel(f'"{DENIED}"'), []),
        (
            HEAP + BLOCK + pixel(f'"CBV(b0), {DENIED}"', "fetch(i) + a"),
            ["error `C` (b0) cannot reach the pixel shader"],
        ),
    ],
)
def test_denied_stages(tmp_path: Path, source: str, expected: list[str]) -> None:
    agree(findings(tmp_path, source), "BL305", expected)


def test_samplers_from_a_denied_heap(tmp_path: Path) -> None:
    fetch = "float4 take(uint i) { SamplerState s = SamplerDescriptorHeap[i]; return M.Sample(s, 0.5); } "
    flags = "RootFlags(DENY_PIXEL_SHADER_ROOT_ACCESS | SAMPLER_HEAP_DIRECTLY_INDEXED)"
    source = f"static Texture2D<float4> M = ResourceDescriptorHeap[0]; {fetch}"
    found = findings(tmp_path, source + pixel(f'"{flags.replace("SAMPLER", "CBV_SRV_UAV", 1)}"', "take(i)"))
    assert [f.code for f in found] == ["BL305", "BL309"]


def test_compute_shaders_cannot_be_denied(tmp_path: Path) -> None:
    flags = "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED)"
    source = f'{HEAP}[RootSignature("{flags}")] [numthreads(1, 1, 1)] void main(uint i : SV_DispatchThreadID)'
    body = "{ RWByteAddressBuffer o = ResourceDescriptorHeap[0]; o.Store(0, fetch(i).x); }"
    agree(findings(tmp_path, source + body, "cs_6_6"), "BL311", ["info the root signature has ALLOW_INPUT"])


@pytest.mark.parametrize("certainties", [("certain", "likely"), ("likely", "certain"), ("likely", "likely")])
def test_a_denial_is_as_certain_as_its_surest_binding(certainties: tuple[Certainty, Certainty]) -> None:
    bindings = []
    for register, certainty in enumerate(certainties):
        resource = Resource(f"t{register}", RESOURCE_TYPES["ByteAddressBuffer"], NOWHERE)
        bindings.append(Binding(resource, RegisterRange("t", 0, register, register), True, True, "raw", certainty))
    analysis = ShaderAnalysis(Shader("a.hlsl", "main", Profile("ps", 6, 0)), "ok", bindings=tuple(bindings))
    text = "SRV(t0), SRV(t1), RootFlags(DENY_PIXEL_SHADER_ROOT_ACCESS)"
    (rule,) = (rule for rule in RULES if rule.code == "BL305")
    (found,) = rule.run(analysis, read_root_signature(text, lambda _start, _end: NOWHERE))
    assert found.certainty == ("certain" if "certain" in certainties else "likely")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('[RootSignature("")] ' + pixel('"CBV(b0)"'), ["warning this [RootSignature] is ignored: `main` has another"]),
        (pixel('"CBV(b0)"'), []),
    ],
)
def test_two_attributes(tmp_path: Path, source: str, expected: list[str]) -> None:
    agree(findings(tmp_path, source), "BL216", expected)


@pytest.mark.parametrize("option", ["-rootsig-define", "--rootsig"])
def test_what_stands_in_for_an_attribute_is_named(tmp_path: Path, option: str) -> None:
    (tmp_path / "a.hlsl").write_text('#define OTHER "CBV(b1)"\n' + TYPES + pixel('"CBV(b0)"'))
    shader = Shader(str(tmp_path / "a.hlsl"), "main", Profile("ps", 6, 6))
    field = {"-rootsig-define": "root_signature_define", "--rootsig": "root_signature"}[option]
    shader = msgspec.structs.replace(shader, **{field: "OTHER" if field.endswith("define") else "CBV(b1)"})
    agree(ENGINE.check(Analyser().analyse(shader)).findings, "BL216", [f"info {option} stands in for this [Root"])


def test_a_library_is_held_against_no_one_signature(tmp_path: Path) -> None:
    (tmp_path / "a.hlsl").write_text(f'{TYPES}[shader("raygeneration")] void f() {{ Out.Store(0, 1); }}')
    shader = Shader(str(tmp_path / "a.hlsl"), "", Profile("lib", 6, 6), root_signature="CBV(b0)")
    analysis = Analyser().analyse(shader)
    assert [binding.name for binding in analysis.bindings if binding.used] == ["Out"]
    assert analysis.signature is not None
    assert ENGINE.check(analysis).findings == ()


def test_each_shader_is_held_against_each_signature() -> None:
    def shader(register: int) -> ShaderAnalysis:
        resource = Resource("t", RESOURCE_TYPES["ByteAddressBuffer"], NOWHERE)
        binding = Binding(resource, RegisterRange("t", 0, register, register), True, True, "raw")
        return ShaderAnalysis(Shader("a.hlsl", "main", Profile("ps", 6, 0)), "ok", bindings=(binding,))

    (rule,) = (rule for rule in RULES if rule.code == "BL301")
    shaders = [shader(0), shader(1)]
    signatures = [read_root_signature(text, lambda _start, _end: NOWHERE) for text in ("SRV(t0)", "SRV(t1)")]
    assert [len(list(rule.run(each, signatures[0]))) for each in shaders] == [0, 1]
    assert [len(list(rule.run(shaders[1], each))) for each in signatures] == [1, 0]


def test_what_has_no_register_serves_nothing() -> None:
    resource = Resource("t", RESOURCE_TYPES["ByteAddressBuffer"], NOWHERE)
    bindings = (Binding(resource, None, False, True, "raw"),)
    analysis = ShaderAnalysis(Shader("a.hlsl", "main", Profile("cs", 6, 0)), "ok", bindings=bindings)
    (rule,) = (rule for rule in RULES if rule.code == "BL313")
    (found,) = rule.run(analysis, read_root_signature("SRV(t0)", lambda _start, _end: NOWHERE))
    assert "parameter 0" in found.message


def test_a_signature_in_a_header_may_serve_other_files(tmp_path: Path) -> None:
    (tmp_path / "a.hlsli").write_text('#define RS "CBV(b0)"\n')
    heads = ("one", "two")
    body = "".join(f"[RootSignature(RS)] float4 {name}() : SV_Target {{ return 0; }}\n" for name in heads)
    (tmp_path / "a.hlsl").write_text(f'#include "a.hlsli"\n{body}')
    (rule,) = (rule for rule in RULES if rule.code == "BL315")
    analyser = Analyser()
    shaders = (Shader(str(tmp_path / "a.hlsl"), entry, Profile("ps", 6, 0)) for entry in heads)
    assert rule.run(tuple(map(analyser.analyse, shaders))) == []


SHARED = '#define RS "CBV(b0), CBV(b1)"\n#define BROKEN "CBV(b0"\ncbuffer A : register(b0) { float a; };\n'


@pytest.mark.parametrize(
    ("first", "second", "idle"),
    [
        ("[RootSignature(RS)]", "[RootSignature(RS)]", ["parameter 1 (CBV b1)"]),
        ("[RootSignature(RS)]", "", []),
        ("", "", []),
        ("[RootSignature(BROKEN)]", "[RootSignature(BROKEN)]", []),
        ('[RootSignature("CBV(b0), CBV(b1)")]', "[RootSignature(RS)]", []),
    ],
)
def test_parts_that_no_shader_of_a_file_uses(tmp_path: Path, first: str, second: str, idle: list[str]) -> None:
    path = tmp_path / "a.hlsl"
    path.write_text(
        f"{SHARED}{first} float4 one() : SV_Target {{ return a; }}\n{second} float4 two() : SV_Target {{ return 0; }}"
    )
    (rule,) = (rule for rule in RULES if rule.code == "BL315")
    analyses = tuple(Analyser().analyse(Shader(str(path), entry, Profile("ps", 6, 0))) for entry in ("one", "two"))
    assert [violation.message[: len(part)] for violation, part in zip(rule.run(analyses), idle, strict=True)] == idle


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("ByteAddressBuffer D[1] : register(t0); " + pixel('"SRV(t0)"', "D[i].Load(0)"), ["warning `D` is an array"]),
        ("ByteAddressBuffer D[1] : register(t0); " + pixel('"DescriptorTable(SRV(t0))"', "D[i].Load(0)"), []),
        ("ByteAddressBuffer D : register(t0); " + pixel('"SRV(t0)"', "D.Load(0)"), []),
        (
            "ConstantBuffer<P> D[1] : register(b0); " + pixel('"CBV(b0)"', "D[0].a"),
            ["warning `D` is an array, if only"],
        ),
        ("ConstantBuffer<P> D[] : register(b0); " + pixel('"CBV(b0)"', "D[i].a"), ["error `D` is an unbounded array"]),
    ],
)
def test_arrays_on_root_descriptors(tmp_path: Path, source: str, expected: list[str]) -> None:
    agree(findings(tmp_path, source), "BL306", expected)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("SRV(t2, numDescriptors = 8)", 7),
        ("SRV(t0, numDescriptors = 3)", 0),
        ("SRV(t1, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE)", None),
    ],
)
def test_unbounded_arrays_on_ranges(tmp_path: Path, text: str, last: int | None) -> None:
    source = "Texture2D<float4> T[] : register(t2); " + pixel(f'"DescriptorTable({text})"', "T[i].Load(0)")
    expected = [] if last is None else [f"info `T` is an unbounded array|ends; indices above {last} are undefined"]
    agree(findings(tmp_path, source), "BL312", expected)


def test_integer_borders_by_shader_model(tmp_path: Path) -> None:
    source = pixel('"StaticSampler(s0, borderColor = STATIC_BORDER_COLOR_OPAQUE_BLACK_UINT)"')
    agree(findings(tmp_path, source), "BL314", ["warning static sampler s0 has an integer border|for ps_6_6"])
    agree(findings(tmp_path, source, "ps_6_7"), "BL314", [])


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        ("raygeneration", "error a [RootSignature] is not supported on `f`, a raygeneration shader"),
        ("callable", "error a [RootSignature] is not supported on `f`, a callable shader"),
        ("", "warning this [RootSignature] is ignored: `f` has no [shader(...)] attribute"),
    ],
)
def test_attributes_in_libraries(tmp_path: Path, stage: str, expected: str) -> None:
    head = f'[shader("{stage}")] void' if stage else "export void"
    agree(findings(tmp_path, f'[RootSignature("CBV(b0)")] {head} f() {{ }}', "lib_6_6"), "BL216", [expected])


def agree(found: tuple[Finding, ...], code: str, expected: list[str]) -> None:
    """Each expectation is the severity and the start of the message, and after `|` another part of it."""
    assert {finding.code for finding in found} <= {code}, [f.violation.message for f in found]
    said = [f"{finding.severity} {finding.violation.message}" for finding in found]
    assert len(said) == len(expected), said
    for text, wanted in zip(said, expected, strict=True):
        start, _, part = wanted.partition("|")
        assert text.startswith(start)
        assert part in text, text
