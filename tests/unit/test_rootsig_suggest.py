"""Suggested root signatures: what they hold, at what cost, and that `check` has nothing against them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
import pytest
from bindlint.bindings.analyse import Analyser
from bindlint.config import Config, TargetSettings
from bindlint.engine import Engine
from bindlint.errors import UsageError
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Finding
from bindlint.model.shader import Profile, Shader, Target
from bindlint.plugins import load_rules
from bindlint.rootsig.hlsl import hlsl_text
from bindlint.rootsig.suggest import Suggestion, Wishes, suggest

VERTEX = """\
cbuffer PerObject : register(b0) { float4x4 World; };
cbuffer Frame : register(b1) { float4x4 View; };
StructuredBuffer<float4x4> Bones : register(t0);
float4 main(float3 p : POSITION, uint i : BONE) : SV_Position {
    return mul(mul(Bones[i], mul(World, View)), float4(p, 1));
}
"""
PIXEL = """\
cbuffer Material : register(b0) { float4 Tint; };
cbuffer Frame : register(b1) { float4x4 View; };
Texture2D Albedo : register(t0);
Texture2D Normal : register(t1);
SamplerState Linear : register(s0);
SamplerComparisonState Shadow : register(s1);
float4 main(float2 uv : UV) : SV_Target {
    return Tint + View[0] + Albedo.Sample(Linear, uv) + Normal.SampleCmp(Shadow, uv, 0.5);
}
"""
COMPUTE = """\
cbuffer Small : register(b0) { uint Count; float Scale; };
cbuffer Indexed : register(b1) { float4 Table[4]; };
Texture2D Textures[] : register(t0, space1);
Texture2D More[] : register(t4, space2);
ByteAddressBuffer Raw : register(t0);
Buffer<float> Typed : register(t1);
RWStructuredBuffer<float4> Out : register(u0);
AppendStructuredBuffer<float4> Counted : register(u1);
[numthreads(1, 1, 1)]
void main(uint3 i : SV_DispatchThreadID) {
    Counted.Append(Table[i.x]);
    Out[i.x] = Textures[i.y].Load(0) + More[i.z].Load(0) + Raw.Load(Count) * Scale + Typed[i.x];
}
"""


def analyses(**sources: str) -> list[ShaderAnalysis]:
    """The analysis of each source, whose name is its profile's stage (and a number after it)."""
    analyser = Analyser()
    found = []
    for name, text in sources.items():
        analyser.overlay(f"{name}.hlsl", text.encode())
        found.append(analyser.analyse(Shader(f"{name}.hlsl", "main", Profile(name[:2], 6, 6))))
    return found


def findings(made: Suggestion, shaders: dict[str, str], tier: Literal[1, 2, 3] | None = None) -> list[Finding]:
    """What `check` has against the suggestion for any of the shaders."""
    analyser = Analyser()
    engine = Engine(load_rules(), Config(target=TargetSettings(tier)), analyser.source)
    found: list[Finding] = []
    for name, text in shaders.items():
        analyser.overlay(f"{name}.hlsl", text.encode())
        shader = Shader(f"{name}.hlsl", "main", Profile(name[:2], 6, 6), root_signature=hlsl_text(made.signature))
        found += engine.check(analyser.analyse(shader)).findings
    # Shaders that share tables on low tiers need null descriptors for one another's registers.
    found = [finding for finding in found if finding.name != "unpopulated-descriptors"]
    return [finding for finding in found if finding.code[:3] in ("BL2", "BL3", "BL4") and finding.severity != "info"]


WISHES = {
    "smallest": Wishes(),
    "budget": Wishes(budget=64),
    "tight": Wishes(budget=5),
    "static": Wishes(static_samplers=True, deny=True),
    "tier 1": Wishes(target=Target(binding_tier=1)),
    "tier 2": Wishes(budget=12, target=Target(binding_tier=2)),
    "named": Wishes(constants=("Frame",)),
}
SETS = {
    "pipeline": {"vs": VERTEX, "ps": PIXEL},
    "vertex": {"vs": VERTEX},
    "pixel": {"ps": PIXEL},
    "compute": {"cs": COMPUTE},
    "everything": {"vs": VERTEX, "ps": PIXEL, "cs": COMPUTE},
}


@pytest.mark.parametrize("wishes", WISHES)
@pytest.mark.parametrize("shaders", SETS)
def test_a_suggestion_passes_its_own_check(shaders: str, wishes: str) -> None:
    if wishes == "named" and shaders not in ("pipeline", "pixel"):
        pytest.skip("no shader has the buffer, or one indexes an array in it")
    made = suggest(analyses(**SETS[shaders]), WISHES[wishes])
    assert made.faults == ()
    target = WISHES[wishes].target
    assert findings(made, SETS[shaders], target.binding_tier if target else None) == []  # type: ignore[arg-type]
    assert made.signature.cost <= 64
    assert set(made.reasons) == {parameter.index for parameter in made.signature.parameters}


