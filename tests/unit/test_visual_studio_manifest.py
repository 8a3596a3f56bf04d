"""Visual Studio projects as manifests: items, definitions, conditions, imports, and what is not followed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from bindlint.errors import UsageError
from bindlint.manifests import SourceOptions, entries
from bindlint.manifests.conditions import holds
from bindlint.manifests.visual_studio import read_builds
from bindlint.project.builds import Build

HEAD = """<?xml version="1.0" encoding="utf-8"?>
<Project DefaultTargets="Build" xmlns="http://schemas.microsoft.com/developer/msbuild/2003">
  <ItemGroup Label="ProjectConfigurations">
    <ProjectConfiguration Include="Debug|x64"><Configuration>Debug</Configuration></ProjectConfiguration>
    <ProjectConfiguration Include="Release|x64" />
  </ItemGroup>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "app" / "Shaders").mkdir(parents=True)
    return tmp_path


def read(folder: Path, body: str, said: list[str] | None = None, **options: str) -> list[str]:
    path = folder / "app" / "app.vcxproj"
    path.write_text(f"{HEAD}{body}\n</Project>", encoding="utf-8")
    told = said if said is not None else []
    with open(path, "rb") as stream:
        found = list(entries(str(path), stream, SourceOptions(**options), told.append))  # type: ignore[arg-type]
    return [f"! {e.problem.message}" if e.problem else " ".join((e.line.file, *e.line.arguments)) for e in found]


def item(body: str, include: str = r"Shaders\a.hlsl") -> str:
    return f'<ItemGroup><FxCompile Include="{include}">{body}</FxCompile></ItemGroup>'


