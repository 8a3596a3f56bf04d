"""What host code, configuration and shaders are together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from bindlint.bindings.analyse import Analyser
from bindlint.config import Config, ConfigurationError, load_config
from bindlint.gather import Gatherer, pipelines_of
from bindlint.model.device import HostHeap, HostPipeline, HostRef, HostStage, ShaderSignature
from bindlint.model.host import HostFile, HostSignature, UnknownPart
from bindlint.model.root_signature import RootParameter, RootSignature
from bindlint.model.source import Span
from bindlint.project.counts import counts_of
from bindlint.project.guess import guessed
from bindlint.project.judge import stages_of
from bindlint.project.values import Pipeline, PipelineStage, Project


def at(file: str, line: int = 1) -> Span:
    return Span(file, line, 1, line, 2)


def ref(key: str, file: str = "a.cpp") -> HostRef:
    return HostRef(key, key, at(file))


def heap(key: str, file: str = "a.cpp", count: int | None = 4, shader_visible: bool | None = False) -> HostHeap:
    return HostHeap(key, key, "", at(file), "CBV_SRV_UAV", count, shader_visible)


def signature(key: str, file: str = "a.cpp", registers: tuple[int, ...] = (0,), line: int = 1) -> HostSignature:
    parameters = tuple(RootParameter(n, "cbv", register=b, span=at(file, line)) for n, b in enumerate(registers))
    return HostSignature("desc", "F", at(file, line), RootSignature(parameters=parameters, span=at(file)), keys=(key,))


def gathered(hosts: list[HostFile], shaders: list[str] | None = None, **more: Any) -> Project:
    config = more.pop("config", Config())
    gatherer = Gatherer(Analyser(), config)
    return gatherer.project(hosts, shaders or [], **more)


def heaps(*made: HostHeap) -> Project:
    files = dict.fromkeys(each.span.file for each in made)
    return gathered([HostFile(file, heaps=tuple(h for h in made if h.span.file == file)) for file in files])


@pytest.mark.parametrize(
    ("made", "asked", "expected"),
    [
        ([heap("C::m_h")], ref("C::m_h", "b.cpp"), (4, False)),
        ([heap("C::m_h")], ref("C::m_other"), None),
        ([heap("C::m_h")], HostRef("", "x", at("a.cpp")), None),
        ([heap("C::m_h"), heap("C::m_h", count=8)], ref("C::m_h"), (None, False)),
        ([heap("C::m_h"), heap("C::m_h", shader_visible=True)], ref("C::m_h"), (4, None)),
        ([heap("C::m_h[0]"), heap("C::m_h[1]", count=8)], ref("C::m_h[1]"), (8, False)),
        ([heap("C::m_h[0]"), heap("C::m_h[1]", count=8)], ref("C::m_h[*]"), (None, False)),
        ([heap("C::m_h[0]"), heap("C::m_h[1]", count=8)], ref("C::m_h[2]"), None),
        ([heap("C::m_h[*]")], ref("C::m_h[2]"), (4, False)),
        ([heap("C::m_h[*]"), heap("C::m_h[2]", count=8)], ref("C::m_h[2]"), (None, False)),
        ([heap("C::m_h[*]")], ref("C::m_h[*]"), (4, False)),
        ([heap("s_h"), heap("s_h", "b.cpp", 8)], ref("s_h", "b.cpp"), (8, False)),
        ([heap("s_h"), heap("s_h", "b.cpp", 8)], ref("s_h", "c.cpp"), (None, False)),
        ([heap("F()::h"), heap("F()::h", "b.cpp", 8)], ref("F()::h", "b.cpp"), (8, False)),
        ([heap("F()::h")], ref("F()::h", "b.cpp"), None),
        ([heap("C::m_h", "one/a.cpp"), heap("C::m_h", "two/a.cpp", 8)], ref("C::m_h", "two/b.cpp"), (8, False)),
        ([heap("C::m_h", "one/a.cpp"), heap("C::m_h", "two/a.cpp", 8)], ref("C::m_h", "two/sub/b.cpp"), (8, False)),
        ([heap("C::m_h", "one/a.cpp"), heap("C::m_h", "two/a.cpp", 8)], ref("C::m_h", "three/b.cpp"), (None, False)),
    ],
)
def test_a_heap_by_its_key(made: list[HostHeap], asked: HostRef, expected: tuple[object, object] | None) -> None:
    found = heaps(*made).heap(asked)
    assert (None if found is None else (found.count, found.shader_visible)) == expected


def test_a_member_that_a_derived_class_makes_anew_is_what_the_file_at_hand_makes() -> None:
    base, derived = heap("C::m_h"), heap("C::m_h", "b.cpp", 8)
    made = [msgspec.structs.replace(h, function=f) for h, f in ((base, "C::Load"), (derived, "D::Load"))]
    counts = [found.count for file in "abc" if (found := heaps(*made).heap(ref("C::m_h", f"{file}.cpp"))) is not None]
    assert counts == [4, 8, None]


def test_a_signature_made_twice_alike_is_one_and_of_different_ones_none_is_meant() -> None:
    alike = [HostFile("a.cpp", (signature("C::rs"), signature("C::rs", line=9)))]
    assert gathered(alike).signature(ref("C::rs")) == alike[0].signatures[0]
    different = [HostFile("a.cpp", (signature("C::rs"), signature("C::rs", registers=(0, 1))))]
    assert gathered(different).signature(ref("C::rs")) is None


SHADER = """cbuffer A : register(b0) { float4 a; }
cbuffer B : register(b1) { float4 b; }
float4 VS() : SV_Position { return a; }
float4 PS() : SV_Target { return b; }
void helper() {}
"""
PLAIN = "float4 main() : SV_Target { return 1; }\n"


@pytest.fixture
def lay(tmp_path: Path) -> Callable[..., Path]:
    def write(**files: str) -> Path:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            path = path.with_name(path.name.replace("_hlsl", ".hlsl").replace("_toml", ".toml"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def pipeline(root: Path, *stages: HostStage, key: str = "C::pso", **more: Any) -> HostPipeline:
    return HostPipeline(key, "pso", "F", at(str(root / "a.cpp"), 7), "graphics", stages=stages, **more)


def stage(root: Path, file: str, entry: str = "", profile: str = "", kind: str = "ps") -> HostStage:
    return HostStage(kind, at(str(root / "a.cpp"), 8), file, entry, profile)


@pytest.mark.parametrize(
    ("file", "entry", "profile", "name", "why"),
    [
        ("a.hlsl", "PS", "ps_5_0", "a.hlsl:PS", ""),
        ("a.hlsl", "PS", "", "a.hlsl:PS", ""),
        ("a.hlsl", "", "", "a.hlsl:PS", ""),
        ("C:\\build\\shaders\\A.hlsl", "", "", "a.hlsl:PS", ""),
        ("two/same.hlsl", "", "", "same.hlsl:main", ""),
        ("same.hlsl", "", "", "same.hlsl", "several shaders have its name"),
        ("a.cso", "", "", "a.hlsl:PS", ""),
        ("a.h", "", "", "a.hlsl:PS", ""),
        ("a.hlsl", "helper", "", "a.hlsl:helper", ""),
        ("a.hlsl", "Ps", "ps_5_0", "a.hlsl:Ps", "its shader is not read"),
        ("a.hlsl", "Ps", "", "a.hlsl:Ps", "there is no such entry point"),
        ("b.hlsl", "", "", "b.hlsl", "its shader is not found"),
        ("", "", "", "", "the host code does not tell which shader it is"),
    ],
)
def test_the_shader_of_a_stage(
    lay: Callable[..., Path], file: str, entry: str, profile: str, name: str, why: str
) -> None:
    root = lay(a_hlsl=SHADER, one__same_hlsl=PLAIN, two__same_hlsl=PLAIN)
    host = HostFile(str(root / "a.cpp"), pipelines=(pipeline(root, stage(root, file, entry, profile)),))
    (found,) = gathered([host]).pipelines[0].stages
    assert found.name == name
    assert found.why.partition(":")[0] == why
    assert (found.analysis is None) == bool(why)


def test_the_nearest_of_several_shaders_is_meant(lay: Callable[..., Path]) -> None:
    root = lay(one__same_hlsl=PLAIN, two__same_hlsl=PLAIN)
    span = at(str(root / "two" / "src" / "a.cpp"))
    host = HostFile(
        span.file,
        pipelines=(HostPipeline("k", "p", "", span, "graphics", stages=(HostStage("ps", span, "same.hlsl"),)),),
    )
    shaders = [str(root / folder / "same.hlsl") for folder in ("one", "two")]
    (found,) = gathered([host], shaders).pipelines[0].stages
    assert found.analysis is not None and found.analysis.shader.file == shaders[1]


def test_no_file_elsewhere_on_the_machine_is_read(lay: Callable[..., Path]) -> None:
    root = lay(other__a_hlsl=PLAIN)
    span = at(str(root / "src" / "a.cpp"))
    (root / "src").mkdir()
    host = HostFile(
        span.file,
        pipelines=(HostPipeline("k", "p", "", span, "graphics", stages=(HostStage("ps", span, "../other/a.hlsl"),)),),
    )
    (found,) = gathered([host]).pipelines[0].stages
    assert found.analysis is None and "not found" in found.why


def test_a_pipeline_of_host_code_has_the_signature_of_its_key(lay: Callable[..., Path]) -> None:
    root = lay(a_hlsl=SHADER)
    made = signature("C::rs", str(root / "b.cpp"))
    stages = (stage(root, "a.hlsl", "VS", "vs_6_0", "vs"), stage(root, "a.hlsl", "PS", "ps_6_0"))
    hosts = [
        HostFile(
            str(root / "a.cpp"), pipelines=(pipeline(root, *stages, signature=ref("C::rs", str(root / "a.cpp"))),)
        ),
        HostFile(str(root / "b.cpp"), (made,)),
    ]
    project = gathered(hosts)
    (found,) = project.pipelines
    assert found.signature == made.signature and found.host_signature == made and found.complete
    assert project.pipeline(ref("C::pso")) == found
    judged = list(stages_of(project))
    assert [each.analysis.signature for each in judged] == [made.signature] * 2
    assert [each.alone.signature for each in judged] == [None, None]

    sampler = UnknownPart(made.span, "static sampler 0", "its Filter is a variable")
    placed = msgspec.structs.replace(made, unknown=(sampler,), parameter_count=1, fully=1)
    state_open = gathered([hosts[0], HostFile(str(root / "b.cpp"), (placed,))])
    assert state_open.pipelines[0].signature == made.signature, "the state of a sampler is no matter of binding"

    part = UnknownPart(made.span, "flags", "depend on a value")
    partly = gathered([hosts[0], HostFile(str(root / "b.cpp"), (msgspec.structs.replace(made, unknown=(part,)),))])
    assert partly.pipelines[0].signature is None and partly.pipelines[0].host_signature is not None
    assert not list(stages_of(partly))
    counts = counts_of(partly)
    assert (counts.pipelines, counts.joined_pipelines, counts.joined_stages) == (1, 0, 2)
    assert counts.unknown["pipeline: its root signature is known in parts"] == 1


def test_two_pipelines_of_one_key_have_what_they_share(lay: Callable[..., Path]) -> None:
    root = lay(a_hlsl=SHADER)
    made = signature("C::rs", str(root / "a.cpp"))
    told = ref("C::rs", str(root / "a.cpp"))
    one = pipeline(root, stage(root, "a.hlsl", "PS", "ps_6_0"), signature=told)
    other = pipeline(root, stage(root, "a.hlsl", "VS", "vs_6_0", "vs"), signature=told)
    project = gathered([HostFile(str(root / "a.cpp"), (made,), pipelines=(one, other))])
    found = project.pipeline(ref("C::pso"))
    assert found is not None and found.signature == made.signature
    assert not found.stages and not found.complete


CONFIGURED = """[[pipeline]]
name = "opaque"
root-signature = "{signature}"
stages = [
    {{ file = "{file}", entry = "VS", profile = "vs_6_0" }},
    {{ file = "a.hlsl", entry = "PS", profile = "{profile}", defines = ["Q=2"] }},
]