@pytest.mark.parametrize(
    ("shaders", "wishes", "expected"),
    [
        (
            {"ps": PIXEL},
            Wishes(),
            "DescriptorTable(CBV(b0, numDescriptors = 2), SRV(t0, numDescriptors = 2), "
            "visibility = SHADER_VISIBILITY_PIXEL), "
            "DescriptorTable(Sampler(s0, numDescriptors = 2), visibility = SHADER_VISIBILITY_PIXEL)",
        ),
        (
            {"vs": VERTEX, "ps": PIXEL},
            Wishes(static_samplers=True, deny=True),
            "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | DENY_HULL_SHADER_ROOT_ACCESS | "
            "DENY_DOMAIN_SHADER_ROOT_ACCESS | DENY_GEOMETRY_SHADER_ROOT_ACCESS), "
            "DescriptorTable(CBV(b1)), "
            "DescriptorTable(CBV(b0), SRV(t0, numDescriptors = 2), visibility = SHADER_VISIBILITY_PIXEL), "
            "DescriptorTable(CBV(b0), SRV(t0), visibility = SHADER_VISIBILITY_VERTEX), "
            "StaticSampler(s0, visibility = SHADER_VISIBILITY_PIXEL), "
            "StaticSampler(s1, filter = FILTER_COMPARISON_MIN_MAG_MIP_LINEAR, visibility = SHADER_VISIBILITY_PIXEL)",
        ),
        (
            {"cs": COMPUTE},
            Wishes(),
            "DescriptorTable(CBV(b0, numDescriptors = 2), SRV(t0, numDescriptors = 2), UAV(u0, numDescriptors = 2), "
            "SRV(t0, numDescriptors = unbounded, space = 1, flags = DESCRIPTORS_VOLATILE)), "
            "DescriptorTable(SRV(t4, numDescriptors = unbounded, space = 2, flags = DESCRIPTORS_VOLATILE))",
        ),
        (
            {"cs": COMPUTE},
            Wishes(budget=9),
            "RootConstants(num32BitConstants = 2, b0), CBV(b1), SRV(t0), "
            "DescriptorTable(SRV(t1), UAV(u0, numDescriptors = 2), "
            "SRV(t0, numDescriptors = unbounded, space = 1, flags = DESCRIPTORS_VOLATILE)), "
            "DescriptorTable(SRV(t4, numDescriptors = unbounded, space = 2, flags = DESCRIPTORS_VOLATILE))",
        ),
    ],
)
def test_what_is_suggested(shaders: dict[str, str], wishes: Wishes, expected: str) -> None:
    assert hlsl_text(suggest(analyses(**shaders), wishes).signature) == expected


def test_the_state_of_a_static_sampler_is_taken_from_the_shaders_own_signature() -> None:
    own = '[RootSignature("DescriptorTable(SRV(t0)), StaticSampler(s0, maxAnisotropy = 4)")]\n'
    text = "Texture2D a; SamplerState s;\n" + own + "float4 main(float2 p : P) : SV_Target { return a.Sample(s, p); }"
    assert hlsl_text(suggest(analyses(ps=text)).signature) == (
        "DescriptorTable(SRV(t0), visibility = SHADER_VISIBILITY_PIXEL), "
        "StaticSampler(s0, maxAnisotropy = 4, visibility = SHADER_VISIBILITY_PIXEL)"
    )


def test_a_budget_is_never_overdrawn() -> None:
    read = analyses(**SETS["everything"])
    smallest = suggest(read).signature.cost
    costs = [suggest(read, Wishes(budget=budget)).signature.cost for budget in range(0, 65, 4)]
    assert all(cost <= max(budget, smallest) for cost, budget in zip(costs, range(0, 65, 4), strict=True))
    assert costs == sorted(costs)


def test_one_name_in_several_stages_is_one_descriptor() -> None:
    one = "Texture2D Height : register(t3);\n"
    vertex = one + "float4 main(uint i : SV_VertexID) : SV_Position { return Height.Load(i.xxx); }"
    pixel = one + "float4 main() : SV_Target { return Height.Load(0); }"
    assert hlsl_text(suggest(analyses(vs=vertex, ps=pixel)).signature) == "DescriptorTable(SRV(t3))"
    other = pixel.replace("Height", "Color")
    made = suggest(analyses(vs=vertex, ps=other))
    assert [parameter.visibility for parameter in made.signature.parameters] == ["PIXEL", "VERTEX"]
    compute = "RWBuffer<float> o;" + pixel.replace(
        "float4 main() : SV_Target { return", "[numthreads(1,1,1)] void main() { o[0] ="
    )
    shared = suggest(
        analyses(vs=vertex, ps=other, cs=compute.replace("Height", "Third").replace("Load(0)", "Load(0).x"))
    )
    assert any("must share one descriptor" in note for note in shared.notes)
    assert hlsl_text(shared.signature) == "DescriptorTable(SRV(t3), UAV(u0))"


def test_tier_1_has_no_unbounded_ranges() -> None:
    made = suggest(analyses(cs=COMPUTE), Wishes(target=Target(binding_tier=1)))
    srvs = [r.count for p in made.signature.parameters for r in p.ranges if r.cls == "t"]
    assert None not in srvs
    assert sum(count or 0 for count in srvs) <= 128
    assert any("is unbounded" in note for note in made.notes)


