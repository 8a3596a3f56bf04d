"""Diagnostics for editors that ask for them, configurations, and files that change on disk."""

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


async def pull(editor: Editor, name: str, earlier: str | None = None) -> types.DocumentDiagnosticReport:
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(editor.uri(name)), previous_result_id=earlier)
    return await editor.client.text_document_diagnostic_async(params)


async def test_what_is_asked_for_is_of_the_newest_text(editor: Editor) -> None:
    await editor.start(pull=True, debounce=10_000)
    editor.open("a.hlsl", OVERLAP)
    report = await pull(editor, "a.hlsl")
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert codes(list(report.items)) == [("BL103", 1)]
    again = await pull(editor, "a.hlsl", report.result_id)
    assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
    editor.edit("a.hlsl", ((1, 37, 1, 38), "1"))
    report = await pull(editor, "a.hlsl", report.result_id)
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport) and not report.items
    assert editor.uri("a.hlsl") not in editor.published


async def test_an_edit_elsewhere_makes_it_ask_again(editor: Editor) -> None:
    await editor.start(pull=True)
    editor.open("h.hlsli", "Texture2D<float4> Shared : register(t1);\n")
    editor.open(
        "a.hlsl",
        '#include "h.hlsli"\nTexture2D<float4> First : register(t0);\n'
        "float4 main() : SV_Target { return First.Load(0) + Shared.Load(0); }\n",
    )
    assert await editor.pull("a.hlsl") == []
    before = editor.refreshed
    editor.edit("h.hlsli", ((0, 37, 0, 38), "0"))
    while editor.refreshed == before:
        await editor.news()
    assert codes(await editor.pull("a.hlsl")) == [("BL103", 1)]


def changed(editor: Editor, name: str, kind: types.FileChangeType) -> None:
    event = types.FileEvent(editor.uri(name), kind)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


async def test_a_configuration_counts_as_soon_as_it_is_there(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", OVERLAP)
    assert codes(await editor.diagnostics("a.hlsl")) == [("BL103", 1)]
    editor.write("bindlint.toml", 'ignore = ["register-overlap"]\n')
    changed(editor, "bindlint.toml", types.FileChangeType.Created)
    while editor.published[editor.uri("a.hlsl")].diagnostics:
        await editor.news()
    editor.write("bindlint.toml", 'defines = ["A"]\nignroe = []\n')
    changed(editor, "bindlint.toml", types.FileChangeType.Changed)
    while editor.uri("bindlint.toml") not in editor.published:
        await editor.news()
    (fault,) = editor.published[editor.uri("bindlint.toml")].diagnostics
    assert fault.range.start.line == 1 and "did you mean `ignore`" in fault.message
    (editor.folder / "bindlint.toml").unlink()
    changed(editor, "bindlint.toml", types.FileChangeType.Deleted)
    while editor.published[editor.uri("bindlint.toml")].diagnostics:
        await editor.news()
    while not editor.published[editor.uri("a.hlsl")].diagnostics:
        await editor.news()


async def test_a_header_that_comes_is_noticed(editor: Editor) -> None:
    await editor.start()
    editor.open("a.hlsl", '#include "h.hlsli"\n' + OVERLAP.replace("Texture2D<float4> Second : register(t0);\n", ""))
    assert ("BL001", 0) in codes(await editor.diagnostics("a.hlsl"))
    editor.write("h.hlsli", "Texture2D<float4> Second : register(t0);\n")
    changed(editor, "h.hlsli", types.FileChangeType.Created)
    while ("BL103", 1) not in codes(list(editor.published[editor.uri("a.hlsl")].diagnostics)):
        await editor.news()


VERTEX = """\
cbuffer Place : register(b0) { float4 place; }
float4 VSMain() : SV_Position { return place; }
"""
PIXEL = """\
cbuffer Tint : register(b1) { float4 tint; }
float4 PSMain() : SV_Target { return tint; }
"""
PIPELINE = """\
[[pipeline]]
name = "sky"
root-signature = "CBV(b0)"
stages = [
    { file = "v.hlsl", profile = "vs_6_0", entry = "VSMain" },
    { file = "p.hlsl", profile = "ps_6_0", entry = "PSMain" },
]
"""


async def test_described_pipelines_count(editor: Editor) -> None:
    await editor.start()
    editor.write("bindlint.toml", PIPELINE)
    editor.write("v.hlsl", VERTEX)
    editor.open("p.hlsl", PIXEL)
    assert ("BL301", 0) in codes(await editor.diagnostics("p.hlsl"))
    editor.edit("p.hlsl", ((0, 24, 0, 25), "0"))
    assert "BL301" not in {code for code, _ in codes(await editor.diagnostics("p.hlsl"))}
    editor.write("bindlint.toml", PIPELINE.replace("v.hlsl", "w.hlsl"))
    changed(editor, "bindlint.toml", types.FileChangeType.Changed)
    while not any("no file `w.hlsl`" in each.message for each in editor.said("bindlint.toml")):
        await editor.news()


async def test_settings_that_are_none_are_told_and_left_out(editor: Editor) -> None:
    await editor.start(debounce="soon")
    (told,) = editor.client.messages
    assert "initializationOptions" in told.message and "debounce" in told.message
    editor.open("a.hlsl", OVERLAP)
    assert codes(await editor.diagnostics("a.hlsl")) == [("BL103", 1)]