TYPE = "<ShaderType>Pixel</ShaderType><ShaderModel>6.0</ShaderModel>"
DEBUG, RELEASE = (f"Condition=\"'$(Configuration)|$(Platform)'=='{name}|x64'\"" for name in ("Debug", "Release"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (item(TYPE), "Shaders/a.hlsl -T ps_6_0 -E main"),
        (item(f"{TYPE}<EntryPointName>PSMain</EntryPointName>"), "Shaders/a.hlsl -T ps_6_0 -E PSMain"),
        (item(f"{TYPE}<EntryPointName />"), "Shaders/a.hlsl -T ps_6_0 -E main"),
        (item("<ShaderType>Library</ShaderType><ShaderModel>6.3</ShaderModel>"), "Shaders/a.hlsl -T lib_6_3"),
        (item("<ShaderType>Vertex</ShaderType><ShaderModel>5.1</ShaderModel>"), "Shaders/a.hlsl -T vs_5_1 -E main"),
        (
            item("<ShaderType>Vertex</ShaderType><ShaderModel>4.0_level_9_3</ShaderModel>"),
            "Shaders/a.hlsl -T vs_4_0_level_9_3 -E main",
        ),
        (item(""), "Shaders/a.hlsl"),
        (
            item(f"{TYPE}<PreprocessorDefinitions>A=1;B;%(PreprocessorDefinitions)</PreprocessorDefinitions>"),
            "Shaders/a.hlsl -T ps_6_0 -E main -D A=1 -D B",
        ),
        (
            item(f"{TYPE}<PreprocessorDefinitions>A=%3B;;B=$(None)</PreprocessorDefinitions>"),
            "Shaders/a.hlsl -T ps_6_0 -E main -D A=; -D B=",
        ),
        (
            item(f"{TYPE}<EntryPointName>m%61in</EntryPointName>", "Shaders%5Ca%2ehlsl"),
            "Shaders/a.hlsl -T ps_6_0 -E main",
        ),
        (item(TYPE, r"$(MSBuildThisFileDirectory)Shaders\a.hlsl"), "Shaders/a.hlsl -T ps_6_0 -E main"),
        (
            item(f"{TYPE}<AdditionalIncludeDirectories>inc;$(ProjectDir)more</AdditionalIncludeDirectories>"),
            "Shaders/a.hlsl -T ps_6_0 -E main -I inc -I more",
        ),
        (
            item(f'{TYPE}<AdditionalOptions>-HV 2018 /D "N=a b" %(AdditionalOptions)</AdditionalOptions>'),
            "Shaders/a.hlsl -T ps_6_0 -E main -HV 2018 /D N=a b",
        ),
        (item(f"{TYPE}<EntryPointName>%(Filename)Main</EntryPointName>"), "Shaders/a.hlsl -T ps_6_0 -E aMain"),
        (
            item(f"<ShaderModel>6.0</ShaderModel><ShaderType {RELEASE}>Vertex</ShaderType>"
                 f"<ShaderType {DEBUG}>Pixel</ShaderType>"),
            "Shaders/a.hlsl -T ps_6_0 -E main",
        ),
        (
            "<ItemDefinitionGroup><FxCompile><ShaderModel>6.6</ShaderModel>"
            "<PreprocessorDefinitions>BASE</PreprocessorDefinitions></FxCompile></ItemDefinitionGroup>"
            + item("<ShaderType>Compute</ShaderType><PreprocessorDefinitions>OWN;%(PreprocessorDefinitions)"
                   "</PreprocessorDefinitions>"),
            "Shaders/a.hlsl -T cs_6_6 -E main -D OWN -D BASE",
        ),
        (
            f"<ItemDefinitionGroup {RELEASE}><FxCompile><ShaderModel>5.0</ShaderModel></FxCompile>"
            f"</ItemDefinitionGroup><ItemDefinitionGroup {DEBUG}><FxCompile><ShaderModel>6.2</ShaderModel></FxCompile>"
            "</ItemDefinitionGroup>"
            + item("<ShaderType>Hull</ShaderType>"),
            "Shaders/a.hlsl -T hs_6_2 -E main",
        ),
        (
            "<PropertyGroup><Dir>Shaders</Dir><Dir Condition=\"'$(Dir)'==''\">Other</Dir></PropertyGroup>"
            + item(TYPE, r"$(Dir)\a.hlsl"),
            "Shaders/a.hlsl -T ps_6_0 -E main",
        ),
        (
            "<Choose><When Condition=\"'$(Configuration)'=='Release'\"><PropertyGroup><E>r</E></PropertyGroup></When>"
            "<Otherwise><PropertyGroup><E>d</E></PropertyGroup></Otherwise></Choose>"
            + item(f"{TYPE}<EntryPointName>$(E)</EntryPointName>"),
            "Shaders/a.hlsl -T ps_6_0 -E d",
        ),
        (item(TYPE) + '<ItemGroup><FxCompile Update="Shaders/a.hlsl"><EntryPointName>u</EntryPointName></FxCompile>'
         "</ItemGroup>", "Shaders/a.hlsl -T ps_6_0 -E u"),
        (item("<ShaderType>Pixle</ShaderType>"), "! there is no shader type `Pixle`; did you mean `pixel`?"),
        (item("<ShaderType>Mesh</ShaderType><ShaderModel>6.0</ShaderModel>"), "! there is no target profile `ms_6_0`"),
    ],
)  # fmt: skip
def test_items(folder: Path, body: str, expected: str) -> None:
    assert read(folder, body) == [expected]


@pytest.mark.parametrize(
    "body",
    [
        item(f"{TYPE}<ExcludedFromBuild>true</ExcludedFromBuild>"),
        item(f"{TYPE}<ExcludedFromBuild {DEBUG}>true</ExcludedFromBuild>"),
        item("<ShaderType>Effect</ShaderType>"),
        item(TYPE) + '<ItemGroup><FxCompile Remove="Shaders\\a.hlsl" /></ItemGroup>',
        f"<ItemGroup {RELEASE}><FxCompile Include='a.hlsl' /></ItemGroup>",
        "<Target Name='T'><ItemGroup><FxCompile Include='a.hlsl' /></ItemGroup></Target>",
    ],
)
def test_what_is_not_compiled(folder: Path, body: str) -> None:
    assert read(folder, body) == []


