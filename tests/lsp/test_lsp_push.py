"""Diagnostics that the server pushes: what they carry, versions, UTF-16, headers through their shaders."""

from __future__ import annotations

import pytest
from lsp_editor import Editor, codes
from lsprotocol import types

pytestmark = pytest.mark.asyncio

OVERLAP = """\
Texture2D<float4> First : register(t0);
Texture2D<float4> Second : register(t0);
float4 main() : SV_Target { return First.Load(0) + Second.Load(0); }
"""
SHADER = '#include "h.hlsli"\nTexture2D<float4> Mine : register(t0);\n'
MAIN = "float4 main() : SV_Target { return Shared.Load(0) + Mine.Load(0); }\n"


async def test_a_finding_with_its_places(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", OVERLAP)
    (found,) = await editor.diagnostics("a.hlsl")
    assert (found.code, found.severity, found.source) == ("BL103", types.DiagnosticSeverity.Error, "bindlint")
    assert found.code_description is not None and found.code_description.href.endswith("register_overlap.md")
    places = {(each.location.uri, each.location.range.start.line) for each in found.related_information or ()}
    assert (editor.uri("a.hlsl"), 0 if found.range.start.line else 1) in places
    editor.edit("a.hlsl", ((1, 37, 1, 38), "1"))
    assert await editor.diagnostics("a.hlsl") == []


async def test_places_count_utf_16(editor: Editor) -> None:
    await editor.start()
    comment = "/* \U0001f600\u00e4 */ "
    editor.open("a.hlsl", OVERLAP.replace("Texture2D<float4> Second", f"{comment}Texture2D<float4> Second"))
    (found,) = await editor.diagnostics("a.hlsl")
    start = len(comment) + 1 + len("Texture2D<float4> ")
    assert found.range == types.Range(types.Position(1, start), types.Position(1, start + len("Second")))
    # The comment goes, counted in UTF-16, and everything else stays.
    editor.edit("a.hlsl", ((1, 0, 1, len(comment) + 1), ""))
    (found,) = await editor.diagnostics("a.hlsl")
    assert found.range.start == types.Position(1, len("Texture2D<float4> "))


async def test_severities_and_tags(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", OVERLAP.replace("t0);\nfloat4", "t1); // bindlint: allow(register-class)\nfloat4"))
    (found,) = await editor.diagnostics("a.hlsl")
    assert (found.code, found.severity) == ("BL091", types.DiagnosticSeverity.Warning)
    assert list(found.tags or ()) == [types.DiagnosticTag.Unnecessary]
    editor.edit("a.hlsl", "Texture2D<float4> A : register(t0);\nTexture2D<float4> B : register(t0);\n" + MAIN)
    editor.edit("a.hlsl", OVERLAP.replace(" + Second.Load(0)", ""))
    (found,) = await editor.diagnostics("a.hlsl")
    assert (found.code, found.severity) == ("BL104", types.DiagnosticSeverity.Information)


async def test_only_the_newest_version_is_spoken_of(editor: Editor) -> None:
    """Thirty keystrokes at once: versions only go up, and the last is that of the last keystroke."""
    await editor.start(debounce=20)
    editor.open("a.hlsl", OVERLAP)
    for number in range(30):
        editor.edit("a.hlsl", ((1, 37, 1, 38), str(number % 2)))
    assert codes(await editor.diagnostics("a.hlsl")) == []
    editor.edit("a.hlsl", ((1, 37, 1, 38), "0"))
    assert codes(await editor.diagnostics("a.hlsl")) == [("BL103", 1)]
    versions = [each.version or 0 for each in editor.log]
    assert versions == sorted(versions) and versions[-1] == 32


async def test_a_header_is_read_through_its_shaders(editor: Editor) -> None:
    await editor.start()
    for name in ("one.hlsl", "two.hlsl"):
        editor.write(name, SHADER + MAIN)
    editor.write("three.hlsl", SHADER.replace("t0", "t1") + MAIN)
    editor.open("h.hlsli", "Texture2D<float4> Shared : register(t0);\n\n")
    found = await editor.diagnostics("h.hlsli")
    assert found == []
    while not {editor.uri("one.hlsl"), editor.uri("two.hlsl")} <= editor.published.keys():
        await editor.news()
    editor.edit("h.hlsli", ((1, 0, 1, 0), "Texture2D<float4> Wrong : register(u4);\n"))
    (found,) = await editor.diagnostics("h.hlsli")
    assert found.code == "BL102" and "(seen from 3 shaders)" in found.message


async def test_an_edit_of_a_header_reaches_open_shaders(editor: Editor) -> None:
    await editor.start()
    editor.open("h.hlsli", "Texture2D<float4> Shared : register(t0);\n")
    editor.open("one.hlsl", SHADER + MAIN)
    assert codes(await editor.diagnostics("one.hlsl")) == [("BL103", 1)]
    editor.edit("h.hlsli", ((0, 37, 0, 38), "5"))
    await editor.diagnostics("h.hlsli")
    while editor.published[editor.uri("one.hlsl")].diagnostics:
        await editor.news()
    editor.close("h.hlsli")
    while not editor.published[editor.uri("one.hlsl")].diagnostics:
        await editor.news()


async def test_broken_text_keeps_what_is_known_of_other_files(editor: Editor) -> None:
    await editor.start()
    editor.open("h.hlsli", OVERLAP)
    editor.open("a.hlsl", '#include "h.hlsli"\n')
    editor.edit("a.hlsl", ((1, 0, 1, 0), "cbuffer Half : register(b0) { float4 \nTexture2D<float4> Third : register("))
    assert "BL011" in {code for code, _ in codes(await editor.diagnostics("a.hlsl"))}
    assert codes(await editor.diagnostics("h.hlsli")) == [("BL103", 1)]


async def test_what_is_closed_is_forgotten(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", OVERLAP)
    assert await editor.diagnostics("a.hlsl")
    editor.close("a.hlsl")
    while editor.published[editor.uri("a.hlsl")].diagnostics:
        await editor.news()