[[heap]]
name = "targets"
type = "RTV"
count = 3
shader-visible = true
"""


def test_pipelines_and_heaps_of_the_configuration(lay: Callable[..., Path]) -> None:
    text = CONFIGURED.format(signature="CBV(b0), CBV(b1)", file="a.hlsl", profile="ps_6_0")
    root = lay(a_hlsl=SHADER, bindlint_toml=text)
    config = load_config(root / "bindlint.toml")
    project = gathered([], [str(root / "a.hlsl")], config=config, pipelines=pipelines_of(config, Analyser()))
    (found,) = project.pipelines
    assert (found.name, found.origin, found.bind_point, found.span.line) == ("opaque", "configuration", "graphics", 1)
    assert [(s.stage, s.name, s.span.line) for s in found.stages] == [("vs", "a.hlsl:VS", 5), ("ps", "a.hlsl:PS", 6)]
    assert found.signature is not None and len(found.signature.parameters) == 2
    assert found.analyses[1].shader.defines == (("Q", "2"),)
    (made,) = project.hosts[0].heaps
    assert (made.name, made.type, made.count, made.shader_visible, made.span.line) == ("targets", "RTV", 3, True, 9)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('file = "a.hlsl", entry = "VS"', 'file = "b.hlsl", entry = "VS"', "5: pipeline `opaque`: no file `b.hlsl`"),
        ('profile = "vs_6_0"', 'profile = "vs_9_9"', "5: pipeline `opaque`"),
        ("entry =", "entyr =", "unknown key `pipeline.stages.entyr`; did you mean `entry`?"),
        ("root-signature", "rootsignature", "unknown key `pipeline.rootsignature`; did you mean `root-signature`?"),
        ("shader-visible", "shader_visible", "unknown key `heap.shader_visible`; did you mean `shader-visible`?"),
        ('"RTV"', '"RVT"', "`type`: invalid enum value 'RVT'"),
        ("CBV(b0)", "CBV(b0", "1: pipeline `opaque`: its root signature cannot be read: "),
        ("CBV(b0)", "rs.toml#x", "1: pipeline `opaque`: `rs.toml` is neither a file nor the text"),
        ("CBV(b0)", "a.hlsl:RS", "1: pipeline `opaque`: "),
        ("count = 3", "count = -3", "`count`: expected `int` >= 0"),
    ],
)
def test_what_a_configuration_cannot_mean(lay: Callable[..., Path], before: str, after: str, message: str) -> None:
    text = CONFIGURED.format(signature="CBV(b0)", file="a.hlsl", profile="ps_6_0")
    root = lay(a_hlsl=SHADER, bindlint_toml=text.replace(before, after))
    with pytest.raises(ConfigurationError) as raised:
        pipelines_of(load_config(root / "bindlint.toml"), Analyser())
    assert message in str(raised.value)


def test_what_the_names_of_files_speak_of() -> None:
    files = ["SkyVS.hlsl", "SkyPS.hlsl", "SkyCS.hlsl", "canvas.hlsl", "a/fog.vs.hlsl", "a/fog_ps.hlsl", "LonePS.hlsl"]
    assert [(p.name, [s.stage for s in p.stages]) for p in guessed(files)] == [
        ("Sky", ["vs", "ps"]),
        ("fog", ["vs", "ps"]),
    ]


def test_a_guess_is_joined_only_when_asked(lay: Callable[..., Path]) -> None:
    root = lay(SkyVS_hlsl="float4 main() : SV_Position { return 1; }", SkyPS_hlsl=PLAIN)
    files = [str(root / "SkyVS.hlsl"), str(root / "SkyPS.hlsl")]
    assert not gathered([], files).pipelines
    (found,) = gathered([], files, guess=True).pipelines
    assert (found.name, found.origin, len(found.analyses)) == ("Sky", "guessed", 2)


PROJECT = """<Project>
  <Import Project="shaders.props" />
  <ItemGroup>
    <FxCompile Include="shaders\\a.hlsl">
      <ShaderType>Pixel</ShaderType>
      <EntryPointName>PS</EntryPointName>
      <PreprocessorDefinitions>Q=2;FAST;%(PreprocessorDefinitions)</PreprocessorDefinitions>
    </FxCompile>
    <FxCompile Include="shaders\\rs.hlsl">
      <ShaderType>RootSignature</ShaderType>
      <EntryPointName>RS</EntryPointName>
    </FxCompile>
  </ItemGroup>
