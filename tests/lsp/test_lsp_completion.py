"""Completion after `register(` and in root-signature strings."""

from __future__ import annotations

import pytest
from lsp_editor import Editor
from lsprotocol import types

pytestmark = pytest.mark.asyncio

SHADER = """\
#define RS "DescriptorTable(SRV(t0, numDescriptors = 4)), CBV(b0)"
Texture2D<float4> First : register(t0);
Texture2D<float4> Second[2] : register(t1);
cbuffer Frame : register(b0) { float4 tint; }
Texture2D<float4> New : register();
[RootSignature(RS)]
float4 main(uint i : INDEX) : SV_Target { return First.Load(0) + Second[i].Load(0) * tint; }
"""


async def proposed(editor: Editor, line: int, character: int) -> list[types.CompletionItem]:
    found = await editor.client.text_document_completion_async(
        types.CompletionParams(**editor.at("a.hlsl", line, character))
    )
    assert isinstance(found, types.CompletionList)
    return sorted(found.items, key=lambda item: item.sort_text or "")


def words(items: list[types.CompletionItem]) -> list[str]:
    return [item.label for item in items]


async def test_free_registers_come_first_with_who_holds_the_others(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", SHADER)
    items = await proposed(editor, 4, len("Texture2D<float4> New : register("))
    assert words(items)[0] == "t3" and "root parameter 0" in (items[0].detail or "")
    assert words(items)[-3:] == ["t0", "t1", "t2"]
    assert items[-3].detail == "taken by `First`" and items[-1].detail == "taken by `Second`"
    assert {word[0] for word in words(items)} == {"t"}


CLASSES_AND_SIZES = {
    "RWBuffer<uint> New : register(|);": "u0",
    "SamplerState New : register(|": "s0",
    "cbuffer New : register(b|) {}": "b1",
    "ConstantBuffer<S> New : register(|);": "b1",
    "Texture2D<float4> New[2][2] : register(t|);": "t3",
    "Texture2D<float4> New : register(|, space3);": "t0",
    "Texture2D<float4> New : register(t0, |);": "space0",
}


async def test_the_class_and_the_size_are_those_of_the_declaration(editor: Editor) -> None:
    await editor.start()
    for number, (declaration, first) in enumerate(CLASSES_AND_SIZES.items()):
        editor.open("a.hlsl", SHADER.replace("Texture2D<float4> New : register();", declaration.replace("|", "")))
        items = await proposed(editor, 4, declaration.index("|"))
        assert words(items)[0] == first, declaration
        written = declaration[: declaration.index("|")]
        assert isinstance(items[0].text_edit, types.TextEdit)
        partial = 1 if written[-2:] in ("(t", "(b") else 0
        assert items[0].text_edit.range.start.character == len(written) - partial, number


async def test_registers_are_known_while_the_text_is_broken(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", SHADER)
    await editor.diagnostics("a.hlsl")
    editor.edit("a.hlsl", ((4, 0, 4, 35), ""), ((1, 0, 1, 0), "Texture2D<float4> New : register(\n"))
    items = await proposed(editor, 1, len("Texture2D<float4> New : register("))
    assert words(items)[0] == "t3"


WORDS: list[tuple[str, list[str]]] = [
    ('"|', ["RootFlags", "CBV", "DescriptorTable", "RootConstants", "StaticSampler"]),
    ('"CBV(b0), |', ["RootFlags", "SRV"]),
    ('"RootFlags(ALLOW_STREAM_OUTPUT | |', ["DENY_PIXEL_SHADER_ROOT_ACCESS"]),
    ('"CBV(|', ["b0", "space", "visibility"]),
    ('"CBV(b0, visibility = |', ["SHADER_VISIBILITY_PIXEL"]),
    ('"DescriptorTable(|', ["SRV", "Sampler", "visibility"]),
    ('"DescriptorTable(SRV(t0, |', ["numDescriptors", "offset", "flags"]),
    ('"DescriptorTable(SRV(t0, numDescriptors = |', ["unbounded"]),
    ('"DescriptorTable(SRV(t0), " "UAV(u0, flags = |', ["DESCRIPTORS_VOLATILE"]),
    ('"CBV(b0, flags = |', ["DATA_STATIC"]),
    ('"StaticSampler(s0, filter = |', ["FILTER_MIN_MAG_MIP_LINEAR"]),
    ('"DescriptorTable(SRV(|', ["t0", "t1"]),
]


async def test_words_of_root_signatures(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", SHADER)
    for string, some in WORDS:
        line = f"#define NEW_RS {string[:-1]}"
        editor.open("a.hlsl", SHADER.replace("Texture2D<float4> New : register();", line))
        missing = set(some) - set(words(await proposed(editor, 4, len(line))))
        assert not missing, string


async def test_nothing_is_proposed_elsewhere(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", SHADER + '// register(\n#define TEXT "some (')
    assert await proposed(editor, 7, 12) == []
    assert await proposed(editor, 8, len('#define TEXT "some (')) == []
