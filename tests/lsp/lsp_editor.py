"""An editor as tests drive it: it waits for messages and for nothing else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient

_PATIENCE = 60
"""Seconds after which a message that has not come is taken for one that never will."""


class Editor:
    """What an editor does, with the last diagnostics of each file and the version that they are of."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.log: list[types.PublishDiagnosticsParams] = []
        self.refreshed = 0
        self._news = asyncio.Event()
        self._versions: dict[str, int] = {}
        features: Any = client.protocol.fm.features
        features.pop(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, None)
        features.pop(types.WORKSPACE_DIAGNOSTIC_REFRESH, None)

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def take(params: types.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params
            self.log.append(params)
            self._news.set()

        @client.feature(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        def refresh(_: None) -> None:
            self.refreshed += 1
            self._news.set()

    async def start(self, pull: bool = False, **options: Any) -> types.InitializeResult:
        """Say hello; `options` are the server's settings."""
        document = types.TextDocumentClientCapabilities(
            diagnostic=types.DiagnosticClientCapabilities() if pull else None
        )
        refresh = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        params = types.InitializeParams(
            capabilities=types.ClientCapabilities(
                text_document=document,
                workspace=types.WorkspaceClientCapabilities(diagnostics=refresh if pull else None),
                general=types.GeneralClientCapabilities(position_encodings=["utf-8", "utf-16"]),
            ),
            workspace_folders=[types.WorkspaceFolder(self.folder.as_uri(), "test")],
            initialization_options={"debounce": 1, "joinDelay": 1, **options},
        )
        return await self.client.initialize_session(params)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def write(self, name: str, text: str) -> None:
        """A file on disk."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def open(self, name: str, text: str | None = None) -> None:
        """Open a file, which is written first where its text is given."""
        if text is not None:
            self.write(name, text)
        text = (self.folder / name).read_bytes().decode()
        self._versions[name] = 1
        language = "cpp" if Path(name).suffix in (".cpp", ".h") else "hlsl"
        item = types.TextDocumentItem(self.uri(name), language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, name: str) -> None:
        identifier = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    def edit(self, name: str, *changes: tuple[tuple[int, int, int, int], str] | str) -> None:
        """Change the buffer: a range (line, character, line, character) and its new text, or the whole text."""
        events: list[types.TextDocumentContentChangeEvent] = []
        for change in changes:
            if isinstance(change, str):
                events.append(types.TextDocumentContentChangeWholeDocument(change))
            else:
                (line, character, end_line, end_character), text = change
                place = types.Range(types.Position(line, character), types.Position(end_line, end_character))
                events.append(types.TextDocumentContentChangePartial(place, text))
        self.change(name, events)

    def change(self, name: str, events: list[types.TextDocumentContentChangeEvent]) -> None:
        self._versions[name] += 1
        identifier = types.VersionedTextDocumentIdentifier(self._versions[name], self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, events))

    async def pull(self, name: str) -> list[types.Diagnostic]:
        """Ask for the diagnostics of a file."""
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(self.uri(name)))
        report = await self.client.text_document_diagnostic_async(params)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return list(report.items)

    async def diagnostics(self, name: str) -> list[types.Diagnostic]:
        """The diagnostics of the newest version of an open file, once they are there."""
        uri, version = self.uri(name), self._versions[name]
        while uri not in self.published or self.published[uri].version != version:
            await self.news()
        return list(self.published[uri].diagnostics)

    def said(self, name: str) -> list[types.Diagnostic]:
        """What has last been said of a file."""
        params = self.published.get(self.uri(name))
        return list(params.diagnostics) if params is not None else []

    async def news(self) -> None:
        """Wait for the next message."""
        self._news.clear()
        await asyncio.wait_for(self._news.wait(), _PATIENCE)

    def at(self, name: str, line: int, character: int) -> dict[str, Any]:
        """The arguments of a request about a place."""
        return {
            "text_document": types.TextDocumentIdentifier(self.uri(name)),
            "position": types.Position(line, character),
        }


def codes(found: list[types.Diagnostic]) -> list[tuple[object, int]]:
    """Code and 0-based line of each diagnostic."""
    return [(each.code, each.range.start.line) for each in found]