</Project>
"""
SHEET = """<Project>
  <ItemDefinitionGroup>
    <FxCompile>
      <ShaderModel>5.1</ShaderModel>
      <HeaderFileOutput>out/%(Filename)_made.h</HeaderFileOutput>
    </FxCompile>
  </ItemDefinitionGroup>
</Project>
"""


def test_what_a_visual_studio_project_compiles_is_found_by_the_name_of_its_result(lay: Callable[..., Path]) -> None:
    root = lay(shaders__a_hlsl=SHADER, shaders__rs_hlsl='#define RS "CBV(b0), CBV(b1)"\n')
    (root / "app.vcxproj").write_text(PROJECT)
    (root / "shaders.props").write_text(SHEET)
    taken = ShaderSignature("C::rs", "rs", "F", at(str(root / "a.cpp")), stage(root, "rs_made.h", kind=""))
    named = (pipeline(root, stage(root, "a_made.h")),)
    project = gathered([HostFile(str(root / "a.cpp"), pipelines=named, shader_signatures=(taken,))])
    (found,) = project.pipelines[0].stages
    assert found.analysis is not None
    assert (found.name, str(found.analysis.shader.profile)) == ("a.hlsl:PS", "ps_5_1")
    assert found.analysis.shader.defines == (("Q", "2"), ("FAST", "1"))
    made = project.signature(ref("C::rs", str(root / "a.cpp")))
    assert made is not None and len(made.signature.parameters) == 2


def test_a_shader_that_several_pipelines_share_is_judged_once_for_each_signature(lay: Callable[..., Path]) -> None:
    root = lay(a_hlsl=SHADER)
    analysis = (
        gathered([HostFile(str(root / "a.cpp"), pipelines=(pipeline(root, stage(root, "a.hlsl", "PS", "ps_6_0")),))])
        .pipelines[0]
        .stages[0]
        .analysis
    )
    first, second = signature("one").signature, signature("two", registers=(1,)).signature
    staged = PipelineStage("ps", "a.hlsl:PS", at("a.cpp"), analysis)
    pipelines = tuple(
        Pipeline(name, "graphics", (staged,), "host", at("a.cpp"), given)
        for name, given in (("p", first), ("q", first), ("r", second))
    )
    assert [len(each.stages) for each in stages_of(Project(pipelines=pipelines))] == [2, 1]


def test_a_build_tells_the_entry_point_of_a_shader_of_which_the_stage_is_not_told(tmp_path: Path) -> None:
    settings = "<ShaderType>Pixel</ShaderType><ShaderModel>5.1</ShaderModel><EntryPointName>PS</EntryPointName>"
    item = f'<ItemGroup><FxCompile Include="a.hlsl">{settings}</FxCompile></ItemGroup>'
    (tmp_path / "app.vcxproj").write_text(f"<Project>{item}</Project>")
    (tmp_path / "a.hlsl").write_text(SHADER.replace("float4 PS", '[RootSignature("CBV(b1)")] float4 PS'))
    place = at(str(tmp_path / "a.cpp"))
    taken = ShaderSignature("C::rs", "rs", "F", place, stage(tmp_path, "a.cso", kind=""))
    found = gathered([HostFile(place.file, shader_signatures=(taken,))]).signature(ref("C::rs", place.file))
    assert found is not None
    assert (found.unknown, len(found.signature.parameters)) == ((), 1)


EMBEDDING = '[RootSignature("CBV(b0), CBV(b1)")] float4 main() : SV_Target { return 1; }\n'


@pytest.mark.parametrize(
    ("shader", "unknown"),
    [(EMBEDDING, ()), (PLAIN, ("`a.hlsl` embeds none that can be read",)), ("", ("there is no such entry point",))],
)
def test_a_signature_made_from_a_shader_is_the_one_that_it_embeds(
    lay: Callable[..., Path], shader: str, unknown: tuple[str, ...]
) -> None:
    root = lay(a_hlsl=shader)
    taken = ShaderSignature("C::rs", "rs", "F", at(str(root / "a.cpp")), stage(root, "a.cso", kind=""))
    host = HostFile(str(root / "a.cpp"), shader_signatures=(taken,))
    found = gathered([host]).signature(ref("C::rs", str(root / "a.cpp")))
    assert found is not None
    assert tuple(part.why.partition(":")[0] for part in found.unknown) == unknown
    assert len(found.signature.parameters) == found.fully == (0 if unknown else 2)
    built = signature("C::rs", str(root / "a.cpp"))
    both = gathered([msgspec.structs.replace(host, signatures=(built,))])
    assert both.signature(ref("C::rs", str(root / "a.cpp"))) is None
