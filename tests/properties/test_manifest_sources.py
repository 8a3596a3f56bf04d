"""Sources of manifests: no input raises but `UsageError`, and what is given has a place in the source."""

from __future__ import annotations

import io
import json
from pathlib import Path

from bindlint.errors import UsageError
from bindlint.manifest import ManifestReader
from bindlint.manifests import SourceOptions, entries
from bindlint.manifests.reading import split_words
from hypothesis import given, settings
from hypothesis import strategies as st

_WORDS = """a.hlsl| -T ps|-T|zz| -E |main| -D X={0,1}|{|}|,|"|#else|#ifdef A|//|=| --define=| -m 6_6|é|-|--|{}"""
SHADERMAKE = st.lists(
    st.sampled_from([*_WORDS.split("|"), "\n", "\n#if 0\n", "\n#endif\n", "\0", "\r", " --compilerOptionsDXIL=-I\0"]),
    max_size=30,
).map("".join)

_OPTIONS = "-T '|ps|\""
PROJECT = st.recursive(
    st.sampled_from(
        [
            *("", "text", "$(A)", "%(Filename)", "$(A)$(A)", "&lt;", "<A>$(A);b</A>", "<Import Project='x.props'/>"),
            *("<ShaderType>Pixel</ShaderType>", "<ShaderModel>6.0</ShaderModel>"),
            "<EntryPointName>%(EntryPointName)x</EntryPointName>",
            "<PreprocessorDefinitions>;=;A;%3B%zz%00</PreprocessorDefinitions>",
            "<AdditionalIncludeDirectories>%00;..;$(A)</AdditionalIncludeDirectories>",
            f"<AdditionalOptions>{_OPTIONS}</AdditionalOptions>",
        ]
    ),
    lambda inner: st.builds(
        lambda tag, attribute, parts: f"<{tag} {attribute}>{''.join(parts)}</{tag}>",
        st.sampled_from(["ItemGroup", "PropertyGroup", "FxCompile", "ItemDefinitionGroup", "Choose", "When", "Import"]),
        st.sampled_from(
            ["", 'Include="a.hlsl;$(A)"', 'Include="*.hlsl"', 'Remove="a.hlsl"', "Condition=\"'$(A)'==''\"",
             'Condition="(("', 'Update="a.hlsl"', 'Project="."', "Condition=\"Exists('$(A)') or !true\""]
        ),
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
).map(lambda body: f"<Project>{body}</Project>")  # fmt: skip

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["dxc a.hlsl -T ps_6_0 -I\0", "fxc", "a.hlsl", "-T", "'", "", "\0"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["directory", "command", "arguments", "file", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


HERE = Path(__file__)


def read(name: str, data: bytes) -> None:
    """Read a source in which `a.hlsl` is a file that exists, since only then its options are used."""
    name = str(HERE.parent / name)
    data = data.replace(b"a.hlsl", HERE.name.encode())
    reader = ManifestReader(name)
    options = SourceOptions(("-DA",))
    try:
        for entry in entries(name, io.BytesIO(data), options, lambda _: None):
            assert entry.span.file and entry.span.line >= 1
            assert entry.problem or reader.job(entry.line, entry.span).file == entry.line.file
    except UsageError as error:
        assert str(error).startswith(f"{name}:")


@settings(deadline=None)
@given(SHADERMAKE)
def test_shadermake(text: str) -> None:
    read("s.cfg", text.encode())


@settings(deadline=None)
@given(PROJECT)
def test_projects(text: str) -> None:
    read("p.vcxproj", text.encode())


@settings(deadline=None)
@given(VALUES)
def test_commands(value: object) -> None:
    read("c.json", json.dumps(value).encode())


@settings(deadline=None)
@given(st.sampled_from(["s.cfg", "p.vcxproj", "c.json"]), st.binary(max_size=200))
def test_any_bytes(name: str, data: bytes) -> None:
    read(f"{name}", data)


@given(st.text(max_size=60))
def test_words_hold_no_more_than_the_line(text: str) -> None:
    assert sum(map(len, split_words(text))) <= len(text)