def test_the_configuration_is_the_first_and_said_or_the_one_that_is_asked_for(folder: Path) -> None:
    body = item(f"{TYPE}<EntryPointName>$(Configuration)_$(Platform)</EntryPointName>")
    said: list[str] = []
    assert read(folder, body, said)[0].endswith("-E Debug_x64")
    assert any("configuration Debug|x64, the first of 2" in text for text in said)
    said.clear()
    assert read(folder, body, said, configuration="Release|x64")[0].endswith("-E Release_x64")
    assert said == []
    for name in ("release|X64", "Release"):
        assert read(folder, body, configuration=name)[0].endswith("-E Release_x64")
    with pytest.raises(UsageError, match=r"no configuration `Relase\|x64`; did you mean `Release\|x64`"):
        read(folder, body, configuration="Relase|x64")


def test_a_shader_model_that_nobody_says_is_said(folder: Path) -> None:
    said: list[str] = []
    assert read(folder, item("<ShaderType>Pixel</ShaderType>"), said) == ["Shaders/a.hlsl -T ps_5_0 -E main"]
    assert any("5_0 is taken" in text for text in said)
    assert read(folder, item("<ShaderType>Pixel</ShaderType>"), shader_model="6_6")[0].endswith("-T ps_6_6 -E main")


def sheet(model: str) -> str:
    return (
        "<Project><ItemDefinitionGroup><FxCompile><ShaderType>Compute</ShaderType>"
        f"<ShaderModel>{model}</ShaderModel></FxCompile></ItemDefinitionGroup></Project>"
    )


def test_property_sheets_of_the_repository_are_read(folder: Path) -> None:
    (folder / "sheet.props").write_text(sheet("6.4"), encoding="utf-8")
    body = (
        r'<ImportGroup><Import Project="..\sheet.props" Condition="Exists('
        + r"'..\sheet.props')"
        + '" /></ImportGroup>'
    )
    assert read(folder, body + item("")) == ["Shaders/a.hlsl -T cs_6_4 -E main"]
    assert read(folder, item("")) == ["Shaders/a.hlsl"]
    (folder / "Directory.Build.props").write_text(sheet("6.7"), encoding="utf-8")
    assert read(folder, item("")) == ["Shaders/a.hlsl -T cs_6_7 -E main"]


def test_nothing_outside_the_repository_is_imported(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "sheet.props"
    outside.write_text(sheet("6.4"), encoding="utf-8")
    said: list[str] = []
    assert read(folder, f'<Import Project="{outside}" />' + item(""), said) == ["Shaders/a.hlsl"]
    assert any("outside the repository" in text for text in said)


def test_imports_of_each_other_and_properties_that_double_end(folder: Path) -> None:
    double = "".join("<A>$(A)$(A)</A>" for _ in range(64))
    body = f'<Import Project="app.vcxproj" /><PropertyGroup><A>xx</A>{double}</PropertyGroup>' + item(TYPE)
    assert read(folder, body)[-1] == "Shaders/a.hlsl -T ps_6_0 -E main"


def test_patterns_are_looked_for(folder: Path) -> None:
    for name in ("b.hlsl", "a.hlsl", "c.txt"):
        (folder / "app" / "Shaders" / name).touch()
    found = read(folder, f'<ItemGroup><FxCompile Include="Shaders\\**\\*.hlsl" Exclude="Shaders\\b.hlsl">{TYPE}'
                 "</FxCompile></ItemGroup>")  # fmt: skip
    assert found == ["Shaders/a.hlsl -T ps_6_0 -E main"]
    (folder / "app" / "Shaders" / "deep").symlink_to(folder / "app", target_is_directory=True)
    for pattern in ("Shaders\\**", "Shaders\\?.*"):
        found = read(folder, f'<ItemGroup><FxCompile Include="{pattern}" /></ItemGroup>')
        assert sorted(found) == ["Shaders/a.hlsl", "Shaders/b.hlsl", "Shaders/c.txt"]
    for pattern in ("/**", "..\\..\\**", "*\\..\\..\\**\\*.hlsl", "a**b", "**x\\*.hlsl"):
        assert read(folder, f'<ItemGroup><FxCompile Include="{pattern}" /></ItemGroup>') == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<!DOCTYPE p [<!ENTITY a "b">]><p>&a;</p>', ":1: has a document type"),
        ("<p>\n<q></p>", ":2: is no XML: mismatched tag"),
        ("", ":1: is no XML: no element found"),
        ("<p>" * 100, ":1: elements are nested more than 64 deep"),
        ('<?xml version="1.0" encoding="shift_jis"?><p/>', ":1: its encoding is not read"),
        ('<?xml version="1.0" encoding="none"?><p/>', ":1: its encoding is not read"),
    ],
)
def test_what_is_no_project_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.vcxproj"
    path.write_text(text, encoding="utf-8")
    with open(path, "rb") as stream, pytest.raises(UsageError) as fault:
        list(entries(str(path), stream, SourceOptions(), print))
    assert str(fault.value).startswith(f"{path}{message}")
    assert read_builds(str(path)) == read_builds(str(tmp_path / "none.vcxproj")) == ()


