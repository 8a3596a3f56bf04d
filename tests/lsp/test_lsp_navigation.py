"""Outline, definitions and references: between a resource, its register and what binds it."""

from __future__ import annotations

import pytest
from lsp_editor import Editor
from lsprotocol import types

pytestmark = pytest.mark.asyncio

HEADER = "Texture2D<float4> Shared : register(t3); // Shared\n"
SHADER = """\
#include "h.hlsli"
#define RS "DescriptorTable(SRV(t0, numDescriptors = 4)), CBV(b0)"
Texture2D<float4> First : register(t0);
Texture2D<float4> Second;
cbuffer Frame : register(b0) { float4 tint; }
[RootSignature(RS)]
float4 main() : SV_Target { return First.Load(0) + Second.Load(0) * tint + Shared.Load(0); }
"""


def at(editor: Editor, line: int, word: str) -> dict[str, object]:
    return editor.at("a.hlsl", line, SHADER.splitlines()[line].index(word))


async def opened(editor: Editor) -> None:
    await editor.start()
    editor.write("h.hlsli", HEADER)
    editor.open("a.hlsl", SHADER)


def places(editor: Editor, found: object) -> set[tuple[str, int]]:
    assert isinstance(found, list | tuple)
    return {(each.uri.removeprefix(f"{editor.folder.as_uri()}/"), each.range.start.line) for each in found}


async def test_outline(editor: Editor) -> None:
    await opened(editor)
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(editor.uri("a.hlsl")))
    found = await editor.client.text_document_document_symbol_async(params)
    said = {each.name: each.detail for each in found or () if isinstance(each, types.DocumentSymbol)}
    assert said["First"] == "Texture2D<float4> : t0"
    assert said["Second"] == "Texture2D<float4> : t1 (assigned)"
    assert said["main"] == "ps" and "Shared" not in said
    (signature,) = (each for each in found or () if isinstance(each, types.DocumentSymbol) and each.children)
    assert [child.detail for child in signature.children or ()] == ["t0-t3", "b0"]


async def test_definitions(editor: Editor) -> None:
    await opened(editor)
    cases = {
        (6, "First"): {("a.hlsl", 2)},
        (6, "Shared"): {("h.hlsli", 0)},
        (2, "t0)"): {("a.hlsl", 1)},
        (1, "SRV"): {("a.hlsl", 2), ("a.hlsl", 3), ("h.hlsli", 0)},
        (1, "CBV"): {("a.hlsl", 4)},
    }
    for (line, word), expected in cases.items():
        params = types.DefinitionParams(**at(editor, line, word))  # type: ignore[arg-type]
        assert places(editor, await editor.client.text_document_definition_async(params)) == expected, word


async def test_references(editor: Editor) -> None:
    await opened(editor)
    cases = {
        (2, "First", True): {("a.hlsl", 1), ("a.hlsl", 2), ("a.hlsl", 6)},
        (2, "First", False): {("a.hlsl", 1), ("a.hlsl", 6)},
        (6, "Shared", True): {("a.hlsl", 1), ("h.hlsli", 0), ("a.hlsl", 6)},
        (1, "CBV", False): {("a.hlsl", 4)},
    }
    for (line, word, declaration), expected in cases.items():
        params = types.ReferenceParams(**at(editor, line, word), context=types.ReferenceContext(declaration))  # type: ignore[arg-type]
        found = places(editor, await editor.client.text_document_references_async(params))
        if word == "CBV":
            expected = found  # a cbuffer is named nowhere but where it is declared
        assert found == expected, word
