"""Host code in the editor: its own findings, and those of its pipelines, in whichever file they belong to."""

from __future__ import annotations

import pytest
from host import SKY_CPP, SKY_H, SKY_HLSL
from lsp_editor import Editor, codes
from lsprotocol import types

pytestmark = pytest.mark.asyncio


FOUR = SKY_CPP.replace("TYPE_SRV, TEXTURES", "TYPE_SRV, 4")
RIGHT = SKY_CPP.replace("ConstantBufferView(1, place)", "ConstantBufferView(0, place)")


async def until(editor: Editor, name: str, expected: list[tuple[object, int]]) -> None:
    while codes(editor.said(name)) != expected or editor.uri(name) not in editor.published:
        await editor.news()


async def test_open_host_code_has_the_findings_of_check(editor: Editor) -> None:
    await editor.start()
    editor.write("Sky.hlsl", SKY_HLSL)
    editor.write("Sky.h", SKY_H)
    editor.open("Sky.cpp", SKY_CPP)
    (found,) = await editor.diagnostics("Sky.cpp")
    assert (found.code, found.range.start.line) == ("BL602", 28)
    # What its pipeline makes wrong in a shader that is not open is told there, with the places in the host code.
    await until(editor, "Sky.hlsl", [("BL301", 2)])
    (found,) = editor.said("Sky.hlsl")
    places = {(each.location.uri, each.location.range.start.line) for each in found.related_information or ()}
    assert {(editor.uri("Sky.cpp"), line) for line in (6, 11, 22)} <= places


async def test_either_side_may_be_mended(editor: Editor) -> None:
    await editor.start()
    editor.write("Sky.h", SKY_H)
    editor.open("Sky.hlsl", SKY_HLSL)
    editor.open("Sky.cpp", SKY_CPP)
    await until(editor, "Sky.hlsl", [("BL301", 2)])
    editor.edit("Sky.hlsl", ((2, 36, 2, 37), "1"))
    await until(editor, "Sky.hlsl", [])
    editor.edit("Sky.hlsl", ((2, 36, 2, 37), "3"))
    await until(editor, "Sky.hlsl", [("BL301", 2)])
    editor.edit("Sky.cpp", FOUR)
    await until(editor, "Sky.hlsl", [])
    editor.edit("Sky.cpp", SKY_CPP)
    await until(editor, "Sky.hlsl", [("BL301", 2)])
    editor.open("Sky.h")
    editor.edit("Sky.h", SKY_H.replace("TEXTURES 2", "TEXTURES 4"))
    await until(editor, "Sky.hlsl", [])
    editor.edit("Sky.cpp", RIGHT)
    assert await editor.diagnostics("Sky.cpp") == []
    editor.close("Sky.h")
    editor.close("Sky.cpp")
    await until(editor, "Sky.hlsl", [("BL301", 2)])


async def test_host_code_is_asked_for(editor: Editor) -> None:
    await editor.start(pull=True)
    editor.write("Sky.hlsl", SKY_HLSL)
    editor.write("Sky.h", SKY_H)
    editor.open("Sky.cpp", SKY_CPP)
    assert codes(await editor.pull("Sky.cpp")) == [("BL602", 28)]
    editor.edit("Sky.cpp", RIGHT)
    assert await editor.pull("Sky.cpp") == []
    editor.open("Sky.hlsl")
    while codes(await editor.pull("Sky.hlsl")) != [("BL301", 2)]:
        before = editor.refreshed
        while editor.refreshed == before:
            await editor.news()


async def joined(editor: Editor) -> None:
    await editor.start()
    editor.write("Sky.h", SKY_H)
    editor.open("Sky.hlsl", SKY_HLSL)
    editor.open("Sky.cpp", SKY_CPP)
    await until(editor, "Sky.hlsl", [("BL301", 2)])


def place_of(text: str, part: str) -> tuple[int, int]:
    before, _, _ = text.partition(part)
    return before.count("\n"), len(before.rpartition("\n")[2])


HOVERS = (
    ("Sky.hlsl", "Sky : register", "`t0` (explicit), bound by root parameter 1, range 0 (descriptor table, 1 DWORD)"),
    ("Sky.hlsl", "Stars : register", "`t3` (explicit), not bound by the root signature in pipeline `skyPipeline`"),
    ("Sky.hlsl", "Linear : register", "bound by static sampler 0, which costs nothing in pipeline `skyPipeline`"),
    ("Sky.cpp", "InitAsConstantBufferView", "feeds `Frame` (b0) in `Sky.hlsl:VSMain`, `Sky.hlsl:PSMain`"),
    ("Sky.cpp", "InitAsConstantBufferView", "the whole root signature costs 3 of 64 DWORDs"),
    ("Sky.cpp", "ranges[0].Init", "registers `t0-t1`, visible to PIXEL"),
    ("Sky.cpp", "ranges[0].Init", "feeds `Sky` (t0) in `Sky.hlsl:PSMain`"),
    ("Sky.cpp", "SetGraphicsRootConstantBufferView(1", "BL602"),
)


async def test_hovers_know_the_other_side(editor: Editor) -> None:
    await joined(editor)
    for name, part, expected in HOVERS:
        line, character = place_of(SKY_CPP if name == "Sky.cpp" else SKY_HLSL, part)
        at = editor.at(name, line, character + len(part) - 1 if name == "Sky.cpp" else character)
        found = await editor.client.text_document_hover_async(types.HoverParams(**at))
        assert found is not None and isinstance(found.contents, types.MarkupContent), part
        assert expected in found.contents.value, found.contents.value


async def test_ways_between_a_resource_and_what_binds_it(editor: Editor) -> None:
    await joined(editor)
    line, character = place_of(SKY_HLSL, "register(t0)")
    params = types.DefinitionParams(**editor.at("Sky.hlsl", line, character + 9))
    (found,) = await editor.client.text_document_definition_async(params)
    assert (found.uri, found.range.start.line) == (editor.uri("Sky.cpp"), 6)
    params = types.DefinitionParams(**editor.at("Sky.cpp", 6, 8))
    (found,) = await editor.client.text_document_definition_async(params)
    assert (found.uri, found.range.start.line) == (editor.uri("Sky.hlsl"), 1)
    context = types.ReferenceContext(include_declaration=True)
    params = types.ReferenceParams(context=context, **editor.at("Sky.cpp", 6, 8))
    found = await editor.client.text_document_references_async(params)
    assert [(each.uri.rpartition("/")[2], each.range.start.line) for each in found or ()] == [
        ("Sky.cpp", 6),
        ("Sky.hlsl", 1),
        ("Sky.hlsl", 6),
    ]
    params = types.ReferenceParams(context=context, **editor.at("Sky.hlsl", 1, 18))
    found = await editor.client.text_document_references_async(params)
    assert ("Sky.cpp", 6) in [(each.uri.rpartition("/")[2], each.range.start.line) for each in found or ()]


async def test_the_outline_of_host_code(editor: Editor) -> None:
    await joined(editor)
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(editor.uri("Sky.cpp")))
    (found,) = await editor.client.text_document_document_symbol_async(params)
    assert (found.name, found.detail) == ("desc", "3 DWORDs")
    assert [child.name for child in found.children] == ["0: cbv", "1: table", "static sampler 0"]
