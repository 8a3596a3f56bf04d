"""Diagnostics that the server pushes: places, versions, headers through their shaders."""

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