def test_imports_that_are_nested_too_deeply_are_refused(folder: Path) -> None:
    for n in range(100):
        text = f'{"<ImportGroup>" * 50}<Import Project="{n + 1}.props" />{"</ImportGroup>" * 50}'
        (folder / "app" / f"{n}.props").write_text(f"<Project>{text}</Project>", encoding="utf-8")
    with pytest.raises(UsageError, match="its imports are nested too deeply"):
        read(folder, '<Import Project="0.props" />')
    assert read_builds(str(folder / "app" / "app.vcxproj")) == ()


def custom(debug: str, release: str = "") -> str:
    return (
        r'<ItemGroup><CustomBuild Include="Shaders\a.hlsl">'
        f"<Command {DEBUG}>{debug}</Command><Command {RELEASE}>{release}</Command></CustomBuild></ItemGroup>"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (item(f"{TYPE}<EntryPointName>PS</EntryPointName>"), Build("a", ("a",), "ps", "PS", "ps_6_0")),
        (item(""), Build("a", ("a",), "", "main")),
        (item("<ShaderType>Pixel</ShaderType>"), Build("a", ("a",), "ps", "main")),
        (item("<ShaderType>Effect</ShaderType>"), Build("a", ("a",), "", "main")),
        (
            item("<ShaderType>Library</ShaderType><ShaderModel>6.3</ShaderModel><EntryPointName>A</EntryPointName>"),
            Build("a", ("a",), "lib", "", "lib_6_3"),
        ),
        (
            item("<ShaderType>RootSignature</ShaderType><EntryPointName>RS</EntryPointName>"),
            Build("a", ("a",), "", "RS", "rootsig_1_1"),
        ),
        (
            item(f"{TYPE}<PreprocessorDefinitions>Q=2;FAST;%(PreprocessorDefinitions)</PreprocessorDefinitions>"),
            Build("a", ("a",), "ps", "main", "ps_6_0", (("Q", "2"), ("FAST", "1"))),
        ),
        (
            item(f"{TYPE}<ObjectFileOutput>$(OutDir)x\\%(Filename)_PS.cso</ObjectFileOutput>"
                 "<HeaderFileOutput>%(FullPath).h</HeaderFileOutput>"),
            Build("a", ("a_ps", "a.hlsl"), "ps", "main", "ps_6_0"),
        ),
        (
            item(f"{TYPE}<HeaderFileOutput {DEBUG}>d.h</HeaderFileOutput>"
                 f"<HeaderFileOutput {RELEASE}>r.h</HeaderFileOutput>"),
            Build("a", ("d", "r"), "ps", "main", "ps_6_0"),
        ),
        (
            item(f"<ShaderType {DEBUG}>Pixel</ShaderType><ShaderType {RELEASE}>Vertex</ShaderType>"
                 f"<EntryPointName {RELEASE}>E</EntryPointName><ShaderModel>6.0</ShaderModel>"
                 f"<PreprocessorDefinitions {DEBUG}>D</PreprocessorDefinitions>"
                 f"<PreprocessorDefinitions {RELEASE}>R</PreprocessorDefinitions>"),
            Build("a", ("a",), "", "E"),
        ),
        (
            item(f"{TYPE}<ExcludedFromBuild {DEBUG}>true</ExcludedFromBuild><EntryPointName {DEBUG}>D</EntryPointName>"
                 f"<EntryPointName {RELEASE}>R</EntryPointName>"),
            Build("a", ("a",), "ps", "R", "ps_6_0"),
        ),
        (custom('dxc.exe -Tps_6_0 -E"PS" -Zi -Fo"$(OutDir)%(Filename)_Lit.cso" "%(FullPath)"'),
         Build("a", ("a_lit",), "ps", "PS", "ps_6_0")),
        (custom("fxc /T cs_5_1 /D N=2 /Fh %(FullPath).h /Fo x\\C.cso @more"),
         Build("a", ("a.hlsl", "c"), "cs", "main", "cs_5_1", (("N", "2"),))),
        (custom("cd x\nfxc -T rootsig_1_1 -E RS -Fo rs.cso"), Build("a", ("rs",), "", "RS", "rootsig_1_1")),
        (custom("dxc -T vs_6_0 -E VS -Fo same.cso\ndxc -T vs_6_0 -Fo deep.cso", "dxc -T vs_6_2 -Fo deep.cso"),
         Build("a", ("same",), "vs", "VS", "vs_6_0")),
        (custom("dxc -T vs_6_0 -E VS", "copy /Y a -Fo b"), None),
        (item(f"{TYPE}<ExcludedFromBuild>true</ExcludedFromBuild>"), Build("a", ("a",), "ps", "main", "ps_6_0")),
        ("", None),
    ],
)  # fmt: skip
def test_builds(folder: Path, body: str, expected: Build | None) -> None:
    read(folder, body)
    file = str(folder / "app" / "Shaders" / "a.hlsl")
    found = read_builds(str(folder / "app" / "app.vcxproj"))
    assert found == (() if expected is None else (msgspec.structs.replace(expected, file=file),))


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("'a'=='A'", True),
        (" 'a' != 'b' ", True),
        ("'a|b'=='a|c'", False),
        ("'a'=='b' or 'c'=='c'", True),
        ("'a'=='a' And 'b'=='c' or 'd'=='d'", True),
        ("!('a'=='a')", False),
        ("true", True),
        ("Exists('here')", True),
        ("!exists('there') and HasTrailingSlash('a\\')", True),
        ("", None),
        ("'a'==", None),
        ("('a'=='a'", None),
        ("'a'=='a' 'b'", None),
        ("Unknown('x')", None),
        ("(" * 5000, None),
    ],
)
def test_conditions(condition: str, value: bool | None) -> None:
    assert holds(condition, lambda path: path == "here") is value


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("$([MSBuild]::VersionGreaterThan(1,2)) or HasTrailingSlash('x')", True),
        ("'$(Name.Substring(1))'=='x'", True),
        ("'$(Count)' &gt; '3'", True),
        ("Unknown('x')", True),
        ("(" * 5000 + "true", True),
        ("'$(Configuration)'=='None' or '$( Unset )'!=''", False),
    ],
)
def test_conditions_that_are_not_understood_are_told(folder: Path, condition: str, told: bool) -> None:
    said: list[str] = []
    body = f'<ItemGroup Condition="{condition}"><FxCompile Include="a.hlsl" /></ItemGroup>'
    assert read(folder, body, said) == []
    assert any("is not understood" in each for each in said) is told
