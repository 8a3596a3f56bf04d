"""Code actions: fixes that were tried, and comments that allow a finding."""

from __future__ import annotations

import pytest
from lsp_editor import Editor, codes
from lsprotocol import types

pytestmark = pytest.mark.asyncio

SHADER = """\
Texture2D<float4> First : register(t0);
Texture2D<float4> Second : register(t0); // the second
float4 main() : SV_Target { return First.Load(0) + Second.Load(0); }
"""


async def actions(editor: Editor, line: int) -> dict[str, types.CodeAction]:
    place = types.Range(types.Position(line, 0), types.Position(line, 80))
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(editor.uri("a.hlsl")), place, types.CodeActionContext([])
    )
    found = await editor.client.text_document_code_action_async(params)
    return {action.title: action for action in found or () if isinstance(action, types.CodeAction)}


def apply(editor: Editor, action: types.CodeAction) -> None:
    assert action.edit is not None and action.edit.changes is not None
    ((uri, edits),) = action.edit.changes.items()
    assert uri == editor.uri("a.hlsl")
    changes = [
        ((e.range.start.line, e.range.start.character, e.range.end.line, e.range.end.character), e.new_text)
        for e in edits
    ]
    editor.edit("a.hlsl", *changes)


async def test_a_fix_that_holds_is_offered_and_mends(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", SHADER)
    assert codes(await editor.diagnostics("a.hlsl")) == [("BL103", 1)]
    found = await actions(editor, 1)
    (fix,) = (action for title, action in found.items() if "t1" in title)
    assert fix.is_preferred and fix.kind == types.CodeActionKind.QuickFix
    assert [each.code for each in fix.diagnostics or ()] == ["BL103"]
    apply(editor, fix)
    assert await editor.diagnostics("a.hlsl") == []
    assert await actions(editor, 1) == {}


async def test_a_comment_allows_a_finding(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", SHADER)
    found = await actions(editor, 1)
    apply(editor, found["Allow register-overlap on this line"])
    assert await editor.diagnostics("a.hlsl") == []


async def test_a_comment_takes_another_rule(editor: Editor) -> None:
    await editor.start()
    line = "Texture2D<float4> Second : register(u0); // bindlint: allow(register-overlap) shared"
    editor.open("a.hlsl", SHADER.replace("Texture2D<float4> Second : register(t0); // the second", line))
    apply(editor, (await actions(editor, 1))["Allow register-class on this line"])
    assert "BL102" not in {code for code, _ in codes(await editor.diagnostics("a.hlsl"))}


async def test_a_macro_line_keeps_its_end(editor: Editor) -> None:
    await editor.start()
    editor.open(
        "a.hlsl",
        '#define RS "CBV(b0)," \\\n    "CBV(b0)," \\\n    "SRV(t0)"\n[RootSignature(RS)]\n'
        "float4 main() : SV_Target { return 0; }\n",
    )
    before = codes(await editor.diagnostics("a.hlsl"))
    (line,) = {line for code, line in before if code == "BL202"}
    found = await actions(editor, line)
    action = found["Allow root-signature-overlap on this line"]
    apply(editor, action)
    assert "BL202" not in {code for code, _ in codes(await editor.diagnostics("a.hlsl"))}
    assert "BL201" not in {code for code, _ in codes(await editor.diagnostics("a.hlsl"))}
