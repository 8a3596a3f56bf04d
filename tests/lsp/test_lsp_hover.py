"""Hover over resources, root signatures and findings."""

from __future__ import annotations

import pytest
from lsp_editor import Editor
from lsprotocol import types

pytestmark = pytest.mark.asyncio

SHADER = """\
#define RS "DescriptorTable(SRV(t0, numDescriptors = 4)), CBV(b0), RootConstants(num32BitConstants = 3, b1)"
Texture2D<float4> First : register(t2);
Texture2D<float4> Second;
Texture2D<float4> Unused;
cbuffer Frame : register(b0) { float4 tint; }
float4 shade() { return Second.Load(0) * tint; }
[RootSignature(RS)]
float4 main(uint i : INDEX) : SV_Target { return First.Load(0) + shade(); }
"""


async def told(editor: Editor, line: int, word: str) -> str:
    text = (editor.folder / "a.hlsl").read_text().splitlines()[line]
    params = types.HoverParams(**editor.at("a.hlsl", line, text.index(word) + 1))
    found = await editor.client.text_document_hover_async(params)
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


PLACES: list[tuple[int, str, list[str]]] = [
    (1, "First", ["**First**: `Texture2D<float4>`", "`t2` (explicit)", "root parameter 0, range 0", "1 DWORD)"]),
    (1, "t2", ["**First**", "`t2`"]),
    (2, "Second", ["`t0` (assigned by the compiler)", "`main > shade` (read)"]),
    (5, "Second", ["`t0` (assigned by the compiler)"]),
    (3, "Unused", ["no register, since nothing uses it", "not used"]),
    (4, "Frame", ["`b0` (explicit)", "root parameter 1 (root CBV, 2 DWORDs)"]),
    (0, "SRV(t0", ["Root parameter 0, range 0", "`t0-t3`", "6 of 64 DWORDs", "feeds `First` (t2)", "`Second`"]),
    (0, "RootConstants", ["Root parameter 2", "3 DWORDs", "feeds nothing that is used"]),
]


async def test_what_a_place_means(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", SHADER)
    for line, word, parts in PLACES:
        text = await told(editor, line, word)
        assert [part for part in parts if part not in text] == [], text


async def test_a_finding_brings_the_head_of_its_page(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", SHADER.replace("t2", "u2"))
    text = await told(editor, 1, "u2")
    assert "**BL102 register-class**" in text and len(text) > 200


async def test_nothing_is_told_of_nothing(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", SHADER)
    assert await told(editor, 7, "return") == ""
