"""Host code in the editor: its own findings, and those of its pipelines, in whichever file they belong to."""

from __future__ import annotations

import pytest
from host import SKY_CPP, SKY_HLSL
from lsp_editor import Editor, codes

pytestmark = pytest.mark.asyncio


FOUR = SKY_CPP.replace("TYPE_SRV, 2", "TYPE_SRV, 4")
RIGHT = SKY_CPP.replace("ConstantBufferView(1, place)", "ConstantBufferView(0, place)")


async def until(editor: Editor, name: str, expected: list[tuple[object, int]]) -> None:
    while codes(editor.said(name)) != expected or editor.uri(name) not in editor.published:
        await editor.news()


async def test_open_host_code_has_the_findings_of_check(editor: Editor) -> None:
    await editor.start()
    editor.write("Sky.hlsl", SKY_HLSL)
    editor.open("Sky.cpp", SKY_CPP)
    (found,) = await editor.diagnostics("Sky.cpp")
    assert (found.code, found.range.start.line) == ("BL602", 27)
    # What its pipeline makes wrong in a shader that is not open is told there, with the places in the host code.
    await until(editor, "Sky.hlsl", [("BL301", 2)])
    (found,) = editor.said("Sky.hlsl")
    places = {(each.location.uri, each.location.range.start.line) for each in found.related_information or ()}
    assert {(editor.uri("Sky.cpp"), line) for line in (5, 10, 21)} <= places


async def test_either_side_may_be_mended(editor: Editor) -> None:
    await editor.start()
    editor.open("Sky.hlsl", SKY_HLSL)
    editor.open("Sky.cpp", SKY_CPP)
    await until(editor, "Sky.hlsl", [("BL301", 2)])
    editor.edit("Sky.hlsl", ((2, 36, 2, 37), "1"))
    await until(editor, "Sky.hlsl", [])
    editor.edit("Sky.hlsl", ((2, 36, 2, 37), "3"))
    await until(editor, "Sky.hlsl", [("BL301", 2)])
    editor.edit("Sky.cpp", FOUR)
    await until(editor, "Sky.hlsl", [])
    editor.edit("Sky.cpp", RIGHT)
    assert await editor.diagnostics("Sky.cpp") == []
    editor.close("Sky.cpp")
    await until(editor, "Sky.hlsl", [("BL301", 2)])


async def test_host_code_is_asked_for(editor: Editor) -> None:
    await editor.start(pull=True)
    editor.write("Sky.hlsl", SKY_HLSL)
    editor.open("Sky.cpp", SKY_CPP)
    assert codes(await editor.pull("Sky.cpp")) == [("BL602", 27)]
    editor.edit("Sky.cpp", RIGHT)
    assert await editor.pull("Sky.cpp") == []
    editor.open("Sky.hlsl")
    while codes(await editor.pull("Sky.hlsl")) != [("BL301", 2)]:
        before = editor.refreshed
        while editor.refreshed == before:
            await editor.news()