def test_what_no_tier_1_device_has_is_a_fault() -> None:
    declared = "".join(f"RWBuffer<float> u{i} : register(u{i});\n" for i in range(70))
    body = "".join(f"u{i}[0] = 1; " for i in range(70))
    made = suggest(
        analyses(cs=f"{declared}[numthreads(1,1,1)] void main() {{ {body} }}"), Wishes(target=Target(binding_tier=1))
    )
    assert made.faults and "UAVs" in made.faults[0]


def test_root_descriptors_relieve_full_tables() -> None:
    declared = "".join(f"cbuffer c{i} : register(b{i}) {{ float4 v{i}; }}\n" for i in range(15))
    body = " + ".join(f"v{i}" for i in range(15))
    text = f"{declared}float4 main() : SV_Target {{ return {body}; }}"
    made = suggest(analyses(ps=text), Wishes(target=Target(binding_tier=2)))
    assert made.faults == ()
    assert findings(made, {"ps": text}) == []
    assert [p.kind for p in made.signature.parameters] == ["cbv", "table"]


def test_stages_get_tables_of_their_own_where_one_would_hold_too_much() -> None:
    shaders = {
        "vs": _constant_buffers(10, "VERTEX", "float4 main() : SV_Position"),
        "ps": _constant_buffers(10, "PIXEL", "float4 main() : SV_Target", 10),
    }
    assert len(suggest(analyses(**shaders)).signature.parameters) == 1
    made = suggest(analyses(**shaders), Wishes(target=Target(binding_tier=2)))
    assert made.faults == ()
    assert [(p.kind, p.visibility) for p in made.signature.parameters] == [("table", "PIXEL"), ("table", "VERTEX")]


def _constant_buffers(count: int, name: str, main: str, first: int = 0) -> str:
    """A shader with so many constant buffers."""
    numbers = range(first, first + count)
    declared = "".join(f"cbuffer {name}{i} : register(b{i}) {{ float4 {name}_{i}; }}\n" for i in numbers)
    return f"{declared}{main} {{ return {' + '.join(f'{name}_{i}' for i in numbers)}; }}"


def test_only_the_stage_that_holds_too_much_is_relieved() -> None:
    many = "".join(f"cbuffer c{i} : register(b{i}, space1) {{ float4 v{i}; }}\n" for i in range(15))
    vertex = f"{many}float4 main() : SV_Position {{ return {' + '.join(f'v{i}' for i in range(15))}; }}"
    pixel = "cbuffer Own : register(b0) { float4 own; }\nfloat4 main() : SV_Target { return own; }"
    made = suggest(analyses(vs=vertex, ps=pixel), Wishes(target=Target(binding_tier=2)))
    assert made.faults == ()
    assert [str(p.registers[0]) for p in made.signature.parameters if p.kind == "cbv"] == ["b0, space1"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Fram", "no shader uses a constant buffer `Fram`; did you mean `Frame`?"),
        ("Albedo", "cannot be root constants: they are no constant buffer"),
    ],
)
def test_wishes_that_cannot_be_granted(name: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        suggest(analyses(ps=PIXEL), Wishes(constants=(name,)))
    assert message in str(error.value)


def test_what_a_dynamic_index_reaches_is_no_root_constant() -> None:
    with pytest.raises(UsageError, match="indexed dynamically"):
        suggest(analyses(cs=COMPUTE), Wishes(constants=("Indexed",)))


def test_order_of_shaders_changes_nothing() -> None:
    def parts(read: Iterable[ShaderAnalysis]) -> tuple[object, ...]:
        signature = suggest(read, Wishes(budget=20)).signature
        return tuple(msgspec.structs.replace(p, index=0) for p in signature.parameters)

    read = analyses(**SETS["everything"])
    assert parts(read) == parts(list(reversed(read)))


def test_an_array_of_one_stays_in_a_table() -> None:
    text = "StructuredBuffer<float> D[1]; float4 main(uint i : I) : SV_Target { return D[0][i]; }"
    made = suggest(analyses(ps=text), Wishes(budget=64))
    assert [parameter.kind for parameter in made.signature.parameters] == ["table"]


@pytest.mark.parametrize("kind", ["Texture2D", "StructuredBuffer<float4>"])
@pytest.mark.parametrize("wishes", [Wishes(), Wishes(budget=20), Wishes(target=Target(binding_tier=1))])
def test_very_many_resources_are_grouped_in_time(kind: str, wishes: Wishes) -> None:
    number = 1500
    text = "".join(f"{kind} r{index} : register(t{index});\n" for index in range(number))
    sums = "".join(f"    sum += r{index}[0];\n" for index in range(number))
    found = analyses(ps=f"{text}float4 main() : SV_Target {{\n    float4 sum = 0;\n{sums}    return sum;\n}}\n")
    made = suggest(found, wishes)
    covered = sum(part.count or 0 for parameter in made.signature.parameters for part in parameter.ranges)
    assert covered + sum(parameter.kind == "srv" for parameter in made.signature.parameters) == number
