"""Shaders as the build compiles them: by manifests that are found in the workspace, or that the editor names."""

from __future__ import annotations

import json

import pytest
from lsp_editor import Editor, codes
from lsprotocol import types

pytestmark = pytest.mark.asyncio

SHADER = """\
#include "slots.hlsli"
Texture2D<float4> First : register(FIRST);
#if FOG
Texture2D<float4> Second : register(t0);
#else
Texture2D<float4> Second : register(t1);
#endif
Texture2D<float4> Wrong : register(u5);
float4 Shade() : SV_Target { return First.Load(0) + Second.Load(0) + Wrong.Load(0); }
"""
SLOTS = "#define FIRST t0\n"
VCXPROJ = """\
<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><ItemGroup><FxCompile Include="a.hlsl">
<ShaderType>Pixel</ShaderType><ShaderModel>5.1</ShaderModel><EntryPointName>Shade</EntryPointName>
<PreprocessorDefinitions>FOG=1</PreprocessorDefinitions>
<AdditionalIncludeDirectories>include</AdditionalIncludeDirectories></FxCompile></ItemGroup></Project>
"""
WORDS = ["dxc", "-T", "ps_6_0", "-E", "Shade", "-D", "FOG=1", "-I", "include", "a.hlsl"]
LINE = {"directory": ".", "file": "a.hlsl", "arguments": WORDS[1:-1]}
SOURCES = {
    "shaders.cfg": 'a.hlsl -T ps -E Shade -D FOG={0,1} -X "-I include"\n',
    "app.vcxproj": VCXPROJ,
    "compile_commands.json": json.dumps([{"directory": ".", "file": "a.hlsl", "arguments": WORDS}]),
}
WITH_FOG = [("BL103", 3), ("BL102", 7)]


def lay_out(editor: Editor) -> None:
    editor.write("include/slots.hlsli", SLOTS)
    editor.write("a.hlsl", SHADER)


@pytest.mark.parametrize("name", SOURCES)
async def test_a_manifest_that_is_found_counts(editor: Editor, name: str) -> None:
    lay_out(editor)
    editor.write(name, SOURCES[name].replace('"directory": "."', f'"directory": "{editor.folder}"'))
    await editor.start()
    editor.open("a.hlsl")
    # Both variants of the ShaderMake line have the wrong class: it is told once.
    assert codes(await editor.diagnostics("a.hlsl")) == WITH_FOG
    (editor.folder / name).unlink()
    event = types.FileEvent(editor.uri(name), types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    while ("BL001", 0) not in codes(editor.said("a.hlsl")):
        await editor.news()


SPELLINGS = {
    "a.hlsl": ("compile_commands.json", SOURCES["compile_commands.json"].replace("a.hlsl", "\\u0061.hlsl")),
    "a.hlsl ": ("app.vcxproj", VCXPROJ.replace('"a.hlsl"', '"a%2Ehlsl"')),
    " a.hlsl": ("app.vcxproj", VCXPROJ.replace('"a.hlsl"', '"&#97;.hlsl"')),
    "\u00c9.hlsl": ("app.vcxproj", VCXPROJ.replace('"a.hlsl"', '"\u00c9.hlsl"')),
}


@pytest.mark.parametrize("name", SPELLINGS)
async def test_a_manifest_counts_however_it_spells_a_name(editor: Editor, name: str) -> None:
    manifest, text = SPELLINGS[name]
    editor.write("include/slots.hlsli", SLOTS)
    editor.write(manifest, text.replace('"directory": "."', f'"directory": "{editor.folder}"'))
    await editor.start()
    editor.open(name.strip(), SHADER)
    assert codes(await editor.diagnostics(name.strip())) == WITH_FOG


async def test_what_a_project_imports_counts(editor: Editor) -> None:
    lay_out(editor)
    editor.write("items.props", VCXPROJ)
    editor.write("app.vcxproj", '<Project><Import Project="items.props" /></Project>')
    await editor.start()
    editor.open("a.hlsl")
    assert codes(await editor.diagnostics("a.hlsl")) == WITH_FOG


async def test_a_name_that_no_file_has_holds_up_nobody(editor: Editor) -> None:
    lay_out(editor)
    editor.write("app.vcxproj", VCXPROJ)
    await editor.start()
    item = types.TextDocumentItem(f"{editor.uri('a.hlsl')}%00.hlsl", "hlsl", 1, SHADER)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    editor.open("a.hlsl")
    assert codes(await editor.diagnostics("a.hlsl")) == WITH_FOG


async def test_a_manifest_that_is_named_counts(editor: Editor) -> None:
    lay_out(editor)
    editor.write("build/lines.jsonl", json.dumps(LINE | {"directory": ".."}) + "\n")
    await editor.start(manifests=["build/lines.jsonl"])
    editor.open("a.hlsl")
    assert codes(await editor.diagnostics("a.hlsl")) == WITH_FOG


async def test_no_manifest_counts_where_none_is_wanted(editor: Editor) -> None:
    lay_out(editor)
    editor.write("shaders.cfg", SOURCES["shaders.cfg"])
    await editor.start(manifests=[])
    editor.open("a.hlsl")
    assert ("BL001", 0) in codes(await editor.diagnostics("a.hlsl"))


async def test_variants_beyond_the_limit_are_told(editor: Editor) -> None:
    lay_out(editor)
    editor.write("shaders.cfg", SOURCES["shaders.cfg"])
    await editor.start(variants=1)
    editor.open("a.hlsl")
    told, *found = await editor.diagnostics("a.hlsl")
    assert told.severity == types.DiagnosticSeverity.Information and "1 more compilations" in told.message
    assert codes(found) == [("BL102", 7)]


async def test_a_header_is_read_as_the_shaders_are_compiled(editor: Editor) -> None:
    lay_out(editor)
    editor.write("shaders.cfg", SOURCES["shaders.cfg"])
    await editor.start()
    editor.open("include/slots.hlsli")
    editor.edit("include/slots.hlsli", "#define FIRST t2\nTexture2D<float4> Mine : register(b0);\n")
    assert [code for code, _ in codes(await editor.diagnostics("include/slots.hlsli"))] == ["BL104", "BL102"]


async def test_a_manifest_that_is_none_is_told(editor: Editor) -> None:
    lay_out(editor)
    editor.write("app.vcxproj", "<Project a.hlsl")
    await editor.start()
    editor.open("a.hlsl")
    await editor.diagnostics("a.hlsl")
    while not editor.said("app.vcxproj"):
        await editor.news()
